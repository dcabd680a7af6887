// «Otra partida»: begun at once when the match is over, asked about while it goes on.
import "./once.js";

export function anotherMatch() {
  const form = document.getElementById("another");
  const dialog = document.getElementById("sure");

  dialog?.addEventListener("click", (event) => {
    const answer = event.target.closest("button")?.value;
    if (!answer) return;
    dialog.close();
    if (answer === "leave") form.requestSubmit();
  });

  return (isOver) => {
    if (!form) return; // the story has its own way on
    if (isOver || !dialog) form.requestSubmit();
    else if (!dialog.open) dialog.showModal();
  };
}
