// All classes and tentative groups: sorted, searched, chosen, merged and named.

import { get, thumb } from "./api.js";
import { key, make, percent } from "./draw.js";
import { Grid } from "./grid.js";
import { carry, isReadOnly, say, tellAll, undisturbed } from "./session.js";
import { agree } from "./sure.js";

export const title = "Identities";
export const KEYS = [
  ["← → ↑ ↓", "go through them"], ["X", "choose; with Shift all from the last one chosen"], ["Enter", "open"],
  ["G", "merge those that are chosen"], ["R", "name"], ["/", "search"], ["Esc", "choose none"],
];
const ORDERS = {
  health: "least sure first", size: "largest first", name: "by name", last: "last seen first", "look-alike": "look-alikes side by side",
};
const KINDS = { all: "all", sure: "classes", tentative: "tentative groups" };
const PAGE = 500;
const UNNAMED = /^(class|group) \d+$/;
const by = (id) => document.getElementById(id);
const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
const chosen = new Set();
let rows = [];              // all of them, in order
let shown = [];             // those that fit the search
let order = "health";
let kind = "all";
let word = "";
let at = 0;                 // where the arrows are
let last = null;            // the class that was chosen last
let grid = null;
let loads = 0;

export async function enter() {
  by("content").append(controls());
  const tiles = make("div", { className: "identities", role: "listbox", "aria-label": "Classes and tentative groups", "aria-multiselectable": "true", tabIndex: -1 });
  by("content").append(tiles);
  grid = new Grid(tiles, tile, { width: 176, height: 236 });
  drawKeys();
  if (rows.length) list();  // as they were last, until they are here anew
  await refresh();
}

export function leave() {
  grid?.close();
  grid = null;
  loads += 1;
}

function controls() {
  const search = make("input", { type: "search", id: "search", value: word, placeholder: "Name", autocomplete: "off" });
  search.setAttribute("aria-label", "Search by name");
  search.addEventListener("input", () => { word = search.value; at = 0; list(); });
  const choice = (label, options, value, set) => {
    const select = make("select", {}, ...Object.entries(options).map(([name, words]) => make("option", { value: name, selected: name === value }, words)));
    select.setAttribute("aria-label", label);
    select.addEventListener("change", () => set(select.value));
    return select;
  };
  return make("div", { className: "controls", role: "search" }, search,
    choice("Order", ORDERS, order, (value) => { order = value; at = 0; refresh(); }),
    choice("Which", KINDS, kind, (value) => { kind = value; at = 0; list(); }));
}

// Rows come some at a time, in their order, so that the first are on the screen at once.
export async function refresh() {
  if (!grid) return;
  const own = loads += 1;
  const found = [];
  let cursor = null;
  do {
    const page = await get(`classes?order=${order}&limit=${found.length ? PAGE : 100}${cursor ? `&cursor=${cursor}` : ""}`);
    if (own !== loads) return;
    found.push(...page.items);
    cursor = page.next;
    if (!cursor) await undisturbed();
    if (own !== loads) return;
    if (!rows.length || !cursor) {
      rows = found.slice();
      list();
    }
  } while (cursor);
  for (const id of chosen) if (!rows.some((row) => row.class_id === id)) chosen.delete(id);
  drawKeys();
}

function list() {
  if (!grid) return;
  const wanted = word.trim().toLowerCase();
  const focused = grid.element.contains(document.activeElement) ? shown[at]?.class_id : null;
  shown = rows.filter((row) => row.name.toLowerCase().includes(wanted) && (kind === "all" || row.tentative === (kind === "tentative")));
  const again = shown.findIndex((row) => row.class_id === focused);
  at = again >= 0 ? again : Math.min(at, Math.max(0, shown.length - 1));
  grid.set(shown);
  if (focused !== null) grid.made.get(at)?.focus({ preventScroll: true });
  by("why").textContent = shown.length === rows.length ? counted(rows.length, "identity").replace("identitys", "identities") : `${shown.length} of ${rows.length} identities`;
}

function tile(row, place) {
  const pictures = row.picture_ids.map((id) => make("img", { src: thumb(id), alt: "", draggable: false }));
  const health = row.tentative ? "tentative" : `${percent(row.health)} sure`;
  const words = [
    make("span", { className: "name" }, row.name),
    make("span", { className: "small" }, counted(row.exposures, "exposure")),
    make("span", { className: "small" }, row.last ? `${health}, ${row.last.slice(0, 10)}` : health),
  ];
  const inner = make("div", { className: "inner" }, make("div", { className: `cover of${pictures.length}` }, ...pictures), ...words);
  const made = make("div", { className: row.tentative ? "identity tentative" : "identity", role: "option", tabIndex: place === at ? 0 : -1, draggable: !isReadOnly() }, inner);
  made.dataset.id = row.class_id;
  mark(made, row);
  made.addEventListener("focus", () => { at = place; });
  made.addEventListener("click", (event) => {
    at = place;
    if (event.shiftKey || event.ctrlKey || event.metaKey) choose(place, event.shiftKey);
    else open(row);
  });
  drag(made, row);
  return made;
}

