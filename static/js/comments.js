// What is typed into a comment stays in this browser until it is sent: no refresh, no other page and no lost session loses it.
(() => {
  // A pane that comes anew brings its script along.
  if (document.documentElement.dataset.comments) return;
  document.documentElement.dataset.comments = "on";
  const keep = (field) => {
    try {
      if (field.value !== field.defaultValue) localStorage.setItem(field.form.dataset.kept, field.value);
      else localStorage.removeItem(field.form.dataset.kept);
    } catch {
      // A browser may refuse to keep anything; then the text still stands in the field.
    }
  };

  const bringBack = () => {
    for (const field of document.querySelectorAll("[data-kept] textarea")) {
      const text = localStorage.getItem(field.form.dataset.kept);
      if (text && field.value === field.defaultValue && !field.matches("[aria-invalid=true]")) field.value = text;
    }
  };

  document.addEventListener("input", ({ target }) => target.matches("[data-kept] textarea") && keep(target));
  // Sent, or given up: nothing is left to keep. A refusal leaves it, and so does what was typed on after the sending.
  const formOf = (asking) => (asking?.matches("[data-kept]") ? asking : document.getElementById(asking?.dataset?.drops));
  const sent = new WeakMap();
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    const form = formOf(detail.requestConfig.elt);
    if (form) sent.set(detail.xhr, localStorage.getItem(form.dataset.kept));
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const form = formOf(detail.requestConfig?.elt);
    if (!form || detail.xhr.status !== 200 || !detail.shouldSwap) return;
    if (localStorage.getItem(form.dataset.kept) === sent.get(detail.xhr)) localStorage.removeItem(form.dataset.kept);
  });
  document.addEventListener("click", (event) => {
    const field = event.target.closest("[data-comment]") && document.querySelector("#comment-form textarea");
    if (!field) return;
    event.preventDefault();
    field.focus({ focusVisible: true });
  });
  document.addEventListener("htmx:afterSettle", bringBack);
  bringBack();
})();
