// What is heard, made here and only when asked for: wood, cards and plucked strings. Every page with the control of
// `_sound.html` wires itself by importing this; `sound().play(name)` does nothing while sound is off.
const RATE = 24000; // samples a second of what is made: the low pass leaves nothing that needs more
const FULL = 0.58; // the gain at volume 100; with what bounds it before, no peak reaches half of what a device can
const IDLE = 20000; // ms of silence before the device is given back
const EIGHTH = 0.31; // s, of the melody; cadences go a little faster
const PAUSE = 18; // s of silence between two times through the melody
const AHEAD = 1.2; // s the melody is written ahead of what is heard

// The melody: a pasillo of our own, in the letters of ABC notation (L:1/8), each bar after its chord.
const SERENADE = '"Am"zAce2d "Am"c3BA2 "Dm"zdfa2g "E"f2e4 "Am"zedc2B "F"A2cf3 "E"zedB^G2 "Am"A6';
const ANSWER = '"Am"zAce2a "G"g3fd2 "C"zGce2d "C"c2e4 "F"zfedc2 "Dm"d2fd3 "E"zBcd^G2 "Am"A6';
const BALCONY = '"F"a2gfc2 "C"e3ge2 "G"d2efB2 "C"c4z2 "F"a2gfa2 "C"g3ec2 "Dm"defaf2 "E"e4z2';
const MELODY = bars(SERENADE + ANSWER + BALCONY + SERENADE);
const WON = bars('"Dm"zfedf2 "E"zeB^GB2 "A"A2^c2e2');
const LOST = bars('"Dm"f2ed2c "Am"A6');
const CHORDS = {
  Am: [45, 57, 60, 64], Dm: [50, 57, 62, 65], E: [40, 56, 62, 64], F: [41, 57, 60, 65], G: [43, 55, 59, 62], C: [48, 55, 60, 64],
  A: [45, 57, 61, 64],
};

// Each sound on its own instruments; times in seconds, strings by their MIDI number.
export const SOUNDS = {
  lay: (on) => on.tap(0),
  capture: (on) => {
    on.brush(0);
    on.tap(0.17);
  },
  deal: (on) => [0, 1, 2, 3, 4].forEach((i) => on.tap(i * 0.09)),
  turn: (on) => on.pluck(52, 0, 1, 0.7),
  caida: (on) => {
    on.knock(0);
    on.pluck(64, 0.08, 0.8, 0.3);
    on.pluck(69, 0.2, 1, 0.5);
  },
  limpia: (on) => [60, 64, 67, 72, 76].forEach((midi, i) => on.pluck(midi, i * 0.09, 0.8, 0.6)),
  ronda: (on) => [0, 1, 2].forEach((i) => on.pluck(67, i * 0.16, 1, 0.3)),
  carton: (on) => {
    for (let i = 0; i < 9; i++) on.tick(i * 0.075);
    on.pluck(57, 0.72, 0.5, 0.4);
  },
  won: (on) => WON.forEach((bar, i) => on.bar(bar, i * 1.14, 0.19)),
  lost: (on) => LOST.forEach((bar, i) => on.bar(bar, i * 1.26, 0.21)),
  layer: (on) => {
    on.bell(0);
    [48, 55, 60, 64, 67].forEach((midi, i) => on.pluck(midi, 0.45 + i * 0.11, 0.7, 1.6));
  },
};
// As measured, so that none is much louder than another.
const LEVELS = {
  lay: 3, capture: 1.2, deal: 1, turn: 0.38, caida: 0.4, limpia: 0.36, ronda: 0.39, carton: 0.55, won: 0.42, lost: 0.4, layer: 0.38,
};

