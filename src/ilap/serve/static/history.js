// The log: who did what, when and why; and undo of any of it.

import { get } from "./api.js";
import { make } from "./draw.js";
import { carry, isReadOnly, tellAll } from "./session.js";
import { agree } from "./sure.js";

export const title = "History";
export const KEYS = [["↑ ↓", "go through the events"], ["Enter", "undo the event where the arrows are"], ["M", "more"]];
const PAGE = 100;
const by = (id) => document.getElementById(id);
let events = [];
let next = null;
let who = "all";
let here = false;

export async function enter() {
  here = true;
  const select = make("select", {}, ...[["all", "everybody"], ["person", "people"], ["ilap", "ilap"]].map(([value, words]) => make("option", { value, selected: value === who }, words)));
  select.setAttribute("aria-label", "By whom");
  select.addEventListener("change", () => { who = select.value; draw(); });
  const body = make("tbody", { id: "events" });
  const head = make("tr", {}, ...["Event", "When", "Who", "What", "Why", "Undo"].map((word) => make("th", { scope: "col" }, word)));
  by("content").append(make("div", { className: "controls" }, select), make("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Events" }, make("table", {}, make("thead", {}, head), body)));
  const more = make("button", { type: "button", id: "more" }, "More ", make("kbd", {}, "M"));
  more.addEventListener("click", load);
  by("keys").append(more);
  await refresh();
}

export function leave() {
  here = false;
}

export async function refresh() {
  if (!here) return;
  const page = await get(`history?newest=true&limit=${Math.min(500, Math.max(PAGE, events.length))}`);
  [events, next] = [page.items, page.next];
  draw();
}

async function load() {
  if (!next) return;
  const page = await get(`history?newest=true&limit=${PAGE}&cursor=${next}`);
  events.push(...page.items);
  next = page.next;
  draw();
}

function draw() {
  if (!here) return;
  const focused = document.activeElement?.dataset?.event;
  const rows = events.filter((one) => who === "all" || one.by === who);
  by("events").replaceChildren(...rows.map(row));
  by("more").disabled = !next;
  by("left").textContent = `${rows.length} events${next ? ", the latest" : ""}`;
  if (focused) by("events").querySelector(`[data-event="${focused}"]`)?.focus({ preventScroll: true });
}

function row(one) {
  const undo = make("button", { type: "button", disabled: isReadOnly() || one.undone }, one.undone ? "undone" : "Undo");
  undo.dataset.event = one.event;
  undo.setAttribute("aria-label", one.undone ? `Event ${one.event} is undone` : `Undo event ${one.event}`);
  undo.addEventListener("click", () => takeBack(one));
  const cells = [String(one.event), one.time.slice(0, 19).replace("T", " "), one.by === "person" ? "a person" : one.by, `${one.kind}${one.said ? `: ${one.said}` : ""}`, one.why];
  return make("tr", { className: one.undone ? "undone" : "" }, ...cells.map((cell) => make("td", {}, cell)), make("td", {}, undo));
}

async function takeBack(one) {
  const { items } = await get(`history/${one.event}/undo`);
  const later = items.filter((own) => own.event !== one.event);
  const lines = [`${one.kind}${one.said ? `: ${one.said}` : ""}`];
  if (later.length) {
    const list = make("ul", { className: "later" }, ...later.map((own) => make("li", {}, `${own.event}, ${own.kind}: ${own.said}`)));
    lines.push(`${later.length === 1 ? "One event depends" : `${later.length} events depend`} on it, and would be undone too:`, list);
  }
  if (!(await agree(`Undo event ${one.event}?`, lines, { yes: later.length ? `Undo ${items.length}` : "Undo" }))) return;
  if (await carry("undo", { event: one.event, with_later: later.length > 0 })) await tellAll();
}

export function pressed(pressed) {
  const buttons = [...document.querySelectorAll("#events button:not(:disabled)")];
  const at = buttons.indexOf(document.activeElement);
  if (pressed === "m") load();
  else if (pressed === "ArrowDown" || pressed === "ArrowUp") {
    const to = at < 0 ? 0 : at + (pressed === "ArrowDown" ? 1 : -1);
    buttons[Math.min(Math.max(0, to), buttons.length - 1)]?.focus();
  } else return false;
  return true;
}
