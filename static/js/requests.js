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
    if (status === 403) return "You may not do this, or the page is too old. Reload it and try again.";
    if (status === 404) return "This is gone. Reload the page to see what is there now.";
    if (status === 409) return "Somebody else changed this meanwhile. Reload the page and look again.";
    if (status === 429) return "That was too often. Wait a minute and try again.";
    if (status === 503) return "The portal can't save anything right now. Try again in a minute, and check first whether this change is there.";
    return `That did not work (${status}). Try again in a moment.`;
  };

  // The session may end while a page is open: a request is then redirected to the sign-in page, which must never
  // be swapped into the middle of this one.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const address = event.detail.xhr.responseURL;
    if (!loginPath || !address || new URL(address).pathname !== loginPath) return;
    event.detail.shouldSwap = false;
    linkLost("signed-out");
  });

  document.addEventListener("htmx:responseError", (event) => {
    if (!isPoll(event)) say(wordsFor(event.detail.xhr.status));
    else if (event.detail.xhr.status >= 500) linkLost("network");
  });

  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      if (isPoll(event)) linkLost("network");
      else say("The portal cannot be reached. Nothing was changed, or it is not known: reload the page.");
    });
  }

  document.addEventListener("htmx:afterRequest", (event) => {
    if (banner?.dataset.reason === "network" && event.detail.successful) banner.hidden = true;
  });
})();
