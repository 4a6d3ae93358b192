// What is typed into a form with data-draft (the address that keeps it) is sent there a moment later, so that a closed tab
// or a lost session loses no text. What the server has not taken yet waits in this browser and is sent when it answers again.
(() => {
  const PAUSE = 700;
  const AGAIN = 5_000;
  let timer = null;
  // Forms that were looked at, or are being typed into: what waits for them from now on is being written right here.
  const begun = new WeakSet();

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
        say(form, "Not kept: this browser keeps nothing for us.", true);
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
    const isKept = await post(form, text).catch(() => false);
    if (!form.isConnected) return;
    if (!isKept) {
      say(form, "Not kept at the portal yet. It waits in this browser and is sent again by itself.", true);
      schedule(form, AGAIN);
      return;
    }
    // Typed on meanwhile: that has its own turn.
    if (waiting.get(form) === text) waiting.drop(form);
    say(form, "Kept as a draft. Nobody else sees it until you save.");
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

  // Saved: what was typed is the answer now.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (formOf(event.target) === event.target) clearTimeout(timer);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    // Not event.detail.elt: once the form is swapped away, that is something else.
    const form = event.detail.requestConfig.elt;
    if (form.matches("form[data-draft]") && event.detail.successful) waiting.drop(form);
  });

  // What an earlier page could not send: the portal keeps it now, and shows it in the form.
  const bringBack = async () => {
    const form = document.querySelector("form[data-draft]");
    if (!form || begun.has(form)) return;
    begun.add(form);
    const text = waiting.get(form);
    if (!text || !(await post(form, text).catch(() => false))) return;
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
