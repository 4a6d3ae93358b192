// The theme: the choice is kept in a cookie, so that the server sends the page in its colours from the first byte,
// and in the storage, so that other open tabs follow at once.
(() => {
  const root = document.documentElement;

  const show = (theme) => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const button of document.querySelectorAll("[data-theme-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
    }
  };

  const keep = (theme) => {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    const age = theme ? 60 * 60 * 24 * 365 : 0;
    document.cookie = `theme=${theme}; Path=/; Max-Age=${age}; SameSite=Lax${secure}`;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // A browser that keeps nothing still shows the theme on this page.
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-theme-choice]");
    if (!button) return;
    keep(button.dataset.themeChoice);
    show(button.dataset.themeChoice);
  });

  window.addEventListener("storage", (event) => {
    if (event.key === "theme") show(event.newValue || "");
  });
})();
