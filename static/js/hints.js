// Hints at the table: maestro's word comes without leaving it, and an address that asked for it is not asked again.
const room = document.getElementById("room");
const menu = document.getElementById("menu");

async function askMaestro(link) {
  const table = document.getElementById("table");
  const response = await fetch(link.href, {
    headers: { "X-Fragment": "hints", Accept: "text/html" }, credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(15000),
  });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("aids");
  if (!table.isConnected || room.classList.contains("busy")) return; // a play was made meanwhile: the word is late
  if (!response.ok || !fresh) throw new Error(response.status);
  const old = document.getElementById("aids");
  const chosen = table.querySelector(".hand input:checked");
  if (chosen) {
    chosen.checked = false; // its danger would hide the word
    chosen.dispatchEvent(new Event("change", { bubbles: true }));
  }
  if (old) old.replaceWith(fresh);
  else document.getElementById("play").before(fresh);
  table.classList.add("with-aids");
  menu.open = false;
  room.dispatchEvent(new CustomEvent("said", { detail: fresh.querySelector(".word").textContent }));
  fresh.querySelector(".ribbon").focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-hint]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (room.classList.contains("busy")) return;
  askMaestro(link).catch(() => (location.href = link.href)); // the page says what is wrong
});

if (location.pathname !== room.dataset.url) history.replaceState(null, "", room.dataset.url);
