// «¿Se repartió limpio?»: checks a match's record, or a file of one, in this browser and shows every deck.
import { canCheck, checkRecord } from "./shuffle.js";

document.documentElement.classList.add("js");
const seatsOf = JSON.parse(document.getElementById("seats").textContent);
const faces = new Map([...document.getElementById("cards").content.children].map((card) => [card.dataset.card, card]));
let asked = 0;

function make(tag, className, ...parts) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...parts);
  return element;
}

function faceOf(name) {
  const known = faces.get(name)?.cloneNode(true).childNodes ?? [name];
  return [...known].map((part) => (part.querySelector?.("i")?.remove(), part)); // «recién dejada» is the replay's
}

// A card as it was dealt; where another should have come, that one below it.
function cell(card, right) {
  if (card === right) return make("li", "", ...faceOf(card));
  const dealt = card === undefined ? [make("span", "missing", "—")] : faceOf(card);
  return make("li", "differs", ...dealt, make("span", "ought", make("span", "sr", "; debía salir "), ...faceOf(right)));
}

function deckShown({ cards, right, differ }, n, isOpen) {
  const says = differ ? `${differ} ${differ === 1 ? "carta no es la que sale" : "cartas no son las que salen"}: debajo, la que sale` : "igual, carta por carta";
  const list = make("ol", "dealt");
  const deck = make("details", differ ? "fails" : "ok", make("summary", "", `Baraja ${n + 1} `, make("span", "says", says)), list);
  deck.addEventListener("toggle", () => {
    if (!list.childElementCount) list.append(...right.map((card, at) => cell(cards[at], card)));
  });
  deck.open = isOpen;
  return deck;
}

function line(agrees, what, says) {
  return make("li", agrees ? "ok" : "fails", make("b", "", what), ` ${says}`);
}

function linesOf({ commitment, dealer, decks, right }) {
  const wrong = decks.filter((deck) => deck.differ).length;
  return [
    line(commitment.agrees, "El sello", commitment.agrees ? "es el SHA-256 de la semilla." : `no es el de esta semilla, que da ${right.commitment}.`),
    line(dealer.agrees, "Quién reparte primero", dealer.agrees ? "es quien sale de la semilla." : `debía ser la silla ${right.dealer + 1}.`),
    line(!wrong, "Las barajas", wrong ? `no cuadran: ${wrong} de ${decks.length}.` : `cuadran: ${decks.length === 1 ? "es una" : `son ${decks.length}`}, y cada carta está donde sale.`),
  ];
}

function tell(root, ...parts) {
  root.hidden = false;
  root.replaceChildren(...parts);
}

function refuse(root, text) {
  tell(root, make("p", "verdict fails", text));
}

// Checks records and shows what came of it; `heads` are words above each where there are several.
async function prove(root, records, heads = []) {
  if (!canCheck) return refuse(root, "Este navegador solo hace la cuenta en páginas seguras (https). Usa el comando, o abre el sitio con https.");
  const mine = (asked += 1), done = [];
  for (const record of records) done.push(await checkRecord(record, seatsOf));
  if (mine !== asked) return; // only the last question is answered
  if (done.includes(null)) return refuse(root, "Eso no se puede comprobar: no es el registro de una partida terminada, o le falta la semilla.");
  const isGood = done.every((one) => one.commitment.agrees && one.dealer.agrees && one.decks.every((deck) => !deck.differ));
  const shown = done.flatMap((one, at) => {
    const firstWrong = Math.max(one.decks.findIndex((deck) => deck.differ), 0);
    const decks = one.decks.map((deck, n) => deckShown(deck, n, n === firstWrong));
    return [...(heads[at] ? [make("h3", "", heads[at])] : []), make("ul", "marks", ...linesOf(one)), ...decks];
  });
  const says = isGood ? "Cuadra: la baraja es la que se selló." : "No cuadra: esta baraja no es la que se selló.";
  tell(root, make("p", `verdict ${isGood ? "ok" : "fails"}`, says), ...shown);
}

// Whoever asked by a button is led to the answer; whoever is still typing is left alone.
function lead(root) {
  root.focus({ preventScroll: true });
  root.scrollIntoView({ block: "nearest" });
}

const own = document.getElementById("prove");
own?.addEventListener("click", async () => {
  const root = document.getElementById("proved");
  try {
    const response = await fetch(own.dataset.record, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (!response.ok) throw new Error(response.status);
    await prove(root, [await response.json()]);
  } catch {
    refuse(root, "No llegó el registro. Revisa tu conexión y toca el botón otra vez.");
  }
  lead(root);
});

const worked = document.getElementById("prove-worked");
worked?.addEventListener("click", async () => {
  const records = JSON.parse(document.getElementById("records").textContent);
  const heads = records.map(({ nonce }) => (nonce ? `Con la parte «${nonce}»` : "Sin parte de nadie"));
  const root = document.getElementById("proved-worked");
  await prove(root, records, heads);
  lead(root);
});

const form = document.getElementById("check");
if (form) {
  const root = document.getElementById("proved");
  const read = async (text) => {
    let record = null;
    try {
      record = JSON.parse(text);
    } catch {
      return refuse(root, "Eso no es un registro: escoge el archivo tal como lo bajaste, o pégalo entero.");
    }
    await prove(root, [record]);
  };
  form.elements.file.addEventListener("change", async () => {
    const [file] = form.elements.file.files;
    if (!file) return;
    form.elements.record.value = ""; // the file is what is checked, here and by the server
    if (file.size > Number(form.dataset.most)) refuse(root, "Ese archivo pasa de 64 kB. Compruébalo con el comando, que no tiene ese tope.");
    else await read(await file.text());
    lead(root);
  });
  form.elements.record.addEventListener("input", () => {
    const text = form.elements.record.value.trim();
    if (text.endsWith("}")) read(text); // whole, however it came here
  });
}
