// The guide's examples answered in place. Without script the same forms load the page with the answer in it.
for (const form of document.querySelectorAll("form[data-example]")) {
  const answer = form.parentElement.querySelector(".answer");
  let asking = null;

  async function ask() {
    asking?.abort(); // only the last question is answered
    const mine = (asking = new AbortController());
    try {
      const address = `${form.dataset.example}?${new URLSearchParams(new FormData(form))}`;
      const response = await fetch(address, { headers: { "X-Fragment": "1" }, signal: mine.signal });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.querySelector(".answer");
      if (!fresh) throw new Error("no answer");
      if (mine.signal.aborted) return;
      answer.removeAttribute("aria-live"); // it was silent while the slider spoke for it
      answer.replaceChildren(...fresh.childNodes);
      follow();
    } catch (error) {
      if (error.name !== "AbortError") form.submit();
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  // Another score asks again, once something was asked: the page never shows an answer to what is no longer chosen.
  form.addEventListener("change", (event) => {
    if (event.target.type === "range" || !answer.firstElementChild) return;
    event.target.matches(".chips input") ? ask() : answer.replaceChildren();
  });

  const again = form.querySelector(".again");
  again?.addEventListener("click", (event) => {
    event.preventDefault();
    asking?.abort();
    for (const input of form.querySelectorAll(".tile input")) input.checked = false;
    answer.replaceChildren();
    form.querySelector(".own input").focus();
  });

  // The slider: what each of its steps pays stands in the page, worked out by the game.
  const slider = form.querySelector("input[type=range]");
  function follow() {
    if (!slider) return;
    const results = JSON.parse(answer.querySelector("script")?.textContent ?? "null");
    if (!results) return;
    const isBeyond = slider.valueAsNumber >= results.length; // fewer cards are left to share out
    slider.max = results.length - 1;
    if (isBeyond) return ask();
    slider.setAttribute("aria-valuetext", results[slider.valueAsNumber].text);
  }
  slider?.addEventListener("input", () => {
    asking?.abort();
    const said = answer.querySelector(".said");
    const result = JSON.parse(answer.querySelector("script").textContent)[slider.valueAsNumber];
    answer.setAttribute("aria-live", "off");
    said.className = "said goes about";
    said.querySelector("b").textContent = result.badge;
    said.querySelector("span").textContent = result.text;
    slider.setAttribute("aria-valuetext", result.text);
  });
  if (slider) form.querySelector(".tries").hidden = true; // every change is answered at once
  follow();
}
