// Where a person who had never seen the page stumbled, each as a statement: results that were deleted by
// mistake, stamps that stood elsewhere than shown, signatures that were not drawn, settings that were
// forgotten, pages that lost their order. As a visitor. Prints TAP. Run by check/pages.sh against a
// server with web = open. Usage: newcomer.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { click, done, emptyFiles, fill, folder, go, inSight, judge, number, ok, open, put, result, run, sample, sealAs, text, until } from "./browser.mjs";

const PLAIN = join(sample, "../plain.pdf");
const desk = await open(1366, 768);
const { page } = desk;
await page.waitForSelector("#drop");

// A result that was deleted by mistake.
const jobs = () => page.evaluate(async () => (await (await fetch("/api/v1/jobs?limit=30")).json()).jobs.length);
await put(page, PLAIN);
await go(page, "tool/repair");
await run(page);
const bin = '#jobs > li:first-child .remove';
const binned = await page.evaluate(() => performance.now());
await click(page, bin);
ok("a result that is deleted can be had back", /plain-repaired\.pdf/.test(await text(page, "#jobs .job-gone")) && (await jobs()) === 1);
ok("and what brings it back has the focus", await page.evaluate(() => /Keep/.test(document.activeElement.getAttribute("aria-label"))));
await judge(page, "newcomer deleted");
await page.waitForFunction((from) => performance.now() > from + 11000, {}, binned);
ok("it waits for as long as that has the focus", (await jobs()) === 1 && (await number(page, "#jobs .job-gone")) === 1);
await page.keyboard.press("Enter");
ok("it says how long it is kept", /kept until .*\d/.test(await text(page, "#jobs .job-head")), await text(page, "#jobs .job-head"));
ok("as it was", (await number(page, "#jobs a.button")) === 1 && (await page.evaluate(() => document.activeElement.matches("#jobs > li"))));
await click(page, bin);
await click(page, "#jobs .job-gone button:last-child");
ok("or is deleted at once", await until(async () => (await jobs()) === 0 && (await number(page, "#jobs > li")) === 0));
await run(page);
const look = await (await page.$('#jobs button[aria-label^="View"]')).boundingBox();
const far = await (await page.$(bin)).boundingBox();
ok("the bin stands apart from what shows the result", far.x - look.x - look.width > 40, far, look);
await click(page, bin);
// A busy browser loses the last requests of a page.
await page.evaluate(() => (window.fetch = () => new Promise(() => null)));
await page.reload({ waitUntil: "networkidle0" });
ok("a page that is left deletes what was to be deleted, at the latest as the next one opens", await until(async () => (await jobs()) === 0));

// The order of pages outlives a reload, with a file that asks for its password again and one that is gone.
const locked = join(folder, "locked.pdf");
execFileSync("qpdf", ["--encrypt", "open sesame", "owner", "256", "--", PLAIN, locked]);
const leaf = (n) => `#board .leaf[aria-posinset="${n}"]`;
const labels = () => page.$$eval("#board .leaf", (all) => all
  .sort((a, b) => Number(a.getAttribute("aria-posinset")) - Number(b.getAttribute("aria-posinset"))).map((one) => one.getAttribute("aria-label")));
const unlock = async () => {
  await page.waitForSelector(".unlock input");
  await page.type(".unlock input", "open sesame");
  await page.keyboard.press("Enter");
};
await go(page, "");
await emptyFiles(page);
await put(page, sample, locked);
await go(page, "pages/merge");
await page.waitForSelector(leaf(6));
await unlock();
await page.waitForSelector(leaf(9));
await click(page, leaf(9));
await click(page, '[data-act="right"]');
await page.focus("#board");
for (let i = 0; i < 8; i++) {
  await page.keyboard.down("Alt");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.up("Alt");
}
const arranged = await labels();
ok("a page of a locked file is turned and comes first", /locked/.test(arranged[0]) && /90/.test(arranged[0]), arranged);
await page.reload({ waitUntil: "networkidle0" });
await page.waitForSelector(leaf(9));
ok("after a reload its pages are where they were, though its password is asked for", (await labels()).join() === arranged.join(), await labels());
await click(page, "#submit");
ok("and nothing is saved before that", /locked\.pdf/.test(await text(page, "#form-error")) && (await number(page, "#jobs > li.busy")) === 0, await text(page, "#form-error"));
await unlock();
ok("then they show", await until(async () => (await number(page, "#board .leaf img")) === 9), await number(page, "#board .leaf img"));
ok("and are saved", /\.pdf/.test(await run(page)), await text(page, "#form-error"));

