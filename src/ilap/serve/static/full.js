// A picture in full view, and the way through those of an exposure.

import { full } from "./api.js";

const by = (id) => document.getElementById(id);
let shown = null;
let place = 0;

export function openFull(one, first) {
  shown = one;
  place = first;
  draw();
  by("full").showModal();
}

export function closeFull() {
  by("full").close();
}

export function stepFull(steps) {
  place = (place + steps + shown.picture_ids.length) % shown.picture_ids.length;
  draw();
}

function draw() {
  const words = `${shown.name}, picture ${place + 1} of ${shown.picture_ids.length}`;
  by("large").src = full(shown.picture_ids[place]);
  by("large").alt = words;
  by("caption").textContent = words;
}

by("large").addEventListener("error", () => { by("caption").textContent = "The file of this picture is gone."; });
by("earlier").addEventListener("click", () => stepFull(-1));
by("later").addEventListener("click", () => stepFull(1));
by("close").addEventListener("click", closeFull);

export function isFull() {
  return by("full").open;
}
