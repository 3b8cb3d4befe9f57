// The server's pages of text and its errors, with an operator's name, logo, colour and line of text, in a
// real Chromium: one design, a way back, light and dark. Prints TAP. Run by check/pages.sh, whose
// server has page_name "Town & <b>Office</b>", page_color #8a1538, a line, and a logo with a script.
// Usage: brand.mjs ADDRESS - SAMPLE.pdf PICTURES

import { address, done, judge, ok, open, text, until } from "./browser.mjs";

const NAME = "Town & <b>Office</b>";
const desk = await open(1366, 768);
const { page } = desk;
const color = (selector) => page.$eval(selector, (one) => getComputedStyle(one).backgroundColor);
const logo = () => page.$eval(".brand img", (one) => one.complete && one.naturalWidth > 0);
await page.waitForSelector("#drop");
ok("the page has the operator's name", (await text(page, ".brand")) === NAME && (await page.title()) === NAME, await text(page, ".brand"));
ok("and colour", (await color("#drop label.button, #drop .button, #drop button")) === "rgb(138, 21, 56)", await color("#drop label.button, #drop .button, #drop button"));
ok("and line of text, as text", /Run by the <i>town<\/i>/.test(await text(page, ".foot")));
ok("and logo", await until(logo));
await judge(page, "brand start");
const size = await (await fetch(`${address}/assets/x/logo`)).headers;
ok("a logo with scripts, opened by itself, runs none", /sandbox/.test(size.get("content-security-policy")) && size.get("content-type") === "image/svg+xml");

for (const [path, state] of [["/docs", "reference"], ["/pricing", "plans"], ["/no/such/page", "no such page"], ["/api/v1/jobs/019389a0-0000-7000-8000-000000000000/files/a.pdf", "deleted file"]]) {
  const answer = await page.goto(address + path, { waitUntil: "networkidle0" });
  if (path === "/docs") await page.waitForFunction(() => !document.querySelector("#reference").hasAttribute("aria-busy"));
  ok(`it has the same frame: ${state}`, (await text(page, ".brand")) === NAME && (await until(logo)) && /Run by the/.test(await text(page, ".foot")));
  ok(`and a way back: ${state}`, await page.$eval(".bar .to-tools", (one) => one.getAttribute("href") === "/" && one.checkVisibility()));
  ok(`its answer is a page with the right status: ${state}`, answer.status() === (path.length > 10 ? 404 : 200) || answer.status() === 403, answer.status());
  await judge(page, `brand ${state}`, path === "/docs" ? ["header", "aside"] : undefined);
  await page.click("#theme");
  await page.click("#theme");
  ok(`dark is dark: ${state}`, (await page.$eval("body", (one) => getComputedStyle(one).backgroundColor)) === "rgb(20, 24, 26)");
  await judge(page, `brand ${state} dark`, path === "/docs" ? ["header", "aside"] : undefined);
  await page.reload({ waitUntil: "networkidle0" });
  ok(`and stays so: ${state}`, (await page.evaluate(() => document.documentElement.dataset.theme)) === "dark");
  await page.click("#theme");
}
await page.goto(`${address}/nothing`, { waitUntil: "networkidle0" });
await page.click("main .button");
ok("the way back leads to the tools", await until(() => page.$("#drop")));
const plain = await fetch(`${address}/nothing`, { headers: { Accept: "*/*" } });
ok("a program is answered with JSON", /json/.test(plain.headers.get("content-type")) && (await plain.json()).error === "not_found");
const keyed = await fetch(`${address}/api/v1/usage`, { headers: { Accept: "text/html", "X-API-Key": "pk_x" } });
ok("so is whoever sends a key", keyed.status === 401 && /json/.test(keyed.headers.get("content-type")), keyed.status);
ok("nothing went wrong", desk.wrong.length === 0, ...desk.wrong);

for (const [language, words, direction] of [["de", "Diese Seite gibt es nicht", "ltr"], ["ar", "لا توجد صفحة كهذه", "rtl"]]) {
  const other = await open(390, 844, { touch: true, language });
  await other.page.setExtraHTTPHeaders({ "Accept-Language": language });
  await other.page.goto(`${address}/nothing`, { waitUntil: "networkidle0" });
  ok(`an error is told in the reader's language: ${language}`, (await text(other.page, "h1")) === words && (await other.page.evaluate(() => document.documentElement.dir)) === direction);
  await judge(other.page, `brand error phone ${language}`);
  await other.page.goto(`${address}/pricing`, { waitUntil: "networkidle0" });
  await judge(other.page, `brand plans phone ${language}`);
}
await done();
