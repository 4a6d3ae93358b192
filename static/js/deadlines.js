// How much time is left until a deadline, or how long ago it passed. The server wrote it in words and colour; here both move on.
(() => {
  const MINUTE = 60_000;
  const EVERY = 10_000;

  // The two greatest units, as `portal/ui/times.py` writes them.
  const lengthOf = (milliseconds) => {
    const minutes = Math.floor(milliseconds / MINUTE);
    const units = [
      [Math.floor(minutes / 1440), "d"],
      [Math.floor(minutes / 60) % 24, "h"],
      [minutes % 60, "min"],
    ];
    const first = units.findIndex(([number]) => number);
    if (first < 0) return "less than a minute";
    const shown = units.slice(first, first + 2).filter(([number]) => number);
    return shown.map(([number, unit]) => `${number.toLocaleString("en")} ${unit}`).join(" ");
  };

  const draw = () => {
    const now = Date.now();
    for (const time of document.querySelectorAll("time[data-deadline]")) {
      const left = new Date(time.dateTime) - now;
      const words = left < 0 ? `${lengthOf(-left)} late` : `in ${lengthOf(left)}`;
      if (time.textContent !== words) time.textContent = words;
      const due = time.closest(".due");
      const warnAt = time.dataset.warn;
      due?.classList.toggle("late", left < 0);
      due?.classList.toggle("soon", left >= 0 && (!warnAt || new Date(warnAt) <= now));
    }
  };

  draw();
  setInterval(draw, EVERY);
  document.addEventListener("htmx:afterSwap", draw);
})();
