// The page for people in a real Chromium: the ways a person takes, by mouse and by keyboard, on a
// desk and on a phone; axe's rules on each state. Prints TAP. Run by check/pages.sh.
// Usage: pages.mjs ADDRESS KEY SAMPLE.pdf PICTURES

import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_FOLDER, "x.js"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const [address, key, sample, pictures] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "platen-page-"));
const HOSTILE = `<img src=x onerror=document.title='taken'>.pdf`;

let count = 0;
let failed = 0;
function ok(what, passed, ...details) {
  count++;
  if (!passed) failed++;
  console.log(`${passed ? "ok" : "not ok"} ${count} - ${what}`);
  if (!passed) for (const detail of details) console.log(`#   ${JSON.stringify(detail)}`);
}

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

/** A page that notes whatever goes wrong in it, and whatever it asks of other places. */
async function open(width, height, touch) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const wrong = [];
  page.setDefaultTimeout(20000);
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId: context.id });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => {
    // A key that is not there yet is asked for by a 401; wrong input answers 400.
    if (message.type() === "error" && !/status of 40[01]/.test(message.text())) wrong.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !request.url().startsWith("data:")) wrong.push(request.url());
  });
  await page.goto(address, { waitUntil: "networkidle0" });
  return { page, wrong };
}

async function judge(page, state) {
  // The content security policy lets no script in but the server's own; the debugger's are exempt.
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  }));
  ok(`no axe violation: ${state}`, found.violations.length === 0,
    ...found.violations.map((v) => [v.id, v.nodes.map((node) => node.html)]));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  ok(`nothing is wider than the window: ${state}`, wide <= 0, wide);
  await page.screenshot({ path: join(pictures, `${state.replaceAll(" ", "-")}.png`), fullPage: true });
}

/** By mouse, as one who sees the page would: what a bar covers is brought into sight first. */
async function click(page, selector) {
  await page.$eval(selector, (one) => one.scrollIntoView({ block: "center" }));
  await page.click(selector);
}

async function enter(page) {
  await page.waitForSelector("#key-form:not([hidden])");
  await page.type("#key", key);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#work:not([hidden])");
  await page.waitForSelector("#tools button");
}

async function put(page, ...names) {
  const input = await page.$("#choose");
  await input.uploadFile(...names);
  await page.waitForFunction((n) => document.querySelectorAll("#files li").length >= n, {}, names.length);
}

async function pick(page, tool) {
  await click(page, `#tools [data-tool="${tool}"]`);
  await page.waitForSelector("#form-panel:not([hidden])");
}

/** Types into a field, or chooses. */
async function fill(page, name, value) {
  const kind = await page.$eval(`#field-${name}`, (one) => one.tagName);
  if (kind === "SELECT") await page.select(`#field-${name}`, value);
  else await page.type(`#field-${name}`, value);
}

async function emptyFiles(page) {
  while (await page.$("#files li")) await click(page, "#files li button[aria-label^=Remove]");
}

/** Presses the form's button and waits for the newest result. */
async function run(page) {
  const before = await page.$$eval("#jobs li", (rows) => rows.length);
  await click(page, "#submit");
  await page.waitForFunction((n) => document.querySelectorAll("#jobs li").length > n ||
    document.querySelector("#form .error:not(:empty)"), {}, before);
  const refused = await page.$$eval("#form .error", (all) => all.map((one) => one.textContent).join(""));
  if (refused) return `refused: ${refused}`;
  await page.waitForFunction(() => document.querySelector("#jobs li:first-child a, #jobs li:first-child .bad"));
  return page.$eval("#jobs li", (row) => row.textContent);
}

const second = join(folder, "second.pdf");
const hostile = join(folder, HOSTILE);
const word = join(folder, "not a pdf.txt");
for (const name of [second, hostile]) writeFileSync(name, readFileSync(sample));
writeFileSync(word, "only words");
mkdirSync(pictures, { recursive: true });

// A desk, by mouse.
const desk = await open(1280, 900, false);
await judge(desk.page, "desk key");
await desk.page.type("#key", "pk_wrong");
await desk.page.keyboard.press("Enter");
await desk.page.waitForFunction(() => document.getElementById("key-error").textContent);
ok("a wrong key is told", true);
await desk.page.$eval("#key", (input) => (input.value = ""));
await enter(desk.page);
const cookies = await desk.page.cookies();
ok("the key is where no script can read it", cookies.length === 1 && cookies[0].httpOnly &&
  cookies[0].sameSite === "Strict" && !(await desk.page.evaluate(() => document.cookie)), cookies.length);
await judge(desk.page, "desk start");
const offered = await desk.page.$$eval("#tools button", (all) => all.map((one) => one.dataset.tool));
ok("every tool of the server is offered", offered.length === Number(process.env.TOOLS), offered);

for (const tool of offered) {
  await pick(desk.page, tool);
  const unnamed = await desk.page.$$eval("#form input, #form select, #form textarea",
    (all) => all.filter((control) => !control.labels.length).map((control) => control.name));
  ok(`the form of ${tool} has a name for each field`, unnamed.length === 0, unnamed);
}

