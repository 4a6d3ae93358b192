// Dialogs and menus. <button data-open-dialog="id"> opens, [data-close-dialog] closes; so do Escape and a click beside it.
(() => {
  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("details[data-menu][open]")) {
      if (!menu.contains(except)) menu.open = false;
    }
  };

  const openAsked = (root) => {
    // A form that came back with errors shows itself again.
    for (const dialog of root.querySelectorAll("dialog[data-open-now]:not([open])")) {
      // Once: whoever closes it has decided.
      delete dialog.dataset.openNow;
      dialog.showModal();
    }
  };

  // Text that is selected out of a dialog ends beside it, and is no click there.
  let began = null;
  document.addEventListener("pointerdown", ({ target }) => (began = target), true);

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open-dialog]");
    if (opener) document.getElementById(opener.dataset.openDialog)?.showModal();
    event.target.closest("[data-close-dialog]")?.closest("dialog")?.close();
    if (event.target.matches("dialog") && began === event.target && isBeside(event)) event.target.close();
    closeMenus(opener ? null : event.target);
  });

  const isBeside = (event) => {
    const box = event.target.getBoundingClientRect();
    const inside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    // Enter in a field clicks the button without a place: that is not a click beside the dialog.
    return !inside && (event.clientX !== 0 || event.clientY !== 0);
  };

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.querySelector("details[data-menu][open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
    event.stopImmediatePropagation();
  });

  document.addEventListener("focusout", (event) => {
    const menu = event.target.closest?.("details[data-menu][open]");
    if (menu && event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });

  document.addEventListener("htmx:load", (event) => openAsked(event.detail.elt.parentNode ?? document));
  openAsked(document);
  // A plain page that came back with errors starts at the first of them.
  document.querySelector("main [aria-invalid='true']:not([data-sample] *)")?.focus();
})();
