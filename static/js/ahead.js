// The next question without an answer is fetched while this one is written, so that "Save and next" shows it at once: saving goes on
// behind it. What is not saved is told with a way back, and the text is there: see drafts.js.
(() => {
  const MAX_KEPT_ALIVE = 60_000;
  const FRAGMENT = { "HX-Request": "true", "HX-Target": "desk" };
  let ahead = null;
  // Answers on their way, and those that were saved here: they are no question without an answer any more, whatever the portal said before.
  const leaving = new Set();
  const saved = new Set();
  const saves = new Set();
  const LONGEST_WAIT = 10_000;
  const waiting = new WeakSet();
  const released = new WeakSet();

  const pathOf = (address) => new URL(address, location.href).pathname;
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

  const lookAhead = async ({ target } = {}) => {
    const form = document.getElementById("answer-form");
    const address = form?.dataset.ahead;
    // The list comes anew when something in the questionnaire has changed: maybe the next question.
    const isFetched = ahead?.form === form && target?.id !== "questions";
    if (!address || isFetched || leaving.has(pathOf(address)) || saved.has(pathOf(address))) return;
    const found = { form, address, html: ahead?.form === form ? ahead.html : "" };
    ahead = found;
    // A lost session answers with the sign-in page: never shown here.
    const answer = await fetch(address, { headers: FRAGMENT, redirect: "manual" }).catch(() => null);
    if (answer?.status === 200) found.html = await answer.text();
  };

  const show = ({ address, html }) => {
    // As htmx marks the pages that Back brings again.
    history.replaceState({ htmx: true }, "", location.href);
    history.pushState({ htmx: true }, "", address);
    htmx.swap("#desk", html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
    tell("edit-open");
    tell("step-ahead");
  };

  const send = async (form, body) => {
    const keepalive = body.toString().length < MAX_KEPT_ALIVE;
    const headers = { "HX-Request": "true" };
    return fetch(form.getAttribute("hx-post"), { method: "POST", body, headers, redirect: "manual", keepalive }).catch(() => null);
  };

  const save = async (form, sender) => {
    const body = new URLSearchParams(new FormData(form, sender));
    body.set("next", "behind");
    const path = pathOf(form.getAttribute("hx-post"));
    const url = form.getAttribute("hx-post");
    const text = `Not saved: “${document.getElementById("pane-title").textContent}”. Your text is kept.`;
    const left = { form, sent: null, isKept: false };
    leaving.add(path);
    tell("draft-leave", left);
    await left.sent;
    const answer = await send(form, body);
    // Saved, or refused for a reason: the portal keeps the text then, and says why.
    left.isKept = answer?.status === 204 || answer?.status === 422;
    leaving.delete(path);
    if (answer?.status === 204) saved.add(path);
    tell("draft-left", left);
    const said = left.isKept ? JSON.parse(answer.headers.get("HX-Trigger") ?? "{}") : { toast: { text, tone: "bad", url, link: "Open it" } };
    for (const [name, detail] of Object.entries(said)) tell(name, detail);
    lookAhead();
  };

  // The portal looks for the next question itself: what it has not saved yet would be one without an answer.
  const sendAfterOthers = async (form, sender) => {
    waiting.add(form);
    await Promise.race([Promise.allSettled(saves), new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT))]);
    waiting.delete(form);
    released.add(form);
    if (form.isConnected) form.requestSubmit(sender);
  };

  const goOn = (form, sender) => {
    const next = ahead;
    const saving = save(form, sender);
    saves.add(saving);
    saving.finally(() => saves.delete(saving));
    show(next);
  };

  document.addEventListener(
    "htmx:confirm",
    (event) => {
      const form = event.target;
      const sender = event.detail.triggeringEvent?.submitter;
      if (sender?.name !== "next") return;
      const isAhead = ahead?.form === form && ahead.html && form.checkValidity();
      if (!isAhead && !waiting.has(form) && (!saves.size || released.delete(form))) return;
      event.preventDefault();
      event.stopPropagation();
      if (waiting.has(form)) return;
      if (isAhead) goOn(form, sender);
      else sendAfterOthers(form, sender);
    },
    true,
  );

  document.addEventListener("htmx:afterSettle", lookAhead);
  lookAhead();
})();