// Bars of ABC as [chord, [[midi, eighths], …]]; a rest has no number.
function bars(abc) {
  const naturals = { C: 60, D: 62, E: 64, F: 65, G: 67, A: 69, B: 71 };
  return [...abc.matchAll(/"(\w+)"([^"]+)/g)].map(([, chord, notes]) => [
    chord,
    [...notes.matchAll(/(\^?)([A-Ga-gz])(\d?)/g)].map(([, sharp, letter, eighths]) => [
      naturals[letter.toUpperCase()] + sharp.length + (letter > "Z" ? 12 : 0), Number(eighths || 1),
    ]),
  ]);
}

// Always the same noise, so that a sound is the same each time.
function noise(seed = 40) {
  return () => (seed = (seed * 48271) % 2147483647) / 1073741823.5 - 1;
}

function bufferOf(samples) {
  const buffer = new AudioBuffer({ length: samples.length, sampleRate: RATE });
  buffer.copyToChannel(samples, 0);
  return buffer;
}

// A plucked string after Karplus and Strong: one period of a string plucked at a fifth of its length goes round a loop and
// loses a little each time, more of it where it is bright. A loop is whole samples long: the playing rate tunes the rest.
function string(midi) {
  const tone = 440 * 2 ** ((midi - 69) / 12);
  const loss = 0.8 * (110 / tone) ** 1.4;
  const soft = (2 * loss + 1 - Math.sqrt(4 * loss + 1)) / (2 * loss); // of the one-pole low pass that loses so much
  const delay = soft / (1 - soft);
  const period = Math.round(RATE / tone - delay);
  const ring = 2.6 * (220 / tone) ** 0.3; // s until it is 60 dB down
  const keep = 10 ** (-3 / (tone * ring));
  const next = noise(midi);
  const plucked = new Float32Array(period);
  for (let k = 1; k * tone < 4500; k++) {
    const phase = next() * Math.PI; // or all partials would start with one click
    for (let i = 0; i < period; i++) plucked[i] += (Math.sin((k * Math.PI) / 5) / k ** 1.1) * Math.sin((2 * Math.PI * k * i) / period + phase);
  }
  const peak = Math.max(...plucked.map(Math.abs));
  const samples = new Float32Array(RATE * Math.min(ring, 2.2));
  const loop = new Float32Array(period);
  let low = 0;
  for (let i = 0; i < samples.length; i++) {
    const back = i < period ? plucked[i] / peak : loop[i % period] * keep;
    low += (1 - soft) * (back - low);
    loop[i % period] = low;
    samples[i] = low * Math.min(1, i / 100, (samples.length - i) / 2400); // no click at either end
  }
  return { buffer: bufferOf(samples), tune: (tone * (period + delay)) / RATE };
}

// Made when first needed, then kept.
const made = new Map();
function once(key, make) {
  if (!made.has(key)) made.set(key, make());
  return made.get(key);
}
const hiss = () => once("hiss", () => bufferOf(Float32Array.from({ length: RATE / 2 }, noise())));

// What there is to play on, from the moment `start` on.
function instruments(context, out, start) {
  // A gain that opens softly, then falls to nothing within `time`.
  function envelope(at, gain, attack, time) {
    const node = new GainNode(context, { gain: 0 });
    node.gain.setValueAtTime(0, start + at);
    node.gain.linearRampToValueAtTime(gain, start + at + attack);
    node.gain.exponentialRampToValueAtTime(gain / 1000, start + at + attack + time);
    node.connect(out);
    return node;
  }

  function sine(at, frequency, gain, time, attack = 0.004) {
    const source = new OscillatorNode(context, { frequency });
    source.connect(envelope(at, gain, attack, time));
    source.start(start + at);
    source.stop(start + at + attack + time);
  }

  function rustle(at, frequency, gain, time, attack = 0.004, to = frequency) {
    const source = new AudioBufferSourceNode(context, { buffer: hiss() });
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency, Q: 0.9 });
    filter.frequency.setValueAtTime(frequency, start + at);
    filter.frequency.exponentialRampToValueAtTime(to, start + at + attack + time);
    source.connect(filter).connect(envelope(at, gain, attack, time));
    source.start(start + at, 0, attack + time);
  }

  function pluck(midi, at, gain = 1, time = 2) {
    const { buffer, tune } = once(midi, () => string(midi));
    const source = new AudioBufferSourceNode(context, { buffer, playbackRate: tune });
    const damper = new GainNode(context, { gain });
    damper.gain.setTargetAtTime(0, start + at + time, 0.09);
    source.connect(damper).connect(out);
    source.start(start + at);
    source.stop(start + at + time + 0.6);
  }

  return {
    pluck,
    tap(at) {
      rustle(at, 750, 1.2, 0.16, 0.006);
      sine(at, 150, 0.4, 0.14, 0.006);
    },
    tick: (at) => rustle(at, 1500, 1, 0.04, 0.003),
    brush: (at) => rustle(at, 600, 0.9, 0.12, 0.07, 1500),
    knock(at) {
      sine(at, 196, 0.6, 0.16);
      sine(at, 415, 0.3, 0.09);
      rustle(at, 600, 0.7, 0.06);
    },
    bell(at) {
      const partials = [[0.5, 0.2, 2.6], [1, 0.5, 2.2], [1.19, 0.25, 1.6], [1.5, 0.15, 1.2], [2, 0.3, 1.3], [2.66, 0.1, 0.8]];
      for (const [ratio, gain, time] of partials) sine(at, 523 * ratio, gain, time, 0.012);
    },
    // The pasillo's three beats: the bass on the first, the chord after it and on its way to the third.
    bar([chord, notes], at, eighth) {
      const [bass, ...upper] = CHORDS[chord];
      pluck(bass, at, 0.6, eighth * 5);
      for (const beat of [1, 3, 4]) {
        upper.forEach((midi, i) => pluck(midi, at + beat * eighth + i * 0.012, beat === 1 ? 0.1 : 0.16, eighth));
      }
      for (const [midi, eighths] of notes) {
        if (midi) pluck(midi, at, 0.6, eighths * eighth);
        at += eighths * eighth;
      }
    },
  };
}

// Where sounds go: through a low pass and a compressor, so that nothing is sharp or loud, to the volume and out.
export function stage(context) {
  const volume = new GainNode(context, { gain: 0 });
  const warm = new BiquadFilterNode(context, { type: "lowpass", frequency: 5200, Q: 0.5 });
  const calm = new DynamicsCompressorNode(context, { threshold: -10, knee: 8, ratio: 12, attack: 0.002, release: 0.2 });
  const bound = new WaveShaperNode(context, { curve: Float32Array.from({ length: 257 }, (_, i) => Math.tanh((i - 128) / 107)) });
  warm.connect(calm).connect(bound).connect(volume).connect(context.destination);
  const branch = (gain) => {
    const node = new GainNode(context, { gain });
    node.connect(warm);
    return node;
  };
  return { context, volume, branch, effects: branch(1) };
}

