// The page of the JSON interface: sends a request from its examples and shows the answer.

for (const box of document.querySelectorAll(".try")) {
  const [body, button, output] = ["textarea", "button", "pre"].map((name) => box.querySelector(name));
  button.addEventListener("click", async () => {
    button.disabled = true;
    output.hidden = false;
    output.textContent = "…";
    const request = { method: box.dataset.method };
    if (body) {
      request.body = body.value;
      request.headers = { "Content-Type": "application/json" };
    }
    try {
      const response = await fetch(box.dataset.path, request);
      output.textContent = `${response.status}\n${JSON.stringify(await response.json(), null, 1)}`;
    } catch (error) {
      output.textContent = `No answer: ${error.message}`;
    }
    button.disabled = false;
  });
}
