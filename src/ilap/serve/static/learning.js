// How far the learner is with new bursts: a bar with the time that is left, and a button that stops it.

import { send } from "./api.js";
import { say } from "./session.js";

const by = (id) => document.getElementById(id);

export function showProgress(progress) {
  const learning = progress.state === "learning";
  by("learning").hidden = !learning;
  if (!learning) return;
  const left = progress.seconds_left;
  const time = left == null ? "" : left < 90 ? `, about ${Math.ceil(left)} s left` : `, about ${Math.ceil(left / 60)} min left`;
  by("learned").max = Math.max(1, progress.total);
  by("learned").value = progress.pictures;
  by("learned-said").textContent = `Learning: ${progress.pictures} of ${progress.total} pictures${time}`;
}

by("stop").addEventListener("click", async () => {
  try {
    say((await send("learn", undefined, "DELETE")).said);
  } catch (error) {
    say(error.message, true);
  }
});
