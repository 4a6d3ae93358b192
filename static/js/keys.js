// The keyboard: / search, j k next and previous row, x select, b the actions for what is selected, e the first field of the pane or the page,
// i the first earlier answer, ? the list of keys, Escape closes the pane. What has a data-key is pressed by it; a menu or a form that
// opens takes the focus. Command or Control with Enter sends a form that allows it (data-send-by-key): a decision that cannot be
// taken back does not.
(() => {
  const ROWS = ".tbl tbody tr, .work > li, .board-cards > li";

  const isTyping = (target) =>
    target.closest("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])");

  const isShown = (element) => element.checkVisibility();

  const ENTRIES = "button, select, textarea, input:not([type=hidden])";

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

  const FIELDS = ":is(textarea, select, input:not([type=hidden]))";
  const EDITED = [`.pane form ${FIELDS}`, `main form.form ${FIELDS}`, "main form.form button"];

  const edit = () => {
    const fields = EDITED.map((place) => [...document.querySelectorAll(place)].filter(isShown)).find((found) => found.length) ?? [];
    const field = fields.find((candidate) => candidate.matches("[type=radio]:checked")) ?? fields[0];
    field?.focus({ focusVisible: true });
    field?.scrollIntoView({ block: "nearest" });
  };

  const press = (element) => {
    element.click();
    const box = element.matches("summary") ? element.parentElement : null;
    // At once: a letter that comes before the event of the opening would be taken for a key.
    if (box?.open) [...box.querySelectorAll(ENTRIES)].find(isShown)?.focus({ focusVisible: true });
  };

  const moveInMenu = (menu, event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.matches("a, button, summary")) return;
    const controls = [...menu.querySelectorAll(`a[href], ${ENTRIES}`)].filter(isShown);
    controls.at((controls.indexOf(event.target) + step) % controls.length)?.focus({ focusVisible: true });
    event.preventDefault();
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
    b: () => [...document.querySelectorAll(".bulk button")].find(isShown)?.focus({ focusVisible: true }),
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
    const menu = document.querySelector("details[data-menu][open]");
    if (menu) {
      moveInMenu(menu, event);
      return;
    }
    // The same key may stand in a card and at the head of the page: the card is what the person looks at.
    const pressed = [...document.querySelectorAll("[data-key]")].findLast((element) => element.dataset.key === event.key && isShown(element));
    if (pressed && event.repeat) return;
    const action = pressed ? () => press(pressed) : actions[event.key];
    if (!action) return;
    if (event.key !== "Escape") event.preventDefault();
    action();
  });
})();
