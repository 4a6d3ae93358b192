// The box at the top: search and commands over all desks. Ctrl or Command with K goes there; arrows choose among what was found, Enter opens
// it, with Ctrl or Command in a tab of its own; Escape closes the list. Without a script the box leads to the page of the same search.
(() => {
  const box = () => document.querySelector("[data-command] [role=combobox]");
  const list = () => document.getElementById("found");
  const options = () => [...list().querySelectorAll("a[role=option]")];

  const choose = (option) => {
    options().forEach((each) => each.setAttribute("aria-selected", String(each === option)));
    option?.scrollIntoView({ block: "nearest" });
    if (option) box().setAttribute("aria-activedescendant", option.id);
    else box().removeAttribute("aria-activedescendant");
  };

  const show = (isShown) => {
    list().hidden = !isShown;
    box().setAttribute("aria-expanded", String(isShown));
    if (!isShown) choose(null);
  };

  const step = (by) => {
    const all = options();
    const here = all.findIndex((each) => each.ariaSelected === "true");
    choose(all.at((here + by) % all.length));
  };

  const open = (event) => {
    const option = options().find((each) => each.ariaSelected === "true");
    if (!option) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) window.open(option.href, "_blank", "noopener");
    else option.click();
  };

  const KEYS = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(options().some((each) => each.ariaSelected === "true") ? -1 : 0),
  };

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "found") return;
    options().forEach((option, number) => (option.id = `found-${number}`));
    // Whoever has gone on in the meantime is not called back.
    show(document.activeElement === box());
    choose(box().value.trim() ? options()[0] : null);
  });

  // What was found for fewer letters is not what is meant now.
  document.addEventListener("input", (event) => event.target === box() && choose(null));

  document.addEventListener("focusout", (event) => {
    if (event.target === box() && !list().contains(event.relatedTarget)) show(false);
  });

  // A click keeps the focus in the box: without it, the list would be gone before the click arrives.
  document.addEventListener("mousedown", (event) => event.target.closest("#found") && event.preventDefault());

  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && box()) {
      event.preventDefault();
      box().focus();
      box().select();
    }
    if (event.target !== box() || event.isComposing || list().hidden) return;
    if (event.key === "Enter") open(event);
    else if (event.key === "Escape") show(false);
    else if (KEYS[event.key] && options().length) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });
})();