// A watermark stands where and as large as it is shown.
await go(page, "");
await emptyFiles(page);
await put(page, PLAIN);
await go(page, "tool/watermark");
await page.waitForSelector("#preview:not([hidden]) .stage img[src]");
ok("that a stamp snaps to places is said", /snaps to one of 9/.test(await text(page, "#stamp-help")), await text(page, "#stamp-help"));
ok("and each is there to be pressed", (await number(page, ".spots .spot")) === 9);
/** The sides of what is written, in parts of the page's width: as shown, and as the tool makes it. */
async function sides() {
  await until(() => page.$eval(".stage img", (one) => one.complete && one.naturalWidth > 0));
  const shown = await page.evaluate(() => {
    const image = document.querySelector(".stage img");
    const ink = document.querySelector(".stage .ink");
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: ink.width, height: ink.height });
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    globalThis.plain = pen.getImageData(0, 0, canvas.width, canvas.height);
    globalThis.sides = (differs) => {
      const [w, h] = [globalThis.plain.width, globalThis.plain.height];
      let [left, top, right, bottom] = [w, h, 0, 0];
      for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) if (differs((y * w + x) * 4)) [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
      return [left, top, right, bottom].map((one) => one / w);
    };
    const drawn = ink.getContext("2d").getImageData(0, 0, ink.width, ink.height).data;
    return globalThis.sides((i) => drawn[i + 3] > 24);
  });
  await click(page, "#exact");
  await until(() => page.$eval(".stage img", (one) => /jobs/.test(one.src) && one.complete && one.naturalWidth > 0));
  const exact = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: globalThis.plain.width, height: globalThis.plain.height });
    const pen = canvas.getContext("2d");
    pen.drawImage(document.querySelector(".stage img"), 0, 0, canvas.width, canvas.height);
    const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
    return globalThis.sides((i) => Math.abs(data[i] - globalThis.plain.data[i]) > 24);
  });
  return { shown, exact, off: Math.max(...shown.map((one, i) => Math.abs(one - exact[i]))) };
}
for (const [words, position, more] of [["CONFIDENTIAL", "center"], ["CONFIDENTIAL", "top-left"], ["Draft of\nyesterday", "bottom-right"], ["gypsy", "middle-right", { rotation: "0" }],
  ["A long text that must be broken into lines, as one line of it would be too small to be read by anybody", "center"], ["Large", "top-center", { fontSize: "90", rotation: "20" }], ["Tiled", "tile", { rotation: "30" }]]) {
  await fill(page, "text", words);
  await fill(page, "position", position);
  await fill(page, "rotation", more?.rotation ?? "45");
  await fill(page, "fontSize", more?.fontSize ?? "auto");
  const found = await sides();
  console.log(`# ${position}, ${words.slice(0, 5)}: ${(found.off * 100).toFixed(1)} % of the page's width`);
  ok(`a watermark is shown as it is written: ${position}, ${words.slice(0, 12).trim()}`, found.off < 0.02, found);
}
await fill(page, "position", "center");
await page.$eval(".stage", (one) => one.scrollIntoView({ block: "center" }));
const dot = await (await page.$(".spot:nth-child(2)")).boundingBox();
await page.mouse.click(dot.x + dot.width / 2, dot.y + dot.height / 2);
ok("a place is pressed", (await page.$eval("#field-position", (one) => one.value)) !== "center");
await judge(page, "newcomer watermark");

// A signature that is to be drawn.
await go(page, "tool/sign");
await page.waitForSelector("#preview:not([hidden]) .mark-on.waits");
ok("what is put on the page is dragged, it says", /drag to move it/.test(await text(page, "#stamp-help")));
const pageShown = () => text(page, "#stamp-page");
ok("the last page is shown, and none after it", (await pageShown()) === "Page 3 of 3" && (await page.$eval('[data-turn="1"]', (one) => one.disabled)));
await click(page, '[data-turn="-1"]');
ok("an arrow takes the signature to another page", (await until(async () => (await pageShown()) === "Page 2 of 3")) && (await number(page, ".mark-on.waits")) === 1);
await page.evaluate(() => scrollTo(0, 0));
ok("the field to draw on is in sight, and says what it is for", (await inSight(page, ".pad")) && (await text(page, ".pad-words")) === "Sign here");
const before = await number(page, "#jobs > li");
await click(page, "#submit");
ok("an empty drawing is not signed", (await until(async () => /Draw your signature/.test(await text(page, "#sign-error")))) && (await number(page, "#jobs > li")) === before);
ok("and where to draw has the focus", await page.evaluate(() => document.querySelector("#sign-maker").contains(document.activeElement)));
await page.$eval("#form", (one) => one.scrollTo(0, one.scrollHeight));
await judge(page, "newcomer undrawn");
await click(page, '[data-way="typed"]');
await page.type("#sign-text", "Ada Undrawn");
await page.waitForSelector(".mark-image img");
ok("a typed name is", (await text(page, "#sign-error")) === "" && /plain-signed\.pdf/.test(await run(page)), await text(page, "#form-error"));

