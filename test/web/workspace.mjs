// The workspace and what is seen before it is done, in a real Chromium: pages of several files put
// in order by mouse, touch and keyboard; transfers that break off; a document of 1,000 pages.
// Prints TAP. Run by check/pages.sh. Usage: workspace.mjs ADDRESS KEY SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { address, click, done, drawInk, enter, fill, folder, go, judge, number, ok, open, pictures, put, result, run, sample, sealAs, tabTo, text, until } from "./browser.mjs";

const qpdf = (...args) => execFileSync("qpdf", args, { encoding: "utf8" });
const PLAIN = join(sample, "../plain.pdf");
const pagesOf = (name) => Number(qpdf("--show-npages", name));
const wordsOf = (name) => execFileSync("pdftotext", [name, "-"], { encoding: "utf8" }).split("\f").map((one) => one.trim().split(/\s+/)[0] || "").slice(0, -1);

/** The words of the labels on the board that are in sight, in order. */
const order = (page) => page.$$eval("#board .leaf", (all) => all
  .sort((a, b) => Number(a.getAttribute("aria-posinset")) - Number(b.getAttribute("aria-posinset")))
  .map((one) => one.getAttribute("aria-label").replace(/^\d+: /, "")));
const leaf = (n) => `#board .leaf[aria-posinset="${n}"]`;

/** Downloads the newest result and gives its place. */
async function take(page) {
  const name = await page.$eval("#jobs > li:first-child a.button", (one) => one.download);
  await click(page, "#jobs > li:first-child a.button");
  await until(() => readdirSync(folder).includes(name) && readFileSync(join(folder, name)).includes("%%EOF"));
  return join(folder, name);
}

const desk = await open(1280, 900);
const { page } = desk;
await enter(page);
await put(page, sample, PLAIN);
await go(page, "pages/merge");
await page.waitForSelector(leaf(9));
ok("the pages of both files are on the board", (await number(page, "#board .leaf")) === 9);
ok("each with its picture", await until(async () => (await number(page, "#board .leaf img")) === 9));
await judge(page, "pages desk");
await page.focus("#board");
await page.keyboard.down("Control");
await page.keyboard.press("z");
await page.keyboard.up("Control");
ok("undo does not go behind the loading of the files", (await page.$eval("#undo", (one) => one.disabled)) && (await order(page)).length === 9, await order(page));

await click(page, leaf(1));
await put(page, PLAIN);
ok("another file's pages are inserted after the chosen page", await until(async () => (await order(page)).length === 12 &&
  (await order(page)).slice(1, 4).every((one) => /plain/.test(one))), await order(page));
ok("and are chosen then", (await number(page, '#board [aria-selected="true"]')) === 3);
await click(page, "#undo");
ok("which is undone like everything", (await order(page)).length === 9 && (await page.$eval("#undo", (one) => one.disabled)), await order(page));
await click(page, "#files > li:last-child button:last-of-type");
await page.keyboard.press("Escape");

await click(page, leaf(2));
await page.keyboard.down("Shift");
await click(page, leaf(4));
await page.keyboard.up("Shift");
ok("a range is chosen with Shift", (await number(page, '#board [aria-selected="true"]')) === 3);
await click(page, '[data-act="right"]');
ok("chosen pages are turned", (await order(page)).slice(1, 4).every((one) => /90/.test(one)), await order(page));
await click(page, "#undo");
ok("and turned back", !(await order(page)).some((one) => /90/.test(one)));
await click(page, "#redo");
await click(page, "#undo");

