// The service worker of the installed page. It keeps what says that the server cannot be reached, and
// nothing else: no document, no answer of the API, no page that names its reader. Files that another
// program shares with the page are in memory until the page takes them.

const here = new URL("./", self.location.href);
const STORE = `platen-${here.pathname}`;
const NEEDED = ["offline.html", "style.css", "theme.js", "offline.js", "icon.svg"];
const IF_SET = ["brand.css", "logo"]; // of the operator
const WITH_OFFLINE = new Set(["/", "/docs", "/pricing"]);
const addressOf = (name) => new URL(name, here).href;

/** Files that were shared, for the page that opens. @type {File[]} */
let shared = [];

async function keep() {
  const store = await caches.open(STORE);
  await store.addAll(NEEDED.map((name) => new Request(addressOf(name), { cache: "reload" })));
  await Promise.allSettled(IF_SET.map((name) => store.add(addressOf(name))));
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name.startsWith("platen-") && name !== STORE) await caches.delete(name);
}

/** From the server; without one, what is kept. */
async function answer(request, name) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await (await caches.open(STORE)).match(name, { ignoreVary: true });
    if (!found) throw error;
    return found;
  }
}

async function receive(request) {
  shared = (await request.formData()).getAll("files").filter((one) => one instanceof File);
  return Response.redirect("/#/shared", 303);
}

addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(forgetOthers().then(() => self.clients.claim())));

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, href } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === "POST" && pathname === "/share") event.respondWith(receive(request));
  else if (request.method !== "GET") return;
  else if (request.mode === "navigate" && WITH_OFFLINE.has(pathname)) event.respondWith(answer(request, addressOf("offline.html")));
  else if ([...NEEDED, ...IF_SET].some((name) => addressOf(name) === href)) event.respondWith(answer(request, href));
});

addEventListener("message", (event) => {
  if (event.data === "shared") {
    event.source.postMessage({ shared });
    shared = [];
  }
  // The language or the appearance was changed.
  if (event.data === "look") event.waitUntil(keep().catch(() => null));
});
