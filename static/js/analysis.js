// The analysis of a match: asked for without leaving the page, and its progress asked after until it is there.
const FRAGMENT = { "X-Fragment": "analysis", Accept: "text/html" };
const FIRST_WAIT = 1000; // ms, and then longer and longer
const LONGEST_WAIT = 10_000;
const PATIENCE = 60_000; // ms for one answer: without workers it is worked out while we wait
const FAILURES = 5; // in a row, until we give up

const panel = () => document.getElementById("analysis");

async function ask(options) {
  const response = await fetch(panel().dataset.url, {
    headers: FRAGMENT, credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(PATIENCE), ...options,
  });
  if (!response.ok && response.status !== 429) throw new Error(response.status); // 429: shown, as what it says
  return new DOMParser().parseFromString(await response.text(), "text/html").getElementById("analysis");
}

function show(fresh) {
  const old = panel();
  const hadFocus = old.contains(document.activeElement);
  const [status, news] = [old, fresh].map((from) => from.querySelector("[role=status]"));
  if (old.dataset.state === "working" && fresh.dataset.state === "working") {
    status.textContent = news.textContent; // what has focus and is read aloud stays where it is
    old.querySelector("progress").value = fresh.querySelector("progress").value;
    return;
  }
  old.replaceWith(fresh);
  if (hadFocus) fresh.focus({ preventScroll: true });
}

function giveUp() {
  const words = panel().querySelector("[data-gave-up]");
  if (words) words.hidden = false;
}

async function follow() {
  let failures = 0;
  for (let wait = FIRST_WAIT; panel().dataset.state === "working"; wait = Math.min(wait * 1.3, LONGEST_WAIT)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      show(await ask());
      failures = 0;
    } catch {
      failures += 1;
      if (failures === FAILURES) return giveUp();
    }
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!panel()?.contains(form)) return;
  event.preventDefault();
  const button = form.querySelector("button");
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  try {
    show(await ask({ method: "POST", body: new FormData(form) }));
    follow();
  } catch {
    button.removeAttribute("aria-disabled");
    giveUp();
  }
});

if (panel()) follow();
