// Tells what happened at the table, one event after the other, on the table that was there before. It moves cards and
// numbers only: the true table replaces it afterwards, so whatever is skipped or goes wrong here changes nothing.
import { sound } from "./sound.js";

const SVG = "http://www.w3.org/2000/svg";
const PACES = { slow: 1.7, normal: 1, fast: 0.5, once: 0 };
const STEP = 420; // ms between two plays at normal pace
const TRAVEL = 280; // ms a card is on its way
const CALL = 850; // ms a call is shown
const still = matchMedia("(prefers-reduced-motion: reduce)");
const ears = sound();
const WEIGHTS = ["lay", "capture", "deal", "ronda", "limpia", "carton", "caida", "lost", "won"];

// What a line of the log sounds like; a caída that is a limpia too is heard as a caída first.
function soundsOf(line) {
  const { kind, call, takes, winner } = line.dataset;
  if (kind === "play") return call ? call.split(" ") : [takes ? "capture" : "lay"];
  if (kind !== "chica" && kind !== "end") return [kind];
  return line.nextElementSibling?.dataset.kind === "end" ? [] : [winner === "0" ? "won" : "lost"];
}

const gravest = (lines) => lines.flatMap(soundsOf).sort((a, b) => WEIGHTS.indexOf(b) - WEIGHTS.indexOf(a))[0];