/** Drags with the mouse from one page to the left edge of another. */
async function drag(from, to) {
  await page.$eval(leaf(from), (one) => one.scrollIntoView({ block: "center" }));
  const a = await (await page.$(leaf(from))).boundingBox();
  const b = await (await page.$(leaf(to))).boundingBox();
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2);
  await page.mouse.down();
  await page.mouse.move(a.x + a.width / 2 + 20, a.y + a.height / 2 + 5, { steps: 3 });
  await page.mouse.move(b.x + 8, b.y + b.height / 2, { steps: 6 });
  await page.mouse.up();
}
await click(page, leaf(9));
await drag(9, 1);
ok("a page is dragged to another place", /^3/.test((await order(page))[0]), await order(page));
await click(page, '[data-act="copy"]');
await click(page, '[data-act="blank"]');
const more = await order(page);
ok("a page is duplicated, a blank one inserted", more.length === 11 && more[0] === more[1] && /Blank/.test(more[2]), more);
await click(page, leaf(11));
await click(page, '[data-act="trash"]');
ok("a page is deleted", (await order(page)).length === 10);
await page.evaluate(() => document.querySelector("#order").closest("details").open = true);
await page.type("#order", "10, 1-2");
await page.keyboard.press("Enter");
ok("an order is typed", (await order(page)).length === 3 && /^1/.test((await order(page))[0]) && /^3/.test((await order(page))[2]), await order(page));
await page.$eval("#order", (one) => (one.value = ""));
await page.type("#order", "77");
await page.keyboard.press("Enter");
ok("one that cannot be is told", (await text(page, "#order-error")).length > 0);
await judge(page, "pages typed");
await page.keyboard.press("Backspace");
const one = await run(page);
ok("one job makes the document", /\.pdf/.test(one) && !/refused/.test(one), one);
const made = await take(page);
ok("it has the pages in their order", wordsOf(made).join() === "Page,Page,Page" && pagesOf(made) === 3 &&
  execFileSync("pdftotext", [made, "-"], { encoding: "utf8" }).replace(/\s+/g, "") === "Page1Page3Page3", wordsOf(made));

while (!(await page.$eval("#undo", (button) => button.disabled))) await click(page, "#undo");
ok("undo goes back to the beginning", (await number(page, "#board .leaf")) <= 9);
while (!(await page.$eval("#redo", (button) => button.disabled))) await click(page, "#redo");
ok("redo comes forth to the end", (await order(page)).length === 3, await order(page));

await go(page, "pages/split");
await click(page, leaf(2));
await click(page, '[data-act="cut"]');
ok("a document is split at a page", /2/.test(await text(page, "#submit")));
await judge(page, "pages split");
const parts = await run(page);
ok("and comes as two", /\.zip/.test(parts) && /2 files/.test(parts), parts);
await click(page, leaf(1));
await page.keyboard.press("Enter");
await page.waitForSelector("dialog[open] img[src]");
await judge(page, "page large");
await page.keyboard.press("Escape");
ok("Escape closes the large page", !(await page.$("dialog[open]")));
const cutOnce = await order(page);
await page.reload({ waitUntil: "networkidle0" });
await page.waitForSelector(leaf(3));
ok("after the tab was closed the board is as it was", (await order(page)).join() === cutOnce.join() && /New file/.test(cutOnce[1]), cutOnce, await order(page));
ok("nothing went wrong at a desk", desk.wrong.length === 0, ...desk.wrong);

// By keyboard alone.
await page.evaluate(() => localStorage.clear());
const keys = await open(1100, 800);
await enter(keys.page);
await put(keys.page, PLAIN);
ok("the tool that merges is reached by Tab", await tabTo(keys.page, '[data-tool="merge"]'));
await keys.page.keyboard.press("Enter");
await keys.page.waitForSelector(leaf(3));
ok("the board is reached by Tab", await tabTo(keys.page, "#board"));
await keys.page.keyboard.press("End");
await keys.page.keyboard.down("Alt");
await keys.page.keyboard.press("ArrowLeft");
await keys.page.keyboard.press("ArrowLeft");
await keys.page.keyboard.up("Alt");
ok("a page is moved by keys", /3/.test((await order(keys.page))[0]), await order(keys.page));
ok("what happened is told", await until(async () => /place 1/.test(await text(keys.page, "#say"))), await text(keys.page, "#say"));
await keys.page.keyboard.press("r");
await keys.page.keyboard.press("ArrowRight");
await keys.page.keyboard.press("Delete");
ok("turned, and another deleted, by keys", (await order(keys.page)).length === 2 && /90/.test((await order(keys.page))[0]));
ok("the one that is at hand is named", await keys.page.$eval("#board", (board) =>
  document.getElementById(board.getAttribute("aria-activedescendant"))?.getAttribute("role") === "option"));
await tabTo(keys.page, "#submit");
const rows = await number(keys.page, "#jobs > li");
await keys.page.keyboard.press("Enter");
const byKeys = await result(keys.page, rows);
ok("and saved by keyboard alone", /\.pdf/.test(byKeys) && !/refused/.test(byKeys), byKeys);
ok("nothing went wrong by keyboard", keys.wrong.length === 0, ...keys.wrong);

