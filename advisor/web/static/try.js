// The page of the JSON interface: sends a request from its examples and shows the answer.

/** @type {NodeListOf<HTMLElement>} */
const boxes = document.querySelectorAll(".try");
for (const box of boxes) {
  const [body, button, output] = [box.querySelector("textarea"), box.querySelector("button"), box.querySelector("pre")];
  button.addEventListener("click", async () => {
    button.disabled = true;
    output.hidden = false;
    output.textContent = "…";
    const sent = body ? { body: body.value, headers: { "Content-Type": "application/json" } } : {};
    try {
      const response = await fetch(box.dataset.path, { method: box.dataset.method, ...sent });
      output.textContent = `${response.status}\n${JSON.stringify(await response.json(), null, 1)}`;
    } catch (error) {
      output.textContent = `No answer: ${error.message}`;
    }
    button.disabled = false;
  });
}
