// What the web page promises beyond its main ways, each by what a person sees of it: files that are dropped,
// pasted or photographed, every tool by mouse, first pages before the whole, signatures of each kind, what a repair
// found, hostile texts in documents, visitors apart from each other, installing, reduced motion, jobs that are
// cancelled, workflows that are kept. As a visitor. Prints TAP. Run by check/pages.sh against a server with web = open.
// Usage: ways.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { address, click, done, emptyFiles, fill, folder, go, judge, number, ok, open, put, result, run, sample, sealAs, tabTo, text, until } from "./browser.mjs";

const qpdf = (...args) => execFileSync("qpdf", args, { encoding: "utf8" });
const PLAIN = join(sample, "../plain.pdf");
const office = (name) => join(sample, "../office", name);
const inside = (name, bytes) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const leaf = (n) => `#board .leaf[aria-posinset="${n}"]`;
const listed = (page) => page.$$eval("#files > li .name", (all) => all.map((one) => one.textContent));
const settled = (page, n) => page.waitForFunction((count) => document.querySelectorAll("#files > li").length === count && !document.querySelector("#files progress"), {}, n);
async function take(page) {
  const name = await page.$eval("#jobs > li:first-child a.button", (one) => one.download);
  await click(page, "#jobs > li:first-child a.button");
  await until(() => readdirSync(folder).includes(name));
  return join(folder, name);
}
/** Waits until pictures within an element are drawn. */
const drawn = (page, selector) => until(() => page.$$eval(selector, (all) => all.length > 0 && all.every((one) => one.complete && one.naturalWidth > 0)));

const desk = await open(1280, 900);
const { page, session } = desk;
await page.waitForSelector("#drop");

// How files come.
const drag = (type) => session.send("Input.dispatchDragEvent", { type, x: 600, y: 700, data: { items: [], files: [sample, PLAIN], dragOperationsMask: 1 } });
await drag("dragEnter");
await drag("dragOver");
ok("the page shows that files can be dropped anywhere", await page.evaluate(() => document.body.classList.contains("dropping")));
await drag("drop");
await settled(page, 2);
ok("files are dropped anywhere", (await listed(page)).join() === "features.pdf,plain.pdf" && !(await page.evaluate(() => document.body.classList.contains("dropping"))), await listed(page));
await emptyFiles(page);
const picture = await page.evaluate(async () => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 300, height: 100 });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#1030a0";
  pen.fillRect(20, 30, 260, 40);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  const carried = new DataTransfer();
  carried.items.add(new File([blob], "image.png", { type: "image/png" }));
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, bubbles: true, cancelable: true }));
  return canvas.toDataURL().split(",")[1];
});
await settled(page, 1);
ok("a picture is pasted, and what takes pictures is offered", (await listed(page)).join() === "image.png" &&
  (await page.$eval("#tools a", (one) => one.dataset.tool)) === "jpg-to-pdf", await listed(page));
const photo = inside("photo.png", Buffer.from(picture, "base64"));
ok("a desk is not asked for a photograph", !(await page.$("#camera")));
const phone = await open(360, 740, { touch: true });
await phone.page.waitForSelector("#drop");
ok("a phone's camera is offered, the one at its back", await phone.page.$eval("#camera", (one) => one.accept === "image/*" && one.getAttribute("capture") === "environment" &&
  document.querySelector("label[for=camera]").getBoundingClientRect().height >= 44));
await (await phone.page.$("#camera")).uploadFile(photo);
await settled(phone.page, 1);
await phone.page.tap('#tools [data-tool="jpg-to-pdf"]');
await phone.page.waitForSelector("main.view-tool #submit");
ok("a photograph becomes a PDF", /photo.*\.pdf/.test(await run(phone.page)), await text(phone.page, "#jobs"));
const bin = await phone.page.evaluate(() => {
  const row = document.querySelector("#jobs .job-actions");
  const tops = [...row.querySelectorAll("button")].map((one) => Math.round(one.getBoundingClientRect().top));
  return [...new Set(tops)].length;
});
ok("on a phone the bin stands in the row of the other buttons", bin === 1, bin);
await phone.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
await judge(phone.page, "ways phone");
ok("nothing went wrong on a phone", phone.wrong.length === 0, ...phone.wrong);

