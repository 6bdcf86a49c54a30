// The page: which screen is shown, and which of its functions a key calls.

import * as audit from "./audit.js";
import * as history from "./history.js";
import * as identities from "./identities.js";
import * as identity from "./identity.js";
import * as questions from "./questions.js";
import { make } from "./draw.js";
import { closeFull, isFull, stepFull } from "./full.js";
import { openLearn, showProgress } from "./learning.js";
import { listen, onChange, refreshStatus, say } from "./session.js";

const by = (id) => document.getElementById(id);
const SCREENS = { questions, audit, identities, identity, history };
const LETTERS = { q: "questions", a: "audit", i: "identities", h: "history" };
const EVERYWHERE = [
  ["Z", "undo"], ["Shift+Z", "redo"], ["L", "learn from new pictures"], ["Q", "questions"], ["A", "audit"], ["I", "identities"], ["H", "history"],
  ["?", "this list"], ["Esc", "close"],
];
let shown = null;

async function show() {
  const [name, argument] = (location.hash.slice(1) || "questions").split("/");
  const next = SCREENS[name] ? name : "questions";
  SCREENS[shown]?.leave?.();
  shown = next;
  document.body.dataset.screen = next;
  document.title = `${SCREENS[next].title} · ilap`;
  const within = next === "identity" ? "identities" : next;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${within}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  for (const id of ["why", "content", "keys", "left"]) by(id).replaceChildren();
  by("left").className = "";
  by("asked").textContent = SCREENS[next].title;
  by("screen").setAttribute("aria-busy", "true");
  try {
    await SCREENS[next].enter(argument);
  } catch (error) {
    say(error.message, true);
  }
  if (shown === next) by("screen").setAttribute("aria-busy", "false");
}

function listKeys() {
  const list = (title, keys) => [
    make("h3", {}, title),
    make("dl", {}, ...keys.flatMap(([key, words]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, words)])),
  ];
  by("key-lists").replaceChildren(...list(SCREENS[shown].title, SCREENS[shown].KEYS), ...list("Everywhere", EVERYWHERE));
  by("all-keys").showModal();
  by("all-keys").scrollTop = 0;
}

const undo = () => (SCREENS[shown].undo ?? questions.undo)();
const redo = () => (SCREENS[shown].redo ?? questions.redo)();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isFull()) {
    if (pressed === "ArrowLeft" || pressed === "ArrowRight") stepFull(pressed === "ArrowLeft" ? -1 : 1);
    else if (pressed === "v") closeFull();
    else return;
    event.preventDefault();
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (typing && pressed !== "Escape") return;
  if (typing) event.target.blur();
  if (SCREENS[shown].pressed(pressed, event)) event.preventDefault();
  else if (pressed === "?") listKeys();
  else if (pressed === "z" && !event.repeat) event.shiftKey ? redo() : undo();
  else if (pressed === "l" && !event.repeat) openLearn();
  else if (LETTERS[pressed] && !event.shiftKey) location.hash = LETTERS[pressed];
  else return;
  event.preventDefault();
});

window.addEventListener("hashchange", show);
by("undo").addEventListener("click", undo);
by("redo").addEventListener("click", redo);
by("help").addEventListener("click", listKeys);

onChange(() => SCREENS[shown]?.refresh());
try {
  await refreshStatus();
} catch (error) {
  say(`The server does not answer: ${error.message}`, true);
}
await show();
if (document.activeElement === document.body) by("screen").focus({ preventScroll: true });
listen(showProgress);
