// What the tests ask a page: which controls it has, and what has changed since one was pressed.
window.controls = (() => {
  const PRESSED = "a, button, summary, select, input:not([type=hidden], [type=file]), [role=button], :is([hx-get], [hx-post]):not(form, [data-live], [hx-trigger]), [data-key]";
  const ROWS = "tbody tr, .work > li, .board-cards > li, main li";
  const SHELL = "#side, .top, .bottom, body > dialog";
  const SENT_BY = "[hx-get], [hx-post]";
  const TYPED = "input:not([type=checkbox], [type=radio], [type=submit], [type=button]), textarea";
  const KEY_ROWS = ".tbl tbody tr, .work > li, .board-cards > li, .queue .item";
  let found = [], before = null, led = null;

  const clean = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const words = (element) =>
    clean(element.getAttribute("aria-label") || (element.matches("select, input, textarea") ? element.labels?.[0]?.textContent : element.textContent))
    || element.title || element.name || element.id;

  // A menu or dialog that is closed has controls too: whoever has opened it sees them.
  const boxesOf = (element) => {
    const boxes = [];
    for (let box = element.parentElement; box; box = box.parentElement) {
      if (box.matches("details:not([open])") && element.closest("summary")?.parentElement !== box) boxes.push(box);
      if (box.matches("dialog:not([open])")) boxes.push(box);
    }
    return boxes;
  };

  const isShown = (element) => {
    const boxes = boxesOf(element);
    boxes.forEach((box) => box.setAttribute("open", ""));
    const shown = element.checkVisibility({ visibilityProperty: true }) && !element.closest("[inert]");
    boxes.forEach((box) => box.removeAttribute("open"));
    return shown;
  };

  const addressOf = (element) => {
    for (const name of ["hx-get", "hx-post", "hx-put", "hx-delete"]) {
      if (element.hasAttribute(name)) return [name.slice(3), element.getAttribute(name)];
    }
    if (element.matches("a")) return ["get", element.getAttribute("href")];
    const form = element.form;
    if (form && element.matches("button, [type=submit]") && element.type === "submit") {
      const hx = ["post", "get"].find((verb) => form.hasAttribute(`hx-${verb}`));
      const address = element.getAttribute("formaction") ?? (hx ? form.getAttribute(`hx-${hx}`) : form.getAttribute("action"));
      return [hx ?? form.method, address ?? ""];
    }
    return ["", ""];
  };

  const kindOf = (element) => {
    if (element.matches("a") && ![...element.attributes].some(({ name }) => name.startsWith("hx-"))) return "link";
    if (element.matches("a")) return "fragment";
    if (element.matches("summary")) return "opener";
    if (element.form && element.type === "submit") return "sender";
    if (element.matches("button, [role=button], [type=button]")) return "button";
    if (element.matches("select, [type=checkbox], [type=radio]")) return "choice";
    if (element.matches(TYPED)) return "field";
    return "fragment";
  };

  // What Command or Control with Enter sends: the main button of a form in a menu or dialog, and of a form that allows it.
  const isSentByKey = (element) => {
    const form = element.form;
    if (!form || !(form.matches("[data-send-by-key]") || form.closest("dialog, details[data-menu]"))) return false;
    return [...form.elements].find((each) => each.matches("button:not([type=button]):not(:disabled)")) === element;
  };

  const describe = (element, index) => {
    const [verb, address] = addressOf(element);
    return {
      index, verb, address, kind: kindOf(element), words: words(element).slice(0, 80), tag: element.localName, name: element.name ?? "",
      value: element.matches("button") ? element.value : "", key: element.dataset.key ?? "", is_row: Boolean(element.closest(ROWS)),
      is_shell: Boolean(element.closest(SHELL)), is_current: element.matches("[aria-current], [aria-selected=true]"),
      place: element.closest("[id]")?.id ?? "", is_hidden: Boolean(element.closest(".sr")) || element.matches(".skip, .sr"),
      is_sent_by_key: isSentByKey(element),
    };
  };

  // Without htmx nothing happens before the form is sent.
  const asksAtOnce = (element) => Boolean(element.matches("[hx-get], [hx-post]") || element.form?.matches("[hx-trigger]"));

  const find = () => {
    const all = [...document.querySelectorAll(PRESSED)].filter((element) => !element.matches(":disabled") && element.getAttribute("aria-disabled") !== "true");
    found = all.filter((element) => isShown(element) && (kindOf(element) !== "field" || asksAtOnce(element)));
    return found.map(describe);
  };

  // Controls in a closed box are pressed in the open one.
  const reach = (index) => {
    for (const box of boxesOf(found[index]).reverse()) box.matches("dialog") ? box.showModal() : (box.open = true);
    return found[index];
  };

  // Where somebody is who has filled in a form and has not touched its button yet.
  const stayInForm = (index) => {
    const fields = [...found[index].form.elements].filter((each) => each.matches("textarea, select, input:not([type=hidden]):not(:disabled)"));
    (fields.find((each) => each.checkVisibility()) ?? found[index]).focus();
  };

  const say = (element) => {
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  };

  // Gives a form what it needs; `wanted` is by the names of fields, "*" fills every empty text, list and choice. Returns what is missing.
  const fill = (index, wanted) => {
    const form = found[index].form;
    if (!form) return [];
    for (const field of form.elements) {
      if (field.disabled || !field.name || field.matches("button, [type=hidden], [type=file]")) continue;
      const value = Object.entries(wanted).find(([name]) => field.name === name || field.name.endsWith(`-${name}`))?.[1]
        ?? (field.matches("textarea") ? wanted["*"] : undefined);
      const isOpenChoice = wanted["*"] && field.matches("[type=radio]") && ![...form.elements].some((each) => each.name === field.name && each.checked);
      if (field.matches("[name=chosen]") && !form.querySelector("[name=chosen]:checked") && ![...form.elements].some((each) => each.name === "chosen" && each.checked)) field.click();
      else if (field.matches("[type=checkbox], [type=radio]")) { if (!field.checked && (value === field.value || isOpenChoice || (field.required && field.type === "checkbox"))) field.click(); }
      else if (field.matches("select")) {
        const choice = [...field.options].find((option) => option.value === value) ?? ((field.required || wanted["*"]) && !field.value ? [...field.options].find((option) => option.value) : null);
        if (choice) { field.value = choice.value; say(field); }
      } else if (value !== undefined && (!field.value || field.required)) { field.value = value; say(field); }
      else if (field.required && !field.value) {
        const month = new Date(Date.now() + 40 * 86400000).toISOString();
        field.value = { email: "somebody@northwind.example", number: field.min || "3", date: month.slice(0, 10), "datetime-local": month.slice(0, 16), url: "https://northwind.example/q/1" }[field.type] ?? "Something";
        say(field);
      }
    }
    return [...form.elements].filter((field) => field.willValidate && !field.checkValidity()).map((field) => field.name);
  };

  const files = (index) => [...(found[index].form?.elements ?? [])].filter((field) => field.matches("[type=file]:not([webkitdirectory])"));

  const choose = (index) => {
    const select = found[index];
    const other = [...select.options].find((option) => !option.disabled && option.value !== select.value);
    return other ? other.value : null;
  };

  const stateOf = () => ({
    html: document.body.innerHTML,
    root: [...document.documentElement.attributes].map(({ name, value }) => `${name}=${value}`).join(),
    address: location.href,
    text: document.body.innerText,
    open: document.querySelectorAll("dialog[open], details[open], :popover-open").length,
    fields: [...document.querySelectorAll("input, select, textarea")].map((field) => (field.matches("[type=checkbox], [type=radio]") ? field.checked : field.value)).join("\n"),
    focus: document.activeElement,
    scroll: scrollY,
  });

  const begin = (index) => {
    window.pressedHere = true;
    led = null;
    before = stateOf();
    before.pressed = index === null ? null : found[index];
  };

  // Names what is other than before. The focus on what was pressed is no effect.
  const changed = () => {
    if (!window.pressedHere) return ["page"];
    const now = stateOf();
    const names = ["html", "root", "address", "text", "open", "fields", "scroll"].filter((name) => now[name] !== before[name]);
    if (now.focus !== before.focus && now.focus !== before.pressed && now.focus !== document.body) names.push("focus");
    if (led) names.push("leads");
    return names;
  };

  const isBusy = () => document.readyState === "loading" || Boolean(document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling"));

  // Who sends what is chosen here: a button of its form, or htmx. A choice that nobody sends is none.
  const isSent = (index) => {
    const element = found[index], form = element.form;
    const senders = form ? [...form.elements].filter((each) => each.matches("button, [type=submit]") && each.type === "submit") : [];
    return Boolean(senders.length || element.closest(SENT_BY) || form?.matches(SENT_BY));
  };

  // A browser follows a link unless a script prevents it; here it is noted instead, and the page stays.
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || link.getAttribute("href").startsWith("#")) return;
    led = { address: link.href, target: link.target, download: link.hasAttribute("download") };
    event.preventDefault();
  });

  // The rows that the keys move among: those with something to press.
  const mainOf = (row) =>
    ["a.t", "a, button", "input"].map((kind) => [...row.querySelectorAll(kind)].find((each) => each.checkVisibility())).find(Boolean);
  const keyRows = () => [...document.querySelectorAll(KEY_ROWS)].filter((row) => row.checkVisibility() && mainOf(row));
  const isPaneOpen = () => [...document.querySelectorAll(".split > .pane")].some((pane) => pane.checkVisibility());
  const openRow = () => (isPaneOpen() ? keyRows().find((row) => row.querySelector("a.t[aria-current=true]")) : undefined);
  const focusedRow = () => document.activeElement.closest(KEY_ROWS);
  const boxOf = (row) => row?.querySelector(".pick input:not(:disabled)");

  const canStep = (step) => {
    const rows = keyRows();
    if (!isPaneOpen()) return rows.length > 0;
    const here = rows.indexOf(openRow());
    return here < 0 ? rows.length > 0 : Boolean(rows[here + step]);
  };

  const shows = (selector) => [...document.querySelectorAll(selector)].some((each) => each.checkVisibility() && !each.matches(":disabled"));
  const isOfAControl = (key) => [...document.querySelectorAll("[data-key]")].some((each) => each.dataset.key === key);
  const did = () => changed().some((name) => !["focus", "scroll"].includes(name));
  // A row that has the focus may show its keys: that is text.
  const opened = () => changed().some((name) => ["html", "address", "leads"].includes(name));

  // The keys of rows, and what one of them belongs to, of the first row that has it. What a shut menu holds is only shown by its key.
  const ofRow = (key) => [...document.querySelectorAll(".queue .item [data-row-key]")].find((each) => each.dataset.rowKey === key);
  const rowKeys = () => [...new Set([...document.querySelectorAll(".queue .item [data-row-key]")].map((each) => each.dataset.rowKey))];
  const isInMenu = (key) => Boolean(ofRow(key).closest("details[data-menu]"));
  const standAt = (key) => mainOf(ofRow(key).closest(".queue .item")).focus();
  const goKeys = () => [...document.querySelectorAll("a[data-go]")].map((each) => each.dataset.go);
  const goesTo = (key) => led !== null && led.address === document.querySelector(`a[data-go="${key}"]`).href;

  // The list of keys, as it stands on the page.
  const listed = () => [...document.querySelectorAll("#shortcuts dl > div")].map((line) => {
    const [term, meaning] = line.children;
    const keysIn = (part) => [...part.querySelectorAll("kbd")].map((key) => clean(key.textContent));
    return { term: clean(term.textContent), keys: keysIn(term), letters: keysIn(meaning) };
  });

  const remarks = () => [...document.querySelectorAll(".callout, [data-toast]")].filter((each) => each.checkVisibility()).map((each) => clean(each.textContent));
  const isThere = (fragment) => Boolean(document.getElementById(fragment));
  const keys = { boxOf, canStep, did, focusedRow, goKeys, goesTo, isInMenu, isOfAControl, isPaneOpen, listed, opened, openRow, rows: keyRows, rowKeys, shows, standAt };
  return { asksAtOnce: (index) => asksAtOnce(found[index]), keys, stayInForm, find, reach, fill, files, choose, begin, changed, isBusy, isSent, isThere, led: () => led, remarks, refused: () => [...document.querySelectorAll("[aria-invalid=true]")].map((field) => field.name || field.id) };
})();
