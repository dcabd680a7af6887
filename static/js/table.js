// The table: sends plays, shows what came of them, keeps the page equal to the server's table.
import { choosing } from "./choice.js";
import { story } from "./motion.js";

const FRAGMENT = { "X-Fragment": "table", Accept: "text/html" };
const PATIENCE = 15000; // ms before a request counts as lost
const room = document.getElementById("room");
const voice = document.getElementById("voice");
const pace = document.getElementById("pace");
const told = story(room, () => pace.value);
let busy = false;
let checkedAt = 0;

document.documentElement.classList.add("js");

const choice = choosing(room, { isBusy: () => busy, hurry: () => told.hurry() });

function table() {
  return document.getElementById("table");
}

// Each line is read once; equal lines are new paragraphs, so both are read.
function say(text) {
  const line = document.createElement("p");
  line.textContent = text;
  voice.append(line);
  while (voice.childElementCount > 30) voice.firstElementChild.remove();
}

// What the led match has to say at this turn.
function sayLesson() {
  const lesson = document.getElementById("lesson");
  if (lesson) say(lesson.textContent);
}

function notice(text) {
  room.querySelector(".notice")?.remove();
  const line = document.createElement("p");
  line.className = "notice";
  line.setAttribute("role", "alert");
  line.textContent = text;
  table().append(line);
}

async function ask(options) {
  const response = await fetch(room.dataset.url, {
    headers: FRAGMENT, credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(PATIENCE), ...options,
  });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return { status: response.status, fresh: page.getElementById("table") };
}

// Lines of the decks that a fresh page would show stay above the new ones.
function keepLog(fresh) {
  const lines = [...table().querySelectorAll("#log li")];
  const log = fresh.querySelector("#log");
  const newest = log.lastElementChild?.dataset.deck ?? lines.at(-1)?.dataset.deck ?? 0;
  log.prepend(...lines.filter((line) => line.dataset.news === undefined && Number(line.dataset.deck) > Number(newest) - 2));
}

function show(fresh, hadFocus = table().contains(document.activeElement)) {
  const isLogOpen = document.getElementById("log-open").checked;
  table().replaceWith(fresh);
  document.getElementById("log-open").checked = isLogOpen;
  const log = document.getElementById("log");
  log.scrollTop = log.scrollHeight;
  choice.clear();
  if (hadFocus) (fresh.querySelector("#to-match") ?? fresh.querySelector(".hand input"))?.focus({ preventScroll: true });
}

function setBusy(value) {
  busy = value;
  room.classList.toggle("busy", value);
  const prompt = room.querySelector(".choosing .prompt");
  if (value && prompt) prompt.textContent = prompt.dataset.waiting;
}

// Nobody knows whether the play arrived: the same one may be sent again, for a ply is played once.
function notAnswered(text) {
  const prompt = room.querySelector(".choosing .prompt");
  if (prompt) prompt.textContent = room.dataset.turn;
  notice(text);
}

async function send(form, play) {
  const hadFocus = table().contains(document.activeElement);
  const body = new FormData(form);
  body.set("play", play);
  setBusy(true);
  room.querySelector(".notice")?.remove();
  try {
    const { status, fresh } = await ask({ method: "POST", body });
    if (status === 200 && fresh) {
      choice.clear();
      await told.tell(fresh, say).catch(() => {}); // whatever happens to the picture, the table below is the true one
      keepLog(fresh);
      show(fresh, hadFocus || Boolean(fresh.dataset.over));
      if (!fresh.dataset.over) say(room.dataset.turn);
      sayLesson();
    } else if (fresh) {
      show(fresh); // refused, with the table as it is
    } else {
      notAnswered(status === 403 || status === 404 ? room.dataset.signedOut : room.dataset.lost);
    }
  } catch {
    notAnswered(room.dataset.lost);
  } finally {
    setBusy(false);
  }
}

// Another tab or device may have played meanwhile.
async function lookAgain() {
  if (busy || document.hidden || Date.now() - checkedAt < 3000 || table().dataset.over) return;
  checkedAt = Date.now();
  try {
    const { status, fresh } = await ask({});
    if (!busy && status === 200 && fresh && fresh.dataset.ply !== table().dataset.ply) show(fresh);
  } catch {
    // without connection the next play says so
  }
}

room.addEventListener("submit", (event) => {
  if (event.target.id !== "play") return;
  event.preventDefault();
  const play = event.submitter?.value;
  if (!busy && play) send(event.target, play);
});
room.addEventListener("said", (event) => say(event.detail));
room.addEventListener("change", (event) => {
  if (event.target.id === "log-open") document.getElementById("log").scrollTop = 1e6; // opened at what came last
});
room.addEventListener("pointerdown", () => busy && told.hurry());
document.addEventListener("visibilitychange", lookAgain);
window.addEventListener("focus", lookAgain);
window.addEventListener("online", lookAgain);
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

try {
  pace.value = localStorage.getItem("ritmo") ?? "normal";
  pace.addEventListener("change", () => localStorage.setItem("ritmo", pace.value));
} catch {
  // a browser that keeps nothing plays at the normal pace
}
if (!pace.value) pace.value = "normal";
sayLesson();
