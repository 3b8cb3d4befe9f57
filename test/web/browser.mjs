// What the tests of the web page share: TAP, a real Chromium, axe's rules, and the ways of a
// person. Run by check/pages.sh.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_FOLDER, "x.js"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const [address, key, sample, pictures] = process.argv.slice(2);
export const folder = mkdtempSync(join(tmpdir(), "platen-page-"));
mkdirSync(pictures, { recursive: true });

let count = 0;
let failed = 0;
export function ok(what, passed, ...details) {
  count++;
  if (!passed) failed++;
  console.log(`${passed ? "ok" : "not ok"} ${count} - ${what}`);
  if (passed) return;
  console.log(`# ${new Error().stack.split("\n")[2].replace(/^.*file:\/\/|\)$/g, "")}`);
  for (const detail of details) console.log(`#   ${JSON.stringify(detail)}`);
}

export function skip(what, why) {
  console.log(`ok ${++count} - ${what} # SKIP ${why}`);
}

export const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

export async function done() {
  await browser.close();
  console.log(`1..${count}`);
  process.exit(failed ? 1 : 0);
}

/** Waits, at most ten seconds, until an element has stood still for three frames and nothing covers its middle. */
async function ready(page, selector) {
  await page.waitForSelector(selector);
  await page.evaluate(async (sought) => {
    const frame = () => Promise.race([new Promise((then) => requestAnimationFrame(then)), new Promise((then) => setTimeout(then, 200))]);
    let last = "";
    for (let still = 0, end = Date.now() + 10000; still < 3 && Date.now() < end; await frame()) {
      const one = document.querySelector(sought);
      if (!one) continue;
      let box = one.getBoundingClientRect();
      const sees = () => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const top = sees();
      if (!top || !(one.contains(top) || top.contains(one) || top.closest("label")?.contains(one))) {
        one.scrollIntoView({ block: "center", behavior: "instant" });
        box = one.getBoundingClientRect();
      }
      const now = [box.x, box.y, box.width, box.height].join(" ");
      still = now === last ? still + 1 : 0;
      last = now;
    }
  }, selector);
}

/**
 * Lets the page be clicked and tapped as by a person, who waits until a thing stands still: the browser's driver measures where
 * an element is and presses there a moment later, which misses what moves meanwhile.
 */
function steadyHand(page) {
  for (const way of ["click", "tap"]) {
    const press = page[way].bind(page);
    page[way] = async (selector, ...how) => {
      await ready(page, selector);
      return press(selector, ...how);
    };
  }
}

/**
 * A page that notes whatever goes wrong in it, and whatever it asks of other places.
 * @param {{touch?: boolean, language?: string, place?: string}} [how]
 */
export async function open(width, height, { touch = false, language = "en-GB", place = "/" } = {}) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  const wrong = [];
  page.setDefaultTimeout(30000);
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
  await page.evaluateOnNewDocument((name) => {
    Object.defineProperty(navigator, "languages", { get: () => [name] });
  }, language);
  steadyHand(page);
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId: context.id });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => dialog.accept());
  page.on("console", (message) => {
    // Questions that a server may answer with an error: who is signed in, and what it offers.
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) wrong.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) wrong.push(request.url());
  });
  await page.goto(address + place, { waitUntil: "networkidle0" });
  return { page, wrong, context, session };
}

/**
 * The rules of WCAG 2.2 A and AA that axe can judge, and that nothing is cut off at the side.
 * @param {string[]} [parts] selectors of what axe looks at; without it everything
 */
export async function judge(page, state, parts) {
  // Colours that are still changing are not those that a reader sees.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)));
  // The content security policy lets no script in but the server's own; the debugger's are exempt.
  await page.evaluate(axe);
  // A phone's bars cover whatever is below them in the window; the reader scrolls, and axe does not: they are taken along with the page.
  await page.evaluate(() => {
    if (!matchMedia("(pointer: coarse)").matches || !document.querySelector(".options > .actions, .board-side > #submit")) return;
    for (const one of document.querySelectorAll("header, nav, .actions, .board-bar, .board-side > #submit")) {
      if (!/sticky|fixed/.test(getComputedStyle(one).position)) continue;
      one.dataset.bar = "";
      one.style.position = "static";
    }
  });
  const found = await page.evaluate((include) => globalThis.axe.run(include ? { include } : document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"],
  }), parts);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("[data-bar]")) {
      one.style.removeProperty("position");
      delete one.dataset.bar;
    }
  });
  ok(`no axe violation: ${state}`, found.violations.length === 0,
    ...found.violations.map((v) => [v.id, v.nodes.map((node) => node.html.slice(0, 300))]));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  ok(`nothing is wider than the window: ${state}`, wide <= 0, wide);
  const tall = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.screenshot({ path: join(pictures, `${state.replaceAll(" ", "-")}.png`), fullPage: tall < 12000 });
}

/** By mouse, as one who sees the page would: what a bar covers is brought into sight first. */
export async function click(page, selector) {
  await page.waitForSelector(selector);
  await page.$eval(selector, (one) => one.scrollIntoView({ block: "center" }));
  await page.click(selector);
}

export async function enter(page) {
  await page.waitForSelector("#key-form, #drop");
  if (!(await page.$("#key-form"))) return;
  await page.type("#key", key);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#drop");
}

