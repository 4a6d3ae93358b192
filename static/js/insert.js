// Puts an earlier answer into the form of the open one: each part into the control of the same name, a lone text into the
// text area. It is typed in, so that the browser can undo it and the draft is kept.
(() => {
  const same = (one, other) => one.trim().toLowerCase() === other.trim().toLowerCase();

  const type = (control, text) => {
    control.focus();
    control.select();
    // The only way to write that Undo knows of.
    document.execCommand("insertText", false, text);
  };

  const choose = (group, text) => {
    const wanted = text.split("\n");
    const labels = [...group.querySelectorAll("label")].filter((label) => label.control?.matches("[type=radio], [type=checkbox]"));
    const fitting = labels.filter((label) => wanted.some((line) => same(line, label.textContent)));
    for (const label of labels) {
      const { control } = label;
      const isWanted = fitting.includes(label);
      if (control.type === "checkbox" && fitting.length ? control.checked !== isWanted : isWanted && !control.checked) control.click();
    }
    return fitting.length > 0;
  };

  const select = (control, text) => {
    const option = [...control.options].find((candidate) => same(candidate.textContent, text));
    if (!option) return false;
    control.value = option.value;
    control.dispatchEvent(new Event("input", { bubbles: true }));
    return true;
  };

  const fill = (field, text) => {
    if (field.matches("fieldset")) return choose(field, text);
    const control = field.querySelector("textarea, select, input:not([type=hidden])");
    if (!control) return false;
    if (control.matches("select")) return select(control, text);
    type(control, text);
    return true;
  };

  // What the answer was made of is told with it.
  const note = (form, name, value) => {
    if ([...form.querySelectorAll(`input[name=${name}]`)].some((input) => input.value === value)) return;
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  };

  const insert = (answer) => {
    const form = document.getElementById("answer-form");
    if (!form) return;
    const parts = [...answer.children].map((part) => [part.querySelector("dt").textContent, part.querySelector("dd").innerText]);
    const fields = [...form.querySelectorAll(".field")];
    const named = (label) => fields.find((field) => same(field.querySelector("legend, label")?.textContent ?? "", label));
    const texts = fields.filter((field) => field.querySelector("textarea"));
    const done = parts.filter(([label, text]) => {
      const field = named(label) ?? (parts.length === 1 && texts.length === 1 ? texts[0] : null);
      return field && fill(field, text);
    });
    if (answer.dataset.entry) {
      // An entry knows no form: a choice goes where it is offered, and the rest into the only text area.
      const left = parts.filter((part) => !done.includes(part) && !fields.some((field) => field.matches("fieldset") && choose(field, part[1])));
      done.push(...parts.filter((part) => !done.includes(part) && !left.includes(part)));
      const empty = texts.filter((field) => !done.some(([label]) => named(label) === field));
      if (left.length && empty.length === 1 && fill(empty[0], left.map(([, text]) => text).join("\n"))) done.push(...left);
      if (done.length) note(form, "entry", answer.dataset.entry);
    }
    if (answer.dataset.earlier && done.length) note(form, "earlier", answer.dataset.earlier);
    const text = done.length ? "Inserted. Read it before you save it." : "This answer has no part that fits this form.";
    document.dispatchEvent(new CustomEvent("toast", { detail: { text, tone: done.length ? "good" : "bad" } }));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-insert]");
    if (button) insert(button.parentElement.querySelector("[data-answer]"));
  });
})();
