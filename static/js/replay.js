// The replay: draws moments from what the server put into the page, steps, plays, and keeps the address in step.
import { isForPage } from "./keys.js";

const STEP = 1500, CALL = 2600; // ms a moment is shown while playing on
const AT_ONCE = 6; // cards drawn anew, more than which a frame has no time for: the hands of a deal take some frames
const root = document.getElementById("repaso");
const frames = JSON.parse(document.getElementById("frames").textContent);
const last = frames.length - 1;
const shapes = new Map([...document.getElementById("cards").content.children].map((card) => [card.dataset.card, card]));
const seats = [...root.querySelectorAll(".seat")];
const plaques = [...root.querySelectorAll(".plaque")];
const [range, deal, playOn, hands] = ["[type=range]", "#deal", "#play-on", "#hands"].map((one) => root.querySelector(one));
const steps = [...root.querySelectorAll("[data-step]")];
let now = Number(root.dataset.ply);
let hides = "hides" in root.dataset;
let playing = null;
let noting = null;
let dealing = null;

document.documentElement.classList.add("js");

function address(ply, hidden = hides) {
  return `${root.dataset.url}jugada=${ply}${hidden ? `&manos=${root.dataset.mine}` : ""}#repaso`;
}

function names(cards) {
  return cards.match(/../g) ?? [];
}

function write(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

// What stays is left alone, so that only what changed is drawn and moves; returns how many cards were drawn anew.
function lay(list, cards, { fallen = "", from = "" } = {}) {
  let fresh = 0;
  cards.forEach((name, at) => {
    let item = list.children[at];
    while (item && item.dataset.card !== name && !cards.includes(item.dataset.card, at)) {
      item.remove();
      item = list.children[at];
    }
    if (item?.dataset.card !== name) {
      item = shapes.get(name).cloneNode(true);
      item.dataset.from = from;
      list.insertBefore(item, list.children[at] ?? null);
      fresh += 1;
    }
    item.classList.toggle("last", name === fallen);
  });
  while (list.children.length > cards.length) list.lastElementChild.remove();
  return fresh;
}

function handOf(frame, seat) {
  const cards = names(frame.hands[seat]);
  return hides && seat !== 0 ? cards.map(() => "back") : cards;
}

function nextCall(from, way) {
  for (let ply = from + way; ply >= 0 && ply <= last; ply += way) if (frames[ply].call) return ply;
  return from;
}

function target(step) {
  switch (step) {
    case "first": return 0;
    case "call-before": return nextCall(now, -1);
    case "before": return Math.max(now - 1, 0);
    case "after": return Math.min(now + 1, last);
    case "call-after": return nextCall(now, 1);
    default: return last;
  }
}

function drawHands(frame) {
  cancelAnimationFrame(dealing);
  const waiting = seats.map((seat, at) => [seat.querySelector(".hand"), handOf(frame, at)]);
  const some = () => {
    let fresh = 0;
    while (waiting.length && fresh < AT_ONCE) fresh += lay(...waiting.shift());
    if (waiting.length) dealing = requestAnimationFrame(some);
  };
  some();
}

function draw() {
  const frame = frames[now];
  const took = names(frame.took);
  const from = seats[frame.by]?.dataset.place;
  seats.forEach((seat, at) => {
    seat.classList.toggle("turn", at === frame.turn);
    seat.classList.toggle("dealer", at === frame.dealer);
  });
  drawHands(frame);
  lay(root.querySelector(".laid"), names(frame.table), { fallen: frame.last, from });
  root.querySelector(".took").hidden = !took.length;
  lay(root.querySelector(".took ul"), took, { from });
  plaques.forEach((plaque, team) => {
    for (const kind of ["score", "taken", "chicas"]) {
      const shown = plaque.querySelector(`.${kind}`);
      if (shown) write(shown, frame[kind][team]);
    }
  });
  write(root.querySelector(".call"), frame.call);
  write(root.querySelector(".stock"), frame.stock);
  write(root.querySelector(".where"), frame.where);
  write(root.querySelector(".next"), frame.next);
  root.querySelector(".lines").replaceChildren(
    ...frame.lines.map((text, at) => {
      const line = document.createElement("p");
      line.className = frame.called[at] ? "called" : "";
      line.textContent = text;
      return line;
    }),
  );
  root.querySelector(".told").scrollTop = 0;
}

function drawWays() {
  range.value = now;
  range.setAttribute("aria-valuetext", frames[now].where);
  deal.value = [...deal.options].findLast((option) => Number(option.value) <= now).value;
  for (const link of steps) {
    const ply = target(link.dataset.step);
    link.href = address(ply);
    if (ply === now) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }
  hands.href = address(now, !hides);
  write(hands, hides ? hands.dataset.hidden : hands.dataset.open);
}

// Browsers refuse hundreds of these at once: while somebody scrubs, only the moment where they rest.
function note() {
  clearTimeout(noting);
  noting = setTimeout(() => history.replaceState(history.state, "", address(now)), 120);
}

function go(ply, hidden = hides) {
  now = Math.min(Math.max(ply, 0), last);
  hides = hidden;
  draw();
  drawWays();
  note();
}

function pause() {
  clearTimeout(playing);
  playing = null;
  playOn.classList.remove("playing");
}

function play() {
  if (playing) return pause();
  playOn.classList.add("playing");
  if (now === last) go(0);
  const rest = () => {
    playing = setTimeout(() => {
      go(now + 1);
      if (now === last) pause();
      else rest();
    }, frames[now].call ? CALL : STEP);
  };
  rest();
}

// Any link of the page to a moment of this match: a step, a line of the log, a play that the analysis names.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { origin, pathname, searchParams } = new URL(link.href);
  if (origin !== location.origin || pathname !== location.pathname || !searchParams.has("jugada")) return;
  event.preventDefault();
  pause();
  const isStep = root.contains(link);
  go(Number(searchParams.get("jugada")) || 0, link === hands ? !hides : hides);
  if (isStep) return;
  root.scrollIntoView();
  root.focus({ preventScroll: true });
});

range.addEventListener("input", () => {
  pause();
  go(Number(range.value));
});
deal.addEventListener("change", () => {
  pause();
  go(Number(deal.value));
});
playOn.addEventListener("click", play);
document.addEventListener("visibilitychange", () => document.hidden && pause());

const copy = document.getElementById("copy-moment");
const copyLabel = copy?.textContent;
copy?.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(new URL(address(now), location.href).href);
    copy.textContent = copy.dataset.done;
    setTimeout(() => (copy.textContent = copyLabel), 2000);
  } catch {
    history.replaceState(history.state, "", address(now)); // then the browser's own address is the link
  }
});

// The keys that also move the page do so unless the replay is what is being looked at.
function isInSight() {
  const { top, bottom } = root.querySelector(".board").getBoundingClientRect();
  return bottom > innerHeight * 0.25 && top < innerHeight * 0.75;
}

const KEYS = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (!isForPage(event) || !isInSight()) return;
  const step = KEYS[event.key];
  if (step) {
    pause();
    go(target(event.shiftKey && event.key.startsWith("Arrow") ? `call-${step}` : step));
  } else if (event.key === " " && !event.target.closest("button, summary")) {
    if (!event.repeat) play();
  } else if ((event.key === "m" || event.key === "M") && !event.repeat) {
    go(now, !hides);
  } else {
    return;
  }
  event.preventDefault();
});