export function story(room, paceName) {
  let release = () => {};
  let isHurried = false;
  let hurried = Promise.resolve();
  const running = new Set();
  const $ = (selector) => room.querySelector(selector);
  const pace = () => (isHurried || document.hidden ? 0 : PACES[paceName()] ?? 1);
  const hear = (...names) => pace() && names.forEach((name, i) => ears.play(name, i * 0.45));

  function hurry() {
    isHurried = true;
    for (const animation of running) animation.finish();
    release();
  }

  function wait(ms) {
    const time = ms * pace();
    return time ? Promise.race([new Promise((done) => setTimeout(done, time)), hurried]) : Promise.resolve();
  }

  async function move(element, frames, ms, easing = "ease-out") {
    const time = still.matches ? 0 : ms * Math.min(1.2, pace());
    if (!time) return;
    const animation = element.animate(frames, { duration: time, easing, fill: "both" });
    running.add(animation);
    // A hidden page draws no frames: never wait for an animation that does not run.
    await Promise.race([animation.finished.catch(() => {}), new Promise((done) => setTimeout(done, time + 150))]);
    running.delete(animation);
    animation.cancel();
  }

  function drawing(name, className) {
    const svg = document.createElementNS(SVG, "svg");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `${room.dataset.cards}#${name}`);
    svg.setAttribute("aria-hidden", "true");
    if (className) svg.setAttribute("class", className);
    svg.append(use);
    return svg;
  }

  // A card in flight from one box to another, on an arc.
  async function fly(name, from, to, ms = TRAVEL) {
    if (still.matches || !pace()) return;
    const card = document.createElement("div");
    card.className = "flying";
    card.append(drawing(name, "card"));
    Object.assign(card.style, { left: `${to.left}px`, top: `${to.top}px`, width: `${to.width}px`, height: `${to.height}px` });
    room.append(card);
    const dx = from.left + from.width / 2 - to.left - to.width / 2;
    const dy = from.top + from.height / 2 - to.top - to.height / 2;
    const scale = Math.max(0.35, from.width / to.width);
    const lift = -Math.min(36, Math.hypot(dx, dy) / 8);
    await move(card, [
      { transform: `translate(${dx}px, ${dy}px) scale(${scale})` },
      { transform: `translate(${dx * 0.45}px, ${dy * 0.45 + lift}px) scale(${(1 + scale) / 2}) rotate(3deg)`, offset: 0.5 },
      { transform: "none" },
    ], ms);
    card.remove();
  }

  const boxes = () => new Map([...room.querySelectorAll(".laid li")].map((card) => [card, card.getBoundingClientRect()]));

  // Cards that stay on the table slide to their new places.
  function settle(before) {
    for (const [card, old] of before) {
      if (!card.isConnected) continue;
      const box = card.getBoundingClientRect();
      const [dx, dy] = [old.left - box.left, old.top - box.top];
      if (dx || dy) move(card, [{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }], 200);
    }
  }

  function recount() {
    const list = $(".laid");
    list.className = `laid count-${list.childElementCount}`;
    $(".cloth .empty")?.remove();
  }

  function setScore([ours, theirs]) {
    [ours, theirs].forEach((points, team) => {
      const number = $(`.points[data-team="${team}"]`);
      if (number.textContent === String(points)) return;
      number.textContent = points;
      const counters = number.parentElement.querySelector(".counters");
      counters.replaceChildren(
        ...Array.from({ length: Math.floor(points / 10) }, () => drawing("perro")),
        ...Array.from({ length: Math.floor((points % 10) / 2) }, () => drawing("tanto")),
      );
      move(number, [{ scale: 1.35 }, { scale: 1 }], 260);
    });
  }

  function pile(team, change) {
    const count = $(`.pile[data-team="${team}"] span`);
    count.textContent = change === null ? 0 : Number(count.textContent) + change;
  }

  async function call(line, words) {
    const band = document.createElement("p");
    band.className = `call ${line.dataset.call}`;
    band.setAttribute("aria-hidden", "true");
    band.textContent = words ?? line.dataset.called;
    $(".cloth").append(band);
    await wait(CALL);
    band.remove();
  }

  function speak(line) {
    const seat = line.dataset.says && $(`.seat[data-seat="${line.dataset.speaker}"]`);
    if (!seat) return null;
    const ribbon = document.createElement("p");
    ribbon.className = "says";
    ribbon.setAttribute("aria-hidden", "true");
    ribbon.textContent = line.dataset.says;
    seat.append(ribbon);
    return ribbon;
  }

  function turn(seat) {
    for (const other of room.querySelectorAll(".seat.turn")) other.classList.remove("turn");
    $(`.seat[data-seat="${seat}"]`)?.classList.add("turn");
  }

  // The box a seat's card leaves from; it is then one card poorer.
  function takeFromHand(seat, name) {
    if (seat === 0) {
      const label = $(`.held-card label[data-card="${name}"]`);
      const box = (label ?? $("#play")).getBoundingClientRect();
      label?.closest(".held-card").remove();
      return box;
    }
    const back = $(`.seat[data-seat="${seat}"] .held svg:last-child`);
    const box = (back ?? $(`.seat[data-seat="${seat}"] .medallion`)).getBoundingClientRect();
    back?.remove();
    return box;
  }

  async function played(line) {
    const { card, call: called } = line.dataset;
    const seat = Number(line.dataset.seat);
    const takes = line.dataset.takes ? line.dataset.takes.split(" ") : [];
    turn(seat);
    const from = takeFromHand(seat, card);
    for (const last of room.querySelectorAll(".laid .last")) last.classList.remove("last");
    if (takes.length) await capture(seat, card, takes, from);
    else await lay(card, from);
    if (line.dataset.call) {
      if (called.includes("caida")) shake((seat + room.querySelectorAll(".seat").length - 1) % room.querySelectorAll(".seat").length);
      setScore(line.dataset.score.split(" ").map(Number));
      hear(...soundsOf(line));
      await call(line, `${line.dataset.called} ${gain(line)}`.trim());
    }
  }

  const gain = (line) => {
    const points = Math.max(...(line.dataset.points ?? "0").split(" ").map(Number));
    return points ? `+${points}` : "";
  };

  function shake(seat) {
    const fallen = $(`.seat[data-seat="${seat}"]`);
    fallen?.classList.add("fallen");
    setTimeout(() => fallen?.classList.remove("fallen"), 600);
  }

  async function lay(name, from) {
    const before = boxes();
    const place = document.createElement("li");
    place.dataset.card = name;
    place.className = "last";
    place.append(drawing(name, "card"));
    place.style.visibility = "hidden";
    $(".laid").append(place);
    recount();
    settle(before);
    await fly(name, from, place.getBoundingClientRect());
    hear("lay");
    place.style.visibility = "";
  }

  async function capture(seat, name, takes, from) {
    const taken = takes.map((card) => $(`.laid li[data-card="${card}"]`)).filter(Boolean);
    if (taken.length) {
      const under = taken[0].getBoundingClientRect();
      const over = { left: under.left + 10, top: under.top - 12, width: under.width, height: under.height };
      for (const card of taken) card.classList.add("would-take");
      await fly(name, from, over);
      hear("capture");
      const top = document.createElement("div");
      top.className = "flying";
      top.append(drawing(name, "card"));
      Object.assign(top.style, { left: `${over.left}px`, top: `${over.top}px`, width: `${over.width}px`, height: `${over.height}px` });
      room.append(top);
      await Promise.all(taken.slice(1).map((card) => {
        const box = card.getBoundingClientRect();
        return move(card, [{ translate: "0 0" }, { translate: `${under.left - box.left}px ${under.top - box.top}px` }], 220);
      }));
      const before = boxes();
      for (const card of taken) card.remove();
      recount();
      settle(before);
      const goal = $(`.pile[data-team="${seat % 2}"]`).getBoundingClientRect();
      const start = top.getBoundingClientRect();
      const [dx, dy] = [goal.left + goal.width / 2 - start.left - start.width / 2, goal.top + goal.height / 2 - start.top - start.height / 2];
      await move(top, [{ transform: "none" }, { transform: `translate(${dx}px, ${dy}px) scale(0.3)`, opacity: 0.6 }], TRAVEL, "ease-in");
      top.remove();
    }
    pile(seat % 2, takes.length + 1);
  }

  async function dealt(line, fresh) {
    const isFreshDeck = line.dataset.freshDeck !== undefined;
    if (isFreshDeck) {
      await sweep();
      [0, 1].forEach((team) => pile(team, null));
    }
    hear("deal");
    for (const seat of room.querySelectorAll(".seat .held")) {
      seat.replaceChildren(...Array.from({ length: 5 }, () => drawing("back")));
    }
    const hand = fresh.querySelector(".hand");
    const old = $(".hand");
    if (hand && old) {
      const copy = hand.cloneNode(true);
      for (const input of copy.querySelectorAll("input")) input.disabled = true;
      old.replaceWith(copy);
      const from = $(".cloth").getBoundingClientRect();
      await Promise.all([...copy.querySelectorAll(".held-card")].map(async (card, i) => {
        const box = card.getBoundingClientRect();
        const frames = [
          { translate: `${from.left + from.width / 2 - box.left - box.width / 2}px ${from.top + from.height / 2 - box.top}px`, opacity: 0 },
          { translate: "0 0", opacity: 1 },
        ];
        card.style.opacity = "0";
        await wait(40 * i);
        card.style.opacity = "";
        await move(card, frames, 240);
      }));
    }
  }

  // What is left on the table when a deck is out goes to nobody.
  async function sweep() {
    const left = [...room.querySelectorAll(".laid li")];
    await Promise.all(left.map((card) => move(card, [{ opacity: 1 }, { opacity: 0, translate: "0 -18px" }], 220)));
    for (const card of left) card.remove();
    recount();
  }

  async function tellOne(line, fresh, say) {
    const kind = line.dataset.kind;
    say(line.textContent.trim().replace(/\s+/g, " "));
    const ribbon = speak(line);
    append(line);
    if (kind === "play") await played(line);
    else if (kind === "deal") await dealt(line, fresh);
    else {
      if (line.dataset.score) setScore(line.dataset.score.split(" ").map(Number));
      hear(...soundsOf(line));
      await call(line, kind === "carton" ? `${line.dataset.called} ${line.dataset.cards.replace(" ", " · ")}` : `${line.dataset.called} ${kind === "ronda" ? gain(line) : ""}`.trim());
    }
    await wait(ribbon ? STEP * 2 : STEP);
    ribbon?.remove();
  }

  function append(line) {
    const log = $("#log");
    const copy = line.cloneNode(true);
    copy.dataset.news = "";
    log.append(copy);
    log.scrollTop = log.scrollHeight;
  }

  // Tell the lines of the fresh table's log, which are the news.
  async function tell(fresh, say) {
    isHurried = false;
    hurried = new Promise((done) => (release = done));
    const lines = [...fresh.querySelectorAll("#log li")];
    if (!pace()) ears.play(gravest(lines)); // told all at once: one sound, not one for each
    for (const line of lines) await tellOne(line, fresh, say);
    if (!fresh.dataset.over) hear("turn");
    for (const left of room.querySelectorAll(".flying")) left.remove();
  }

  return { tell, hurry };
}