await put(desk.page, hostile, second);
ok("a hostile name is shown as it is", (await desk.page.$eval("#files li .what", (one) => one.textContent)) === HOSTILE);
await pick(desk.page, "merge");
await click(desk.page, "#files li:nth-child(2) button[aria-label^='Move'][aria-label$='up']");
ok("files are put into another order", (await desk.page.$eval("#files li .what", (one) => one.textContent)) === "second.pdf");
ok("two files are merged", /second-merge\.pdf/.test(await run(desk.page)), await desk.page.$eval("#jobs", (one) => one.textContent));
await judge(desk.page, "desk merged");
await click(desk.page, "#jobs li a");
for (let i = 0; i < 100 && !readdirSync(folder).includes("second-merge.pdf"); i++)
  await new Promise((done) => setTimeout(done, 100));
ok("the result is downloaded", readFileSync(join(folder, "second-merge.pdf")).subarray(0, 5).toString() === "%PDF-");

await emptyFiles(desk.page);
await click(desk.page, "#jobs li button[aria-label^=Use]");
await desk.page.waitForSelector("#files li");
await pick(desk.page, "rotate");
await fill(desk.page, "degrees", "180");
const reused = await run(desk.page);
ok("a result is used without sending it again", /merge-rotate\.pdf/.test(reused), reused);

await pick(desk.page, "watermark");
await click(desk.page, "#submit");
ok("what is missing is told at its field", await desk.page.$eval("#field-text-error", (one) => one.textContent.length > 0));
await desk.page.type("#field-text", "DRAFT");
await click(desk.page, "#form summary");
await judge(desk.page, "desk form");
ok("and done once it is there", /watermark\.pdf/.test(await run(desk.page)));

await pick(desk.page, "split");
await desk.page.type("#field-pages", "9999");
const refused = await run(desk.page);
ok("a job that fails says why", /page/.test(refused), refused);

await emptyFiles(desk.page);
await put(desk.page, sample, second);
await pick(desk.page, "compress");
ok("a tool of one file is offered for two", (await desk.page.$eval("#submit", (one) => one.textContent)) === "Compress: 2 files");
await click(desk.page, "#submit");
await desk.page.waitForFunction(() => [...document.querySelectorAll("#jobs li")].filter((row) =>
  /compress/i.test(row.textContent) && row.querySelector("a")).length === 2);
ok("and makes two results", true);

await emptyFiles(desk.page);
await put(desk.page, word);
ok("tools that do not take a file are not offered for it",
  await desk.page.$eval('#tools [data-tool="rotate"]', (one) => one.disabled));
await emptyFiles(desk.page);

const listed = await desk.page.$$eval("#jobs li", (rows) => rows.length);
await desk.page.reload();
await desk.page.waitForSelector("#jobs li");
ok("after the tab was closed the results are there", (await desk.page.$$eval("#jobs li", (rows) => rows.length)) === listed);
await click(desk.page, "#jobs li button[aria-label^=Delete]");
await desk.page.waitForFunction((n) => document.querySelectorAll("#jobs li").length === n - 1, {}, listed);
ok("a result is deleted", true);
const forged = await desk.page.evaluate(() => fetch("/api/v1/session", { method: "POST" }).then((answer) => answer.status));
ok("the cookie alone changes nothing", forged === 401, forged);
await click(desk.page, "#leave");
await desk.page.waitForSelector("#key-form:not([hidden])");
ok("the key is forgotten", (await desk.page.cookies()).length === 0);
ok("nothing went wrong, nothing else was asked", desk.wrong.length === 0, ...desk.wrong);
ok("the hostile name did nothing", (await desk.page.title()) === "platen", await desk.page.title());

// A phone.
const phone = await open(360, 740, true);
await enter(phone.page);
await put(phone.page, sample);
await phone.page.tap('#tools [data-tool="page-numbers"]');
await judge(phone.page, "phone form");
await phone.page.$eval("#submit", (one) => one.scrollIntoView());
ok("a phone numbers pages", /page-numbers\.pdf/.test(await run(phone.page)));
await judge(phone.page, "phone done");
ok("nothing went wrong on a phone", phone.wrong.length === 0, ...phone.wrong);

// By keyboard alone.
const keys = await open(1000, 800, false);
await keys.page.keyboard.type(key);
await keys.page.keyboard.press("Enter");
await keys.page.waitForSelector("#tools button");
await put(keys.page, sample); // the system's own dialog is not a page's
const focused = () => keys.page.evaluate(() => document.activeElement.dataset.tool || document.activeElement.id);
for (let i = 0; i < 80 && (await focused()) !== "rotate"; i++) await keys.page.keyboard.press("Tab");
await keys.page.keyboard.press("Enter");
for (let i = 0; i < 80 && (await focused()) !== "submit"; i++) await keys.page.keyboard.press("Tab");
const rows = await keys.page.$$eval("#jobs li", (all) => all.length);
await keys.page.keyboard.press("Enter");
await keys.page.waitForFunction((n) => document.querySelectorAll("#jobs li").length > n && document.querySelector("#jobs li:first-child a"), {}, rows);
ok("a file is turned by keyboard alone", /rotate\.pdf/.test(await keys.page.$eval("#jobs li", (row) => row.textContent)));

// Dark.
await keys.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await judge(keys.page, "dark");
ok("nothing went wrong by keyboard", keys.wrong.length === 0, ...keys.wrong);

await browser.close();
console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
