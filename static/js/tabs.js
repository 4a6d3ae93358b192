// On a narrow page the open tab may lie outside of its row: bring it into view, now and after every swap.
(() => {
  const show = () => {
    for (const current of document.querySelectorAll(".tabs [aria-current]")) {
      const row = current.parentElement;
      if (row.scrollWidth > row.clientWidth) row.scrollLeft = current.offsetLeft - row.offsetLeft - 48;
    }
  };

  document.addEventListener("htmx:afterSettle", show);
  show();
})();
