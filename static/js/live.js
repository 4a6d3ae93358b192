// Live regions: an element with an id, data-live (the tag `live`) polls its own address. Here it is kept from
// disturbing whoever works in it. (Filters in hx-trigger would need eval, which the content security policy forbids.)
(() => {
  const CONTROLS = "input, select, textarea, [contenteditable]";
  const ALL = 'input[type="checkbox"][name="all"]';

  // Between pressing and letting go: a swap in that moment would take the link away and lose the click.
  let pressed = null;
  document.addEventListener("pointerdown", (event) => (pressed = event.target), true);
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => setTimeout(() => (pressed = null)), true);
  }

  // A pane in which something is chosen or typed otherwise than it came: news would put it back, and what is sent then is
  // not what was meant.
  const FILLED = "form:not([data-kept]) :is(input:not([type=hidden]), select, textarea)";
  const isChanged = (control) => {
    if (control.matches("[type=checkbox], [type=radio]")) return control.checked !== control.defaultChecked;
    if (!control.matches("select")) return control.value !== control.defaultValue;
    const preset = [...control.options].findIndex((option) => option.defaultSelected);
    return control.selectedIndex !== Math.max(preset, 0);
  };
  const isHalfFilled = (region) =>
    region.matches(".pane") && [...region.querySelectorAll(FILLED)].some((each) => each.checkVisibility() && isChanged(each));

  const isPartBusy = (region) => {
    const active = document.activeElement;
    if (pressed && region.contains(pressed)) return true;
    // What a person asked for is on its way into the pane, and brings the news along.
    if (document.querySelector(".pane[inert]")) return true;
    // What is sent from here comes back to the element that sent it, and with it what the page then says.
    if (region.querySelector(".htmx-request:not([data-live])")) return true;
    if (region.contains(active) && active.matches(CONTROLS) && !active.matches(".pick input")) return true;
    if (region.querySelector("dialog[open], details[data-menu][open]")) return true;
    if (isHalfFilled(region)) return true;
    const selection = getSelection();
    return !selection.isCollapsed && region.contains(selection.anchorNode);
  };

  // What stands beside a region and comes with its news (`data-beside`, its id) is disturbed by them as well.
  const isBusy = (region) =>
    [region, ...document.querySelectorAll(`[data-beside="${CSS.escape(region.id)}"]`)].some(isPartBusy);

  document.addEventListener("htmx:beforeRequest", (event) => {
    const region = event.detail.elt;
    if (!region.matches("[data-live]")) return;
    if (document.hidden || isBusy(region)) event.preventDefault();
  });

  // What a swap would lose. Whoever asked for it keeps the focus where it was; a poll, which nobody asked for, also
  // leaves ticked rows, opened details and the scroll positions of inner boxes as they are.
  const kept = new Map();

  const keyOf = (element) => {
    if (element.id) return `#${CSS.escape(element.id)}`;
    const attribute = ["href", "data-open-dialog", "data-key", "value", "name", "aria-label"].find((name) => element.hasAttribute(name));
    return attribute && `${element.localName}[${attribute}="${CSS.escape(element.getAttribute(attribute))}"]`;
  };

  // What the person looks at: the focused element, else the first one in the window that will be found again.
  const anchorOf = (region) => {
    const isInView = ({ top }) => top >= 0 && top < innerHeight;
    const elements = [...region.querySelectorAll("a[href], [id]")];
    const found = region.contains(document.activeElement) ? document.activeElement : null;
    const anchor = found ?? elements.find((element) => isInView(element.getBoundingClientRect()));
    const key = anchor && keyOf(anchor);
    return key && { key, top: anchor.getBoundingClientRect().top };
  };

  // While old and new stand beside each other the browser may take the new for something that was put in above, and
  // scrolls on by its height, down to the end of the page.
  const scrollBack = (region, { anchor, scrollY: y }) => {
    const again = anchor && region.querySelector(anchor.key);
    const top = again ? scrollY + again.getBoundingClientRect().top - anchor.top : y;
    scrollTo({ top, behavior: "instant" });
  };

  // What was chosen in a menu is no longer in it: the focus goes back to what opened it.
  const menuKey = (region) => {
    const menu = region.contains(document.activeElement) && document.activeElement.closest("details[data-menu]");
    return menu ? keyOf(menu.querySelector("summary")) : null;
  };

  const keepOfPoll = (region) => {
    const keys = (selector) => [...region.querySelectorAll(selector)].map(keyOf).filter(Boolean);
    const boxes = [...region.querySelectorAll("[id]")].filter((box) => box.scrollTop || box.scrollLeft);
    return {
      isPoll: true,
      scrollY,
      anchor: anchorOf(region),
      ticked: [...keys(".pick input:checked"), ...(region.querySelector(`${ALL}:checked`) ? [ALL] : [])],
      opened: keys("details[open]"),
      scrolled: boxes.map((box) => [box.id, box.scrollTop, box.scrollLeft]),
    };
  };

  document.addEventListener("htmx:beforeSwap", (event) => {
    const region = event.detail.target;
    if (!event.detail.shouldSwap || !region.id) return;
    const isPoll = event.detail.requestConfig?.elt.matches("[data-live]");
    // Somebody began to type while the answer was on its way; the next poll brings the news.
    if (isPoll && isBusy(region)) {
      event.detail.shouldSwap = false;
      return;
    }
    kept.set(region.id, {
      focused: region.contains(document.activeElement) ? keyOf(document.activeElement) : null,
      menu: menuKey(region),
      ...(isPoll ? keepOfPoll(region) : { ticked: [], opened: [], scrolled: [] }),
    });
  });

  // A search brings the open pane along, for its links.
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    const addressOf = (pane) => pane?.getAttribute("hx-get").split("?")[0];
    const [old, come] = [detail.target, detail.fragment.querySelector("[data-live]")];
    if (old.matches("[data-live]") && isHalfFilled(old) && addressOf(old) === addressOf(come)) detail.shouldSwap = false;
  });

  const scrollAllBack = () => {
    for (const [id, before] of kept) {
      const region = document.getElementById(id);
      if (region && before.isPoll) scrollBack(region, before);
    }
  };
  // Before the next picture is painted.
  document.addEventListener("htmx:afterSwap", scrollAllBack);

  document.addEventListener("htmx:afterSettle", () => {
    scrollAllBack();
    for (const [id, before] of kept) {
      const region = document.getElementById(id);
      if (!region) continue;
      for (const key of before.ticked) region.querySelector(key)?.click();
      for (const key of before.opened) region.querySelector(key)?.setAttribute("open", "");
      for (const [box, top, left] of before.scrolled) document.getElementById(box)?.scrollTo(left, top);
      if (document.activeElement !== document.body) continue;
      const again = [before.focused, before.menu].map((key) => key && region.querySelector(key));
      again.find((each) => each?.checkVisibility())?.focus({ preventScroll: true });
    }
    kept.clear();
  });

  // Whoever only passes through needs no stream, and its script is not part of a first view.
  const STAYS_AFTER = 3_000;
  const stream = document.querySelector("meta[name='stream-url']");
  const bringIn = () => document.head.append(Object.assign(document.createElement("script"), { src: stream.dataset.script }));
  if (stream) setTimeout(bringIn, STAYS_AFTER);

  // The words of the last day grow old while a page stays open; the server wrote them, here they only move on.
  const MINUTE = 60_000;
  setInterval(() => {
    for (const time of document.querySelectorAll("time[data-relative]")) {
      const minutes = Math.floor((Date.now() - new Date(time.dateTime)) / MINUTE);
      if (minutes < 1 || minutes >= 12 * 60) continue;
      time.textContent = minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`;
    }
  }, MINUTE / 2);
})();
