// Deciding one request after the other: seconds that count down, and keys that lead into a form.
(() => {
  // The server says how many seconds are left when it draws the page; its clock decides, ours only counts.
  const ends = new WeakMap();

  const draw = () => {
    for (const place of document.querySelectorAll("[data-countdown]")) {
      if (!ends.has(place)) ends.set(place, performance.now() + Number(place.dataset.countdown) * 1000);
      const left = Math.ceil((ends.get(place) - performance.now()) / 1000);
      const words = left > 0 ? `in ${left} s` : "now";
      if (place.textContent !== words) place.textContent = words;
    }
  };

  draw();
  setInterval(draw, 500);
  document.addEventListener("htmx:afterSwap", draw);

  // [data-focus-form="id"] puts the focus into a form: on the choice that is made, or its first field.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-focus-form]");
    const form = link && document.getElementById(link.dataset.focusForm);
    if (!form) return;
    event.preventDefault();
    const fields = [...form.querySelectorAll("input:not([type=hidden]), select, textarea")];
    const field = fields.find((candidate) => candidate.matches("[type=radio]:checked")) ?? fields[0];
    field?.focus({ focusVisible: true });
    form.scrollIntoView({ block: "nearest" });
  });
})();
