// Passwords can be looked at, and keys are offered where the browser knows them. Everything else works without.
for (const input of document.querySelectorAll(".field input[type=password]")) {
  const box = document.createElement("div");
  const button = document.createElement("button");
  const label = document.querySelector(`label[for="${input.id}"]`)?.textContent.trim().toLowerCase() ?? "";
  box.className = "secret";
  button.type = "button";
  const show = (shown) => {
    input.type = shown ? "text" : "password";
    button.textContent = shown ? "Ocultar" : "Mostrar";
    button.setAttribute("aria-label", `${button.textContent} ${label}`);
  };
  const focused = document.activeElement === input;
  input.replaceWith(box);
  box.append(input, button);
  if (focused) input.focus();
  show(false);
  button.addEventListener("click", () => show(input.type === "password"));
  input.form?.addEventListener("submit", () => show(false)); // a shown password must not be remembered as text
}

const knowsKeys = Boolean(window.PublicKeyCredential && navigator.credentials);
for (const part of document.querySelectorAll(".passkey[hidden]")) part.hidden = !knowsKeys;
for (const part of document.querySelectorAll(".no-passkey")) part.hidden = knowsKeys;

document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const status = document.getElementById("passkey-status");
  if (!status) return;
  status.hidden = true;
  requestAnimationFrame(() => (status.hidden = false)); // said again, even if it was said before
});
