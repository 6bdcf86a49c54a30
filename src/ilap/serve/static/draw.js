// Elements. Names and paths are text: nothing here is ever parsed as markup.

import { thumb } from "./api.js";

export function make(tag, fields = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(fields)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// Words for a screen reader alone.
export function unseen(words) {
  return make("span", { className: "unseen" }, words);
}

export function percent(share) {
  return share > 0.995 ? "> 99%" : share < 0.005 ? "< 1%" : `${Math.round(100 * share)}%`;
}

export function strip(shown, view) {
  const pictures = shown.picture_ids.map((id, place) => {
    const image = make("img", { src: thumb(id), alt: `picture ${place + 1} of ${shown.name}`, loading: "eager" });
    const button = make("button", { type: "button", className: "view", title: "View large (V)" }, image);
    button.addEventListener("click", () => view(shown, place));
    return make("li", {}, button);
  });
  return make("ul", { className: "strip" }, ...pictures);
}

export function place(shown) {
  const more = shown.exposures > 1 ? `with ${shown.exposures - 1} more` : "alone";
  return shown.tentative ? `not decided yet, ${more}` : `${shown.place_name}, ${more}`;
}

export function likely(share) {
  const meter = make("meter", { min: 0, max: 1, value: share });
  meter.setAttribute("aria-hidden", "true");
  return [meter, make("span", { className: "small" }, `${percent(share)} likely`)];
}

export function key(word) {
  return make("kbd", {}, word);
}

export function card(shown, view, ...head) {
  const title = make(
    "div", { className: "title" },
    make("span", { className: "name" }, shown.name), make("span", { className: "small" }, place(shown)), ...head,
  );
  return make("article", { className: "card" }, title, strip(shown, view));
}
