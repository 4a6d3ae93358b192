// Reviewing by keyboard: [data-key] is pressed by its key; a form that folds out takes the focus and gives it back on Escape;
// what comes after a decision begins at its heading. Stands before keys.js: on a card, j and k move between cards.
(() => {
  // What the bar above the page covers, and a little.
  const HEAD = 70;

  const isTyping = (target) =>
    target.closest("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])");

  const fold = (box) => {
    box.open = false;
    box.querySelector("summary").focus({ focusVisible: true });
  };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    if (document.querySelector("dialog[open], details[data-menu][open]")) return;
    const box = document.querySelector("details[data-focus-inside][open]");
    if (event.key === "Escape" && box) {
      event.preventDefault();
      fold(box);
      return;
    }
    if (isTyping(event.target)) return;
    const pressed = [...document.querySelectorAll("[data-key]")].find((element) => element.dataset.key === event.key);
    if (!pressed || pressed.offsetParent === null) return;
    event.preventDefault();
    pressed.click();
    // At once: a letter that comes before the event of the opening would be taken for a key.
    pressed.closest("details[data-focus-inside][open]")?.querySelector("textarea").focus();
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-fold]")) fold(event.target.closest("details"));
  });

  // The event does not bubble, so it is caught on its way down.
  document.addEventListener(
    "toggle",
    (event) => {
      if (event.target.matches("details[data-focus-inside][open]")) event.target.querySelector("textarea").focus();
    },
    true,
  );

  // A reason that is half typed waits in this tab while the person looks at other cards.
  const keyOf = (form) => `reason:${new URL(form.action).pathname}`;

  const bringBack = () => {
    for (const form of document.querySelectorAll("[data-focus-inside] form")) {
      const field = form.querySelector("textarea");
      const text = sessionStorage.getItem(keyOf(form));
      if (!text || field.value) continue;
      field.value = text;
      form.closest("details").open = true;
    }
  };

  document.addEventListener("input", (event) => {
    const form = event.target.closest("[data-focus-inside] form");
    if (form) sessionStorage.setItem(keyOf(form), event.target.value);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.requestConfig.elt;
    if (form.matches("[data-arrives] form") && event.detail.successful) sessionStorage.removeItem(keyOf(form));
  });

  bringBack();

  // At once, not when the page has settled: the next key may have led on already.
  document.addEventListener("htmx:afterSwap", (event) => {
    if (!event.target.matches("[data-arrives]")) return;
    bringBack();
    const field = event.target.querySelector("[aria-invalid=true]");
    if (field) {
      field.focus();
      return;
    }
    const heading = event.target.querySelector("[data-arrive]");
    heading?.focus({ preventScroll: true });
    const top = heading?.getBoundingClientRect().top ?? 0;
    if (top < HEAD || top > innerHeight * 0.6) event.target.scrollIntoView({ block: "start", behavior: "instant" });
  });
})();
