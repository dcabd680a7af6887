// A finished match: N begins another one.
import { anotherMatch } from "./another.js";
import { isForPage } from "./keys.js";

document.documentElement.classList.add("js");
const another = anotherMatch();
document.addEventListener("keydown", (event) => {
  if (!isForPage(event) || event.repeat) return;
  if (event.key === "n" || event.key === "N") another(true);
});
