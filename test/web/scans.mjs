// Scans, in a real Chromium: a document of pictures without text is known as one before anything is done to it,
// what reads it comes first, and what was read lies over its pages on the screen of the result.
// Prints TAP. Run by check/pages.sh. Usage: scans.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { address, click, done, downloaded, emptyFiles, folder, go, judge, number, ok, open, put, sample, skip, text, until } from "./browser.mjs";

const LINES = ["The quick harbour master wrote down the name", "of each vessel that was there in the morning,", "and this list of boats was kept for many years."];

/** A PDF whose pages are pictures, of 200 dots an inch. @param {{data: Buffer, width: number, height: number}[]} pictures */
function scanOf(pictures) {
  const parts = [Buffer.from("%PDF-1.4\n")];
  const places = [];
  const add = (...inner) => {
    places.push(parts.reduce((sum, one) => sum + one.length, 0));
    parts.push(Buffer.from(`${places.length} 0 obj\n`), ...inner.map((one) => Buffer.from(one)), Buffer.from("\nendobj\n"));
  };
  add("<</Type/Catalog/Pages 2 0 R>>");
  add(`<</Type/Pages/Count ${pictures.length}/Kids[${pictures.map((_, i) => `${3 + 3 * i} 0 R`).join(" ")}]>>`);
  pictures.forEach(({ data, width, height }, i) => {
    const [w, h] = [(width * 72) / 200, (height * 72) / 200];
    const show = `q ${w} 0 0 ${h} 0 0 cm /I Do Q`;
    add(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${w} ${h}]/Contents ${4 + 3 * i} 0 R/Resources<</XObject<</I ${5 + 3 * i} 0 R>>>>>>`);
    add(`<</Length ${show.length}>>stream\n${show}\nendstream`);
    add(`<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${data.length}>>stream\n`, data, "\nendstream");
  });
  const start = parts.reduce((sum, one) => sum + one.length, 0);
  parts.push(Buffer.from(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.map((one) => `${String(one).padStart(10, "0")} 00000 n \n`).join("")}trailer<</Size ${places.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

const desk = await open(1280, 900);
const { page } = desk;
await page.waitForSelector("#drop");
if (!(await fetch(`${address}/openapi.json`).then((one) => one.text())).includes('"/api/v1/tools/pdf/ocr"')) {
  skip("scans are known and read", "platen-ocr is not there");
  await done();
  process.exit();
}

/** A picture of lines of text, or of nothing but a colour. */
const picture = async (lines) => ({
  width: 1100, height: 500,
  data: Buffer.from(await page.evaluate((all) => {
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: 1100, height: 500 });
    const pen = canvas.getContext("2d");
    pen.fillStyle = all.length ? "#fff" : "#789";
    pen.fillRect(0, 0, 1100, 500);
    pen.fillStyle = "#111";
    pen.font = "40px serif";
    all.forEach((line, i) => pen.fillText(line, 60, 100 + 90 * i));
    return canvas.toDataURL("image/jpeg", 0.9).split(",")[1];
  }, lines), "base64"),
});
const scan = join(folder, "scan.pdf");
writeFileSync(scan, scanOf([await picture([]), await picture(LINES)]));

const first = () => page.$$eval("#tools a", (all) => all[0]?.dataset.tool);
await put(page, sample);
ok("a document with text is no scan", await until(async () => (await number(page, '#tools [data-tool="ocr"]')) === 1) && (await first()) !== "ocr", await first());
await put(page, scan);
// The list does not move from under the pointer, which rests where the files were chosen.
await page.mouse.move(5, 5);
ok("of a scan its text is what is offered first", await until(async () => (await first()) === "ocr"), await first());
ok("and the card says why", /scan/i.test(await text(page, '#tools [data-tool="ocr"] .hint')), await text(page, '#tools [data-tool="ocr"] .hint'));
await judge(page, "scans offered");
await emptyFiles(page);
await put(page, scan);
await go(page, "tool/ocr");
await click(page, "#submit");
await page.waitForSelector(".fresh .result a.button");
ok("the result shows the page that has words", await until(async () => (await number(page, ".found-page .reader-text > span")) > 20) && /2/.test(await text(page, ".found-foot output")), await text(page, ".result-picture"));
const lines = () => page.$$eval(".found-page .reader-text > span", (all) => all.map((one) => one.textContent).join(""));
ok("with what it says", /quick harbour master/.test(await lines()) && /boats was kept/.test(await lines()), await lines());
ok("and how many words there are", /2[0-9] words found · (9[0-9]|8[0-9])% sure/.test(await text(page, ".found-foot output")), await text(page, ".found-foot output"));
ok("over its picture", await until(() => page.$eval(".found-page > img", (one) => one.complete && one.naturalWidth > 0)));
const place = await page.evaluate(() => {
  const paper = document.querySelector(".found-page").getBoundingClientRect();
  const word = [...document.querySelectorAll(".found-page .reader-text > span")].find((one) => /harbour/.test(one.textContent)).getBoundingClientRect();
  return [(word.left - paper.left) / paper.width, (word.top - paper.top) / paper.height, (word.right - paper.left) / paper.width, (word.bottom - paper.top) / paper.height];
});
const drawn = await page.evaluate((line) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "40px serif";
  const before = pen.measureText(line.slice(0, line.indexOf("harbour"))).width;
  return [(60 + before) / 1100, 70 / 500, (60 + before + pen.measureText("harbour").width) / 1100, 110 / 500];
}, LINES[0]);
ok("where it says so", place.every((one, i) => Math.abs(one - drawn[i]) < (i % 2 ? 0.05 : 0.02)), place, drawn);
const selected = await page.evaluate(() => {
  getSelection().selectAllChildren(document.querySelector(".found-page .reader-text"));
  return getSelection().toString();
});
ok("its words are selected", selected.includes("the morning"), selected);
await judge(page, "scans found");
await click(page, "#found-text");
ok("the words are read without the picture", await page.$eval("#found-text", (one) => one.getAttribute("aria-pressed") === "true") &&
  (await page.$eval(".found-page .reader-text > span", (one) => getComputedStyle(one).color)) !== "rgba(0, 0, 0, 0)");
await judge(page, "scans text alone");
await click(page, ".found-foot .icon-button");
ok("the page before it has none", await until(async () => /\b0 words|no words/i.test(await text(page, ".found-foot output"))), await text(page, ".found-foot output"));

// What was read is searched as any text in the viewer.
await click(page, "#jobs > li:first-child button:has(.icon-eye)");
await page.waitForSelector("dialog .reader-page");
await page.type("dialog input[type=search]", "HARBOUR");
const hit = () => text(page, ".reader-found");
ok("the viewer finds a word that was read", await until(async () => (await hit()) === "1 of 1"), await hit());
ok("and marks it", await until(async () => (await number(page, ".reader-page.paper .hit.now")) > 0));
await page.keyboard.press("Escape");
await page.keyboard.press("Escape");
await until(async () => (await number(page, "dialog[open]")) === 0);

// Several files: one document of all, or one of each.
const second = join(folder, "second.pdf");
writeFileSync(second, scanOf([await picture(LINES.slice(0, 2))]));
await emptyFiles(page);
await put(page, scan, second);
await go(page, "tool/ocr");
ok("several documents stay documents", await until(() => page.$$eval("#one-pdf", (all) => all.length === 1 && !all[0].checked && all[0].getClientRects().length > 0)));
const rows = () => number(page, "#jobs > li");
const ended = async (n) => (await rows()) === n && (await number(page, "#jobs > li.busy")) === 0;
let before = await rows();
await click(page, "#submit");
ok("each by a job of its own", await until(() => ended(before + 2)), before, await rows());
await page.evaluate(() => /** @type {HTMLElement | null} */ (document.querySelector("#screen-bar:not([hidden]) #back-to-settings"))?.click());
await click(page, 'label[for="one-pdf"]');
ok("what the one document is called can be chosen", await until(() => page.$eval("#field-outputName", (one) => !one.disabled)));
await judge(page, "several scans");
before = await rows();
await click(page, "#submit");
ok("or they become one by one job", await until(() => ended(before + 1)), before, await rows());
const merged = await downloaded(page, "merged-scans.pdf");
ok("that has the pages of both", /Pages:\s+3/.test(execFileSync("pdfinfo", [merged], { encoding: "utf8" })), merged);
const photo = join(folder, "photo.jpg");
writeFileSync(photo, (await picture(LINES)).data);
const photo2 = join(folder, "photo2.jpg");
writeFileSync(photo2, (await picture(LINES.slice(1))).data);
await emptyFiles(page);
await put(page, photo, photo2);
await go(page, "tool/ocr");
ok("several pictures become one document unless that is changed", await until(() => page.$$eval("#one-pdf", (all) => all.length === 1 && all[0].checked)));
ok("nothing went wrong with scans", desk.wrong.length === 0, ...desk.wrong);

await done();
