// What is typed into a form with data-draft (the address that keeps it) is sent there a moment later, so that a closed tab
// or a lost session loses no text. What the server has not taken yet waits in this browser and is sent when it answers again.
(() => {
  const PAUSE = 700;
  const AGAIN = 5_000;
  const LONGEST_WAIT = 2_000;
  let timer = null;
  let sending = null;
  // Forms that were looked at, or are being typed into: what waits for them from now on is being written right here.
  const begun = new WeakSet();

  const pause = (length) => new Promise((resolve) => setTimeout(resolve, length));
  const formOf = (element) => element?.closest?.("form[data-draft]");
  const keyOf = (form) => `draft:${form.dataset.draftOwner}:${form.dataset.draft}`;

  const say = (form, text, isBad = false) => {
    const status = document.querySelector(`[data-draft-status="${form.id}"]`);
    if (!status) return;
    status.textContent = text;
    status.classList.toggle("bad", isBad);
  };

  const textOf = (form) => {
    const fields = new URLSearchParams(new FormData(form));
    fields.delete("csrfmiddlewaretoken");
    return fields.toString();
  };

  // A browser may refuse to keep anything; then the text still stands in the form.
  const waiting = {
    get: (form) => localStorage.getItem(keyOf(form)),
    set(form, text) {
      try {
        localStorage.setItem(keyOf(form), text);
      } catch {
        say(form, "Draft not saved: this browser doesn't allow storage.", true);
      }
    },
    drop: (form) => localStorage.removeItem(keyOf(form)),
  };

  const post = async (form, text) => {
    const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
    const body = new URLSearchParams(text);
    const headers = { "X-CSRFToken": token };
    // The sign-in page is no answer: a redirect means that nothing was kept.
    return (await fetch(form.dataset.draft, { method: "POST", body, headers, redirect: "manual" })).status === 204;
  };

  const send = async (form) => {
    const text = waiting.get(form);
    if (text === null) return;
    const attempt = post(form, text).catch(() => false);
    sending = attempt;
    const isKept = await attempt;
    if (sending === attempt) sending = null;
    // Typed on meanwhile: that has its own turn.
    if (isKept && waiting.get(form) === text) waiting.drop(form);
    if (!form.isConnected) return;
    if (!isKept) {
      say(form, "Draft not saved yet. It's kept in this browser and will be sent automatically.", true);
      schedule(form, AGAIN);
      return;
    }
    say(form, "Saved as a draft. No one else sees it until you save.");
  };

  const schedule = (form, delay) => {
    clearTimeout(timer);
    timer = setTimeout(() => send(form), delay);
  };

  document.addEventListener("input", (event) => {
    const form = formOf(event.target);
    if (!form) return;
    begun.add(form);
    waiting.set(form, textOf(form));
    schedule(form, PAUSE);
  });

  // Saving makes what was typed the answer, discarding drops it: both end the draft of the form that they name.
  const endedBy = (element) => (element.matches("form[data-draft]") ? element : document.getElementById(element.dataset.endsDraft));

  document.addEventListener("htmx:confirm", async (event) => {
    const form = endedBy(event.target);
    if (!form) return;
    clearTimeout(timer);
    if (!sending) return;
    // A draft that is still on its way would arrive after its end, and be there again.
    event.preventDefault();
    await Promise.race([sending, pause(LONGEST_WAIT)]);
    event.detail.issueRequest(true);
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = endedBy(event.target);
    if (!form) return;
    clearTimeout(timer);
    // Taken now, for the form may be swapped away when the answer comes.
    event.detail.requestConfig.draft = form;
  });
  // What is not saved for a reason is kept by the portal, with the draft.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const form = event.detail.requestConfig.draft;
    if (form && !event.detail.isError && event.detail.shouldSwap) waiting.drop(form);
  });

  // The answer is saved behind the next question (ahead.js): the text waits here until it is known what became of it.
  const leaving = new Set();
  document.addEventListener("draft-leave", ({ detail }) => {
    clearTimeout(timer);
    detail.text = textOf(detail.form);
    waiting.set(detail.form, detail.text);
    leaving.add(keyOf(detail.form));
    detail.sent = Promise.race([sending, pause(LONGEST_WAIT)]);
  });
  document.addEventListener("draft-left", ({ detail }) => {
    leaving.delete(keyOf(detail.form));
    if (detail.isKept && waiting.get(detail.form) === detail.text) waiting.drop(detail.form);
  });

  // What an earlier page could not send: the portal keeps it now, and shows it in the form.
  const bringBack = async () => {
    const form = document.querySelector("form[data-draft]");
    if (!form || begun.has(form) || leaving.has(keyOf(form))) return;
    begun.add(form);
    const text = waiting.get(form);
    if (!text || !(await post(form, text).catch(() => false))) return;
    if (waiting.get(form) !== text) return;
    waiting.drop(form);
    location.reload();
  };

  addEventListener("online", () => {
    const form = document.querySelector("form[data-draft]");
    if (form) send(form);
  });
  document.addEventListener("htmx:afterSettle", bringBack);
  bringBack();
})();
