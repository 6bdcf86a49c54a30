// The page of questions: one at a time, the most useful first. The next ones are here before they are needed, and
// an answer shows the next question at once; if the server refuses it, it is taken back and said.

import { get, send, thumb } from "./api.js";
import { card, key, likely, make, percent } from "./draw.js";
import { closeFull, openFull, stepFull } from "./full.js";
import { openOther } from "./other.js";

const AHEAD = 10;
const by = (id) => document.getElementById(id);
const queue = [];           // questions, the one on screen at place `at`
const given = [];           // questions that were answered, for undo
const taken = [];           // questions whose answer was undone, for redo
const sent = new Set();     // questions whose answer is on its way
let at = 0;
let sending = Promise.resolve();
let readOnly = false;

const ANSWERS = {
  same: { f: "same", j: "different", " ": "cannot" },
  which: { n: "new", " ": "cannot", 1: "1", 2: "2", 3: "3", 4: "4", 5: "5" },
};

function current() {
  return queue[at];
}

function say(sentence, bad = false) {
  by("said").textContent = sentence;
  by("said").classList.toggle("bad", bad);
}

function ask(question) {
  const [about, shown, keys] = [by("about"), by("shown"), by("keys")];
  for (const part of [about, shown, keys]) part.replaceChildren();
  by("left").textContent = queue.length ? `question ${at + 1} of the ${queue.length} most useful` : "";
  if (!question) {
    by("asked").textContent = "Nothing to ask";
    by("why").textContent = "A person has placed all exposures, or there are fewer than two.";
    return;
  }
  shown.className = question.kind;
  if (question.kind === "same") askSame(question, about, keys);
  else askWhich(question, about, shown, keys);
}

function askSame(question, about, keys) {
  const other = question.shown[0];
  const within = question.about.place === other.place;
  by("asked").textContent = within ? "Is this one, or two?" : "Do these show the same?";
  by("why").textContent = within
    ? `Both are in one place now; that they are the same is ${percent(other.probability)} likely.`
    : `That they are the same is ${percent(other.probability)} likely.`;
  about.append(make("div", { className: "pair" }, card(question.about, view), card(other, view)));
  keys.append(
    answerButton("Same", "F", "same"), answerButton("Different", "J", "different"),
    answerButton("Cannot tell", "Space", "cannot"),
  );
}

function askWhich(question, about, shown, keys) {
  by("asked").textContent = `Which of these is ${question.about.name}?`;
  by("why").textContent = `That it is none of them is ${percent(question.p_new)} likely.`;
  about.append(card(question.about, view));
  for (const one of question.shown) {
    const pick = answerButton("", one.key, one.key);
    pick.className = "pick";
    pick.setAttribute("aria-label", `${one.key}: the same as ${one.name}, ${percent(one.probability)} likely`);
    pick.replaceChildren(key(one.key), make("span", { className: "name" }, "The same as this"), ...likely(one.probability));
    const made = card(one, view);
    made.prepend(pick);
    shown.append(made);
  }
  const another = make("button", { type: "button" }, "Another by name ", key("/"));
  another.addEventListener("click", other);
  another.disabled = readOnly;
  keys.append(answerButton("New", "N", "new"), another, answerButton("Cannot tell", "Space", "cannot"));
}

function answerButton(words, name, answer) {
  const button = make("button", { type: "button", disabled: readOnly }, `${words} `, key(name));
  button.addEventListener("click", () => give(answer));
  return button;
}

function view(shown, place) {
  openFull(shown, place);
}

// what a person says

function give(answer) {
  const question = current();
  if (!question || readOnly) return;
  carryOut(question, () => send("answers", { question: question.question, key: answer }));
}

function other() {
  const question = current();
  if (!question || question.kind !== "which" || readOnly) return;
  openOther((to) => carryOut(question, () => send("move", { exposure: question.about.exposure, to })));
}

function carryOut(question, request) {
  queue.splice(at, 1);
  at = Math.min(at, Math.max(0, queue.length - 1));
  sent.add(question.question);
  taken.length = 0;
  ask(current());
  say("…");
  sending = sending.then(request).then(
    (done) => {
      given.push(question);
      say(done.said);
    },
    (error) => {
      queue.splice(at, 0, question);
      ask(current());
      say(`Not taken: ${error.message}`, true);
    },
  ).finally(() => sent.delete(question.question)).then(refresh);
}

function step(path, from, to) {
  if (readOnly) return;
  sending = sending.then(() => send(path, {})).then(
    (done) => {
      say(done.said);
      const question = from.pop();
      if (!question) return;
      to.push(question);
      if (path === "undo") {
        queue.splice(at, 0, question);
      } else {
        const there = queue.findIndex((one) => one.question === question.question);
        if (there >= 0) queue.splice(there, 1);
        at = Math.min(at, Math.max(0, queue.length - 1));
      }
      ask(current());
    },
    (error) => say(error.message, true),
  ).then(refresh);
}

const undo = () => step("undo", given, taken);
const redo = () => step("redo", taken, given);

function walk(steps) {
  at = Math.min(Math.max(0, at + steps), Math.max(0, queue.length - 1));
  ask(current());
}

// what the server has

async function refresh() {
  try {
    const [found, status] = await Promise.all([get(`questions?count=${AHEAD + sent.size}`), get("status")]);
    tell(status);
    const shown = current();
    const fresh = found.questions.filter((one) => !sent.has(one.question) && one.question !== shown?.question);
    queue.splice(0, queue.length, ...(shown ? [shown] : []), ...fresh);
    at = 0;
    if (!shown) ask(current());
    else by("left").textContent = `question 1 of the ${queue.length} most useful`;
    fresh.flatMap((one) => [one.about, ...one.shown]).flatMap((one) => one.picture_ids).forEach(prefetch);
  } catch (error) {
    say(`The server does not answer: ${error.message}`, true);
  }
}

const fetched = new Set();

function prefetch(id) {
  if (fetched.has(id)) return;
  fetched.add(id);
  new Image().src = thumb(id);
}

function tell(status) {
  by("status").textContent = status.said;
  const changed = readOnly !== status.read_only;
  readOnly = status.read_only;
  by("undo").disabled = by("redo").disabled = readOnly;
  if (changed) {
    ask(current());
    say("This server only reads: answers are not taken.", true);
  }
}

function listen() {
  const events = new EventSource("/api/v1/events");
  let waiting = 0;
  events.addEventListener("change", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { if (!sent.size) refresh(); }, 300);
  });
}

// keys

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (by("full").open) {
    if (pressed === "ArrowLeft" || pressed === "ArrowRight") stepFull(pressed === "ArrowLeft" ? -1 : 1);
    else if (pressed === "v") closeFull();
    else return;
    event.preventDefault();
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  const onButton = event.target instanceof HTMLButtonElement;
  const question = current();
  const answer = question && ANSWERS[question.kind][pressed];
  if (pressed === "?") by("all-keys").showModal();
  else if (pressed === "z") event.shiftKey ? redo() : undo();
  else if (pressed === "ArrowLeft" || pressed === "ArrowRight") walk(pressed === "ArrowLeft" ? -1 : 1);
  else if (pressed === "v" && question) view(question.about, 0);
  else if (pressed === "/") other();
  else if (answer && !(onButton && pressed === " ") && !event.repeat) {
    if (question.kind === "which" && Number(answer) > question.shown.length) return;
    give(answer);
  } else return;
  event.preventDefault();
});

by("undo").addEventListener("click", undo);
by("redo").addEventListener("click", redo);
by("help").addEventListener("click", () => by("all-keys").showModal());

await refresh();
by("question").focus({ preventScroll: true });
listen();
