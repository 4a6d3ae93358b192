// Selecting rows for the bulk bar, and copying values.
(() => {
  const formOf = (box) => box.closest("form, [data-rows]");
  const boxesIn = (form) => [...form.querySelectorAll(".pick input:not([data-select-all])")];

  const count = (form) => {
    const boxes = boxesIn(form);
    const chosen = boxes.filter((box) => box.checked).length;
    form.querySelectorAll("[data-selected-count]").forEach((place) => {
      place.textContent = String(chosen);
    });
    const all = form.querySelector("[data-select-all]");
    if (!all) return;
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
  };

  document.addEventListener("change", (event) => {
    const box = event.target;
    if (!box.matches?.(".pick input")) return;
    const form = formOf(box);
    if (!form) return;
    if (box.hasAttribute("data-select-all")) boxesIn(form).forEach((other) => (other.checked = box.checked));
    count(form);
  });

  document.addEventListener("click", async (event) => {
    if (event.target.matches("[data-select-all-text]")) event.target.select();
    const clear = event.target.closest("[data-clear-selection]");
    if (clear) {
      boxesIn(formOf(clear)).forEach((box) => (box.checked = false));
      count(formOf(clear));
    }
    const button = event.target.closest("[data-copy]");
    if (button) await copy(button);
  });

  const copy = async (button) => {
    const field = document.getElementById(button.dataset.copy);
    const label = button.querySelector("[data-copy-label]");
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent.trim());
    } catch {
      // No clipboard outside of a secure address: leave the value selected for Ctrl+C.
      field.focus();
      if (field.select) field.select();
      else getSelection().selectAllChildren(field);
      const text = "Selected. Press Ctrl+C or ⌘C to copy it.";
      document.dispatchEvent(new CustomEvent("toast", { detail: { text } }));
      return;
    }
    label.textContent = "Copied";
    setTimeout(() => (label.textContent = "Copy"), 2000);
  };
})();