function mark(made, row) {
  made.setAttribute("aria-selected", String(chosen.has(row.class_id)));
}

// Drag one onto another to merge them; of several that are chosen, all.
function drag(made, row) {
  made.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/x-ilap-class", String(row.class_id)));
  made.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("text/x-ilap-class")) return;
    event.preventDefault();
    made.classList.add("target");
  });
  made.addEventListener("dragleave", () => made.classList.remove("target"));
  made.addEventListener("drop", (event) => {
    event.preventDefault();
    made.classList.remove("target");
    const from = Number(event.dataTransfer.getData("text/x-ilap-class"));
    const others = chosen.has(from) ? [...chosen] : [from];
    merge(row.class_id, others.filter((id) => id !== row.class_id));
  });
}

function open(row) {
  location.hash = `identity/${row.class_id}`;
}

function choose(place, range) {
  const row = shown[place];
  if (!row) return;
  const from = shown.findIndex((one) => one.class_id === last);
  const some = range && from >= 0 ? shown.slice(Math.min(from, place), Math.max(from, place) + 1) : [row];
  const wanted = range || !chosen.has(row.class_id);
  for (const one of some) wanted ? chosen.add(one.class_id) : chosen.delete(one.class_id);
  last = row.class_id;
  markAll();
}

function markAll() {
  for (const [place, made] of grid.made) mark(made, shown[place]);
  drawKeys();
}

async function merge(into, others) {
  const row = (id) => rows.find((one) => one.class_id === id);
  if (isReadOnly() || !others.length || !row(into)) return;
  const all = [row(into), ...others.map(row)].filter(Boolean);
  const name = all.map((one) => one.name).find((own) => !UNNAMED.test(own)) ?? `class ${into}`;
  const kept = UNNAMED.test(all[0].name) ? name : all[0].name;
  const total = all.reduce((sum, one) => sum + one.exposures, 0);
  const covers = make("div", { className: "row" }, ...all.flatMap((one) => one.picture_ids.slice(0, 2)).map((id) => make("img", { src: thumb(id), alt: "" })));
  const lines = [
    `${all.map((one) => `${one.name} (${counted(one.exposures, "exposure")})`).join(" and ")} become one class, ${kept}, of ${counted(total, "exposure")}.`,
    covers, "Undo (Z) takes it back.",
  ];
  if (!(await agree(others.length > 1 ? `Merge ${all.length} classes?` : "Merge these two?", lines, { yes: "Merge" }))) return;
  for (const other of others) if (!(await carry("merge", { into, other }))) break;
  chosen.clear();
  await tellAll();
}

async function rename() {
  const row = shown[at];
  if (!row || isReadOnly()) return;
  const name = await agree(`Name ${row.name}`, [], { name: row.name, yes: "Name it" });
  if (name && await carry(`classes/${row.class_id}`, { name }, "PATCH")) await tellAll();
}

function drawKeys() {
  const button = (words, name, action, disabled) => {
    const made = make("button", { type: "button", disabled: disabled || isReadOnly() }, `${words} `, key(name));
    made.addEventListener("click", action);
    return made;
  };
  by("keys").replaceChildren(
    button(chosen.size > 1 ? `Merge ${chosen.size}` : "Merge", "G", mergeChosen, chosen.size < 2),
    button("Name", "R", rename, false),
  );
  by("left").textContent = chosen.size ? `${chosen.size} chosen` : "";
}

// The one that a person named, or else the largest, takes the others up.
function mergeChosen() {
  const some = rows.filter((row) => chosen.has(row.class_id));
  if (some.length < 2) return say("Choose two or more to merge, with X.");
  some.sort((one, other) => Number(one.tentative) - Number(other.tentative) || other.exposures - one.exposures);
  return merge(some[0].class_id, some.slice(1).map((row) => row.class_id));
}

function go(place) {
  at = Math.min(Math.max(0, place), shown.length - 1);
  grid.reveal(at)?.focus({ preventScroll: true });
}

export function pressed(pressed, event) {
  if (!grid || !shown.length) return false;
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -grid.columns, ArrowDown: grid.columns }[pressed];
  const inside = grid.element.contains(document.activeElement);
  if (steps) go(inside ? at + steps : at);
  else if (pressed === "x") choose(at, event.shiftKey);
  else if (pressed === "g") mergeChosen();
  else if (pressed === "r") rename();
  else if (pressed === "/") by("search").focus();
  else if (pressed === "Enter" && inside) open(shown[at]);
  else if (pressed === "Escape" && chosen.size) {
    chosen.clear();
    markAll();
  } else return false;
  return true;
}
