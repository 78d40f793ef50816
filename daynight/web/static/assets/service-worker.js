// Opens the page where there is no network: the page and what it is made of are kept, and nothing else. A new version is
// kept beside the old one and waits until no page of the old one is open: no game changes hands in the middle.
const FILES = ["/assets/index-DSMmYQ1A.js","/assets/style-DkfTvIQY.css"];
const KEPT = `daynight ${FILES.join(" ")}`;

addEventListener("install", (event) => {
  const keep = async () => {
    const shell = await fetch("/", { cache: "no-cache" });
    const text = await shell.clone().text();
    // The server may have another version by now, whose page loads other files: its own worker keeps that one.
    if (!shell.ok || !FILES.every((file) => text.includes(file))) throw new Error("another version");
    const cache = await caches.open(KEPT);
    await cache.addAll(FILES);
    await cache.put("/", shell);
  };
  event.waitUntil(keep());
});

addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) if (name.startsWith("daynight ") && name !== KEPT) await caches.delete(name);
  };
  event.waitUntil(tidy());
});

/** What a request is answered with from here: the page, one of its files, or nothing of ours. */
function kept(request) {
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return null;
  if (FILES.includes(address.pathname)) return address.pathname;
  return request.mode === "navigate" && /^\/([gt]\/[^/]+)?$/.test(address.pathname) ? "/" : null;
}

addEventListener("fetch", (event) => {
  const name = kept(event.request);
  if (name === null) return;
  const answer = async () => {
    const found = await (await caches.open(KEPT)).match(name);
    return found ?? fetch(event.request);
  };
  event.respondWith(answer());
});
