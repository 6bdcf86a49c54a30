// An audit: sure decisions, drawn at random, of which a person says whether each is right.

import { get } from "./api.js";
import { key, make, percent, strip } from "./draw.js";
import { openFull } from "./full.js";
import { carry, isReadOnly, refreshStatus, say } from "./session.js";

export const title = "Audit";
export const KEYS = [
  ["F", "the decision is right"], ["J", "it is wrong"], ["Space", "cannot tell"], ["← →", "the decision before, the next one"],
  ["D", "draw 20 decisions"], ["V", "view the pictures large"],
];
const NUMBER = 20;
const by = (id) => document.getElementById(id);
let audit = null;
let at = 0;
let here = false;

const current = () => audit?.sample[at];

export async function enter() {
  here = true;
  await refresh();
}

export function leave() {
  here = false;
}

export async function refresh() {
  if (!here) return;
  const shown = current()?.about.exposure;
  audit = await get("audit");
  at = Math.max(0, audit.sample.findIndex((one) => one.about.exposure === shown));
  await refreshStatus();
  draw();
}

function draw() {
  const one = current();
  for (const id of ["content", "keys"]) by(id).replaceChildren();
  by("left").textContent = audit.sample.length ? `Decision ${at + 1} of ${audit.sample.length} that are left` : "";
  by("why").textContent = audit.event === null ? "" : audit.said;
  if (!one) {
    by("asked").textContent = audit.event === null ? "How many sure decisions are wrong?" : "All decisions are judged";
    by("content").append(make("p", { className: "lead" }, `Judge ${NUMBER} sure decisions, drawn at random: from them follows how many of all are wrong.`));
    by("keys").append(button("Draw", "D", drawSample, true));
    return;
  }
  const known = one.decision === "known";
  by("asked").textContent = known ? `Is ${one.about.name} really ${one.class_name}?` : `Is ${one.about.name} really new?`;
  const about = make("article", { className: "card" }, make("div", { className: "title" },
    make("span", { className: "name" }, one.about.name),
    make("span", { className: "small" }, one.error === null ? "" : `wrong with a probability of ${percent(one.error)}`)), strip(one.about, openFull));
  const beside = make("section", { className: "choices", "aria-label": "What it is compared with" });
  for (const other of one.shown) {
    const named = make("div", { className: "title" }, make("span", { className: "name" }, other.name), make("span", { className: "small" }, one.beside_name ?? ""));
    beside.append(make("article", { className: "card" }, named, strip(other, openFull)));
  }
  by("content").append(make("section", { className: "about", "aria-label": "What was decided about" }, about), beside);
  by("keys").append(button("Right", "F", () => judge("right")), button("Wrong", "J", () => judge("wrong")), button("Cannot tell", "Space", () => judge("cannot")));
}

function button(words, name, action, main = false) {
  const made = make("button", { type: "button", disabled: isReadOnly(), className: main ? "main" : "" }, `${words} `, key(name));
  made.addEventListener("click", action);
  return made;
}

async function drawSample() {
  if (await carry("audit", { number: NUMBER })) {
    say("");
    await refresh();
    if (!current()) say("There is no sure decision that nobody has judged.");
  }
}

// The next decision is shown at once; one that is refused comes back.
async function judge(verdict) {
  const one = current();
  if (!one || isReadOnly()) return;
  audit.sample.splice(at, 1);
  at = Math.min(at, Math.max(0, audit.sample.length - 1));
  draw();
  const told = await carry("audit", { answers: [{ exposure: one.about.exposure, verdict }] });
  if (!told) {
    audit.sample.splice(at, 0, one);
    draw();
  } else await refresh();
}

export function pressed(pressed, event) {
  const onButton = event.target instanceof HTMLButtonElement;
  const verdict = { f: "right", j: "wrong", " ": "cannot" }[pressed];
  if (verdict && !event.repeat && !(onButton && pressed === " ")) judge(verdict);
  else if (pressed === "d" && !current()) drawSample();
  else if (pressed === "v" && current()) openFull(current().about, 0);
  else if (audit && (pressed === "ArrowLeft" || pressed === "ArrowRight")) {
    at = Math.min(Math.max(0, at + (pressed === "ArrowLeft" ? -1 : 1)), Math.max(0, audit.sample.length - 1));
    draw();
  } else return false;
  return true;
}
