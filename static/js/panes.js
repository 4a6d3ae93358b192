// The pane beside a list: as high as the window leaves room for, so that its foot is always in sight, and where the focus goes when
// something else opens in it. A "step" is a request that a person made and that brings the next thing into the pane or the card.
(() => {
  // With less of it than this, the page is scrolled a little when something opens.
  const ROOM = 420;
  const GAP = 16;
  const OPEN_ROW = ".split a.t[aria-current=true]";

  const shownPane = () => [...document.querySelectorAll(".split > .pane")].find((pane) => pane.checkVisibility());

  // What lies above the pane shrinks it while the page is at its top; scrolled away, it leaves the room to the pane.
  const fit = () => {
    const pane = shownPane();
    if (!pane) return;
    const top = Math.max(0, Math.round(pane.parentElement.getBoundingClientRect().top));
    // Not on the pane itself: htmx would write it into the next one as inline style, which the security policy forbids.
    document.documentElement.style.setProperty("--above", `${top}px`);
  };

  const showRow = (row) => row?.closest("tr, li").scrollIntoView({ block: "nearest" });

  // A list that scrolls by itself stays where it was, as long as it is the same one.
  let place = null;
  const firstOf = (list) => list.querySelector("a.t")?.textContent;
  document.addEventListener(
    "scroll",
    ({ target }) => {
      if (target.id === "question-rows") place = { first: firstOf(target), top: target.scrollTop };
    },
    { capture: true, passive: true },
  );

  const showOpenRow = () => {
    const list = document.getElementById("question-rows");
    if (list && place?.first === firstOf(list)) list.scrollTop = place.top;
    showRow(document.querySelector(OPEN_ROW));
  };
  document.addEventListener("step-ahead", showOpenRow);

  const makeRoom = () => {
    const pane = shownPane();
    if (!pane) return;
    if (getComputedStyle(pane).position !== "sticky") {
      showOpenRow();
      return;
    }
    const missing = ROOM - (innerHeight - GAP - pane.parentElement.getBoundingClientRect().top);
    if (missing > 0) scrollBy({ top: missing, behavior: "instant" });
  };

  const running = new Map();

  const isStep = ({ elt, target }) =>
    !elt.matches("[data-live]") && (target.matches(".split, [data-arrives]") || Boolean(target.querySelector(".split")));

  const tell = (name, detail = {}) => document.dispatchEvent(new CustomEvent(name, { detail }));

  const free = (pane) => {
    if (pane) pane.inert = false;
  };

  const end = (xhr) => {
    const before = running.get(xhr);
    running.delete(xhr);
    free(before.pane);
    if (!before.hasArrived && before.focused?.isConnected && document.activeElement === document.body) before.focused.focus();
    if (!running.size) tell("step-end", { hasArrived: Boolean(before.hasArrived) });
  };

  // What is being saved is waited for: its refusal would meet nobody. Of steps that only look, the last one counts.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const { detail } = event;
    if (!isStep(detail) || detail.elt.matches("[role=search]")) return;
    if ([...running.values()].some((before) => before.isWrite)) event.preventDefault();
    else for (const xhr of [...running.keys()]) xhr.abort();
  });

  document.addEventListener("htmx:beforeSend", ({ detail }) => {
    if (!isStep(detail)) return;
    const pane = shownPane();
    const isWrite = detail.requestConfig.verb !== "get";
    running.set(detail.xhr, { pane, path: location.pathname, focused: document.activeElement, isWrite });
    // Nothing more is typed into what was sent, or pressed in what is left.
    if (pane) pane.inert = true;
    tell("step-begin");
    // Not an event of htmx: those are lost with the element that asked, if it is gone meanwhile.
    detail.xhr.addEventListener("loadend", () => end(detail.xhr));
  });

  const arrive = (before) => {
    const pane = shownPane();
    fit();
    makeRoom();
    if (!pane) {
      const rows = before.pane ? [...document.querySelectorAll(".split a.t")] : [];
      const row = rows.find((link) => new URL(link.href).pathname === before.path);
      row?.focus({ preventScroll: true });
      showRow(row);
      return;
    }
    const isSame = before.pane && before.path === location.pathname;
    const again = isSame && (pane.querySelector("[aria-invalid=true]") ?? document.getElementById(before.focused?.id));
    if (again && pane.contains(again)) {
      again.focus();
      return;
    }
    if (isSame && document.activeElement !== document.body) return;
    // A key that comes next is meant for the page, never for a field of the same name.
    const title = pane.querySelector("#pane-title");
    title?.setAttribute("tabindex", "-1");
    title?.focus({ preventScroll: true });
    showOpenRow();
  };

  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    const before = running.get(detail.xhr);
    if (!before || before.hasArrived) return;
    before.hasArrived = true;
    arrive(before);
  });

  for (const name of ["scroll", "resize"]) addEventListener(name, fit, { passive: true });
  document.addEventListener("htmx:afterSwap", fit);
  new ResizeObserver(fit).observe(document.getElementById("main") ?? document.body);
  fit();
  makeRoom();
})();
