// On a narrow page tabs may lie outside of their row: the open one is brought into view, now and after every swap, and the row fades
// on each side where there are more.
(() => {
  const mark = (row) => {
    const hidden = row.scrollWidth - row.clientWidth;
    row.classList.toggle("more-before", row.scrollLeft > 1);
    row.classList.toggle("more-after", row.scrollLeft < hidden - 1);
  };

  const forEachRow = (work) => document.querySelectorAll(".tabs").forEach(work);

  const show = () => {
    forEachRow((row) => {
      const current = row.querySelector("[aria-current]");
      if (current && row.scrollWidth > row.clientWidth) row.scrollLeft = current.offsetLeft - row.offsetLeft - 48;
      mark(row);
    });
  };

  document.addEventListener("htmx:afterSettle", show);
  // It does not bubble.
  document.addEventListener("scroll", (event) => event.target.classList?.contains("tabs") && mark(event.target), true);
  addEventListener("resize", () => forEachRow(mark));
  show();
})();
