// Choosing a card and what it takes, by touch, mouse and keys. Everything chosen is shown; nothing else is ever played.
import { anotherMatch } from "./another.js";

export function choosing(room, { isBusy, hurry }) {
  const another = anotherMatch();
  const help = document.getElementById("help");
  const menu = document.getElementById("menu");

  const form = () => document.getElementById("play");
  const chosenCard = () => form()?.querySelector(".hand input:checked");
  const choices = () => {
    const key = chosenCard()?.id.slice("card-".length);
    return key ? [...form().querySelectorAll(`.choices[data-key="${key}"] .choice`)] : [];
  };
  const standing = () => choices().find((choice) => choice.classList.contains("chosen"));

  function stand(choice) {
    for (const other of room.querySelectorAll(".choice.chosen")) other.classList.remove("chosen");
    choice?.classList.add("chosen");
    const takes = choice ? choice.dataset.takes.split(" ") : [];
    for (const card of room.querySelectorAll(".laid li")) {
      const isTaken = takes.includes(card.dataset.card);
      card.classList.toggle("would-take", isTaken);
      card.classList.toggle("would-not", Boolean(choice) && !isTaken);
    }
    for (const danger of room.querySelectorAll("[data-danger]")) danger.classList.toggle("stands", danger.dataset.danger === choice?.value);
  }

  function choose(input) {
    input.checked = true;
    input.focus({ preventScroll: true });
    stand(choices()[0]);
  }

  function clear() {
    const input = chosenCard();
    if (input) input.checked = false;
    stand(null);
  }

  function play() {
    const choice = standing();
    if (choice && !isBusy()) form().requestSubmit(choice);
  }

  // The second tap on a chosen card plays what stands chosen.
  let wasChosen = null;
  room.addEventListener("pointerdown", (event) => {
    const label = event.target.closest(".held-card label");
    wasChosen = label && chosenCard() === label.control ? label : null;
  });
  room.addEventListener("click", (event) => {
    const label = event.target.closest(".held-card label");
    if (label && isBusy()) return event.preventDefault();
    if (label && wasChosen === label) {
      wasChosen = null;
      event.preventDefault();
      return play();
    }
    const laid = event.target.closest(".laid li");
    if (laid && chosenCard()) {
      const all = choices();
      const from = all.indexOf(standing()) + 1;
      stand([...all.slice(from), ...all].find((choice) => choice.dataset.takes.split(" ").includes(laid.dataset.card)) ?? standing());
    }
  });
  room.addEventListener("change", (event) => {
    if (event.target.matches(".hand input")) isBusy() ? clear() : stand(choices()[0]);
  });
  room.addEventListener("focusin", (event) => {
    if (event.target.matches(".choice")) stand(event.target);
  });
  room.addEventListener("pointerover", (event) => {
    const choice = event.target.closest(".choice");
    if (choice && event.pointerType === "mouse") stand(choice);
  });

  function step(by) {
    const all = choices();
    if (all.length) stand(all[(all.indexOf(standing()) + by + all.length) % all.length]);
  }

  function back() {
    if (document.querySelector("dialog[open]")) return;
    for (const open of [help, menu]) {
      if (open.open) {
        open.open = false;
        return open.querySelector("summary").focus();
      }
    }
    isBusy() ? hurry() : clear();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input[type=text], textarea")) return;
    if (document.querySelector("dialog[open]")) return;
    const key = event.key;
    if (key === "Escape") return back();
    if (key === "?") {
      help.open = !help.open;
      return help.querySelector("summary").focus();
    }
    if (key === "n" || key === "N") return another(!form());
    if (help.open || menu.open) return; // nothing is played that cannot be seen
    if (isBusy()) {
      if (key === "Enter" || key === " ") {
        event.preventDefault(); // or the button in focus would be pressed once all is told
        hurry();
      }
      return;
    }
    if (/^[1-5]$/.test(key)) {
      const input = document.getElementById(`card-${key}`);
      if (input) choose(input);
    } else if (["ArrowUp", "ArrowDown"].includes(key) && chosenCard() && !event.target.matches("#log")) {
      event.preventDefault();
      step(key === "ArrowDown" ? 1 : -1);
    } else if (key === "Enter" && !event.repeat && !event.target.closest("button, a, summary")) {
      event.preventDefault();
      play();
    }
  });

  for (const details of [help, menu]) {
    details.addEventListener("toggle", () => {
      if (details.open) (details === help ? menu : help).open = false;
    });
  }
  document.addEventListener("click", (event) => {
    for (const details of [help, menu]) if (details.open && !details.contains(event.target)) details.open = false;
  });

  // After a reload some browsers keep a card chosen: nothing of an earlier moment may be played.
  clear();
  return { clear };
}