// A phone, by touch.
const phone = await open(360, 740, { touch: true });
await enter(phone.page);
await put(phone.page, sample);
await go(phone.page, "pages/rotate");
await phone.page.waitForSelector(`${leaf(2)} img`);
await phone.page.tap(leaf(1));
await phone.page.tap(leaf(2));
ok("pages are chosen by taps", (await number(phone.page, '#board [aria-selected="true"]')) === 2);
await phone.page.tap('[data-act="right"]');
await phone.page.tap(leaf(2));
const box = async (n) => (await phone.page.$(leaf(n))).boundingBox();
const [from, to] = [await box(1), await box(3)];
await phone.page.touchscreen.touchStart(from.x + from.width / 2, from.y + from.height / 2);
await phone.page.waitForSelector(".ghost");
await phone.page.touchscreen.touchMove(to.x + to.width - 4, to.y + to.height / 2);
await phone.page.touchscreen.touchEnd();
ok("a page that is held is carried by a finger", /^Page 1/.test((await order(phone.page))[2]), await order(phone.page));
await judge(phone.page, "pages phone");
await go(phone.page, "tool/watermark");
await phone.page.waitForSelector("#preview:not([hidden]) .stage img[src]");
ok("a finger is told of dragging alone", /Drag/.test(await text(phone.page, "#stamp-help")) && !/key/.test((await text(phone.page, "#stamp-help")) + (await phone.page.$eval("#stamp", (one) => one.getAttribute("aria-label")))));
await go(phone.page, "tool/sign");
await phone.page.waitForSelector("#preview:not([hidden]) .mark-on");
ok("and so it is of a signature", /drag/.test(await text(phone.page, "#stamp-help")) && !/key|Shift|Ctrl/.test((await text(phone.page, "#stamp-help")) + (await phone.page.$eval(".mark-on", (one) => one.getAttribute("aria-label")))));
await go(phone.page, "pages/rotate");
await phone.page.waitForSelector(leaf(2));
const turned = await run(phone.page);
ok("a phone turns pages", /\.pdf/.test(turned) && !/refused/.test(turned), turned);
ok("nothing went wrong on a phone", phone.wrong.length === 0, ...phone.wrong);

