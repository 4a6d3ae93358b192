// The keyboard: / search, j k next and previous row, x select, e the first field of the pane, i the first earlier answer, n a new one,
// ? the list of keys, Escape closes the pane; Command or Control with Enter sends a
// form that allows it (data-send-by-key): a decision that cannot be taken back does not.
(() => {
  const ROWS = ".tbl tbody tr, .work > li, .board-cards > li";

  const isTyping = (target) =>
    target.closest("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])");

  const isShown = (element) => element.offsetParent !== null;

  const mainControl = (row) => row.querySelector("a.t") ?? row.querySelector("a, button, input");

  const move = (step) => {
    const rows = [...document.querySelectorAll(ROWS)].filter((row) => isShown(row) && mainControl(row));
    if (!rows.length) return;
    const here = rows.findIndex((row) => row.contains(document.activeElement));
    const next = here < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(here + step, 0), rows.length - 1);
    mainControl(rows[next]).focus({ focusVisible: true });
    rows[next].scrollIntoView({ block: "nearest" });
  };

  const search = () => {
    const fields = [...document.querySelectorAll("[data-search]")].filter(isShown);
    const field = fields.find((candidate) => candidate.dataset.search === "page") ?? fields[0];
    field?.focus();
    field?.select();
  };

  const edit = () => {
    const fields = [...document.querySelectorAll(".pane form :is(textarea, select, input:not([type=hidden]))")];
    const field = fields.find((candidate) => candidate.matches("[type=radio]:checked")) ?? fields[0];
    field?.focus({ focusVisible: true });
    field?.scrollIntoView({ block: "nearest" });
  };

  // The first button of a form is its main one, wherever on the page it stands.
  const send = (form) => form.requestSubmit([...form.elements].find((element) => element.matches("button:not([type=button])")));

  const actions = {
    "/": search,
    j: () => move(1),
    k: () => move(-1),
    x: () => document.activeElement.closest(ROWS)?.querySelector(".pick input")?.click(),
    e: edit,
    i: () => document.querySelector("[data-insert]")?.click(),
    n: () => document.querySelector("[data-new]")?.click(),
    "?": () => document.getElementById("shortcuts")?.showModal(),
    Escape: () => document.querySelector(".pane [data-pane-close]")?.click(),
  };

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest("form[data-send-by-key]");
    if (form && event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.isComposing && !event.repeat) {
      event.preventDefault();
      send(form);
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const action = actions[event.key];
    if (!action) return;
    if (event.key !== "Escape") event.preventDefault();
    action();
  });
})();
