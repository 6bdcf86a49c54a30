// Exposures as tiles that can be chosen: by a click, or by X where the arrows have led.

import { make, percent, unseen } from "./draw.js";
import { openFull } from "./full.js";
import { thumb } from "./api.js";

export class Tiles {
  // `changed` is called with the exposures that are chosen.
  constructor(exposures, chosen, label, changed = () => {}) {
    this.exposures = exposures;
    this.chosen = new Set(chosen);
    this.changed = changed;
    this.last = null;
    this.buttons = exposures.map((one) => this.tile(one));
    this.element = make("ul", { className: "tiles", "aria-label": label }, ...this.buttons.map((own) => make("li", {}, own)));
    if (this.buttons[0]) this.buttons[0].tabIndex = 0;
  }

  tile(one) {
    const pictures = one.picture_ids.slice(0, 4).map((id) => make("img", { src: thumb(id), alt: "", loading: "lazy" }));
    const share = one.probability == null ? "" : percent(one.probability);
    const words = make("span", { className: "under" }, make("span", { className: "called" }, one.name), make("span", {}, share, share ? unseen(" likely") : ""));
    const button = make("button", { type: "button", className: "tile", tabIndex: -1 }, make("span", { className: "film" }, ...pictures), words);
    button.dataset.exposure = one.exposure;
    button.setAttribute("aria-pressed", String(this.chosen.has(one.exposure)));
    button.addEventListener("click", (event) => this.toggle(one.exposure, event.shiftKey));
    return button;
  }

  toggle(number, range = false) {
    const places = this.exposures.map((one) => one.exposure);
    const [from, to] = [places.indexOf(this.last), places.indexOf(number)];
    const wanted = !this.chosen.has(number);
    const some = range && from >= 0 ? places.slice(Math.min(from, to), Math.max(from, to) + 1) : [number];
    for (const one of some) wanted ? this.chosen.add(one) : this.chosen.delete(one);
    this.last = number;
    this.buttons.forEach((own, at) => own.setAttribute("aria-pressed", String(this.chosen.has(places[at]))));
    this.changed(this.chosen);
  }

  get at() {
    return this.buttons.indexOf(document.activeElement);
  }

  get columns() {
    const top = this.buttons[0]?.offsetTop;
    const second = this.buttons.findIndex((own) => own.offsetTop > top);
    return second < 0 ? this.buttons.length : second;
  }

  focus(place) {
    const next = Math.min(Math.max(0, place), this.buttons.length - 1);
    this.buttons.forEach((own) => { own.tabIndex = -1; });
    this.buttons[next].tabIndex = 0;
    this.buttons[next].focus();
  }

  // Whether a key was meant for the tiles.
  pressed(key, event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns, ArrowDown: this.columns }[key];
    const at = this.at;
    if (at < 0) {
      if (key !== "ArrowDown" || !this.buttons.length) return false;
      this.focus(0);
      return true;
    }
    if (steps) this.focus(at + steps < 0 ? at : at + steps);
    else if (key === "x" || key === " ") this.toggle(this.exposures[at].exposure, event.shiftKey);
    else if (key === "v") openFull(this.exposures[at], 0);
    else if (key === "Escape") this.buttons[at].blur();
    else return false;
    return true;
  }
}
