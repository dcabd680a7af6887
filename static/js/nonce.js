// The visitor's part of a sealed deck: whoever leaves it empty adds 16 bytes of chance of their own browser.
const BYTES = 16;
document.documentElement.classList.add("js");

function byChance() {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

document.addEventListener("submit", (event) => {
  const { pledge, nonce } = event.target.elements;
  if (pledge && nonce && !nonce.value) nonce.value = byChance();
});

// What was written amiss is shown, not held back behind a closed line.
document.addEventListener("invalid", (event) => event.target.closest(".seal")?.setAttribute("open", ""), true);

// A page that comes back from the browser's memory holds a deck that has been dealt.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