// Motion, installing, what a page may load.
const moving = () => page.$$eval("*", (all) => all.filter((one) => {
  const style = getComputedStyle(one);
  return style.transitionDuration.split(",").some((time) => parseFloat(time) > 0) || style.animationName !== "none";
}).length);
ok("things change softly", (await moving()) > 0);
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
ok("but not for who wants less motion", (await moving()) === 0, await moving());
await page.emulateMediaFeatures([]);
const { data, errors } = await session.send("Page.getAppManifest");
const manifest = JSON.parse(data);
ok("the manifest is without a fault", errors.length === 0 && manifest.name === "platen" && manifest.start_url === "/" && manifest.display === "standalone", errors, manifest);
const icons = await page.evaluate(async (list) => {
  const base = document.querySelector("link[rel=manifest]").href;
  return Promise.all(list.map(async (one) => {
    const image = new Image();
    image.src = new URL(one.src, base).href;
    await image.decode();
    return [one.sizes, one.purpose, one.type, image.naturalWidth];
  }));
}, manifest.icons);
ok("its icons can be drawn, and one has a margin to be cut", icons.every(([, , , width]) => width > 0) && icons.some(([, purpose]) => purpose === "maskable") &&
  icons.some(([sizes]) => sizes === "192x192") && icons.some(([sizes]) => sizes === "512x512"), icons);
const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
ok("Chromium can install the page", installabilityErrors.filter((one) => one.errorId !== "in-incognito").length === 0, installabilityErrors);
const policy = (await fetch(address)).headers.get("content-security-policy") || "";
ok("the page lets no inline script in, and nothing of other places", /default-src/.test(policy) && !/unsafe/.test(policy) && !/https?:/.test(policy), policy);

