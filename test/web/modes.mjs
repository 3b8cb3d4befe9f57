// The boards of split, extract, delete and rotate: each in three presses; scissors between pages, tools at the page
// under the pointer, and the ways to split that the server decides. As a visitor.
// Prints TAP. Run by check/pages.sh against a server with web = open. Usage: modes.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { click, done, emptyFiles, folder, go, judge, number, ok, open, put, result, sample, text, until } from "./browser.mjs";

const named = (name) => (copyFileSync(sample, join(folder, name)), join(folder, name));
const leaf = (n) => `#board .leaf[aria-posinset="${n}"]`;
const six = async (on) => (await on.waitForSelector(leaf(6)), on.waitForFunction(() => document.querySelector("#board .leaf img")));
/** The newest result, in a file here. */
async function fetched(on) {
  const bytes = await on.$eval("#jobs > li:first-child a.button", async (one) => {
    const data = new Uint8Array(await (await fetch(one.href)).arrayBuffer());
    return Array.from(data);
  });
  const made = join(folder, "fetched");
  writeFileSync(made, Buffer.from(bytes));
  return made;
}
/** Its pages, as their texts say. */
const pagesIn = async (on) => execFileSync("pdftotext", [await fetched(on), "-"], { encoding: "utf8" }).match(/text-Zulu\d/g)?.map((one) => one.at(-1)).join("");
/** Its parts. */
const parts = async (on) => execFileSync("unzip", ["-Z1", await fetched(on)], { encoding: "utf8" }).trim().split("\n");
/** A press on the button that does it all, and the name of the result. */
async function submit(on) {
  const before = await number(on, "#jobs > li");
  await click(on, "#submit");
  return result(on, before);
}
/** From the start: a press on the tool's card. */
async function begin(on, tool) {
  await go(on, "");
  await on.waitForSelector(`#tools [data-tool="${tool}"]`);
  await click(on, `#tools [data-tool="${tool}"]`);
  await on.waitForSelector("main.view-pages h1");
  await six(on);
}

const desk = await open(1366, 768);
const { page } = desk;
await page.waitForSelector("#drop");
await put(page, named("Paper.pdf"));
ok("extracting and deleting pages are tools", Boolean(await page.$('#tools [data-tool="extract-pages"]')) && Boolean(await page.$('#tools [data-tool="delete"]')));

await put(page, named("in\u202efdp.pdf"));
ok("a name does not turn the text of its row", (await page.$$eval("#files .name", (all) => all.at(-1).textContent)) === "infdp.pdf");
await click(page, "#files > li:last-child button:last-of-type");

// Three presses each.
await begin(page, "extract-pages");
ok("without a page the button says what it does, and that a page is missing", /Extract pages/.test(await text(page, "#submit")));
await click(page, "#submit");
ok("at a press", /Choose at least one page/.test(await text(page, "#form-error")), await text(page, "#form-error"));
await click(page, leaf(2));
ok("a press chooses a page", /Extract 1 page$/.test((await text(page, "#submit")).trim()) && (await page.$eval("#picked", (one) => one.value)) === "2", await text(page, "#submit"));
ok("extract: card, page, button", /Paper-pages\.pdf/.test(await submit(page)), await text(page, "#jobs"));
ok("gives that page", (await pagesIn(page)) === "2");
await begin(page, "delete");
await click(page, leaf(1));
await judge(page, "modes delete");
ok("delete: card, page, button", /Paper-edited\.pdf/.test(await submit(page)), await text(page, "#jobs"));
ok("gives the others", (await pagesIn(page)) === "23456", await pagesIn(page));
await begin(page, "rotate");
await click(page, "#submit");
ok("nothing is made of pages that are not turned", /Turn pages first/.test(await text(page, "#form-error")));
await click(page, "#turn-right");
await click(page, "#select-all");
ok("what chooses all chooses none then", /Select none/.test(await text(page, "#select-all")));
await click(page, "#select-all");
ok("without a choice all pages turn", (await page.$$eval("#board .leaf", (all) => all.every((one) => /turned by 90/.test(one.getAttribute("aria-label"))))));
await judge(page, "modes rotate");
ok("rotate: card, turn, button", /Paper-rotated\.pdf/.test(await submit(page)), await text(page, "#jobs"));
await begin(page, "split");
ok("a document without cuts is not copied", /^\s*Split PDF\s*$/.test(await text(page, "#submit")), await text(page, "#submit"));
await click(page, "#submit");
ok("what is missing is said", /scissors/.test(await text(page, "#form-error")), await text(page, "#form-error"));
await click(page, "#way-every");
ok("split: card, way, button", /Paper-split\.zip/.test(await submit(page)), await text(page, "#jobs"));
ok("gives a file for each page", (await parts(page)).length === 6);

