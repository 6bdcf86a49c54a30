// New bursts: a folder to learn from, how far the learner is with it, and a button that stops it.

import { get, send } from "./api.js";
import { make } from "./draw.js";
import { isReadOnly, say } from "./session.js";

const by = (id) => document.getElementById(id);
let before = "idle";
let told = false;           // how the last one ended, until it is read

function time(left) {
  if (left == null) return "";
  return left < 90 ? `About ${Math.ceil(left)} s left.` : `About ${Math.ceil(left / 60)} min left.`;
}

export function showProgress(progress) {
  const { state, watching, notes, failed } = progress;
  const busy = state !== "idle";
  told = busy ? false : told || before !== "idle" || failed;
  before = state;
  by("learning").hidden = !busy && !watching.length && !told;
  by("learned").hidden = !busy;
  if (state === "learning" || state === "stopping") {
    by("learned").max = Math.max(1, progress.total);
    by("learned").value = progress.pictures;
  } else by("learned").removeAttribute("value");
  const words = [busy || told ? progress.said : "", time(progress.seconds_left)];
  if (!busy && watching.length) words.push(`Watching ${watching.join(", ")}.`);
  if (progress.waiting.length) words.push(`Then ${progress.waiting.join(", ")}.`);
  by("learned-said").textContent = words.filter(Boolean).join(" ");
  by("learned-said").classList.toggle("bad", failed);
  by("learned-notes").hidden = !notes.length;
  by("learned-count").textContent = notes.length === 1 ? "1 note" : `${notes.length} notes`;
  by("learned-list").replaceChildren(...notes.map((note) => make("li", {}, note)));
  by("stop").hidden = isReadOnly() || (!busy && !watching.length);
  by("stop").disabled = state === "stopping";
  by("learned-close").hidden = busy || watching.length > 0;
}

export async function openLearn() {
  if (isReadOnly()) return;
  const { roots } = await get("learn");
  by("roots").replaceChildren(...roots.map((root) => make("option", { value: root })));
  by("folder").value ||= roots[0] ?? "";
  by("learn-said").textContent = roots.length ? "" : "This server knows no folder: start ilap serve with --root FOLDER.";
  by("learn").showModal();
}

by("stop").addEventListener("click", async () => {
  try {
    showProgress(await send("learn", undefined, "DELETE"));
  } catch (error) {
    say(error.message, true);
  }
});

by("learned-close").addEventListener("click", () => {
  told = false;
  by("learning").hidden = true;
});

by("learn-form").addEventListener("submit", async (event) => {
  if (event.submitter?.value !== "yes") return;
  event.preventDefault();
  try {
    const by_time = by("by-time").value.trim() || null;
    showProgress(await send("learn", { folder: by("folder").value, by_time, watch: by("watch").checked }));
    by("learn").close();
  } catch (error) {
    by("learn-said").textContent = error.message;
  }
});
by("learn-open").addEventListener("click", openLearn);
