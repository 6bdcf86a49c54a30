// A question on the screen, and the keys that answer it.

import { card, key, likely, make, unseen } from "./draw.js";
import { openFull } from "./full.js";
import { isReadOnly } from "./session.js";
import { Tiles } from "./tiles.js";

const by = (id) => document.getElementById(id);
const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

// `give` takes the answer, `other` asks for a class by its name; `more` says that questions may still come. What is
// drawn takes keys by `pressed`.
export function draw(question, give, other, more) {
  for (const id of ["content", "keys"]) by(id).replaceChildren();
  if (!question) {
    by("asked").textContent = more ? "Looking for the next question…" : "Nothing to ask";
    by("why").textContent = more ? "" : "A person has placed all exposures, or there are fewer than two.";
    return { pressed: () => false };
  }
  by("why").textContent = question.reason;
  const kind = { which, same, batch, split }[question.kind](question, give, other);
  by("content").append(...kind.parts);
  by("keys").append(...kind.buttons);
  return {
    pressed(pressed, event) {
      if (kind.tiles?.pressed(pressed, event)) return true;
      if (pressed === "v") openFull(question.about, 0);
      else {
        const onButton = event.target instanceof HTMLButtonElement && !event.target.classList.contains("tile");
        if (event.repeat || (onButton && (pressed === " " || pressed === "Enter"))) return false;
        const answer = kind.keys[pressed];
        if (!answer) return false;
        answer();
      }
      return true;
    },
  };
}

function button(words, name, action, main = false) {
  const made = make("button", { type: "button", disabled: isReadOnly(), className: main ? "main" : "" }, `${words} `, key(name));
  made.addEventListener("click", action);
  return made;
}

function which(question, give, other) {
  by("asked").textContent = `Which of these is ${question.about.name}?`;
  const shown = make("section", { className: "choices", "aria-label": "What it may be" });
  const keys = { n: () => give("new"), " ": () => give("cannot"), "/": other };
  for (const one of question.shown) {
    const pick = button("", one.key, () => give(one.key));
    pick.className = "pick";
    const words = make("span", { className: "name" }, "The same as this", unseen(`, ${one.name}`));
    pick.replaceChildren(key(one.key), words, ...likely(one.probability));
    const made = card(one, openFull);
    made.prepend(pick);
    shown.append(made);
    keys[one.key] = () => give(one.key);
  }
  const about = make("section", { className: "about", "aria-label": "What is asked about" }, card(question.about, openFull));
  const buttons = [
    button("New", "N", keys.n), button("Another by name", "/", other), button("Cannot tell", "Space", keys[" "]),
  ];
  return { parts: [about, shown], buttons, keys };
}

function same(question, give) {
  const other = question.shown[0];
  const within = question.about.place === other.place;
  by("asked").textContent = within ? "Is this one, or two?" : "Do these show the same?";
  const keys = { f: () => give("same"), j: () => give("different"), " ": () => give("cannot") };
  const pair = make("section", { className: "pair", "aria-label": "Two exposures" }, card(question.about, openFull), card(other, openFull));
  const buttons = [
    button("Same", "F", keys.f), button("Different", "J", keys.j), button("Cannot tell", "Space", keys[" "]),
  ];
  return { parts: [pair], buttons, keys };
}

// Exposures, all of them chosen: the answer is all of them, or all but those that a person takes out.
function chooser(question, give, label) {
  const numbers = question.shown.map((one) => one.exposure);
  const tiles = new Tiles(question.shown, numbers, label);
  const answer = () => {
    const out = numbers.filter((number) => !tiles.chosen.has(number));
    give(out.length ? `not ${out.join(",")}` : "all");
  };
  const beside = make("section", { className: "beside", "aria-label": "What they are compared with" }, card(question.about, openFull));
  for (const one of question.beside) beside.append(card(one, openFull));
  return { tiles, answer, beside };
}

function batch(question, give) {
  const name = question.about.tentative ? question.about.name : question.about.place_name;
  by("asked").textContent = `Are all of these ${name}?`;
  const { tiles, answer, beside } = chooser(question, give, `Exposures that are likely ${name}`);
  const confirm = button("Confirm", "Enter", answer, true);
  const tell = () => { confirm.firstChild.data = `Confirm ${counted(tiles.chosen.size, "exposure")} `; };
  tiles.changed = tell;
  tell();
  const keys = { Enter: answer, " ": () => give("cannot") };
  return { parts: [beside, tiles.element], buttons: [confirm, button("Cannot tell", "Space", keys[" "])], keys, tiles };
}

function split(question, give) {
  const name = question.about.tentative ? question.about.name : question.about.place_name;
  by("asked").textContent = `Is ${name} two?`;
  const { tiles, answer, beside } = chooser(question, give, "Exposures that may be something else");
  const all = question.shown.map((one) => one.exposure);
  const keys = { f: () => give(`not ${all.join(",")}`), k: () => tiles.chosen.size && answer(), " ": () => give("cannot") };
  const part = button("Split off", "K", keys.k, true);
  const tell = () => {
    part.disabled = isReadOnly() || !tiles.chosen.size;
    part.firstChild.data = `Split off ${counted(tiles.chosen.size, "exposure")} `;
  };
  tiles.changed = tell;
  tell();
  const buttons = [part, button("It is one", "F", keys.f), button("Leave", "Space", keys[" "])];
  return { parts: [beside, tiles.element], buttons, keys, tiles };
}
