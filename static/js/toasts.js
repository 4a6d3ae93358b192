// Short words at the edge of the page. Good news leaves by itself, bad news waits until it is read.
(() => {
  const STAYS_FOR = 6000;
  const MOST = 4;

  const leaveLater = (toast) => {
    if (toast.classList.contains("bad") || toast.classList.contains("warn")) return;
    let timer = setTimeout(() => toast.remove(), STAYS_FOR);
    const stay = () => clearTimeout(timer);
    const leave = () => {
      stay();
      timer = setTimeout(() => toast.remove(), STAYS_FOR / 2);
    };
    for (const name of ["pointerenter", "focusin"]) toast.addEventListener(name, stay);
    for (const name of ["pointerleave", "focusout"]) toast.addEventListener(name, leave);
  };

  // Beside a modal dialog all is inert: covered by it, not read out and not to be pressed. So both regions stand within it while it is
  // open, and at home again once it is shut or an answer has replaced it.
  const REGIONS = ["toasts", "link-lost"];
  let regions = [];

  const settle = () => {
    const home = document.getElementById("toast-template");
    if (!home) return;
    regions = REGIONS.map((id, number) => document.getElementById(id) ?? regions[number]);
    const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
    const place = dialog ?? home.parentElement;
    if (regions.every((region) => region.parentElement === place)) return;
    if (dialog) dialog.append(...regions);
    else home.before(...regions);
  };

  settle();
  for (const name of ["toggle", "close", "htmx:afterRequest"]) document.addEventListener(name, settle, true);

  const show = ({ text, tone = "info", url, link }) => {
    settle();
    const place = document.querySelector("[data-toasts]");
    const template = document.getElementById("toast-template");
    if (!place || !template || !text) return;
    const toast = template.content.firstElementChild.cloneNode(true);
    toast.classList.add(["good", "warn", "bad"].includes(tone) ? tone : "info");
    toast.querySelector("p").textContent = text;
    if (url) toast.querySelector("p").append(" ", Object.assign(document.createElement("a"), { href: url, textContent: link }));
    // Said again, it replaces what stands there: a row of the same words covers the page.
    [...place.children].find((other) => other.isEqualNode(toast))?.remove();
    const oldest = () => place.querySelector(":scope > :not(.bad, .warn)") ?? place.firstElementChild;
    while (place.children.length >= MOST) oldest().remove();
    place.append(toast);
    leaveLater(toast);
  };

  // Sent by the server in HX-Trigger, or by our other scripts.
  document.addEventListener("toast", (event) => show(event.detail));

  document.addEventListener("click", (event) => {
    event.target.closest("[data-toast-close]")?.closest("[data-toast]").remove();
  });

  document.querySelectorAll("[data-toast]").forEach(leaveLater);
})();
