// What will happen, shown before it does: a person agrees, or gives a name, or cancels.

import { make } from "./draw.js";

const by = (id) => document.getElementById(id);

// Gives true, or the name if one is asked for; null if it was cancelled.
export function agree(title, lines, { name = null, yes = "Yes" } = {}) {
  by("sure-title").textContent = title;
  by("sure-text").replaceChildren(...lines.map((line) => (line instanceof Node ? line : make("p", {}, line))));
  by("sure-name").hidden = by("sure-label").hidden = name === null;
  by("sure-name").value = name ?? "";
  by("sure-yes").firstChild.data = `${yes} `;
  const dialog = by("sure");
  dialog.returnValue = "";
  dialog.showModal();
  if (name !== null) by("sure-name").select();
  else by("sure-yes").focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const given = by("sure-name").value.trim();
      if (dialog.returnValue !== "yes") resolve(null);
      else resolve(name === null ? true : given || null);
    }, { once: true });
  });
}
