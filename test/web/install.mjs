// The page as an installed program, in a real Chromium: its manifest, its service worker and what that
// keeps, the page for when the server cannot be reached, and files that are shared with it.
// Prints TAP. Run by check/pages.sh. Usage: install.mjs ADDRESS - SAMPLE.pdf PICTURES

import { address, browser, click, done, go, judge, number, ok, open, put, sample, text, until } from "./browser.mjs";

const desk = await open(1366, 768);
const { page } = desk;
await page.waitForSelector("#drop");
const place = await page.$eval('link[rel="manifest"]', (one) => one.href);
const manifest = await (await fetch(place, { headers: { "Accept-Language": "de" } })).json();
ok("the manifest is in the reader's language", manifest.lang === "de" && manifest.shortcuts.some((one) => /verkleinern|komprimieren/i.test(one.name)), manifest);
ok("its shortcuts lead to tools", manifest.shortcuts.length === 4 && manifest.shortcuts.every((one) => /^\/#\/(tool|pages)\/[a-z-]+$/.test(one.url)));
ok("it opens files, and others share files with it", manifest.file_handlers[0].accept["application/pdf"][0] === ".pdf" && manifest.share_target.action === "/share");
for (const one of manifest.icons) ok(`its icon is there: ${one.src}`, (await fetch(new URL(one.src, place))).status === 200);
const session = await page.createCDPSession();
const { errors } = await session.send("Page.getAppManifest");
ok("the browser finds no fault with it", errors.length === 0, ...errors);

ok("nothing is kept before anybody did something", (await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length + (await caches.keys()).length)) === 0);
await page.mouse.move(200, 200);
ok("then there is a service worker for all of the page", await until(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === "activated")));
ok("for this address", (await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).scope)) === `${address}/`);
await page.reload({ waitUntil: "networkidle0" });
await page.waitForSelector("#drop");
ok("which has the page", await page.evaluate(() => Boolean(navigator.serviceWorker.controller)));

// A whole job, and then what is kept.
await put(page, sample);
await go(page, "tool/compress");
await click(page, "#submit");
await page.waitForSelector(".fresh .result a.button");
await until(() => page.$$eval(".result-picture img", (all) => all.length === 1 && all[0].naturalWidth > 0));
const keptOf = () => page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((one) => new URL(one.url).pathname)))).flat());
const kept = await keptOf();
ok("it keeps files of the page alone", kept.length >= 5 && kept.every((one) => /^\/assets\/[0-9a-f]+\/(offline\.html|style\.css|theme\.js|offline\.js|icon\.svg)$/.test(one)), kept);
const words = await page.evaluate(async () => (await Promise.all((await caches.keys()).map(async (name) => {
  const store = await caches.open(name);
  return Promise.all((await store.keys()).map(async (one) => (await store.match(one)).text()));
}))).flat().join());
ok("in which nothing names the reader or a document", !/data-session|features|pk_|uploadId|jobId/.test(words) && words.length > 1000, words.length);

const target = await browser.waitForTarget((one) => one.type() === "service_worker" && one.url().startsWith(address));
const worker = await target.createCDPSession();
const offline = async (is) => {
  for (const one of [worker, session]) {
    await one.send("Network.enable");
    await one.send("Network.emulateNetworkConditions", { offline: is, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  }
};
await offline(true);
await page.goto(`${address}/`, { waitUntil: "load" });
ok("without the server the page says so", (await text(page, "h1")) === "The server cannot be reached", await text(page, "h1"));
ok("and what it keeps", /no documents and no keys/.test(await text(page, "#offline")));
ok("in its own design", await page.$eval(".problem .button", (one) => getComputedStyle(one).backgroundColor !== "rgba(0, 0, 0, 0)"));
await judge(page, "install offline");
ok("an answer of the API is never made up", await page.evaluate(() => fetch("/api/v1/jobs?limit=30").then(() => false, () => true)));
ok("and has a way to try again", await page.$eval(".problem .button", (one) => one.getAttribute("href") === "/"));
await offline(false);
ok("with it, all is there again by itself", await until(() => page.$("#drop")));
ok("also the files", await until(async () => (await number(page, "#files > li")) === 1));

await page.select("#language", "de");
await until(() => page.evaluate(async () => (await caches.match(new URL("offline.html", document.querySelector('link[rel="stylesheet"]').href)).then((one) => one.text())).includes('lang="de"')));
ok("the page without the server is in the language that was chosen", await page.evaluate(async () => (await caches.match(new URL("offline.html", document.querySelector('link[rel="stylesheet"]').href)).then((one) => one.text())).includes("nicht erreichbar")));

await page.evaluate(async () => {
  const data = new FormData();
  data.append("files", new File(["%PDF-1.4 shared"], "Shared letter.pdf", { type: "application/pdf" }));
  await fetch("/share", { method: "POST", body: data });
});
ok("a shared file is kept nowhere", (await keptOf()).every((one) => one.startsWith("/assets/")));
await page.goto("about:blank");
await page.goto(`${address}/#/shared`, { waitUntil: "networkidle0" });
ok("and is there when the page opens", await until(async () => /Shared letter\.pdf/.test(await text(page, "#files"))), await page.evaluate(() => location.hash));
ok("once", (await page.evaluate(() => location.hash)) === "#/");
const lasting = desk.wrong.filter((one) => !/ERR_INTERNET_DISCONNECTED|Failed to load resource/.test(one));
ok("nothing went wrong", lasting.length === 0, ...lasting);
await done();
