// An @ in a comment offers the members of the tenant: arrows choose, Enter or Tab takes, Escape closes. Without a script the name is
// typed, and found when the comment is sent.
(() => {
  // A pane that comes anew brings its script along.
  if (document.documentElement.dataset.mentions) return;
  document.documentElement.dataset.mentions = "on";
  const WORD = /(?:^|[^\w@./+%-])@([^\s@]*(?: [^\s@]*)?)$/;
  const PAUSE = 120;
  let timer = null;
  let asked = 0;

  const fieldOf = (target) => target.closest?.("[data-people] textarea");
  const listOf = (field) => document.getElementById(`${field.form.id}-people`);
  const options = (field) => [...listOf(field).querySelectorAll("[role=option]")];
  const wordOf = (field) => field.value.slice(0, field.selectionStart).match(WORD)?.[1];

  const choose = (field, option) => {
    for (const each of options(field)) each.setAttribute("aria-selected", String(each === option));
    option?.scrollIntoView({ block: "nearest" });
    if (option) field.setAttribute("aria-activedescendant", option.id);
    else field.removeAttribute("aria-activedescendant");
  };

  const close = (field) => {
    asked += 1;
    clearTimeout(timer);
    listOf(field).hidden = true;
    choose(field, null);
  };

  const offer = async (field) => {
    const word = wordOf(field);
    if (word === undefined) return close(field);
    const turn = (asked += 1);
    const address = `${field.form.dataset.people}?q=${encodeURIComponent(word)}`;
    const answer = await fetch(address, { redirect: "error", headers: { "HX-Request": "true" } }).catch(() => null);
    // Whoever has gone on in the meantime is not called back.
    if (turn !== asked || !answer?.ok || document.activeElement !== field) return;
    const list = listOf(field);
    list.innerHTML = await answer.text();
    options(field).forEach((option, number) => (option.id = `${list.id}-${number}`));
    list.hidden = !options(field).length;
    choose(field, options(field)[0]);
  };

  const take = (field, option) => {
    const end = field.selectionStart;
    field.setRangeText(`${option.dataset.name} `, end - wordOf(field).length, end, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    close(field);
  };

  const step = (field, by) => {
    const all = options(field);
    choose(field, all.at((all.findIndex((each) => each.ariaSelected === "true") + by) % all.length));
  };

  document.addEventListener("input", ({ target }) => {
    const field = fieldOf(target);
    if (!field) return;
    clearTimeout(timer);
    // Who was offered for fewer letters is not who is meant now.
    choose(field, null);
    timer = setTimeout(() => offer(field), PAUSE);
  });
  document.addEventListener("focusout", ({ target }) => fieldOf(target) && close(fieldOf(target)));
  // A click keeps the focus in the field: without it, the list would be gone before the click arrives.
  document.addEventListener("mousedown", (event) => {
    const option = event.target.closest("[data-people] [role=option]");
    if (!option) return;
    event.preventDefault();
    take(option.closest("form").querySelector("textarea"), option);
  });
  // Before the keys of the page: Escape closes the list, and leaves the field only after that.
  const press = (event) => {
    const field = fieldOf(event.target);
    if (!field || event.isComposing || event.ctrlKey || event.metaKey || listOf(field).hidden) return;
    const chosen = options(field).find((each) => each.ariaSelected === "true");
    const act = {
      ArrowDown: () => step(field, 1),
      ArrowUp: () => step(field, -1),
      Enter: () => take(field, chosen),
      Tab: () => take(field, chosen),
      Escape: () => close(field),
    }[event.key];
    if (!act || (!chosen && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  document.addEventListener("keydown", press, true);
})();