// Every tool by mouse.
const csv = inside("numbers.csv", "Item,Amount\nPaper,12.50\nInk,30.00\n");
const site = inside("site.html", "<!doctype html><title>A site</title><h1>One</h1><p>Words\n");
const notes = inside("notes.md", `# Notes\n\nWords and $x^2$.\n\n${"More words. ".repeat(3000)}\n`);
const words = inside("words.txt", "A letter\n\nof two lines.\n");
const damaged = inside("damaged.pdf", (() => {
  const bytes = Buffer.from(readFileSync(sample));
  return Buffer.concat([bytes.subarray(0, Math.floor(bytes.length * 0.62))]);
})());
const locked = join(folder, "locked.pdf");
qpdf("--encrypt", "open sesame", "owner", "256", "--", PLAIN, locked);
const tried = [];
async function tool(name, files, act, wanted) {
  await emptyFiles(page);
  await put(page, ...files);
  // A locked file is known as such a moment later, and its tool comes first then.
  if (name === "remove-password") await page.waitForFunction(() => /** @type {HTMLElement} */ (document.querySelector("#tools a")).dataset.tool === "remove-password");
  await click(page, `#tools [data-tool="${name}"]`);
  await page.waitForSelector("main.view-tool, main.view-pages");
  await page.waitForFunction(() => !document.querySelector("main [aria-busy=true]"));
  await act?.();
  const said = await run(page);
  tried.push(name);
  ok(`${name} by mouse`, wanted.test(said) && !/refused/.test(said), said);
  return said;
}
const loaded = (n) => async () => {
  await page.waitForSelector(leaf(n));
};
await tool("merge", [sample, PLAIN], loaded(9), /features-merged\.pdf/);
await tool("split", [PLAIN], async () => {
  await page.waitForSelector(leaf(3));
  await click(page, leaf(3));
  await click(page, '[data-act="cut"]');
}, /plain-split\.zip.*2 files/s);
await tool("rotate", [PLAIN], async () => {
  await page.waitForSelector(leaf(3));
  await click(page, "#select-all");
  await click(page, '[data-act="right"]');
}, /plain-rotated\.pdf/);
await tool("compress", [sample], null, /features-compressed\.pdf/);
await tool("watermark", [PLAIN], () => page.type("#field-text", "DRAFT"), /plain-watermark\.pdf/);
await tool("watermark", [PLAIN], async () => (await page.$("#field-image")).uploadFile(photo), /plain-watermark-2\.pdf/);
await tool("page-numbers", [PLAIN], async () => {
  await page.waitForSelector("#preview:not([hidden]) .stage img[src]");
  await page.$eval(".stage", (one) => one.scrollIntoView({ block: "end" }));
  const grip = await (await page.$("#stamp")).boundingBox();
  const floor = await (await page.$(".stage")).boundingBox();
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(floor.x + floor.width * 0.9, floor.y + floor.height * 0.95, { steps: 6 });
  await page.mouse.up();
  ok("a page number is dragged to its corner", (await page.$eval("#field-position", (one) => one.value)) === "bottom-right", await page.$eval("#field-position", (one) => one.value));
}, /plain-numbered\.pdf/);
await tool("add-password", [PLAIN], () => page.type("#field-password", "correct horse battery"), /plain.*\.pdf/);
await tool("remove-password", [locked], async () => {
  await page.waitForSelector("#files .unlock input");
  await page.type("#files .unlock input", "open sesame");
}, /locked.*\.pdf/);
const repaired = await tool("repair", [damaged], null, /damaged-repaired\.pdf/);
ok("a repair says what it recovered", /Pages recovered\s*\d|Objects found\s*\d/.test(repaired), repaired);
ok("and what was lost", /Pages lost\s*[1-9]|Objects missing\s*[1-9]|may lack parts\s*[1-9]/.test(repaired), repaired);
ok("without being asked", await page.$eval("#jobs > li:first-child .report", (one) => one.open));
await judge(page, "repair report");
await tool("word-to-pdf", [words], null, /words.*\.pdf/);
await tool("excel-to-pdf", [csv], null, /numbers.*\.pdf/);
await tool("ppt-to-pdf", [office("plain.pptx")], null, /plain.*\.pdf/);
await tool("jpg-to-pdf", [photo], null, /photo.*\.pdf/);
await tool("jpg-to-pdf", [inside("drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60"><circle r="9"/></svg>')], null, /drawing.*\.pdf/);
/** Looks at the newest result; whether what is shown holds. */
async function lookAtNewest(holds) {
  await click(page, '#jobs > li:first-child button[aria-label^="View"]');
  const seen = await until(() => page.evaluate(holds));
  await judge(page, `result ${await text(page, "dialog h2")}`);
  await page.keyboard.press("Escape");
  return seen;
}
const pageSeen = () => document.querySelector("dialog .paper img")?.naturalWidth > 300 && /1/.test(document.querySelector("dialog output").textContent);
const wordsSeen = () => /Page 1/.test(document.querySelector("dialog .words")?.textContent || "");
await tool("to-text", [PLAIN], null, /plain.*\.txt/);
ok("the words of a text are looked at", await lookAtNewest(wordsSeen));
await tool("pages", [PLAIN], () => click(page, '.op-adders [data-op="booklet"]'), /plain.*\.pdf/);
await tool("info", [PLAIN], null, /plain.*\.json/);
await tool("attachments", [sample], null, /features.*\.json/);
await tool("redact", [sample], async () => {
  await page.waitForSelector(".redact-stage[data-ready]");
  await page.type("#redact-words", "Zulu");
  await click(page, "#redact-find");
  await page.waitForSelector(".redact-list > li");
}, /features.*\.pdf/);
await tool("sanitize", [sample], null, /features.*\.pdf/);
await tool("outline", [sample], null, /features.*\.json/);
await tool("metadata", [PLAIN], null, /plain.*\.json/);
await tool("form-fields", [sample], null, /features.*\.json/);
await tool("fill-form", [sample], async () => (await page.$("#field-data")).uploadFile(inside("values.json", '{"name-Zulu1": "typed"}')), /features.*\.pdf/);
await tool("form-fields", [sample], () => page.select("#field-outputFormat", "xfdf"), /features.*\.xfdf/);
await tool("fill-form", [sample], async () => {
  await (await page.$("#field-data")).uploadFile(inside("rows.csv", "name-Zulu1\none\ntwo\n"));
  await page.select("#field-rows", "merged");
}, /features.*\.pdf/);
await tool("flatten", [sample], null, /features.*\.pdf/);
await tool("compare", [PLAIN, sample], null, /(plain|features|compared).*\.json/);
await tool("redact-find", [sample], () => page.type("#field-text", "the"), /features.*\.json/);
await tool("extract", [PLAIN], null, /plain.*\.json/);
ok("data are looked at as text", await lookAtNewest(() => /platen-extract/.test(document.querySelector("dialog .words")?.textContent || "")));
// It is offered where Chromium's headless shell is installed.
if ((await fetch(`${address}/openapi.json`).then((one) => one.text())).includes('"/api/v1/tools/pdf/html-to-pdf"')) await tool("html-to-pdf", [site], null, /site.*\.pdf/);
if ((await fetch(`${address}/openapi.json`).then((one) => one.text())).includes('"/api/v1/tools/pdf/html-to-png"')) await tool("html-to-png", [site], null, /site.*\.png/);
if ((await fetch(`${address}/openapi.json`).then((one) => one.text())).includes('"/api/v1/tools/pdf/markdown-to-pdf"')) {
  await tool("markdown-to-pdf", [notes], null, /notes.*\.pdf/);
  await click(page, "#submit");
  await page.waitForSelector(".fresh .result a.button");
  ok("the first pages of what is printed are shown at once", await until(() => page.$$eval(".fresh .result-picture img", (all) => all.length === 3 && all.every((one) => one.naturalWidth > 0))), await text(page, ".fresh"));
  await click(page, "#back-to-settings");
}
// It is built where Tesseract is installed.
if ((await fetch(`${address}/openapi.json`).then((one) => one.text())).includes('"/api/v1/tools/pdf/ocr"')) await tool("ocr", [PLAIN], null, /plain.*\.pdf/);
await tool("to-html", [PLAIN], null, /plain.*\.html/);
ok("and those of a web page", await lookAtNewest(wordsSeen));
await tool("to-excel", [PLAIN], null, /plain.*\.xlsx/);
ok("a table is looked at as pages", await lookAtNewest(pageSeen));

// The first pages of a result, before all of it is made.
async function firstPages(selector) {
  await page.waitForSelector("#preview:not([hidden]) #first-pages");
  await click(page, "#first-pages");
  await page.waitForSelector(`.samples:not([hidden]) ${selector}`);
  return selector === "pre" || drawn(page, ".samples img");
}
await tool("to-word", [sample], async () => {
  ok("to-word shows the first pages of its result", (await firstPages("img")) && (await number(page, ".samples img")) >= 1, await text(page, "#form-error"));
  await judge(page, "to-word first pages");
}, /features.*\.docx/);
ok("a Word document is looked at as pages, once it is made", await lookAtNewest(pageSeen));
await tool("to-webp", [sample], () => fill(page, "dpi", "40"), /features.*\.zip/);
await tool("to-svg", [sample], null, /features.*\.zip/);
await tool("to-tiff", [sample], () => page.select("#field-color", "mono"), /features.*\.tif/);
await tool("to-png", [sample], async () => {
  await fill(page, "dpi", "50");
  ok("to-png shows them as they will be", await firstPages("img") && (await page.$eval(".samples img", (one) => one.naturalWidth)) < 500);
  await fill(page, "dpi", "80");
  ok("what was shown is gone when a setting changes", await page.$eval(".samples", (one) => one.hidden));
}, /features.*\.zip/);
ok("pictures of the result are shown with it", await drawn(page, "#jobs > li:first-child .peek img"));
await tool("to-jpg", [PLAIN], async () => ok("to-jpg, too", (await firstPages("img")) && (await number(page, ".samples img")) === 2), /plain.*\.zip/);
await tool("to-markdown", [PLAIN], async () => ok("a text is shown as text", await firstPages("pre") && /Page 1/.test(await text(page, ".samples pre"))), /plain.*\.md/);

// Signatures: what they prove is said; typed, and by a picture.
await tool("sign", [PLAIN], async () => {
  await page.waitForSelector("#sign-seal-hint");
  ok("what a signature proves is said before", /later change/.test(await text(page, "#sign-seal-hint")) && /not prove who you are/.test(await text(page, "#sign-seal-hint")));
  await sealAs(page, "Ada Typed");
  await click(page, "#field-visible");
  ok("a typed name shows in the box on the page", await until(async () => /Ada Typed/.test(await text(page, ".mark-seal"))));
}, /plain-signed\.pdf/);
const warned = await page.$$eval("#jobs > li:first-child .notes li", (all) => all.map((one) => one.textContent));
ok("warnings are sentences, with a capital", warned.length > 0 && warned.every((one) => /^\p{Lu}/u.test(one)), warned);
await tool("sign", [PLAIN], async () => {
  await sealAs(page, "Ada Picture");
  await click(page, '[data-way="picture"]');
  await (await page.$("#sign-photo")).uploadFile(photo);
  ok("a picture of a signature shows on the page", await until(async () => Boolean(await page.$(".mark-image img"))), await text(page, "#sign-error"));
}, /plain-signed-2\.pdf/);
const withPicture = await take(page);
ok("and is in the file, which is signed", /image/.test(execFileSync("pdfimages", ["-list", withPicture], { encoding: "utf8" })) &&
  /Signature is Valid/.test(execFileSync("pdfsig", ["-nocert", withPicture], { encoding: "utf8" })));
// A visitor cannot have pages fetched: address.mjs tries these.
const atAddresses = (await fetch(`${address}/openapi.json`).then((one) => one.text())).match(/"\/api\/v1\/tools\/pdf\/url-to-(pdf|png)"/g)?.length || 0;
await emptyFiles(page);
ok("what shows a page at an address is not offered to visitors", !(await page.$('#tools [data-tool^="url-to-"]')));
ok("every other tool of the server was tried", Number(process.env.TOOLS) - atAddresses === new Set(tried).size, tried.length, [...new Set(tried)].sort());

// A size that is aimed at.
const heavy = join(folder, "heavy.pdf");
writeFileSync(heavy, execFileSync("python3", ["-c", `import random, sys
w, h = 900, 900
r = random.Random(4)
row = [bytes(min(255, max(0, int(128 + 90 * ((x * 7 + y * 3) % 50) / 50 + r.gauss(0, 18)))) for x in range(w) for c in range(3)) for y in range(h)]
data = b"".join(row)
sys.path.append(sys.argv[1])
from pdf_builder import document, stream
sys.stdout.buffer.write(document([
    "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 5 0 R/Resources<</XObject<</I 4 0 R>>>>>>",
    stream(data, "/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8" % (w, h)),
    stream("400 0 0 400 0 0 cm /I Do")]))`, new URL("../tools", import.meta.url).pathname], { maxBuffer: 1e8 }));
await tool("compress", [heavy], async () => {
  await fill(page, "targetSize", "0.1");
  await click(page, "#compare");
  ok("a size that is aimed at is compared with the qualities, one after another as a visitor may", await until(async () => (await page.$$eval("#fields .card-note", (all) => all.filter((one) => /\d [kM]B/.test(one.textContent)).length)) === 5),
    await text(page, "#fields"), await text(page, "#form-error"));
  await judge(page, "compress target");
}, /heavy-compressed\.pdf/);
ok("and is reached", readFileSync(await take(page)).length <= 100e3, readFileSync(join(folder, "heavy-compressed.pdf")).length);
await emptyFiles(page);

// What cannot be is told at its field: before it is sent, and by the server.
await put(page, PLAIN);
await go(page, "tool/to-png");
await fill(page, "dpi", "99999");
await page.keyboard.press("Tab");
ok("what is beyond them is told when the field is left", /largest/.test(await text(page, "#field-dpi-error")) && (await page.$eval("#field-dpi", (one) => one.getAttribute("aria-invalid"))) === "true",
  await text(page, "#field-dpi-error"));
await click(page, "#submit");
ok("and the form is not sent with it", /largest/.test(await text(page, "#field-dpi-error")) && (await page.evaluate(() => document.activeElement.id)) === "field-dpi",
  await text(page, "#field-dpi-error"));
await fill(page, "dpi", "80");
await go(page, "tool/watermark");
await fill(page, "text", "DRAFT");
ok("a text ends where the server ends it", (await page.$eval("#field-text", (one) => one.maxLength)) === 500);
for (const [value, wrong] of [["2001", /largest value is 2,000/], ["huge", /number or: auto/], ["auto", /^$/], ["0", /smallest value is 1/], ["24", /^$/], ["", /^$/]]) {
  await fill(page, "fontSize", "");
  if (value) await page.type("#field-fontSize", value);
  await page.$eval("#field-fontSize", (one) => one.dispatchEvent(new Event("change", { bubbles: true })));
  ok(`as for "${value}"`, wrong.test(await text(page, "#field-fontSize-error")), await text(page, "#field-fontSize-error"));
}
await fill(page, "pages", "first");
await click(page, "#submit");
ok("what the server refuses, too, and its own sentence for whoever wants it", await until(async () => /cannot be used/.test(await text(page, "#field-pages-error")) && /expected a page number/.test(await text(page, "#field-pages-error"))) &&
  (await page.$eval("#field-pages", (one) => one.getAttribute("aria-invalid"))) === "true", await text(page, "#field-pages-error"), await text(page, "#form-error"));
await fill(page, "pages", "1");
await emptyFiles(page);

// Several at a time, results as they come; cancelled.
const long = join(folder, "long.pdf");
qpdf("--empty", "--pages", ...Array.from({ length: 1000 }, () => [sample, "1-z"]).flat(), "--", long);
await put(page, long);
await go(page, "tool/to-png");
await fill(page, "dpi", "600");
await click(page, "#submit");
await page.waitForFunction(() => document.querySelector("#jobs > li.busy progress")?.value > 0.02);
ok("a job says how far it is and how long it takes", await until(async () => /\d+\s?%/.test(await text(page, "#jobs > li.busy")) && /left/.test(await text(page, "#jobs > li.busy"))), await text(page, "#jobs > li"));
await emptyFiles(page);
await put(page, PLAIN);
await go(page, "tool/compress");
ok("another runs meanwhile, and its result comes first", /plain-compressed\.pdf/.test(await run(page)) && (await number(page, "#jobs > li.busy")) === 1);
const before = await number(page, "#jobs > li");
await click(page, "#jobs > li.busy .job-actions button");
ok("a job is cancelled", await until(async () => (await number(page, "#jobs > li")) === before - 1 && (await number(page, "#jobs > li.busy")) === 0));
await emptyFiles(page);
await put(page, ...[1, 2, 3, 4, 5].map((n) => inside(`letter ${n}.pdf`, readFileSync(PLAIN))));
await go(page, "tool/watermark");
await fill(page, "text", "COPY");
await page.$eval("#one-zip", (one) => one.click());
const rows = await number(page, "#jobs > li");
await click(page, "#submit");
ok("more files than may run at a time all come, with their names", await until(async () => (await number(page, "#jobs > li")) === rows + 5 && (await number(page, "#jobs > li.busy")) === 0) &&
  (await page.$$eval("#jobs > li", (all) => all.slice(0, 5).map((one) => one.dataset.name).sort().join())) === [1, 2, 3, 4, 5].map((n) => `letter ${n}-watermark.pdf`).join(),
await page.$$eval("#jobs > li", (all) => all.slice(0, 6).map((one) => one.dataset.name)), await text(page, "#form-error"));
await click(page, "#back-to-settings");
await page.$eval("#one-zip", (one) => one.click());
await run(page);
const zip = await take(page);
ok("or as one ZIP with all of them", /watermark\.zip$/.test(zip) && execFileSync("unzip", ["-l", zip], { encoding: "utf8" }).match(/letter \d/g)?.length === 5);

// A workflow is kept by its name.
await go(page, "flow");
await click(page, "#steps > li:first-child button:last-of-type");
await page.type("#flow-name", "Smaller");
await click(page, "#save-flow");
await page.waitForSelector("#saved-flows .saved-name");
await page.reload({ waitUntil: "networkidle0" });
ok("a workflow is named on its card", (await page.waitForSelector("#saved-flows .saved-name").then((one) => one.evaluate((name) => name.textContent))) === "Smaller");
await click(page, "#saved-flows li:first-child .flow-template");
ok("a workflow that was kept is there after a reload", await until(async () => (await number(page, "#steps > li")) === 1 && (await page.$eval("#steps select", (one) => one.value)) === "compress"));

// Hostile texts in a document: its title, its outline, its words.
const evil = "<img src=x onerror=document.title='taken'><script>document.title='taken'</script>";
const hex = (words_) => Buffer.from(`\ufeff${words_}`, "utf16le").swap16().toString("hex");
const hostile = inside("hostile.pdf", `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/PageMode/UseOutlines>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 200]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length ${41 + evil.length}>>stream
BT /F 12 Tf 10 100 Td (${evil}) Tj ET            
endstream endobj
5 0 obj<</Title<${hex(evil)}>/Author<${hex(evil)}>>>endobj
6 0 obj<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>endobj
7 0 obj<</Title<${hex(evil)}>/Parent 6 0 R/Dest[3 0 R/Fit]>>endobj
trailer<</Root 1 0 R/Info 5 0 R>>
`);
await tool("merge", [hostile, PLAIN], loaded(4), /hostile-merged\.pdf/);
await tool("to-html", [hostile], null, /hostile.*\.html/);
const html = await page.$eval("#jobs > li:first-child a.button", (one) => one.href);
const answer = await fetch(html.replace(/^https?:\/\/[^/]+/, address));
ok("results are downloads, and in them the words are words", /^attachment/.test(answer.headers.get("content-disposition") || "") && !/<img src=x|<script>document/.test(await answer.text()), answer.headers.get("content-disposition"));
await tool("to-text", [hostile], null, /hostile.*\.txt/);
await go(page, "tool/to-markdown");
await firstPages("pre");
ok("hostile words are shown as words", /onerror/.test(await text(page, ".samples pre")), await text(page, ".samples pre"));
await go(page, "pages");
ok("and nothing of them became markup", !(await page.$("img[src=x]")) && /platen$/.test(await page.title()), await page.title());

// Visitors apart from each other, and gone when they leave.
const ben = await open(1000, 800);
await ben.page.waitForSelector("#drop");
const jobs = (there) => there.evaluate(() => fetch("/api/v1/jobs").then((one) => one.json()).then((all) => all.jobs.map((one) => one.jobId)));
const [job] = await jobs(page);
const upload = await page.evaluate(() => JSON.parse(localStorage.getItem("platen.files"))[0].upload);
const reached = await ben.page.evaluate((paths) => Promise.all(paths.map((path) => fetch(path).then((one) => one.status))),
  [`/api/v1/jobs/${job}`, `/api/v1/jobs/${job}/pages/1.webp?width=160`, `/api/v1/uploads/${upload}`, `/api/v1/uploads/${upload}/pages/1.webp?width=160`]);
ok("a visitor does not reach what is another's", reached.every((status) => status === 404) && (await jobs(ben.page)).length === 0, reached);
await go(page, "account");
ok("a visitor is told so, and has no keys", /belong to this browser/.test(await text(page, "main")) && !(await page.$("#keys-title")));
await judge(page, "visitor account");
await click(page, "#leave");
await page.waitForSelector("dialog[open] #stay");
await judge(page, "end the visit");
await click(page, "#stay");
ok("who does not want to end the visit keeps everything", (await page.$("#leave")) !== null && !(await page.$("dialog[open]")));
await click(page, "#leave");
await click(page, "#end-visit");
await page.waitForSelector("#begin-again");
ok("who ends the visit is told that everything is deleted", /deleted/.test(await text(page, "main")));
await judge(page, "visit ended");
const left = await page.evaluate(() => Object.keys(localStorage).filter((name) => name !== "platen.language"));
ok("and the browser has nothing of it", left.length === 0, left);
ok("a new visit is begun by Tab and Enter", await tabTo(page, "#begin-again"));
await page.keyboard.press("Enter");
await page.waitForSelector("#drop");
ok("and is empty", (await jobs(page)).length === 0 && (await number(page, "#files > li")) === 0);
ok("nothing went wrong, nothing else was asked", desk.wrong.length === 0 && ben.wrong.length === 0, ...desk.wrong, ...ben.wrong);

await done();
