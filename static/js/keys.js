// The keyboard: / search, j k next and previous row, x select, b the actions for what is selected, e the first field of the pane or the page,
// i the first earlier answer, ? the list of keys, Escape leaves the field, then closes the pane. What has a data-key is pressed by it; a menu
// or a form that opens takes the focus. A data-row-key does so for the row that has the focus. g and a letter go to a page.
// Command or Control with Enter sends an open menu or dialog, and a form that allows it
// (data-send-by-key): a decision that cannot be taken back does not.
//
// One law for every pane: keys act on what is open in it. j and k open the next and the previous one, so that no other row is marked.
(() => {
  const ROWS = ".tbl tbody tr, .work > li, .board-cards > li, .queue .item";
  const OPEN_ROW = "a.t[aria-current=true]";

  const TYPED = "textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=button])";
  const TICKED = "[type=checkbox], [type=radio]";

  // In the form of an answer every letter belongs to the field, whichever kind it is.
  const isTyping = (target) => target.closest(TYPED) ?? (target.matches(TICKED) ? target.closest("form[data-draft]") : null);

  // A letter on a choice goes on to the next one that begins with it, as in a list to select from.
  const choose = (target, letter) => {
    const choices = [...target.form.elements].filter((choice) => choice.name === target.name && choice.matches(TICKED));
    const here = choices.indexOf(target);
    const begins = (choice) => choice.labels[0]?.textContent.trim().toLowerCase().startsWith(letter.toLowerCase());
    const next = [...choices.slice(here + 1), ...choices.slice(0, here)].find(begins);
    next?.focus({ focusVisible: true });
    if (next?.matches("[type=radio]")) next.click();
  };

  const isShown = (element) => element.checkVisibility();

  const ENTRIES = "button, select, textarea, input:not([type=hidden])";
  const SENDERS = "button:not([type=button]):not(:disabled)";

  // What a form hides takes no focus; and from a field the next j would not lead on, so that one comes last.
  const mainControl = (row) =>
    ["a.t", "a, button", "input"].map((kind) => [...row.querySelectorAll(kind)].find(isShown)).find(Boolean);

  const isPaneOpen = () => [...document.querySelectorAll(".split > .pane")].some(isShown);

  const isHere = (row) => (isPaneOpen() ? row.querySelector(OPEN_ROW) : row.contains(document.activeElement));

  // Where the keys were before the row that they acted on went away: what took its place is next.
  let place = null;
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest(".queue .item");
    if (row) place = [...document.querySelectorAll(ROWS)].indexOf(row);
  });

  const move = (step) => {
    const rows = [...document.querySelectorAll(ROWS)].filter((row) => isShown(row) && mainControl(row));
    if (!rows.length) return;
    const here = rows.findIndex(isHere);
    const start = place === null ? (step > 0 ? 0 : rows.length - 1) : place;
    const next = Math.min(Math.max(here < 0 ? start : here + step, 0), rows.length - 1);
    if (isPaneOpen()) {
      if (next !== here) mainControl(rows[next]).click();
      return;
    }
    mainControl(rows[next]).focus({ focusVisible: true });
    rows[next].scrollIntoView({ block: "nearest" });
  };

  const select = () => {
    const row = document.activeElement.closest(ROWS) ?? (isPaneOpen() && document.querySelector(OPEN_ROW)?.closest(ROWS));
    (row || null)?.querySelector(".pick input")?.click();
  };

  const search = () => {
    const fields = [...document.querySelectorAll("[data-search]")].filter(isShown);
    const field = fields.find((candidate) => candidate.dataset.search === "page") ?? fields[0];
    field?.focus();
    field?.select();
  };

  const FIELDS = ":is(textarea, select, input:not([type=hidden])):not(:disabled)";
  const EDITED = [`.pane form.form ${FIELDS}`, `main form.form ${FIELDS}`, "main form.form button"];

  const edit = () => {
    const places = isPaneOpen() ? EDITED.slice(0, 1) : EDITED.slice(1);
    const fields = places.map((place) => [...document.querySelectorAll(place)].filter(isShown)).find((found) => found.length) ?? [];
    const field = fields.find((candidate) => candidate.matches("[type=radio]:checked")) ?? fields[0];
    field?.focus({ focusVisible: true });
    field?.scrollIntoView({ block: "nearest" });
  };
  // Sent by the server once the next thing to fill in is open.
  document.addEventListener("edit-open", edit);

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
  const sendersOf = (form) => [...form.elements].filter((element) => element.matches(SENDERS));

  // Which button Command or Control with Enter presses: the focused one, else the main one of the form. Beside the fields of an open menu or
  // dialog it is the only one there is; among several the person has to choose.
  const senderFor = (target) => {
    const box = document.querySelector("dialog[open], details[data-menu][open]");
    const form = target.form ?? target.closest("form");
    if (form && (form.matches("[data-send-by-key]") || box?.contains(target))) {
      const senders = sendersOf(form);
      return senders.find((sender) => sender === target) ?? (target.matches(FIELDS) || senders.length === 1 ? senders[0] : null);
    }
    const only = box ? [...box.querySelectorAll("form")].flatMap(sendersOf) : [];
    return only.length === 1 ? only[0] : null;
  };

  // A letter of the row that has the focus: pressed, or, within a menu that is shut, shown and focused.
  const inRow = (key) => {
    const row = document.activeElement.closest(".queue .item");
    return row && [...row.querySelectorAll("[data-row-key]")].find((element) => element.dataset.rowKey === key);
  };

  const pressInRow = (element) => {
    const menu = element.closest("details[data-menu]");
    if (!menu) return element.click();
    menu.open = true;
    element.focus({ focusVisible: true });
  };

  const actions = {
    "/": search,
    j: () => move(1),
    k: () => move(-1),
    x: select,
    e: edit,
    i: () => document.querySelector("[data-insert]")?.click(),
    b: () => [...document.querySelectorAll(".bulk button")].find(isShown)?.focus({ focusVisible: true }),
    "?": () => document.getElementById("shortcuts")?.showModal(),
    Escape: () => document.querySelector(".pane [data-pane-close]")?.click(),
  };

  // g and the letter of a page: go there. The letter has to come at once.
  const GO_SECONDS = 1.5;
  let goUntil = 0;

  const go = (key) => {
    const link = performance.now() < goUntil && document.querySelector(`[data-go="${CSS.escape(key)}"]`);
    goUntil = key === "g" && !link ? performance.now() + GO_SECONDS * 1000 : 0;
    if (link) link.click();
    return Boolean(link || goUntil);
  };

  const perform = (key, event) => {
    if (go(key)) {
      event?.preventDefault();
      return;
    }
    // The same key may stand in a card and at the head of the page: the card is what the person looks at.
    const pressed = [...document.querySelectorAll("[data-key]")].findLast((element) => element.dataset.key === key && isShown(element));
    if (pressed && event?.repeat) return;
    const ofRow = inRow(key);
    if (ofRow && event?.repeat) return;
    const action = ofRow ? () => pressInRow(ofRow) : pressed ? () => pressOnce(pressed, key) : actions[key];
    if (!action) return;
    if (key !== "Escape") event?.preventDefault();
    action();
  };

  // While the next thing is on its way into the pane, keys that lead there wait for it. All others mean what is still to be seen, and would
  // reach something else: they are dropped.
  const WAITING = ["j", "k", "e"];
  const kept = [];
  let isStepping = false;

  const hold = (event) => {
    if (event.key.length > 1 && event.key !== "Escape") return;
    event.preventDefault();
    if (WAITING.includes(event.key) && !event.repeat && kept.at(-1) !== "e") kept.push(event.key);
  };

  // Two presses where one was meant: nobody has read what came into the pane a moment ago. Whatever is pressed or typed in between is meant.
  const UNREAD_MILLISECONDS = 400;
  const MODIFIERS = ["Control", "Meta", "Shift", "Alt"];
  const SENDING = "Control+Enter";
  const SENT_BY = "sent-by";

  // Keep the key that sent a page for the one after it, and return what was kept. A browser may refuse to keep anything.
  const keepSentBy = (key) => {
    try {
      const before = sessionStorage.getItem(SENT_BY);
      sessionStorage.setItem(SENT_BY, key);
      return before;
    } catch {
      return "";
    }
  };

  let sentBy = keepSentBy("");
  let arrivedAt = sentBy ? performance.now() : -Infinity;
  const isUnread = (key) => sentBy === key && performance.now() < arrivedAt + UNREAD_MILLISECONDS;
  document.addEventListener("input", () => (sentBy = null));

  const pressOnce = (element, key) => {
    if (!element.matches(SENDERS)) {
      press(element);
      return;
    }
    if (isUnread(key)) return;
    sentBy = key;
    if (!element.closest("[hx-post]")) keepSentBy(key);
    press(element);
  };

  document.addEventListener("step-begin", () => (isStepping = true));
  document.addEventListener("step-end", (event) => {
    isStepping = false;
    if (event.detail.hasArrived) arrivedAt = performance.now();
    if (!event.detail.hasArrived) kept.length = 0;
    while (kept.length && !isStepping) perform(kept.shift());
  });

  // What belongs to a field, a menu or a dialog is theirs; all other keys are the page's.
  document.addEventListener("keydown", (event) => {
    const isSending = event.key === "Enter" && (event.metaKey || event.ctrlKey) && !event.isComposing;
    const sender = isSending && !isStepping && senderFor(event.target);
    if (sender) {
      event.preventDefault();
      if (!event.repeat && !isUnread(SENDING)) sender.form.requestSubmit(sender);
      sentBy = SENDING;
      return;
    }
    if (!MODIFIERS.includes(event.key) && sentBy !== (isSending ? SENDING : event.key)) sentBy = null;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && event.target.matches(FIELDS)) {
      event.target.blur();
      return;
    }
    if (isTyping(event.target)) {
      if (event.target.matches(TICKED) && event.key.length === 1 && event.key !== " ") choose(event.target, event.key);
      return;
    }
    const menu = document.querySelector("details[data-menu][open]");
    if (menu) moveInMenu(menu, event);
    else if (isStepping) hold(event);
    else perform(event.key, event);
  });
})();
