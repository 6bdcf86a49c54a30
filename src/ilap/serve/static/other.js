// Another class, found by its name.

import { get, thumb } from "./api.js";
import { make } from "./draw.js";

const by = (id) => document.getElementById(id);
const MOST = 30;
let classes = [];
let choose = () => {};

export async function openOther(chosen) {
  choose = chosen;
  by("name").value = "";
  by("found").replaceChildren();
  by("other").showModal();
  classes = await all();
  list();
}

async function all() {
  const found = [];
  let cursor = null;
  do {
    const page = await get(`classes?order=name&limit=500${cursor ? `&cursor=${cursor}` : ""}`);
    found.push(...page.items);
    cursor = page.next;
  } while (cursor);
  return found;
}

function list() {
  const word = by("name").value.trim().toLowerCase();
  const fits = classes.filter((one) => one.name.toLowerCase().includes(word)).slice(0, MOST);
  by("found").replaceChildren(...fits.map((one) => {
    const some = one.exposures === 1 ? "1 exposure" : `${one.exposures} exposures`;
    const words = `${one.name}, ${some}${one.tentative ? ", tentative" : ""}`;
    const pictures = one.picture_ids.slice(0, 1).map((id) => make("img", { src: thumb(id), alt: "" }));
    const button = make("button", { type: "button" }, ...pictures, words);
    button.addEventListener("click", () => pick(one.class_id));
    return make("li", {}, button);
  }));
}

function pick(id) {
  by("other").close();
  choose(id);
}

by("name").addEventListener("input", list);
by("name").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  by("found").querySelector("button")?.click();
});