// Where results are, and what failed.
ok("the way to the results says so, and how many there are", /^Results\s*2$/.test(await text(page, ".to-results")), await text(page, ".to-results"));
await go(page, "tool/sign");
await sealAs(page, "Ada");
await fill(page, "fieldName", "No such field");
await run(page);
await page.waitForSelector("#jobs > li:first-child p.bad");
ok("a job that failed says which file it was", /plain\.pdf/.test(await text(page, "#jobs > li:first-child")), await text(page, "#jobs > li:first-child"));
ok("and what is wrong with a field is told there", await until(async () => /no signature field/.test(await text(page, "#field-fieldName-error"))));
await page.reload({ waitUntil: "networkidle0" });
ok("after a reload, too", /plain\.pdf/.test(await text(page, "#jobs > li:first-child")), await text(page, "#jobs > li:first-child"));
ok("when how many results there are is said still", /2/.test(await text(page, ".to-results .badge")));

// A setting that was forgotten.
ok("what is changed in a folded part is told there", /1 changed/.test(await text(page, "#fields summary")), await text(page, "#fields summary"));
await click(page, ".reset-rest");
await sealAs(page, "Ada");
ok("one press puts the folded part back, and leaves the name", !/changed/.test(await page.$eval("#fields summary", (one) => one.innerText)) && (await page.$eval("#field-signerName", (one) => one.value)) === "Ada" &&
  (await page.$eval("#field-fieldName", (one) => one.value)) === "");
ok("then it is signed", /plain-signed(-\d)?\.pdf/.test(await run(page)), await text(page, "#form-error"));
const signedBefore = await number(page, "#jobs > li");
await go(page, "tool/watermark");
await page.waitForSelector("#preview:not([hidden]) .stage img[src]");
await fill(page, "text", "DRAFT");
await page.$eval("#fields details", (one) => (one.open = true));
await page.$eval("#field-pages", (one) => {
  one.value = "99";
  one.dispatchEvent(new Event("input", { bubbles: true }));
});
ok("a page that the document does not have is told while it is typed", /3 pages/.test(await text(page, "#field-pages-error")), await text(page, "#field-pages-error"));
await page.$eval("#fields details", (one) => (one.open = false));
await click(page, "#submit");
ok("such a job is not sent, and its field opens", (await page.$eval("#fields details", (one) => one.open)) && (await number(page, "#jobs > li")) === signedBefore &&
  (await page.evaluate(() => document.activeElement.id)) === "field-pages");
await judge(page, "newcomer forgotten");
await click(page, ".reset-rest");
await go(page, "tool/sign");

// A result that is looked at.
const view = '#jobs > li:first-child button[aria-label^="View"]';
const picture = async (at) => {
  await at.waitForSelector("dialog .paper img[src]");
  return until(() => at.$eval("dialog .paper img", (one) => one.complete && one.naturalWidth > 0));
};
await click(page, view);
await picture(page);
ok("a signed result opens at its signature", (await text(page, "dialog output")) === "Page 3 of 3", await text(page, "dialog output"));
const fits = await page.evaluate(() => {
  const [paper, image] = ["dialog .paper", "dialog .paper img"].map((one) => document.querySelector(one).getBoundingClientRect());
  return image.top >= paper.top && image.bottom <= paper.bottom && image.height > 0.9 * paper.height && paper.bottom <= innerHeight;
});
ok("a whole page is seen", fits);
const narrow = await page.$eval("dialog .paper img", (one) => one.clientWidth);
await click(page, 'dialog [aria-label="Zoom in"]');
ok("and made larger", (await page.$eval("dialog .paper img", (one) => one.clientWidth)) > 1.4 * narrow);
await judge(page, "newcomer viewer", ["dialog"]);
await page.goBack();
ok("going back closes it and leaves the view as it was", (await until(async () => !(await page.$("dialog")))) && /tool\/sign/.test(page.url()), page.url());
await click(page, view);
await picture(page);
await page.keyboard.press("Escape");
await until(async () => !(await page.$("dialog")));
await page.goBack();
ok("going back from there does not stay at what was closed", await until(async () => !/tool\/sign/.test(page.url())), page.url());
await go(page, "tool/sign");

