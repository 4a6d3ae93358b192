// Reviewing by keyboard: a form that folds out takes the focus and gives it back on Escape; what comes after a decision begins at
// its heading. Stands before keys.js: Escape folds the form and leaves the pane open.
(() => {
  // What the bar above the page covers, and a little.
  const HEAD = 70;

  const fold = (box) => {
    box.open = false;
    box.querySelector("summary").focus({ focusVisible: true });
  };

  document.addEventListener("keydown", (event) => {
    const box = document.querySelector("details[data-focus-inside][open]");
    if (event.key !== "Escape" || !box || event.defaultPrevented || event.isComposing) return;
    if (document.querySelector("dialog[open], details[data-menu][open]")) return;
    event.preventDefault();
    fold(box);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-fold]")) fold(event.target.closest("details"));
  });

  // Opened to show what waits in it: the focus stays where it is.
  const quiet = new WeakSet();

  // The event does not bubble, so it is caught on its way down.
  document.addEventListener(
    "toggle",
    (event) => {
      if (quiet.delete(event.target)) return;
      if (event.target.matches("details[data-focus-inside][open]")) event.target.querySelector("textarea").focus();
    },
    true,
  );

  // A reason that is half typed waits in this tab while the person looks at other cards.
  const keyOf = (form) => `reason:${new URL(form.action).pathname}`;

  // A browser may refuse to keep anything.
  const store = () => {
    try {
      return sessionStorage;
    } catch {
      return null;
    }
  };

  const bringBack = () => {
    for (const form of document.querySelectorAll("[data-focus-inside] form")) {
      const field = form.querySelector("textarea");
      const text = store()?.getItem(keyOf(form));
      if (!text || field.value) continue;
      field.value = text;
      const box = form.closest("details");
      if (box.open) continue;
      quiet.add(box);
      box.open = true;
    }
  };

  document.addEventListener("input", (event) => {
    const form = event.target.closest("[data-focus-inside] form");
    if (form) store()?.setItem(keyOf(form), event.target.value);
  });

  // The sign-in page is no answer: it is not shown, and the reason still waits.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const form = detail.requestConfig.elt;
    if (form.matches("[data-arrives] form") && detail.xhr.status === 200 && detail.shouldSwap) store()?.removeItem(keyOf(form));
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