// Scissors and tools at a page.
await go(page, "pages/split");
await six(page);
await click(page, "#no-splits");
await page.hover(leaf(3));
ok("the page under the pointer has tools", (await page.$$eval(`${leaf(3)} .leaf-tool`, (all) => all.map((one) => one.dataset.do).join())) === "look,turn,delete");
await judge(page, "modes split");
await click(page, `${leaf(4)} .scissors`);
ok("scissors between two pages cut there", /Create 2 PDFs/.test(await text(page, "#submit")) && /New file/.test(await page.$eval(leaf(4), (one) => one.getAttribute("aria-label"))), await text(page, "#submit"));
const line = await page.$eval(`${leaf(4)} .part`, (one) => {
  const box = one.getBoundingClientRect();
  const [before, after] = [3, 4].map((n) => document.querySelector(`#board .leaf[aria-posinset="${n}"]`).getBoundingClientRect());
  return { between: box.left >= before.right - 2 && box.right <= after.left + 2, seen: document.elementsFromPoint(box.left + 1, box.top + 12).includes(one) };
});
ok("the line of a cut is seen, in the gap between the pages", line.between && line.seen, line);
await click(page, `${leaf(4)} .scissors`);
ok("and take the cut back", /Split PDF/.test(await text(page, "#submit")));
await page.hover(leaf(2));
await page.click(`${leaf(2)} .leaf-tool[data-do="turn"]`);
ok("one page is turned where it is", /turned by 90/.test(await page.$eval(leaf(2), (one) => one.getAttribute("aria-label"))) && (await number(page, '#board .leaf[aria-selected="true"]')) === 0);
await page.hover(leaf(1));
await page.click(`${leaf(1)} .leaf-tool[data-do="delete"]`);
ok("one page is deleted where it is", await until(async () => (await number(page, "#board .leaf")) === 5));
await page.keyboard.down("Control");
await page.keyboard.press("z");
await page.keyboard.up("Control");
ok("and undone", await until(async () => (await number(page, "#board .leaf")) === 6));
await page.hover(leaf(4));
await page.click(`${leaf(4)} .leaf-tool[data-do="turn"]`);
await page.click(`${leaf(4)} .leaf-tool[data-do="look"]`);
await page.waitForFunction(() => document.querySelector("dialog .paper img")?.naturalWidth);
const fits = await page.$eval("dialog .paper", (one) => {
  const [place, seen] = [one, one.querySelector("img")].map((node) => node.getBoundingClientRect());
  return { inside: seen.top >= place.top && seen.bottom <= place.bottom && seen.left >= place.left && seen.right <= place.right, scrolls: one.scrollHeight > one.clientHeight };
});
ok("a turned page fits its place as a whole", fits.inside && !fits.scrolls, fits);
await page.keyboard.press("Escape");

// What the server decides.
await page.waitForFunction(() => !document.querySelector("dialog"));
for (let i = 0; i < 2; i++) await click(page, '[data-act="undo"]');
await click(page, "#way-level");
await page.select("#split-level", "2");
await submit(page);
ok("by the outline, named after the entries of its level", (await parts(page)).some((one) => /Section Zulu2/.test(one)), await text(page, "#jobs"));
await go(page, "pages/split");
await six(page);
await click(page, "#way-size");
await page.$eval("#split-size", (one) => (one.value = ""));
await page.type("#split-size", "0.004");
await submit(page);
ok("by size", (await parts(page)).length > 1, await text(page, "#jobs"));
const BLANKS = join(folder, "Stack.pdf");
execFileSync("/usr/bin/python3", [join(sample, "../../tools/blank_pages.py"), BLANKS, "words", "dusty", "text", "empty", "words"]);
await emptyFiles(page);
await put(page, BLANKS);
await go(page, "pages/split");
await page.waitForSelector(leaf(5));
await click(page, "#way-blank");
await judge(page, "modes blank");
await submit(page);
ok("at blank pages", (await parts(page)).length === 3, await text(page, "#jobs"));

// By keyboard, and what is typed.
await go(page, "pages/extract-pages");
await page.waitForSelector(leaf(5));
await page.type("#picked", "1,4-5");
ok("numbers that are typed choose pages", (await page.$$eval('#board .leaf[aria-selected="true"]', (all) => all.map((one) => one.getAttribute("aria-posinset")).join())) === "1,4,5" && /Extract 3 pages/.test(await text(page, "#submit")));
await page.type("#picked", ",99");
ok("pages that are not there are told", /1 to 5/.test(await text(page, "#picked-error")), await text(page, "#picked-error"));
await page.focus("#board");
await page.keyboard.press("ArrowRight");
await page.keyboard.press("Space");
ok("arrows go to a page, and space chooses it besides the others", (await page.$eval("#picked", (one) => one.value)) === "1-2,4-5", await page.$eval("#picked", (one) => one.value));
await page.keyboard.press("Delete");
ok("a key does not change what pages there are", (await number(page, "#board .leaf")) === 5);
await click(page, "#each");
await submit(page);
ok("each page can be a file of its own", (await parts(page)).length === 4, await text(page, "#jobs"));
ok("nothing went wrong", desk.wrong.length === 0, ...desk.wrong);

// Phones and other languages.
for (const [language, state] of [["en", "phone"], ["de", "phone de"], ["ar", "phone ar"]]) {
  const phone = await open(390, 844, { touch: true, language });
  await phone.page.waitForSelector("#drop");
  await put(phone.page, sample);
  await go(phone.page, "pages/split");
  await six(phone.page);
  const at = await (await phone.page.$(`${leaf(3)} .scissors`)).boundingBox();
  const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
  await phone.page.touchscreen.touchStart(x, y);
  for (let i = 1; i <= 6; i++) await phone.page.touchscreen.touchMove(x, y - 20 * i);
  await phone.page.touchscreen.touchEnd();
  ok(`${state}: a finger that scrolls cuts nothing`, !(await phone.page.$("#board .part")) && (await phone.page.evaluate(() => scrollY)) > 0);
  await phone.page.tap(`${leaf(2)} .scissors`);
  ok(`${state}: a finger cuts`, await until(async () => Boolean(await phone.page.$(`${leaf(2)} .part`))));
  await judge(phone.page, `modes ${state} split`);
  await go(phone.page, "pages/extract-pages");
  await six(phone.page);
  await phone.page.tap(leaf(2));
  await phone.page.tap(leaf(3));
  ok(`${state}: a finger chooses pages`, (await number(phone.page, '#board .leaf[aria-selected="true"]')) === 2);
  await judge(phone.page, `modes ${state} extract`);
  ok(`${state}: nothing went wrong`, phone.wrong.length === 0, ...phone.wrong);
}
await done();