/** Another view, by its address. */
export async function go(page, view) {
  await page.evaluate((hash) => (location.hash = hash), `#/${view}`);
  const name = view.split("/")[0] || "start";
  await page.waitForFunction((one) => document.querySelector(`main.view-${one} h1`), {}, name);
  await page.waitForFunction(() => !document.querySelector("main [aria-busy=true]"));
}

/** Files, as the system's own dialog would give them. */
export async function put(page, ...names) {
  const input = await page.waitForSelector("main #choose"); // a view comes with its module
  const before = await page.$$eval("#files > li", (all) => all.length);
  await input.uploadFile(...names);
  await page.waitForFunction((n) => document.querySelectorAll("#files > li").length === n, {}, before + names.length);
  await page.waitForFunction(() => !document.querySelector("#files progress"));
}

export async function emptyFiles(page) {
  await go(page, "");
  while (await page.$("#files > li")) await click(page, "#files > li:last-child button:last-of-type");
}

/** Types into a field, or chooses. */
export async function fill(page, name, value) {
  const kind = await page.$eval(`#field-${name}`, (one) => {
    const folded = one.closest("details");
    if (folded) folded.open = true;
    return one.tagName;
  });
  if (kind === "SELECT") return page.select(`#field-${name}`, value);
  await page.$eval(`#field-${name}`, (one) => (one.value = ""));
  return page.type(`#field-${name}`, value);
}

/** Presses the view's button and waits for the newest result; gives its words. */
export async function run(page, before) {
  before ??= await page.$$eval("#jobs > li", (rows) => rows.length);
  await click(page, "#submit");
  return result(page, before);
}

export async function result(page, before) {
  await page.waitForFunction((n) => document.querySelectorAll("#jobs > li").length > n ||
    [...document.querySelectorAll("main .error")].some((one) => one.textContent), {}, before);
  const refused = await page.$$eval("main .error", (all) => all.map((one) => one.textContent).join(""));
  if (refused) return `refused: ${refused}`;
  await page.waitForSelector("#jobs > li:first-child a.button, #jobs > li:first-child p.bad");
  // What comes next is done in the view: the screen of the result is left by its button.
  await page.evaluate(() => /** @type {HTMLElement | null} */ (document.querySelector("#screen-bar:not([hidden]) #back-to-settings"))?.click());
  return page.$eval("#jobs > li", (row) => row.textContent);
}

/** Whether all of it is in the window, and nothing covers its middle. */
export const inSight = (page, selector) => page.$eval(selector, (one) => {
  const box = one.getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return box.top >= 0 && box.bottom <= innerHeight && Boolean(top) && (one.contains(top) || top.contains(one));
});

/** Waits until nothing moves: what a finger hits is what was drawn last. */
export const settled = (page) => page.evaluate(async () => {
  await Promise.allSettled(document.getAnimations().map((one) => one.finished));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
});

/** Draws a signature where one is made, by mouse or by a finger. */
export async function drawInk(page, touch = false) {
  await settled(page);
  const paper = await (await page.$(".pad")).boundingBox();
  const at = (i) => [paper.x + 30 + (i / 40) * (paper.width - 60), paper.y + paper.height * (0.5 + 0.3 * Math.sin(i / 3))];
  if (touch) {
    await page.touchscreen.touchStart(...at(0));
    for (let i = 1; i <= 40; i++) await page.touchscreen.touchMove(...at(i));
    return page.touchscreen.touchEnd();
  }
  await page.mouse.move(...at(0));
  await page.mouse.down();
  for (let i = 1; i <= 40; i++) await page.mouse.move(...at(i));
  return page.mouse.up();
}

/** Asks for the digital seal, with a name. */
export async function sealAs(page, name) {
  await page.waitForSelector("#sign-seal");
  const wanted = () => page.$eval("#sign-seal", (one) => one.checked);
  // The form moves once more when the picture of the page arrives, and a click in that moment misses the box.
  for (let i = 0; i < 5 && !(await wanted()); i++) {
    await settled(page);
    await click(page, "#sign-seal");
  }
  if (!(await wanted())) {
    await page.screenshot({ path: join(pictures, "seal-not-ticked.png") });
    throw new Error("the box of the seal cannot be ticked");
  }
  await page.$eval("#field-signerName", (one) => (one.value = ""));
  await page.type("#field-signerName", name);
}

/** The text of the first element that matches; of none nothing, as of a job that ends meanwhile. */
export const text = (page, selector) => page.$$eval(selector, (all) => all[0]?.textContent ?? "");
export const number = (page, selector) => page.$$eval(selector, (all) => all.length);

/**
 * Downloads the fresh result and gives the path of a copy. The download that begins by itself may put the file there once more,
 * while it is read: a copy of what came first is kept under another name.
 */
export async function downloaded(page, name) {
  const path = join(folder, await page.$eval("#jobs > li.fresh a.button", (one) => one.download));
  const copy = join(folder, name);
  rmSync(path, { force: true });
  await click(page, "#jobs > li.fresh a.button");
  await until(() => {
    try {
      const bytes = readFileSync(path);
      writeFileSync(copy, bytes);
      return bytes.includes("%%EOF");
    } catch {
      return false;
    }
  });
  return copy;
}

/** Waits until something is true here, not in the page. */
export async function until(what) {
  for (let i = 0; i < 300; i++) {
    if (await what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/** Presses Tab until the element that has the focus matches. */
export async function tabTo(page, selector, most = 150) {
  for (let i = 0; i < most; i++) {
    if (await page.evaluate((one) => document.activeElement.matches(one), selector)) return true;
    await page.keyboard.press("Tab");
  }
  return false;
}
