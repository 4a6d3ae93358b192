// News by stream: one connection for all open pages of a browser, held by one of them, says which areas have changed at
// which tenant. A region that shows one of them asks at once; while the stream is alive, it asks by itself only seldom.
// Without a stream every region polls as it always does. (live.js brings this in on a page that stays open.)
(() => {
  const ALIVE_FOR = 40_000;
  const SELDOM = 30_000;
  const AT_MOST = 10; // times in so long: where much changes, a region asks no more often than without a stream
  const OPEN_AGAIN_AFTER = 30_000;

  const url = document.querySelector("meta[name='stream-url']")?.content;
  if (!url || !navigator.locks || !window.BroadcastChannel) return;

  const others = new BroadcastChannel("changes");
  const asked = new Map(); // a region's id → when it asked, the last times
  const behind = new Set(); // ids of regions that have yet to ask
  let aliveUntil = 0;
  let isHolder = false;

  const isAlive = () => performance.now() < aliveUntil;

  // It does not bubble: a region may stand inside of another one.
  const changed = (region) => region.dispatchEvent(new CustomEvent("changed"));
  const isAway = (moment) => moment === undefined || performance.now() - moment >= SELDOM;
  const mayAskAtOnce = (id) => isAway(asked.get(id)?.at(-AT_MOST));
  const noteAsking = (id) => {
    asked.set(id, [...(asked.get(id) ?? []), performance.now()].slice(-AT_MOST));
    behind.delete(id);
  };

  // "questionnaires:12 sync:7": the versions that a region shows.
  const isBehind = (region, versions) =>
    region.dataset.areas.split(" ").some((area) => {
      const [name, version] = area.split(":");
      return versions[name] > Number(version);
    });

  const take = (news) => {
    aliveUntil = performance.now() + ALIVE_FOR;
    const slug = location.pathname.match(/^\/t\/([^/]+)\//)?.[1];
    const told = slug ? [news[slug] ?? {}] : Object.values(news);
    for (const region of document.querySelectorAll("[data-live][data-areas]")) {
      if (!told.some((versions) => isBehind(region, versions))) continue;
      behind.add(region.id);
      // Otherwise it waits for the next turn of its own.
      if (mayAskAtOnce(region.id)) changed(region);
    }
  };

  // After live.js, which keeps a region from asking while somebody works in it: then it stays behind.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const region = event.detail.elt;
    if (!region.matches("[data-live]") || event.defaultPrevented) return;
    const isQuiet = region.dataset.areas && isAlive() && !behind.has(region.id);
    if (isQuiet && !isAway(asked.get(region.id)?.at(-1))) event.preventDefault();
    else noteAsking(region.id);
  });

  const stayBehind = ({ detail }) => {
    const region = detail.requestConfig?.elt;
    if (region?.matches("[data-live]")) behind.add(region.id);
  };
  for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) document.addEventListener(name, stayBehind);
  document.addEventListener("htmx:beforeSwap", (event) => {
    // Somebody began to type while the answer was on its way (live.js).
    if (event.detail.xhr.status === 200 && !event.detail.shouldSwap) stayBehind(event);
  });

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    for (const id of behind) {
      const region = document.getElementById(id);
      if (region) changed(region);
      else behind.delete(id);
    }
  });

  const open = () => {
    isHolder = true;
    const source = new EventSource(url, { withCredentials: true });
    source.onmessage = ({ data }) => {
      const news = JSON.parse(data);
      others.postMessage(news);
      take(news);
    };
    source.onerror = () => {
      // Cut off, it connects again by itself; refused, it would not.
      if (source.readyState === EventSource.CLOSED) setTimeout(open, OPEN_AGAIN_AFTER);
    };
  };
  // A page that has just been opened asks whether there is a stream; it hears of the next change anyway.
  const QUESTION = "is there a stream?";
  others.onmessage = ({ data }) => {
    if (data !== QUESTION) take(data);
    else if (isHolder && isAlive()) others.postMessage({});
  };
  others.postMessage(QUESTION);
  // Whichever page has the lock holds the stream; when it is closed, the next one gets both.
  navigator.locks.request("changes", () => new Promise(open));
})();
