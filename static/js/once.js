// A form that begins or ends something is sent once, however often its button is tapped.
for (const form of document.querySelectorAll("form[method=post]:not(#play)")) {
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  window.addEventListener("pageshow", () => (isSent = false));
}
