// The first view of the page, in a real Chromium: what it needs, what it waits for, that it is as the
// reader chose it from the first pixel on, and that no view jumps while it fills itself.
// Prints TAP. Run by check/pages.sh. Usage: first.mjs ADDRESS - SAMPLE.pdf PICTURES

import { address, browser, click, done, go, number, ok, put, sample, until } from "./browser.mjs";

const MOST_BYTES = 70e3;
const MOST_SHIFT = .05;

/** A page whose requests and shifts are counted; `held` are paths that are never answered. */
async function watched({ width = 1366, height = 768, touch = false, language = "en", held = /^$/ } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
  await page.setExtraHTTPHeaders({ "Accept-Language": language });
  await page.evaluateOnNewDocument((name) => {
    Object.defineProperty(navigator, "languages", { get: () => [name] });
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
      for (const one of list.getEntries())
        if (!one.hadRecentInput) globalThis.shifts.push([one.value, ...one.sources.map(({ node, previousRect: a, currentRect: b }) => `${node?.nodeName}#${node?.id}.${node?.className} ${[a, b].map((at) => [at.x, at.y, at.width, at.height].map(Math.round))}`)]);
    }).observe({ type: "layout-shift", buffered: true });
  }, language);
  const session = await page.createCDPSession();
  const seen = { bytes: 0, paths: [], first: [] };
  await session.send("Network.enable");
  session.on("Network.loadingFinished", (event) => (seen.bytes += event.encodedDataLength));
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    seen.paths.push(pathname);
    if (!held.test(pathname)) request.continue();
  });
  return { page, context, seen };
}

const plain = await fetch(address, { headers: { "Accept-Encoding": "identity", "Accept-Language": "de, en;q=0.5", Cookie: "platen_theme=dark" } });
const html = await plain.text();
ok("the server writes the page in the reader's language and appearance", /<html lang="de" dir="ltr" data-theme="dark">/.test(html));
ok("with who the reader is", /data-session="\{&quot;mode&quot;:&quot;open&quot;,&quot;signedIn&quot;:false/.test(html), html.match(/data-session="[^"]*/)?.[0]);
ok("compressed where that is accepted", (await fetch(address)).headers.get("content-encoding") === "gzip");
ok("for this reader alone", /private/.test(plain.headers.get("cache-control")) && /Cookie/.test(plain.headers.get("vary")));
ok("with the same strict policy", plain.headers.get("content-security-policy").includes("script-src 'self'; style-src 'self';"), plain.headers.get("content-security-policy"));

for (const language of ["en", "ar", "ja"]) {
  const { page, context, seen } = await watched({ language });
  await page.goto(address, { waitUntil: "networkidle0" });
  await page.waitForSelector("#drop");
  ok(`the first view has less than 70 kB: ${language}`, seen.bytes < MOST_BYTES, seen.bytes, seen.paths);
  ok(`of scripts and style sheets one each: ${language}`, seen.paths.filter((one) => /\.js$/.test(one)).length === 1 && seen.paths.filter((one) => /\.css$/.test(one)).length === 1, seen.paths);
  ok(`and one file of words: ${language}`, seen.paths.filter((one) => /\.json$/.test(one)).join().endsWith(`/${language}.json`), seen.paths);
  await context.close();
}

{
  const { page, context, seen } = await watched({ held: /^\/api\// });
  await page.goto(address, { waitUntil: "load" });
  ok("the start waits for no answer of the API", await until(() => page.$("#drop")), seen.paths);
  ok("nor is it drawn twice", (await page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length)) === 1);
  await context.close();
}
{
  const { page, context } = await watched({ held: /\.(js|json)$/ });
  page.goto(address).catch(() => null); // It ends only with the script.
  ok("without its script there is the frame of the page already", await until(() => page.$eval("header.bar .brand", (one) => one.checkVisibility()).catch(() => false)));
  await context.close();
}
{
  const { page, context } = await watched();
  await page.goto(address, { waitUntil: "networkidle0" });
  ok("who chose nothing keeps nothing", (await page.evaluate(() => document.cookie)) === "");
  await page.click("#theme");
  await page.click("#theme");
  ok("what was chosen is sent with the next request", /platen_theme=dark/.test(await page.evaluate(() => document.cookie)));
  await page.select("#language", "fr");
  ok("so is the language", await until(async () => /platen_language=fr/.test(await page.evaluate(() => document.cookie))));
  await page.reload({ waitUntil: "networkidle0" });
  ok("and the page begins in it", (await page.evaluate(() => document.documentElement.lang)) === "fr");
  await context.close();
}
{
  const { page, context, seen } = await watched();
  await page.goto(address, { waitUntil: "networkidle0" });
  await put(page, sample);
  await page.mouse.move(50, 50);
  await go(page, "tool/compress");
  await page.waitForSelector("#form");
  ok("a view asks for its modules by name, each once", seen.paths.filter((one) => /app_tool\.js$/.test(one)).length === 1, seen.paths.filter((one) => /js$/.test(one)));
  ok("and none of what came with the page", !seen.paths.some((one) => /app_(dom|api|files|i18n)\.js$/.test(one)));
  await context.close();
}

const worst = async (page) => {
  const shifts = await page.evaluate(() => globalThis.shifts.splice(0));
  return [shifts.reduce((sum, one) => sum + one[0], 0), ...shifts];
};
for (const [name, width, height, touch] of [["desktop", 1366, 768, false], ["phone", 390, 844, true]]) {
  const { page, context } = await watched({ width, height, touch });
  await page.goto(address, { waitUntil: "networkidle0" });
  await page.waitForSelector("#drop");
  const start = await worst(page);
  ok(`the start stays where it is: ${name}`, start[0] < MOST_SHIFT, ...start);
  await put(page, sample);
  await until(() => page.$("#offered"));
  await worst(page); // Files push down what is below them, as was asked for.
  for (const [view, there] of [["tool/compress", ".stage img"], ["tool/watermark", ".stage img"], ["tool/sign", ".stage img"], ["pages/merge", "#board .leaf img"], ["account", "main h1"], ["flow", "main h1"], ["results", "main h1"]]) {
    await go(page, view);
    await page.waitForSelector(there);
    await page.waitForNetworkIdle({ idleTime: 300 });
    const moved = await worst(page);
    ok(`nothing jumps: ${view}, ${name}`, moved[0] < MOST_SHIFT, ...moved);
  }
  await context.close();
}

await done();
