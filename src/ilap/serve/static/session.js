// What all screens share: what was said last, the status, undo and redo, and news of what others did. Requests that
// change something go one after the other, in the order in which a person asked for them.

import { get, send } from "./api.js";

const by = (id) => document.getElementById(id);
const heard = new Set();    // what to call when something has changed
let sending = Promise.resolve();
let waiting = 0;            // requests on their way
let readOnly = false;
let first = null;           // the last event when the page was opened
let seen = 0;               // the last event that what is shown has in it

export const isReadOnly = () => readOnly;
export const isBusy = () => waiting > 0;
export const caughtUp = (event) => { seen = Math.max(seen, event); };
export const onChange = (listener) => { heard.add(listener); };

export function say(sentence, bad = false) {
  by("said").textContent = sentence;
  by("said").classList.toggle("bad", bad);
}

// Carry out a request after those before it; tells what it did, or why it was not taken. Gives null if it was not.
export function carry(path, body, method = "POST") {
  if (readOnly) return Promise.resolve(null);
  waiting += 1;
  say("…");
  const done = sending.then(() => send(path, body, method)).then(
    (told) => {
      say(told.said ?? "");
      return told;
    },
    (error) => {
      say(`Not taken: ${error.message}`, true);
      return null;
    },
  ).finally(() => { waiting -= 1; });
  sending = done;
  return done;
}

// What is shown is being fetched; news are looked at when it is there.
export async function fetching(asked) {
  waiting += 1;
  try {
    return await asked;
  } finally {
    waiting -= 1;
  }
}

export async function refreshStatus() {
  const status = await get("status");
  first ??= status.event;
  by("status").textContent = status.said;
  const changed = readOnly !== status.read_only;
  readOnly = status.read_only;
  by("undo").disabled = by("redo").disabled = by("learn-open").disabled = readOnly;
  if (changed && readOnly) say("This server only reads: answers are not taken.", true);
  return status.event;
}

// What is behind a dialog stays as it is until that is closed, and focus is back where it was.
export async function undisturbed() {
  for (let open; (open = document.querySelector("dialog[open]"));) {
    await new Promise((done) => { open.addEventListener("close", done, { once: true }); });
  }
}

export async function tellAll() {
  try {
    const event = await refreshStatus();
    await Promise.all([...heard].map((listener) => listener()));
    caughtUp(event);
  } catch (error) {
    say(`The server does not answer: ${error.message}`, true);
  }
}

// Another window, a script or the learner itself has done something since the page was opened; what this page did is
// shown already. `progress` is called with how far it is with new bursts. Where something changes all the time, what is
// shown is fetched so often that it takes a fifth of the learner's time at most.
export function listen(progress) {
  const events = new EventSource(`/api/v1/events?after=${first}`);
  let soon = 0;
  let learning = false;
  let pause = 300;
  let latest = 0;
  const hear = async () => {
    soon = 0;
    if (isBusy()) return wait();
    if (latest <= seen) return;
    const began = performance.now();
    await tellAll();
    pause = Math.max(learning ? 1500 : 300, 4 * (performance.now() - began));
  };
  const wait = () => { soon ||= setTimeout(hear, pause); };
  events.addEventListener("change", (event) => {
    latest = Number(event.lastEventId);
    wait();
  });
  events.addEventListener("progress", (event) => {
    const told = JSON.parse(event.data);
    if (learning && told.state === "idle") {
      pause = 300;
      wait();
    }
    learning = told.state !== "idle";
    progress(told);
  });
}
