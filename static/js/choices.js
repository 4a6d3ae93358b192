// Finding among many choices of a form: what lacks the words goes out of sight, and stays chosen if it was.
(() => {
  const choicesIn = (fieldset) => [...fieldset.querySelectorAll("label:has(input)")];

  const show = (fieldset) => {
    const box = fieldset.querySelector("[data-find-choices]");
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const choices = choicesIn(fieldset);
    let found = 0;
    for (const choice of choices) {
      const text = choice.textContent.toLowerCase();
      const has = words.every((word) => text.includes(word));
      choice.parentElement.hidden = !has;
      found += has;
    }
    const chosen = choices.filter((choice) => choice.control.checked).length;
    const parts = [chosen && `${chosen} chosen`, words.length && `${found} found`];
    fieldset.querySelector("output").textContent = parts.filter((part) => typeof part === "string").join(" · ");
  };

  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, ({ target }) => {
      const fieldset = target.closest?.("fieldset:has([data-find-choices])");
      if (fieldset) show(fieldset);
    });
  }

  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.("[data-find-choices]") || event.ctrlKey || event.metaKey) return;
    // It finds as one types, and must not send the form around it; Escape empties it before it closes anything else.
    if (event.key === "Enter") event.preventDefault();
    if (event.key === "Escape" && event.target.value) event.stopImmediatePropagation();
  });
})();