// What is seen before it is done.
const sight = await open(1280, 900);
await enter(sight.page);
await put(sight.page, sample);
await go(sight.page, "tool/watermark");
await sight.page.waitForSelector("#preview:not([hidden]) .stage img[src]");
const shown = await number(sight.page, "#jobs > li");
ok("a mouse is told of dragging and of keys", /arrow keys/.test(await text(sight.page, "#stamp-help")) && /arrow keys/.test(await sight.page.$eval("#stamp", (one) => one.getAttribute("aria-label"))));
await fill(sight.page, "text", "DRAFT");
await sight.page.focus("#stamp");
await sight.page.keyboard.press("ArrowUp");
await sight.page.keyboard.press("ArrowLeft");
ok("a stamp is moved by arrow keys", (await sight.page.$eval("#field-position", (select) => select.value)) === "top-left");
const stamp = await (await sight.page.$("#stamp")).boundingBox();
const stage = await (await sight.page.$(".stage")).boundingBox();
await sight.page.$eval("#stamp", (button) => button.scrollIntoView({ block: "center" }));
const grip = await (await sight.page.$("#stamp")).boundingBox();
const floor = await (await sight.page.$(".stage")).boundingBox();
await sight.page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
await sight.page.mouse.down();
await sight.page.mouse.move(floor.x + floor.width * 0.8, floor.y + floor.height * 0.55, { steps: 5 });
await sight.page.mouse.up();
ok("and by dragging", (await sight.page.$eval("#field-position", (select) => select.value)) === "middle-right", stamp, stage);
await click(sight.page, "#exact");
ok("the exact result is shown", await until(async () => sight.page.$eval(".stage img", (image) => /\/jobs\//.test(image.src) && image.complete && image.naturalWidth > 0)));
await judge(sight.page, "watermark exact");
await go(sight.page, "tool/page-numbers");
await sight.page.waitForSelector("#preview:not([hidden]) #stamp");
await judge(sight.page, "numbers preview");
await go(sight.page, "tool/sign");
await sight.page.waitForSelector("#preview:not([hidden]) .mark-on");
await judge(sight.page, "sign preview");

// A signature drawn by hand, its box moved and made larger, and sealed so.
await sealAs(sight.page, "Jane Doe");
await sight.page.$eval(".pad", (one) => one.scrollIntoView({ block: "center" }));
await drawInk(sight.page);
ok("the page shows what was drawn", await until(async () => Boolean(await sight.page.$(".mark-image img"))));
await click(sight.page, "#field-visible");
await sight.page.waitForSelector(".mark-seal");
ok("and the box of the seal", /Jane Doe/.test(await text(sight.page, ".mark-seal")));
const boxOf = () => sight.page.$eval(".mark-seal", (one) => ["left", "top", "width", "height"].map((side) => Number.parseFloat(one.style[side])));
await sight.page.focus(".mark-seal");
await sight.page.keyboard.press("ArrowUp");
const first = await boxOf();
await sight.page.keyboard.press("ArrowLeft");
await sight.page.keyboard.down("Shift");
await sight.page.keyboard.press("ArrowDown");
await sight.page.keyboard.up("Shift");
const second = await boxOf();
ok("arrow keys move the box, and with Shift change its size", second[0] < first[0] && second[1] === first[1] && second[3] > first[3], first, second);
ok("it says where it is", /\d+% from the left/.test(await sight.page.$eval(".mark-seal", (one) => one.getAttribute("aria-label"))));
/** Drags something of the page by so many pixels. */
async function pull(selector, dx, dy) {
  await sight.page.$eval(".stage", (one) => one.scrollIntoView({ block: "center" }));
  const at = await (await sight.page.$(selector)).boundingBox();
  await sight.page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await sight.page.mouse.down();
  await sight.page.mouse.move(at.x + at.width / 2 + dx, at.y + at.height / 2 + dy, { steps: 5 });
  await sight.page.mouse.up();
}
await pull(".mark-seal", -60, -200);
const third = await boxOf();
ok("dragging moves it", third[0] < second[0] - 1 && third[1] < second[1] - 1 && third[2] === second[2], second, third);
await pull(".mark-seal .corner", 40, 30);
const fourth = await boxOf();
ok("pulling its corner changes its size", fourth[0] === third[0] && fourth[2] > third[2] + 1 && fourth[3] > third[3] + 1, third, fourth);
await judge(sight.page, "sign drawn");
const sealBox = await boxOf();
const signed = await run(sight.page);
ok("the file is signed", /\.pdf/.test(signed) && !/refused/.test(signed), signed);
const signedFile = await take(sight.page);
ok("with the drawing", /image .* smask/s.test(execFileSync("pdfimages", ["-list", signedFile], { encoding: "utf8" })));
const objects = JSON.parse(qpdf("--json=2", "--json-key=qpdf", signedFile)).qpdf[1];
const corner = Object.values(objects).map((one) => one.value).find((one) => one?.["/V"] && one["/FT"] === "/Sig")["/Rect"];
const across = await sight.page.evaluate(() => Number.parseFloat(/** @type {HTMLElement} */ (document.querySelector(".stage")).style.aspectRatio));
ok("where it was put", Math.abs(corner[0] - (sealBox[0] / 100) * across) < 1.5, corner, sealBox, across);
ok("and the signature holds", /Signature is Valid/.test(execFileSync("pdfsig", ["-nocert", signedFile], { encoding: "utf8" })));
await go(sight.page, "tool/compress");
await click(sight.page, "#compare");
ok("compress shows each quality's size", await until(async () => (await sight.page.$$eval("#fields .card-note", (all) => all.filter((one) => /\d [kM]?B|byte/.test(one.textContent)).length)) === 5));
ok("and the page before and after", await until(async () => sight.page.$$eval(".stage img", (all) => all.length === 2 && all.every((image) => image.complete && image.naturalWidth > 0))));
await judge(sight.page, "compress compared");
await go(sight.page, "");
await sight.page.reload({ waitUntil: "networkidle0" });
await sight.page.waitForSelector("#drop");
ok("what was only looked at is in no list, and what was signed is", (await number(sight.page, "#jobs > li")) === shown + 1, shown);
ok("nothing went wrong in previews", sight.wrong.length === 0, ...sight.wrong);

// A password.
const locked = join(folder, "locked.pdf");
qpdf("--encrypt", "open sesame", "owner", "256", "--", PLAIN, locked);
await go(sight.page, "pages/merge");
await put(sight.page, locked);
await sight.page.waitForSelector(".unlock");
await judge(sight.page, "password asked");
await sight.page.type(".unlock input", "wrong");
await sight.page.keyboard.press("Enter");
await sight.page.waitForFunction(() => /does not open/.test(document.querySelector(".unlock")?.textContent || ""));
ok("a wrong password is told", true);
await sight.page.type(".unlock input", "open sesame");
await sight.page.keyboard.press("Enter");
ok("the right one shows the pages", await until(async () => (await number(sight.page, "#board .leaf")) === 9));
ok("with their pictures", await until(async () => (await number(sight.page, "#board .leaf img")) === 9));

// A transfer that breaks off.
const large = join(folder, "large.pdf");
const bytes = Buffer.concat([readFileSync(PLAIN), Buffer.alloc(20e6, "%padding of a large file\n")]);
writeFileSync(large, bytes);
const broken = await open(1000, 800);
await enter(broken.page);
await broken.page.setRequestInterception(true);
let pieces = 0;
let whole = false;
broken.page.on("request", (request) => {
  const cut = request.method() === "PATCH" && ++pieces > 1 && !whole;
  if (cut) request.abort("connectionreset");
  else request.continue();
});
const input = await broken.page.$("main #choose");
await input.uploadFile(large);
ok("a break is told", await until(async () => /again/.test(await text(broken.page, "#files .state"))));
whole = true;
ok("and the transfer goes on by itself", await until(async () => !(await broken.page.$("#files progress")) && /MB/.test(await text(broken.page, "#files"))), await text(broken.page, "#files"));
ok("from where it was", pieces <= 9, pieces);
await broken.context.close();

// The page is closed in the middle of a transfer, and opened again.
const again = await open(1000, 800);
await enter(again.page);
await again.page.setRequestInterception(true);
let sent = 0;
again.page.on("request", (request) => {
  if (request.method() === "PATCH" && ++sent > 2) request.abort("connectionreset");
  else request.continue();
});
await (await again.page.$("main #choose")).uploadFile(large);
await until(async () => sent > 2);
await again.page.reload({ waitUntil: "domcontentloaded" });
await again.page.waitForSelector("#files > li .bad");
ok("a transfer that was not finished is there after a reload", /same file/.test(await text(again.page, "#files")));
sent = -1000;
await (await again.page.$("main #choose")).uploadFile(large);
ok("and goes on when the file is chosen again", await until(async () => !(await again.page.$("#files .bad, #files progress"))));

// A document of 1,000 pages.
const long = join(folder, "long.pdf");
qpdf("--empty", "--pages", ...Array.from({ length: 334 }, () => [PLAIN, "1-3"]).flat(), "--", long);
const many = await open(1280, 900);
await enter(many.page);
await put(many.page, long);
await many.page.evaluate(() => performance.mark("began"));
await go(many.page, "pages");
await many.page.waitForSelector(leaf(1002 > 12 ? 12 : 1));
ok("only what is in sight is there", (await number(many.page, "#board .leaf")) < 120, await number(many.page, "#board .leaf"));
ok("the first pictures come", await until(async () => (await number(many.page, "#board .leaf img")) >= 10));
await many.page.focus("#board");
await many.page.keyboard.press("End");
ok("the end is reached by one key", await until(async () => Boolean(await many.page.$(`${leaf(1002)} img`))));
await many.page.keyboard.down("Control");
await many.page.keyboard.press("a");
await many.page.keyboard.up("Control");
await click(many.page, '[data-act="left"]');
await click(many.page, "#undo");
ok("everything is turned and turned back", /1,002/.test(await text(many.page, "#chosen")), await text(many.page, "#chosen"));
await many.page.keyboard.press("Escape");
await judge(many.page, "pages thousand");
ok("nothing went wrong with many pages", many.wrong.length === 0, ...many.wrong);

// Each language's start, from the browser's own.
for (const [language, direction] of [["de-AT", "ltr"], ["fr", "ltr"], ["es-MX", "ltr"], ["pt-BR", "ltr"], ["ja", "ltr"], ["zh-TW", "ltr"], ["ar-EG", "rtl"], ["sv", "ltr"]]) {
  const there = await open(1100, 800, { language });
  await enter(there.page);
  const { lang, dir } = await there.page.evaluate(() => ({ lang: document.documentElement.lang, dir: document.documentElement.dir }));
  ok(`a browser in ${language} is spoken to in its language`, lang === (language === "sv" ? "en" : language.slice(0, 2)) && dir === direction, lang, dir);
  await judge(there.page, `start ${language}`);
  ok(`nothing went wrong in ${language}`, there.wrong.length === 0, ...there.wrong);
  await there.context.close();
}
ok("the address of the page is not left", page.url().startsWith(address));

await done();
