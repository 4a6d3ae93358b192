// The button that sends a form is sent along, wherever it stands and whichever key pressed it. htmx guesses it from the last focus or
// click inside of the form, which misses a button that stands outside of it, and one that a key pressed. The browser knows it.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const submitter = detail.triggeringEvent?.submitter;
  if (!submitter?.form) return;
  for (const other of submitter.form.elements) {
    if (other.matches("button[name]")) delete detail.parameters[other.name];
  }
  if (submitter.name) detail.parameters[submitter.name] = submitter.value;
  if (submitter.hasAttribute("formaction")) detail.path = submitter.getAttribute("formaction");
});