// Play one of SOUNDS on a stage at a time of its context.
export function perform({ context, effects }, name, at) {
  const out = new GainNode(context, { gain: LEVELS[name] });
  out.connect(effects);
  SOUNDS[name](instruments(context, out, at));
}

export const gainOf = (volume) => FULL * (volume / 100) ** 2;

// A browser that keeps nothing is silent again on the next page.
function kept(key, otherwise) {
  try {
    return localStorage.getItem(key) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // then it holds for this page
  }
}

const root = document.documentElement;
const switches = { sonido: document.getElementById("sound"), musica: document.getElementById("music") };
const slider = document.getElementById("volume");
const wanted = { sonido: kept("sonido", "no") === "si", musica: kept("musica", "no") === "si" };
let volume = Math.min(100, Math.max(0, Number(kept("volumen", 60)) || 0));
let live = null; // the stage, while sound is on and the person has touched the page
let tune = null; // the melody under way: the bar it is at, when that bar begins, its branch and timer
let awaited = document.querySelector("main [data-sound]")?.dataset.sound; // what this page sounds like when it opens
let idle;

const hasMusic = () => wanted.sonido && wanted.musica && root.classList.contains("layer-music") && Boolean(switches.musica);

// Called at gestures, since no browser lets a page begin to sound without one; may be called again at any time.
function wake() {
  if (!wanted.sonido || document.hidden) return;
  try {
    if (!live) {
      live = stage(new AudioContext());
      level();
    }
  } catch {
    return; // a machine that cannot sound
  }
  const { context } = live;
  context.resume().then(greet, () => {});
  clearTimeout(idle);
  idle = setTimeout(() => tune || context.suspend(), IDLE);
  if (hasMusic() && !tune) begin();
}

// The page's own sound, once it may be heard.
function greet() {
  const name = awaited;
  awaited = null;
  if (name) play(name);
}

function level() {
  live?.volume.gain.setTargetAtTime(gainOf(volume), live.context.currentTime, 0.03);
}

function hush() {
  const old = live;
  live = null;
  clearTimeout(idle);
  end();
  old?.volume.gain.setTargetAtTime(0, old.context.currentTime, 0.03);
  if (old) setTimeout(() => old.context.close(), 250); // faded, not cut off
}

function play(name, later = 0) {
  if (!live || document.hidden || !SOUNDS[name]) return;
  wake();
  perform(live, name, live.context.currentTime + 0.01 + later);
}

function begin() {
  tune = { bar: 0, at: live.context.currentTime + 0.6, out: live.branch(0.3) };
  goOn();
}

function goOn() {
  const { context } = live;
  clearTimeout(tune.timer);
  while (tune.at < context.currentTime + AHEAD) {
    instruments(context, tune.out, tune.at).bar(MELODY[tune.bar], 0, EIGHTH);
    tune.bar = (tune.bar + 1) % MELODY.length;
    tune.at += 6 * EIGHTH + (tune.bar ? 0 : PAUSE);
  }
  tune.timer = setTimeout(goOn, 500);
}

function end() {
  if (!tune) return;
  const { out, timer } = tune;
  clearTimeout(timer);
  out.gain.setTargetAtTime(0, out.context.currentTime, 0.1);
  setTimeout(() => out.disconnect(), 700);
  tune = null;
}

function show() {
  switches.sonido?.setAttribute("aria-pressed", wanted.sonido);
  switches.musica?.setAttribute("aria-pressed", wanted.sonido && wanted.musica);
}

function want(key, isWanted) {
  wanted[key] = isWanted;
  keep(key, isWanted ? "si" : "no");
}

// The page's only ears.
export function sound() {
  return { play };
}

switches.sonido?.addEventListener("click", () => {
  want("sonido", !wanted.sonido);
  show();
  if (!wanted.sonido) return hush();
  wake();
  play("turn");
});
// Music sounds only where sound does: asking for it asks for both.
switches.musica?.addEventListener("click", () => {
  want("musica", !(wanted.sonido && wanted.musica));
  if (wanted.musica) want("sonido", true);
  show();
  if (wanted.musica) wake();
  else end();
});
slider?.addEventListener("input", () => {
  volume = Number(slider.value);
  keep("volumen", volume);
  level();
});
slider?.addEventListener("change", () => play("lay"));

if (switches.sonido) root.classList.add("js");
if (slider) slider.value = volume;
show();
for (const gesture of ["click", "keydown"]) document.addEventListener(gesture, wake);
document.addEventListener("visibilitychange", () => {
  if (!live) return;
  if (document.hidden) {
    clearTimeout(tune?.timer);
    live.context.suspend();
  } else {
    wake();
    if (tune) goOn();
  }
});
// Who comes from a page of ours with sound may hear this one without touching it.
if (awaited) wake();
