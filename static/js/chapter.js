// A chapter's page: its one form is sent once; the sound control brings its own script.
import "./once.js";

document.documentElement.classList.add("js");
