// The page as an installed program: its service worker, files that are opened with it, and files that are
// shared with it.

const give = (list) => list.length && document.dispatchEvent(new CustomEvent("take", { detail: list }));

/** Registers the service worker, which has a page for when the server cannot be reached. */
export function install() {
  navigator.serviceWorker?.register(new URL("./sw.js", import.meta.url), { scope: "/" }).catch(() => null);
}

/** The language or the appearance was changed: what is kept for later has them, too. */
export function refresh() {
  navigator.serviceWorker?.controller?.postMessage("look");
}

/** Takes files that the system opens with the page. */
export function takeLaunched() {
  /** @type {any} */ (globalThis).launchQueue?.setConsumer(async ({ files }) => give(await Promise.all((files || []).map((one) => one.getFile()))));
}

/** Takes files that another program shared. */
export function takeShared() {
  navigator.serviceWorker?.addEventListener("message", (event) => event.data.shared && give(event.data.shared), { once: true });
  navigator.serviceWorker?.startMessages();
  navigator.serviceWorker?.ready.then((one) => one.active?.postMessage("shared"));
}
