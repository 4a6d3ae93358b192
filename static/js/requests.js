// What happens when a request of htmx does not simply succeed: errors are said, a lost link or session is shown.
(() => {
  const loginPath = document.querySelector("meta[name='login-url']")?.content ?? "";
  const banner = document.getElementById("link-lost");

  const say = (text) => document.dispatchEvent(new CustomEvent("toast", { detail: { text, tone: "bad" } }));

  const linkLost = (reason) => {
    if (!banner) return;
    banner.dataset.reason = reason;
    banner.hidden = false;
    const here = encodeURIComponent(location.pathname + location.search);
    banner.querySelector("a").href = `${loginPath}?next=${here}`;
  };

  const isPoll = (event) => event.detail.elt?.matches?.("[data-live]") ?? false;

  const wordsFor = (status) => {
    if (status === 403) return "You don't have permission to do this, or the page is out of date. Reload it and try again.";
    if (status === 404) return "This no longer exists. Reload the page to see the current state.";
    if (status === 409) return "Someone else changed this in the meantime. Reload the page to see the current version.";
    if (status === 429) return "Too many requests. Wait a minute, then try again.";
    if (status === 503) return "The portal can't save anything right now. Try again in a minute, and check first whether your change is already there.";
    return `Something went wrong (${status}). Try again in a moment.`;
  };

  // The session may end while a page is open: a request is then redirected to the sign-in page, which must never
  // be swapped into the middle of this one.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const address = event.detail.xhr.responseURL;
    if (!loginPath || !address || new URL(address).pathname !== loginPath) return;
    event.detail.shouldSwap = false;
    linkLost("signed-out");
  });

  // What a person does inside a live region is no poll: it keeps their session alive.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!detail.elt.matches("[data-live]")) delete detail.headers.Seen;
  });

  document.addEventListener("htmx:responseError", (event) => {
    if (!isPoll(event)) say(wordsFor(event.detail.xhr.status));
    else if (event.detail.xhr.status >= 500) linkLost("network");
  });

  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      if (isPoll(event)) linkLost("network");
      else say("The portal can't be reached. Your change may not have been saved: reload the page to check.");
    });
  }

  document.addEventListener("htmx:afterRequest", (event) => {
    if (!banner || !event.detail.successful) return;
    // Signed in again in another tab, or the network is back.
    const path = new URL(event.detail.xhr.responseURL || location.href).pathname;
    if (path !== loginPath) banner.hidden = true;
  });
})();
