// A finished match: N begins another one.
import { anotherMatch } from "./another.js";

document.documentElement.classList.add("js");
const another = anotherMatch();
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "n" || event.key === "N") another(true);
});
