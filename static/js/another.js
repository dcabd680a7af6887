// «Otra partida»: begun at once when the match is over, asked about while it goes on.
export function anotherMatch() {
  const form = document.getElementById("another");
  const dialog = document.getElementById("sure");

  dialog?.addEventListener("click", (event) => {
    const answer = event.target.closest("button")?.value;
    if (!answer) return;
    dialog.close();
    if (answer === "leave") form.requestSubmit();
  });
  let isSent = false;
  form.addEventListener("submit", (event) => {
    if (isSent) event.preventDefault(); // a second click
    isSent = true;
  });
  window.addEventListener("pageshow", () => (isSent = false));

  return (isOver) => {
    if (isOver || !dialog) form.requestSubmit();
    else if (!dialog.open) dialog.showModal();
  };
}
