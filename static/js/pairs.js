// Rows of two texts: one more by a button, as long as the platform takes more.
(() => {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-add-pair]");
    if (!button) return;
    const rows = button.closest("[data-pairs]");
    const all = rows.querySelectorAll(".pair");
    const last = all[all.length - 1];
    const row = last.cloneNode(true);
    for (const input of row.querySelectorAll("input")) {
      input.value = "";
      input.setAttribute("aria-label", `${input.placeholder} ${all.length + 1}`);
    }
    last.after(row);
    row.querySelector("input").focus();
    button.disabled = all.length + 1 >= Number(rows.dataset.most);
  });
})();