// What runs a tool is in the window at first sight, and the tools of pages have words.
for (const name of ["compress", "watermark", "sign", "to-word"]) {
  await go(page, `tool/${name}`);
  await page.evaluate(() => scrollTo(0, 0));
  ok(`what runs ${name} is seen as a whole`, await inSight(page, "#submit"));
}
await go(page, "pages/merge");
await page.waitForSelector(leaf(3));
const worded = (at) => at.$$eval(".board-bar > button", (all) => all.filter((one) => one.offsetWidth).map((one) => {
  const words = one.querySelector("span");
  return words.textContent.length > 1 && words.offsetHeight > 8 && words.scrollWidth <= one.clientWidth + 1;
}));
ok("each tool of pages says what it does", (await worded(page)).length === 12 && (await worded(page)).every(Boolean), await worded(page));
await judge(page, "newcomer pages");
const german = await open(1366, 768, { language: "de" });
await put(german.page, PLAIN);
await go(german.page, "tool/watermark");
await german.page.waitForSelector("#field-opacity");
ok("a slider says its value as its language writes it", /^30\s%$/.test(await text(german.page, "output[for=field-opacity]")), await text(german.page, "output[for=field-opacity]"));
await judge(german.page, "newcomer watermark German");
await go(german.page, "operator");
await german.page.waitForSelector("#op-changed"); // the settings come last
const figures = await german.page.$$eval("main :is(th, .tile .hint)", (all) => all.map((one) => one.textContent));
ok("who runs the server reads words in place of names", figures.some((one) => one.startsWith("In Betrieb seit: ")) && !figures.some((one) => /[a-z][A-Z]|Seconds|Bytes/.test(one)), figures);
await judge(german.page, "newcomer operator German");
await go(german.page, "pages");
await german.page.waitForSelector(leaf(3));
await judge(german.page, "newcomer pages German");
const arabic = await open(360, 740, { touch: true, language: "ar" });
await arabic.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await put(arabic.page, PLAIN);
await go(arabic.page, "tool/watermark");
await arabic.page.waitForSelector("#preview:not([hidden]) .spot");
await judge(arabic.page, "newcomer watermark Arabic");
await go(arabic.page, "pages");
await arabic.page.waitForSelector(leaf(3));
await judge(arabic.page, "newcomer pages Arabic");
const phone = await open(360, 740, { touch: true });
await put(phone.page, sample);
await go(phone.page, "pages/merge");
await phone.page.waitForSelector(leaf(3));
ok("on a phone, too", (await worded(phone.page)).length === 6 && (await worded(phone.page)).every(Boolean), await worded(phone.page));
await judge(phone.page, "newcomer pages phone");
await phone.page.tap('[data-act="more"]');
ok("where the others are one press away", (await worded(phone.page)).length === 13 && (await worded(phone.page)).every(Boolean) && (await inSight(phone.page, '[data-act="blank"]')), await worded(phone.page));
await judge(phone.page, "newcomer pages phone more");
await go(phone.page, "tool/compress");
await phone.page.waitForSelector("#field-quality");
const covered = await phone.page.evaluate(() => {
  const bar = document.querySelector(".actions").getBoundingClientRect();
  const below = document.querySelector(".main-nav").getBoundingClientRect();
  return [bar.left, innerWidth - bar.right, below.top - bar.bottom, bar.height].map(Math.round);
});
ok("what runs a tool stands on a bar of its own, without gaps", covered[0] <= 0 && covered[1] <= 0 && Math.abs(covered[2]) <= 2 && covered[3] < 72, covered);
await judge(phone.page, "newcomer compress phone");
await phone.page.tap("#compare");
await until(async () => (await number(phone.page, "#preview [name=compared]:not(:disabled)")) === 4 && (await number(phone.page, ".pair:not([hidden]) img[src]")) === 2);
const tops = await phone.page.$$eval(".pair .pane", (all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
ok("what is compared stands side by side, at one height", tops[0] === tops[1], tops);
const sizes = await phone.page.$$eval(".choices strong", (all) => all.map((one) => [one.textContent, one.getClientRects().length, one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)]));
ok("its sizes have no line to spare, and none saves 0 %", sizes.every(([words, , lines]) => lines <= 2.1 && !/−0/.test(words)), sizes);
await judge(phone.page, "newcomer compared phone");
await phone.page.tap("#submit");
await phone.page.waitForSelector("#jobs > li:first-child a.button");
await phone.page.$eval(view, (one) => one.scrollIntoView({ block: "center" }));
await phone.page.tap(view);
await picture(phone.page);
await phone.page.touchscreen.touchStart(300, 300);
await phone.page.touchscreen.touchMove(80, 310);
await phone.page.touchscreen.touchEnd();
ok("a finger turns the page", /^Page 2 /.test(await text(phone.page, "dialog output")), await text(phone.page, "dialog output"));
await judge(phone.page, "newcomer viewer phone", ["dialog"]);
await phone.page.tap('dialog [aria-label="Close"]');
await until(async () => !(await phone.page.$("dialog")));
ok("a visitor finds no page for operators", (await number(phone.page, 'nav [data-view="operator"]')) === 0);
await go(phone.page, "account");
ok("nor deliveries of webhooks", (await number(phone.page, "#hooks-title")) === 0);
await judge(phone.page, "newcomer account phone");
ok("nothing went wrong on a phone", phone.wrong.length === 0, ...phone.wrong);

ok("nothing went wrong", desk.wrong.length === 0, ...desk.wrong);
await done();
