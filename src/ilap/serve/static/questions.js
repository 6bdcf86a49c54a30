// Questions: one at a time, the most useful first. The next ones are here before they are needed, and an answer shows
// the next question at once; if the server refuses it, it is taken back and said.

import { get, thumb } from "./api.js";
import { draw } from "./ask.js";
import { make } from "./draw.js";
import { openOther } from "./other.js";
import { carry, caughtUp, fetching, isReadOnly, refreshStatus, say, tellAll } from "./session.js";

export const title = "Questions";
export const KEYS = [
  ["1 to 5", "it shows the same as that one"], ["N", "it is new, none of these"], ["/", "another class, by its name"],
  ["F", "same; or all of it is one"], ["J", "different"], ["K", "split off what is chosen"],
  ["Enter", "confirm what is chosen"], ["X", "choose or take out, where the arrows are; with Shift a range"],
  ["Space", "cannot tell; leave it"], ["← →", "the question before, the next one"], ["↓", "go to the exposures"],
  ["B", "one at a time, or in bulk"], ["V", "view the pictures large; arrows go through them"],
];
const AHEAD = 10;
const FEW = 3;              // with no more than these left, others are asked for while answers are on their way
const by = (id) => document.getElementById(id);
const queue = [];           // questions, the one on screen at place `at`
const given = [];           // questions that were answered, with the event of each, for undo
const taken = [];           // those whose answer was undone, for redo
const sent = new Set();     // questions whose answer is on its way
let at = 0;
let meter = null;
let drawn = null;           // what is on the screen (ask.js)
let bulk = localStorage.getItem("bulk") === "yes";
let here = false;
let asked = 0;              // how often questions were asked for
let wanted = false;         // some of these are still to come
let loading = null;         // what fetches them

const current = () => queue[at];

export async function enter() {
  here = true;
  const loaded = refresh();
  show();
  await loaded;
}

export function leave() {
  here = false;
  delete by("screen").dataset.question;
}

function show() {
  if (!here) return;
  drawn = draw(current(), give, other, wanted || sent.size > 0);
  by("screen").dataset.question = current()?.question ?? "";
  const mode = make("button", { type: "button" }, bulk ? "In bulk " : "One at a time ", make("kbd", {}, "B"));
  mode.setAttribute("aria-pressed", String(bulk));
  mode.addEventListener("click", toggleBulk);
  by("keys").append(mode);
  showLeft();
}

function showLeft() {
  const words = meter ? make("span", {}, meter.said) : "";
  const bar = make("meter", { min: 0, max: 1, value: meter?.likely ?? 0 });
  bar.setAttribute("aria-label", "How likely the next 20 questions change anything");
  const count = queue.length ? `Question ${at + 1} of the ${queue.length} most useful. ` : "";
  by("left").replaceChildren(make("span", { className: "count" }, count), bar, words);
  by("left").classList.toggle("stop", Boolean(meter?.stop));
}

function toggleBulk() {
  bulk = !bulk;
  localStorage.setItem("bulk", bulk ? "yes" : "no");
  queue.length = at = 0;
  refresh();
}

// what a person says

function give(answer) {
  const question = current();
  if (!question || isReadOnly()) return;
  answerBy(question, "answers", { question: question.question, key: answer });
}

function other() {
  const question = current();
  if (!question || question.kind !== "which" || isReadOnly()) return;
  openOther((to) => answerBy(question, "move", { exposure: question.about.exposure, to }));
}

async function answerBy(question, path, body) {
  queue.splice(at, 1);
  at = Math.min(at, Math.max(0, queue.length - 1));
  sent.add(question.question);
  busy();
  taken.length = 0;
  show();
  const done = await carry(path, body);
  sent.delete(question.question);
  if (done) given.push({ question, event: done.event });
  else {
    queue.splice(at, 0, question);
    show();
  }
  if (!sent.size || queue.length <= FEW) await refresh();
  busy();
}

function busy() {
  by("screen").setAttribute("aria-busy", String(sent.size > 0));
}

// What was undone, or done again, is known by its events: a question that was answered by one of them is asked again.
async function step(path, from, to) {
  by("screen").setAttribute("aria-busy", "true");
  const done = await carry(path, {});
  if (!done) return busy();
  const events = new Set(path === "undo" ? done.undone : done.redone);
  const place = from.findIndex((one) => events.has(one.event));
  if (place >= 0) {
    const [one] = from.splice(place, 1);
    to.push(one);
    drop(one.question.question);
    if (path === "undo") queue.splice(at, 0, one.question);
    show();
  }
  await tellAll();
  return busy();
}

function drop(name) {
  const place = queue.findIndex((one) => one.question === name);
  if (place >= 0) queue.splice(place, 1);
  at = Math.min(at, Math.max(0, queue.length - 1));
}

export const undo = () => step("undo", given, taken);
export const redo = () => step("redo", taken, given);

function walk(steps) {
  at = Math.min(Math.max(0, at + steps), Math.max(0, queue.length - 1));
  show();
}

// what the server has: the question on screen stays, and so do those before it that are still asked

export async function refresh() {
  if (!here) return;
  asked += 1;
  wanted = true;
  loading ??= fetching(load());
  await loading;
}

// Who asks while questions are on their way gets others after them, once.
async function load() {
  for (let had = 0; had < asked && here;) {
    const mode = bulk;
    had = asked;
    try {
      const found = await get(`questions?count=${AHEAD + sent.size}&bulk=${mode}`);
      wanted = had < asked;
      if (here && mode === bulk) take(found);
      await refreshStatus();
    } catch (error) {
      say(`The server does not answer: ${error.message}`, true);
    }
  }
  loading = null;
}

function take(found) {
  caughtUp(found.event);
  const shown = current();
  const late = given.filter((one) => one.event > found.event).map((one) => one.question.question);
  const answered = new Set([...sent, ...late]);
  const fresh = found.questions.filter((one) => !answered.has(one.question));
  const open = new Set(fresh.map((one) => one.question));
  const kept = queue.slice(0, at + 1).filter((one) => one === shown || open.has(one.question));
  const known = new Set(kept.map((one) => one.question));
  queue.splice(0, queue.length, ...kept, ...fresh.filter((one) => !known.has(one.question)));
  at = Math.max(0, kept.length - 1);
  meter = found.meter;
  if (!shown || !drawn) show();
  else showLeft();
  fresh.flatMap((one) => [one.about, ...one.shown]).flatMap((one) => one.picture_ids.slice(0, 5)).forEach(prefetch);
}

const fetched = new Set();

function prefetch(id) {
  if (fetched.has(id)) return;
  fetched.add(id);
  new Image().src = thumb(id);
}

export function pressed(key, event) {
  if (drawn?.pressed(key, event)) return true;
  if (key === "ArrowLeft" || key === "ArrowRight") walk(key === "ArrowLeft" ? -1 : 1);
  else if (key === "b" && !event.repeat) toggleBulk();
  else return false;
  return true;
}
