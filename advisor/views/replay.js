// Steps through the boards of the page; of a puzzle the solution is shown once it is found.
const boards = [...document.querySelectorAll("#boards > figure")];
const links = [...document.querySelectorAll("[data-ply]")];
const answers = document.getElementById("answers");
const byId = (id) => document.getElementById(id);
let at = 0;
let last = answers ? 0 : boards.length - 1; // that may be shown

function show(ply) {
  at = Math.max(0, Math.min(last, ply));
  boards.forEach((board, i) => (board.hidden = i !== at));
  links.forEach((link, i) => (i + 1 === at ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current")));
  byId("back").disabled = at === 0;
  byId("forth").disabled = at === last;
}

function solve(text) {
  byId("verdict").textContent = text;
  byId("line").hidden = false;
  last = boards.length - 1;
  show(1);
}

byId("back").addEventListener("click", () => show(at - 1));
byId("forth").addEventListener("click", () => show(at + 1));
links.forEach((link) =>
  link.addEventListener("click", (event) => {
    event.preventDefault();
    show(Number(link.dataset.ply));
  }),
);
document.addEventListener("keydown", ({ key }) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (by) show(at + by);
});
if (answers) {
  byId("line").hidden = true;
  byId("given").hidden = false;
  byId("given").addEventListener("click", () => solve(`It is ${answers.dataset.right}.`));
  answers.addEventListener("click", ({ target }) => {
    const { right } = target.dataset;
    if (right === undefined) return;
    if (right) solve(`${target.textContent} is right.`);
    else byId("verdict").textContent = `Not ${target.textContent}. Try another move.`;
  });
}
show(Number(byId("boards").dataset.first));
