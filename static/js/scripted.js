// A button that works through a script alone does nothing before that has loaded: only then it can be pressed. Stands behind that script,
// whose listeners are attached at the same event.
document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll("button[data-scripted]")) button.disabled = false;
});
