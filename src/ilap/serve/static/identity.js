// One class or tentative group: its exposures over time, its best pictures, and what looks like it.

import { get, thumb } from "./api.js";
import { key, make, percent } from "./draw.js";
import { openOther } from "./other.js";
import { carry, isReadOnly, say, tellAll, undisturbed } from "./session.js";
import { agree } from "./sure.js";
import { Tiles } from "./tiles.js";

export const title = "Identity";
export const KEYS = [
  ["↓", "go to the exposures"], ["X", "choose an exposure; with Shift a range"], ["K", "split off what is chosen"],
  ["M", "move what is chosen to another class"], ["D", "discard what is chosen"], ["C", "all of it is right"], ["R", "name"], ["E", "export as a table"],
  ["V", "view the pictures large"], ["Backspace", "back to all"],
];
const by = (id) => document.getElementById(id);
const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
let id = null;
let found = null;
let tiles = null;

export async function enter(argument) {
  id = Number(argument);
  tiles = null;
  await refresh();
}

export function leave() {
  id = null;
}

export async function refresh() {
  if (id === null) return;
  const asked = id;
  try {
    found = await get(`classes/${id}`);
  } catch {
    say("This class is not there any more.");
    location.hash = "identities";
    return;
  }
  await undisturbed();
  if (asked === id) draw();
}

function draw() {
  const kept = tiles ? found.exposures.map((one) => one.exposure).filter((number) => tiles.chosen.has(number)) : [];
  const focused = tiles?.exposures[tiles.at]?.exposure;
  by("asked").textContent = found.name;
  by("why").textContent = [
    found.tentative ? "A tentative group" : "A class", `of ${counted(found.exposures.length, "exposure")}, ${counted(found.pictures, "picture")}.`,
    found.health ? `${percent(found.health.accuracy)} of its pictures are told right; that all of it is one is ${percent(found.health.purity)} likely.` : "",
  ].join(" ");
  tiles = new Tiles(found.exposures, kept, `Exposures of ${found.name}`, drawKeys);
  tiles.buttons.forEach((own, at) => own.append(make("span", { className: "small" }, when(found.exposures[at]))));
  const best = make("div", { className: "best", tabIndex: 0, role: "group", "aria-label": `Pictures of ${found.name}` }, ...found.best.map((one, at) => make("img", { src: thumb(one), alt: `picture ${at + 1} of ${found.name}` })));
  const parts = [heading("Best pictures", best), heading("Exposures over time", tiles.element)];
  if (found.likely.length) parts.push(heading("Unsure, and most likely this", new Tiles(found.likely, [], "Unsure exposures").element));
  if (found.look_alikes.length) parts.push(heading("Look-alikes", make("ul", { className: "alike" }, ...found.look_alikes.map(alike))));
  by("content").replaceChildren(...parts);
  const place = found.exposures.findIndex((one) => one.exposure === focused);
  if (place >= 0) tiles.focus(place);
  drawKeys();
}

const when = (one) => [one.seen?.slice(0, 16).replace("T", " "), one.decided_by === "person" ? "by a person" : ""].filter(Boolean).join(", ");

function heading(words, element) {
  const titled = make("h3", {}, words);
  return make("section", { "aria-label": words }, titled, element);
}

function alike(row) {
  const pictures = row.picture_ids.slice(0, 3).map((one) => make("img", { src: thumb(one), alt: "" }));
  const link = make("a", { href: `#identity/${row.class_id}`, className: "card" }, make("span", { className: "film" }, ...pictures),
    make("span", { className: "name" }, row.name), make("span", { className: "small" }, counted(row.exposures, "exposure")));
  const merge = make("button", { type: "button", disabled: isReadOnly() }, "Merge");
  merge.setAttribute("aria-label", `Merge with ${row.name}`);
  merge.addEventListener("click", async () => {
    const lines = [`${row.name} (${counted(row.exposures, "exposure")}) becomes part of ${found.name} (${counted(found.exposures.length, "exposure")}).`, "Undo (Z) takes it back."];
    if (await agree("Merge these two?", lines, { yes: "Merge" }) && await carry("merge", { into: id, other: row.class_id })) await tellAll();
  });
  return make("li", {}, link, merge);
}

const chosen = () => [...tiles.chosen];

async function change(title, lines, yes, path, body) {
  if (isReadOnly() || !chosen().length) return;
  if (!(await agree(title, [...lines, "Undo (Z) takes it back."], { yes }))) return;
  if (await carry(path, body)) {
    tiles.chosen.clear();
    await tellAll();
  }
}

const some = () => counted(chosen().length, "exposure");
const split = () => change("Split?", [`${some()} of ${found.name} become a class of their own.`], "Split", "split", { exposures: chosen() });
const discard = () => change("Discard?", [`Nothing is learned from ${some()} any more. The files stay where they are.`], "Discard", "discard", { exposures: chosen() });
const move = () => {
  if (isReadOnly() || !chosen().length) return;
  const exposures = chosen();
  openOther(async (to) => {
    if (await carry("move", { exposure: exposures, to })) await tellAll();
  });
};

async function rename() {
  if (isReadOnly()) return;
  const name = await agree(`Name ${found.name}`, [], { name: found.name, yes: "Name it" });
  if (name && await carry(`classes/${id}`, { name }, "PATCH")) await tellAll();
}

async function confirm() {
  if (!isReadOnly() && await carry("confirm", { class_id: id })) await tellAll();
}

function save() {
  make("a", { href: `/api/v1/classes/${id}/export`, download: `class-${id}.csv` }).click();
}

function drawKeys() {
  const button = (words, name, action, disabled) => {
    const made = make("button", { type: "button", disabled }, `${words} `, key(name));
    made.addEventListener("click", action);
    return made;
  };
  const none = isReadOnly() || !tiles?.chosen.size;
  const all = tiles && tiles.chosen.size === found.exposures.length;
  by("keys").replaceChildren(
    button("Split off", "K", split, none || all || found.tentative), button("Move", "M", move, none), button("Discard", "D", discard, none),
    button("All of it is right", "C", confirm, isReadOnly()), button("Name", "R", rename, isReadOnly()), button("Export", "E", save, false),
  );
  by("left").textContent = tiles?.chosen.size ? `${tiles.chosen.size} of ${found.exposures.length} chosen` : "";
}

export function pressed(pressed, event) {
  if (!tiles) return false;
  if (tiles.pressed(pressed, event)) return true;
  const action = { k: split, m: move, d: discard, r: rename, c: confirm, e: save }[pressed];
  if (pressed === "Backspace") location.hash = "identities";
  else if (action && !event.repeat) action();
  else return false;
  return true;
}
