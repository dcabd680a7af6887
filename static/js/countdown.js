// Counts down what the server said was left, whatever the visitor's clock says; then shows what is true from then on:
// within [data-counts] the part marked [data-until] goes and the one marked [data-from] comes.
const loaded = Date.now();

function counted(number, singular, plural) {
  return `${number} ${number === 1 ? singular : plural}`;
}

// As cvarenta.wording.span_in_words.
function inWords(seconds) {
  const minutes = Math.floor(seconds / 60);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = [];
  if (days) parts.push(counted(days, "día", "días"));
  if (hours) parts.push(counted(hours, "hora", "horas"));
  if (rest && !days) parts.push(counted(rest, "minuto", "minutos"));
  return parts.join(" y ") || "menos de un minuto";
}

function show(time) {
  const left = Number(time.dataset.seconds) - (Date.now() - loaded) / 1000;
  const words = inWords(Math.max(0, left));
  if (time.textContent !== words) time.textContent = words;
  const around = time.closest("[data-counts]");
  if (!around || left > 0) return left > 0;
  for (const part of around.querySelectorAll("[data-until]")) part.hidden = true;
  for (const part of around.querySelectorAll("[data-from]")) part.hidden = false;
  return false;
}

let waiting = [...document.querySelectorAll("time[data-seconds]")];

function tick() {
  waiting = waiting.filter(show);
  if (waiting.length) setTimeout(tick, 1000);
}

tick();
window.addEventListener("pageshow", (event) => event.persisted && tick());
