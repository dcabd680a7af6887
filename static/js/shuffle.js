// The shuffle, worked out again from seed and nonce with the browser's own cryptography: no word of ours to be taken.
const RANKS = "A234567JQK", SUITS = "HDCS";
const ORDER = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const text = new TextEncoder();

export const canCheck = Boolean(globalThis.crypto?.subtle); // browsers lend it to pages that came by https only

function hexOf(bytes) {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The stream of a label: `below(m)` gives a number 0 … m − 1, each equally likely.
function streamOf(key, label) {
  const words = [];
  let block = 0;
  return async function below(m) {
    const limit = 2 ** 32 - (2 ** 32 % m);
    for (;;) {
      if (!words.length) {
        const bytes = await crypto.subtle.sign("HMAC", key, text.encode(`${label}|${block}`));
        for (let at = 0; at < 32; at += 4) words.push(new DataView(bytes).getUint32(at)); // big-endian
        block += 1;
      }
      const word = words.shift();
      if (word < limit) return word % m;
    }
  };
}

async function shuffledDeck(key, nonce, n) {
  const below = streamOf(key, `cvarenta-deck/1|${nonce}|${n}`);
  const deck = [...ORDER];
  for (let i = 39; i > 0; i -= 1) {
    const j = await below(i + 1);
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

// What seed and nonce lead to: the seed's SHA-256, the first dealer (a seat from 0), so many decks as lists of cards.
export async function deal(seed, nonce, seats, decks) {
  const bytes = Uint8Array.from(seed.match(/../g), (byte) => parseInt(byte, 16));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const dealt = { commitment: hexOf(await crypto.subtle.digest("SHA-256", bytes)), decks: [] };
  dealt.dealer = await streamOf(key, `cvarenta-dealer/1|${nonce}`)(seats);
  for (let n = 0; n < decks; n += 1) dealt.decks.push(await shuffledDeck(key, nonce, n));
  return dealt;
}

// What a record says beside what it should say, or null if it cannot be checked. `seatsOf` gives the seats of a table.
export async function checkRecord(record, seatsOf) {
  const { ruleset, dealer, decks, seed, nonce, commitment, format } = record ?? {};
  const isReadable =
    format === "cvarenta-record/1" && Object.hasOwn(seatsOf, ruleset) && Array.isArray(decks) && decks.length &&
    decks.every((deck) => typeof deck === "string") && typeof nonce === "string" && /^[A-Za-z0-9_-]{0,64}$/.test(nonce) &&
    typeof seed === "string" && /^[0-9a-fA-F]{64}$/.test(seed);
  if (!isReadable) return null;
  const right = await deal(seed, nonce, seatsOf[ruleset], decks.length);
  return {
    seed, nonce, right,
    commitment: { said: commitment, agrees: commitment === right.commitment },
    dealer: { said: dealer, agrees: dealer === right.dealer },
    decks: decks.map((deck, n) => {
      const cards = deck.length === 80 ? deck.match(/../gs) : [];
      return { cards, right: right.decks[n], differ: right.decks[n].filter((card, at) => card !== cards[at]).length };
    }),
  };
}
