// Signing, in a real Chromium: ink that is drawn, typed or photographed, put on pages by mouse, keys and a
// finger, copied, made larger and removed; initials, dates, ticks; what is kept; the seal as an option.
// What the file then shows is seen by poppler. Prints TAP. Run by check/pages.sh.
// Usage: sign.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { click, done, drawInk, folder, go, inSight, judge, number, ok, open, put, sample, sealAs, settled, tabTo, text, until } from "./browser.mjs";

const contract = join(folder, "contract.pdf");
writeFileSync(contract, execFileSync("/usr/bin/python3", ["-c", `import sys
sys.path.append(sys.argv[1])
from pdf_builder import document, stream
objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>"]
objects += ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>/Contents 6 0 R>>"] * 3
sys.stdout.buffer.write(document(objects + [stream("1 w 60 120 m 535 120 l S")]))`, new URL("../tools", import.meta.url).pathname]));

/** The box of what is dark on a page above its line, in points: left, top, right, bottom. */
function darkOn(file, n) {
  const prefix = join(folder, "dark");
  execFileSync("pdftoppm", ["-r", "72", "-gray", "-singlefile", "-f", String(n), "-l", String(n), file, prefix]);
  const data = readFileSync(`${prefix}.pgm`);
  const [head, width, height] = data.subarray(0, 40).toString("latin1").match(/^P5\s+(\d+)\s+(\d+)\s+255\s/).map((one, i) => (i ? Number(one) : one));
  const box = [Infinity, Infinity, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (data[head.length + y * width + x] > 140 || Math.abs(y - 722) < 3) continue;
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x + 1);
      box[3] = Math.max(box[3], y + 1);
    }
  return box[2] < 0 ? null : box;
}
/** Where a mark is on its page, in points. */
const placeOf = (page, selector) => page.$eval(selector, (one) => ["left", "top", "width", "height"].map((side) => (Number.parseFloat(one.style[side]) / 100) * (side === "left" || side === "width" ? 595 : 842)));
const near = (a, b, most = 4) => Boolean(a) && a.every((one, i) => Math.abs(one - b[i]) <= most);
/** The file whose name begins so, once it was downloaded; further ones have numbers. */
const downloaded = async (name) => {
  const found = () => readdirSync(folder).filter((one) => one.startsWith(name) && one.endsWith(".pdf")).map((one) => join(folder, one));
  return (await until(async () => found().some((one) => readFileSync(one).includes("%%EOF")))) ? found()[0] : null;
};
/** A point of the page, which is brought into sight. */
const spot = async (page, x, y) => {
  await page.$eval(".stage", (one, at) => {
    const { top, height } = one.getBoundingClientRect();
    const seen = top + height * at;
    if (seen < 120 || seen > innerHeight - 140) scrollBy(0, seen - 240);
  }, y);
  await settled(page);
  const box = await (await page.$(".stage")).boundingBox();
  return [box.x + box.width * x, box.y + box.height * y];
};

// By mouse: five presses from the file to the signed file.
const desk = await open(1366, 768);
const { page } = desk;
let presses = 0;
await page.waitForSelector("#drop");
await put(page, contract);
presses++;
await page.waitForSelector('#tools a[data-tool="sign"]');
await page.$eval('#tools a[data-tool="sign"]', (one) => one.scrollIntoView({ block: "center" }));
await page.click('#tools a[data-tool="sign"]');
presses++;
await page.waitForSelector(".stage img[src] ~ .mark-on");
await page.evaluate(() => scrollTo(0, 0));
ok("where to sign is shown on the page that is looked at, the last one", (await text(page, ".mark-on")) === "Sign here" && (await text(page, "#stamp-page")) === "Page 3 of 3" && (await inSight(page, ".mark-on")));
ok("and where to draw beside it", await inSight(page, ".pad"));
await judge(page, "sign empty");
await drawInk(page);
presses++;
ok("what was drawn is on the page at once", Boolean(await page.waitForSelector(".mark-image img")));
ok("sharp enough for print", await until(() => page.$eval(".mark-image img", (one) => /** @type {any} */ (one).naturalWidth > 1000)));
await page.mouse.move(...(await spot(page, 0.5, 0.5)));
await page.mouse.move(...(await spot(page, 0.3, 0.4)), { steps: 4 });
const carried = await placeOf(page, ".mark-image");
ok("it is under the pointer", near([carried[0] + carried[2] / 2, carried[1] + carried[3] / 2], [0.3 * 595, 0.4 * 842], 3), carried);
await page.mouse.click(...(await spot(page, 0.7, 0.8)));
presses++;
await page.mouse.move(...(await spot(page, 0.2, 0.2)), { steps: 4 });
const placed = await placeOf(page, ".mark-image");
ok("and stays where it was put down", near([placed[0] + placed[2] / 2, placed[1] + placed[3] / 2], [0.7 * 595, 0.8 * 842], 3), placed);
await judge(page, "sign placed");
await page.click("#submit");
presses++;
const first = await downloaded("contract-signed");
ok("it is signed in five presses", Boolean(first) && presses === 5, presses);
const inked = first && darkOn(first, 3);
ok("the ink is where it was put", near(inked, [placed[0], placed[1], placed[0] + placed[2], placed[1] + placed[3]]), inked, placed);
ok("and nowhere else", first && darkOn(first, 1) === null && darkOn(first, 2) === null);
ok("without a box around it, and without a digital signature", first && !/\/ByteRange/.test(readFileSync(first, "latin1")) && readFileSync(first).subarray(0, readFileSync(contract).length).equals(readFileSync(contract)));
const [, dots] = execFileSync("pdfimages", ["-list", first], { encoding: "utf8" }).match(/image +\d+ +\d+ .*? (\d+) +\d+ +[\d.]+[KMB]/) || [];
ok("sharp at print size", Number(dots) >= 300, dots);
ok("a result without a seal is not said to be signed", await page.evaluate(() => !/seal/i.test(document.querySelector("#jobs > li").textContent)));
rmSync(first);

// Several marks on several pages; moved, made larger, copied, removed, taken back.
await click(page, "#back-to-settings");
ok("going back finds everything kept", (await number(page, ".mark-image img")) === 1);
await page.evaluate(() => scrollTo(0, 0));
await page.mouse.click(...(await spot(page, 0.7, 0.8)));
ok("what is chosen can be changed", await page.$eval(".mark-bar", (one) => !one.hidden));
const before = await placeOf(page, ".mark-image");
await page.click('.mark-bar [data-act="larger"]');
const larger = await placeOf(page, ".mark-image");
ok("made larger, in its ratio", larger[2] > before[2] * 1.1 && Math.abs(larger[2] / larger[3] - before[2] / before[3]) < 0.02, before, larger);
const corner = await (await page.$(".mark-image .corner")).boundingBox();
await page.mouse.move(corner.x + corner.width / 2, corner.y + corner.height / 2);
await page.mouse.down();
await page.mouse.move(corner.x - 30, corner.y - 10, { steps: 5 });
await page.mouse.up();
const pulled = await placeOf(page, ".mark-image");
ok("and smaller by its corner", pulled[2] < larger[2] - 10 && near(pulled.slice(0, 2), larger.slice(0, 2), 0.5), larger, pulled);
const grip = await (await page.$(".mark-image")).boundingBox();
await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
await page.mouse.down();
await page.mouse.move(grip.x + grip.width / 2 - 80, grip.y + grip.height / 2 - 60, { steps: 5 });
await page.mouse.up();
ok("dragging moves it", (await placeOf(page, ".mark-image"))[0] < pulled[0] - 20);
await page.click('.mark-bar [data-act="copy"]');
ok("a copy stands beside it", (await number(page, ".mark-image")) === 2);
await page.keyboard.press("Delete");
ok("a key removes it", (await number(page, ".mark-image")) === 1);
await page.keyboard.down("Control");
await page.keyboard.press("z");
await page.keyboard.up("Control");
ok("and Ctrl+Z takes that back", (await number(page, ".mark-image")) === 2);
await page.keyboard.down("Control");
await page.keyboard.press("z");
await page.keyboard.up("Control");
await page.click('[data-put="date"]');
await page.mouse.click(...(await spot(page, 0.2, 0.82)));
ok("a date is written where it was put", /\d{4}/.test(await text(page, ".mark-text")), await text(page, ".mark-text"));
await page.click('[data-put="text"]');
await page.mouse.click(...(await spot(page, 0.3, 0.3)));
ok("a text is typed where it was put", await until(() => page.evaluate(() => document.activeElement.id === "mark-text")));
await page.keyboard.type("Vienna – Łódź");
await page.keyboard.press("Enter");
ok("as it is read", (await page.$$eval(".mark-text bdi", (all) => all.map((one) => one.textContent))).includes("Vienna – Łódź"));
await page.click('[data-turn="-1"]');
ok("what was put on a page stays there", (await text(page, "#stamp-page")) === "Page 2 of 3" && (await number(page, ".mark-on")) === 0);
await page.click('[data-put="tick"]');
await page.mouse.click(...(await spot(page, 0.25, 0.25)));
const tick = await placeOf(page, ".mark-tick");
await page.click('[data-put="initials"]');
ok("initials are made first", (await page.$eval('#sign-maker [data-way="initials"]', (one) => one.getAttribute("aria-selected"))) === "true");
await page.click('[data-way="typed"]');
await page.type("#sign-text", "AD");
await page.waitForSelector(".mark-initials img");
await page.mouse.click(...(await spot(page, 0.85, 0.9)));
await page.click('.mark-bar [data-act="every"]');
await page.click('[data-turn="-1"]');
ok("and put on every page", (await number(page, ".mark-initials img")) === 1 && (await text(page, "#stamp-page")) === "Page 1 of 3");
const initials = await placeOf(page, ".mark-initials");
await judge(page, "sign several");
await page.click("#submit");
const second = await downloaded("contract-signed");
ok("all of it is in the file", second && /Vienna – Łódź/.test(execFileSync("pdftotext", ["-f", "3", second, "-"], { encoding: "utf8" })));
ok("the initials on the first page, where they were put", second && near(darkOn(second, 1), [initials[0], initials[1], initials[0] + initials[2], initials[1] + initials[3]]), second && darkOn(second, 1), initials);
const marked = second && darkOn(second, 2);
ok("the tick on the second", Boolean(marked) && near(marked.slice(0, 2), [tick[0] + 0.02 * tick[2], tick[1] + 0.08 * tick[3]]), marked, tick);
if (second) rmSync(second);
await click(page, "#back-to-settings");

// Typed in three hands, with fonts of the page itself.
await page.evaluate(() => scrollTo(0, 0));
await click(page, '#sign-maker .sign-head [data-way="image"]');
await click(page, '[data-way="typed"]');
await page.$eval("#sign-text", (one) => (one.value = ""));
await page.type("#sign-text", "Łukasz Dvořák");
ok("a name is shown in three hands", (await number(page, ".hand")) === 3 && (await page.$$eval(".hand", (all) => new Set(all.map((one) => getComputedStyle(one).fontFamily)).size)) === 3);
ok("whose fonts have its letters", await until(() => page.evaluate(() => [...document.fonts].filter((one) => /^"?hand-/.test(one.family) && one.status === "loaded").length >= 6)), await page.evaluate(() => [...document.fonts].map((one) => [one.family, one.status])));
await until(() => page.evaluate(() => !document.querySelector(".waits")));
const source = () => page.$eval("#sign-maker", () => /** @type {any} */ (document.querySelector(".mark-image img, .mark-initials img"))?.src);
const was = await source();
await page.click('[name="sign-hand"][value="caveat"]');
await page.click('[data-turn="1"]');
await page.click('[data-turn="1"]');
ok("and the page shows the one that is chosen", await until(async () => (await source()) !== was));
await judge(page, "sign typed");

// From a photo: the paper is removed, also where a shadow falls on it.
const photo = join(folder, "photo.png");
writeFileSync(photo, Buffer.from(await page.evaluate(() => {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 800, height: 500 });
  const pen = canvas.getContext("2d");
  const light = pen.createLinearGradient(0, 0, 800, 500);
  light.addColorStop(0, "#f4f1ea");
  light.addColorStop(1, "#9f9c95");
  pen.fillStyle = light;
  pen.fillRect(0, 0, 800, 500);
  Object.assign(pen, { strokeStyle: "#1a2a6c", lineWidth: 9, lineCap: "round" });
  pen.beginPath();
  pen.moveTo(150, 300);
  pen.bezierCurveTo(250, 50, 350, 480, 450, 200);
  pen.lineTo(650, 320);
  pen.stroke();
  return canvas.toDataURL("image/png").split(",")[1];
}), "base64"));
await click(page, '[data-way="picture"]');
await (await page.$("#sign-photo")).uploadFile(photo);
const photographed = () => page.evaluate(async () => {
  const image = /** @type {HTMLImageElement | null} */ (document.querySelector(".mark-image img"));
  if (!image) return null;
  await image.decode().catch(() => null);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  let [clear, ink, blue] = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] < 10) clear++;
    if (data[i + 3] > 200) {
      ink++;
      if (data[i + 2] > data[i] + 30) blue++;
    }
  }
  return { width: canvas.width, height: canvas.height, clear: clear / (data.length / 4), ink: ink / (data.length / 4), blue: blue / Math.max(1, ink) };
});
ok("of a photo only the ink is left, in its own colour, cut to it", await until(async () => {
  const is = await photographed();
  return is && is.width > 480 && is.width < 540 && is.clear > 0.75 && is.ink > 0.02 && is.blue > 0.9;
}), await photographed());
await judge(page, "sign photo");

// Kept only if that is asked for, and forgotten when that is.
const keptNow = () => page.evaluate(() => localStorage.getItem("platen.ink"));
ok("nothing is kept unless that is asked for", !/png/.test((await keptNow()) || ""));
await click(page, "#sign-keep");
ok("what is to be kept is in this browser", await until(async () => /image.*data:image\/png/.test((await keptNow()) || "")));
await page.reload({ waitUntil: "networkidle0" });
await page.waitForSelector(".mark-image img");
ok("and is on the page the next time, ready to be signed", (await number(page, ".kept-ink img")) === 1 && (await number(page, ".waits")) === 0);
await page.waitForSelector(".kept-ink img");
await judge(page, "sign kept");
await click(page, "#sign-forget");
ok("it is forgotten when that is wanted", await until(async () => !/"image"/.test((await keptNow()) || "") && (await number(page, ".kept-ink")) === 0 && (await number(page, ".mark-image.waits")) === 1));
ok("and alone", /"initials"/.test((await keptNow()) || ""));
await click(page, "#sign-keep");
ok("nothing is left once nothing is to be kept", await until(async () => !/png/.test((await keptNow()) || "")));

// By keys alone.
await page.evaluate(() => scrollTo(0, 0));
await page.focus("h1");
ok("the tools are reached by Tab", await tabTo(page, '[data-put="tick"]'));
await page.keyboard.press("Enter");
ok("a key puts a mark on the page, and takes the focus there", await page.evaluate(() => document.activeElement.matches(".mark-tick")));
const from = await placeOf(page, ".mark-tick");
await page.keyboard.press("ArrowLeft");
await page.keyboard.press("ArrowUp");
const to = await placeOf(page, ".mark-tick");
ok("arrow keys move it", near(to, [from[0] - 11.9, from[1] - 16.84, from[2], from[3]], 0.5), from, to);
await page.keyboard.down("Shift");
await page.keyboard.press("ArrowDown");
await page.keyboard.up("Shift");
ok("with Shift they change its size", (await placeOf(page, ".mark-tick"))[2] > to[2]);
ok("it says what it is and where", /^Tick: \d+% from the left/.test(await page.$eval(".mark-tick", (one) => one.getAttribute("aria-label"))));
await page.focus(".mark-image");
await page.keyboard.press("Enter");
ok("a key at the empty place leads to where a signature is made", await page.evaluate(() => document.querySelector("#sign-maker").contains(document.activeElement)));
await page.keyboard.press("ArrowRight");
await page.keyboard.press("Tab");
await page.keyboard.type("Ada Keys");
await page.waitForSelector(".mark-image img");
ok("which can be typed", true);
await page.focus("#submit");
await page.keyboard.press("Enter");
const third = await downloaded("contract-signed");
ok("and is signed", Boolean(third));
if (third) rmSync(third);
await click(page, "#back-to-settings");

// Nothing to sign with is said where it is missing.
await page.reload({ waitUntil: "networkidle0" });
await page.waitForSelector(".mark-image.waits");
await page.click("#submit");
ok("an empty drawing is not signed", await until(async () => /Draw your signature/.test(await text(page, "#sign-error"))));
await page.focus(".mark-image");
await page.keyboard.press("Delete");
await page.keyboard.press("Tab");
await page.evaluate(() => scrollTo(0, 0));

// The seal is an option, with what it proves; its box is on the page if it is to be seen.
ok("what the seal proves is said in a sentence", /later change/.test(await text(page, "#sign-seal-hint")) && /does not prove who you are/.test(await text(page, "#sign-seal-hint")));
await sealAs(page, "Jane Doe");
ok("an invisible seal needs nothing on the page", (await number(page, ".mark-on")) === 0);
await click(page, "#field-visible");
await page.waitForSelector(".mark-seal");
ok("a visible one has its box there, with the name", /Jane Doe/.test(await text(page, ".mark-seal")));
await page.evaluate(() => scrollTo(0, 0));
await page.mouse.click(...(await spot(page, 0.4, 0.5)));
await page.focus(".mark-seal");
await page.keyboard.press("ArrowUp");
const sealed = await placeOf(page, ".mark-seal");
await judge(page, "sign seal");
await page.click("#submit");
const fourth = await downloaded("contract-signed");
ok("the signature holds", fourth && /Signature is Valid/.test(execFileSync("pdfsig", ["-nocert", fourth], { encoding: "utf8" })));
const rect = fourth && Object.values(JSON.parse(execFileSync("qpdf", ["--json=2", "--json-key=qpdf", fourth], { encoding: "utf8" })).qpdf[1]).map((one) => one.value).find((one) => one?.["/FT"] === "/Sig")["/Rect"];
ok("its box is where it was put", rect && near([rect[0], 842 - rect[3], rect[2], 842 - rect[1]], [sealed[0], sealed[1], sealed[0] + sealed[2], sealed[1] + sealed[3]], 1), rect, sealed);
ok("a sealed result opens at its page", Boolean(fourth));

// Marks on a signed document are annotations, which is said; the seal holds.
await click(page, "#back-to-settings");
await go(page, "");
while (await page.$("#files > li")) await click(page, "#files > li:last-child button:last-of-type");
if (fourth) {
  await put(page, fourth);
  await go(page, "tool/sign");
  await page.waitForSelector(".mark-image.waits");
  await drawInk(page);
  await page.waitForSelector(".mark-image img");
  await page.click("#submit");
  const fifth = await downloaded(`${basename(fourth, ".pdf")}-signed`);
  ok("an earlier signature holds when ink is added", fifth && /Signature is Valid/.test(execFileSync("pdfsig", ["-nocert", fifth], { encoding: "utf8" })));
  ok("and what was done is told", await until(async () => /annotations/.test(await text(page, "#jobs > li .notes"))), await text(page, "#jobs > li"));
  rmSync(fourth);
  if (fifth) rmSync(fifth);
}
ok("nothing went wrong with a mouse", desk.wrong.length === 0, ...desk.wrong);

// Two files: each has marks of its own.
const two = await open(1366, 768);
await two.page.waitForSelector("#drop");
const other = join(folder, "other.pdf");
writeFileSync(other, readFileSync(contract));
await put(two.page, contract, other);
await go(two.page, "tool/sign");
await two.page.waitForSelector(".mark-image.waits");
await drawInk(two.page);
await two.page.waitForSelector(".mark-image img");
await click(two.page, "#submit");
ok("a file without a mark is asked for, and shown", await until(async () => /other\.pdf/.test(await text(two.page, "#form-error")) && (await two.page.$eval("#sign-file", (one) => /** @type {any} */ (one).selectedOptions[0].textContent)) === "other.pdf"), await text(two.page, "#form-error"));
ok("with the signature on it", await until(async () => (await number(two.page, ".mark-image img")) === 1));
await judge(two.page, "sign two files");
await click(two.page, "#submit");
ok("then both are signed", await until(async () => (await number(two.page, "#jobs > li a.button")) === 2));
ok("nothing went wrong with two files", two.wrong.length === 0, ...two.wrong);

// A phone: page and stamp on the first screen, a sheet to draw on, and fingers.
const phone = await open(390, 844, { touch: true });
const hand = phone.page;
await hand.waitForSelector("#drop");
await put(hand, contract);
await go(hand, "tool/sign");
await hand.waitForSelector(".stage img[src] ~ .mark-on");
await until(() => hand.$eval(".stage img", (one) => /** @type {HTMLImageElement} */ (one).naturalWidth > 0));
ok("the first screen of a phone shows the page and where to sign", (await inSight(hand, ".mark-on")) && (await hand.$eval(".stage", (one) => one.getBoundingClientRect().top < innerHeight / 2 && one.clientWidth > 0.7 * innerWidth)));
ok("with the whole page, what turns it and what is put on it", (await inSight(hand, ".turner")) && (await inSight(hand, ".mark-tools")) &&
  (await hand.evaluate(() => document.querySelector(".stage").getBoundingClientRect().bottom <= document.querySelector(".options > .actions").getBoundingClientRect().top)));
ok("and not yet what is drawn on", !(await hand.$eval(".pad", (one) => one.checkVisibility({ visibilityProperty: true }))));
await hand.evaluate(() => addEventListener("click", () => (document.body.dataset.early = String(Boolean(document.querySelector(".sign-maker.open")))), { capture: true, once: true }));
await hand.tap(".mark-on");
ok("nothing opens below a finger before its click has been given", await until(() => hand.evaluate(() => document.body.dataset.early === "false")));
ok("a tap there opens it, with the place still in sight", await until(async () => (await inSight(hand, ".pad")) && (await inSight(hand, ".mark-on"))));
await judge(hand, "sign phone pad");
await drawInk(hand, true);
ok("a finger draws", Boolean(await hand.waitForSelector(".mark-image img")));
const home = await placeOf(hand, ".mark-image");
await hand.$eval(".stage", (one) => scrollBy(0, one.getBoundingClientRect().top + 0.62 * one.clientHeight - 240));
await settled(hand);
// A browser whose view still moves takes the first tap for the end of that movement, as it does for people.
const isPut = async () => (await placeOf(hand, ".mark-image"))[1] !== home[1] && !(await hand.$(".sign-maker.open"));
for (let i = 0; i < 4 && !(await isPut()); i++) {
  await hand.touchscreen.tap(...(await spot(hand, 0.3, 0.62)));
  for (let k = 0; k < 30 && !(await isPut()); k++) await new Promise((done) => setTimeout(done, 100));
}
const tapped = await placeOf(hand, ".mark-image");
ok("a tap on the page puts it there, and closes what was drawn on", near([tapped[0] + tapped[2] / 2, tapped[1] + tapped[3] / 2], [0.3 * 595, 0.62 * 842], 3), home, tapped);
const held = await (await hand.$(".mark-image")).boundingBox();
await hand.touchscreen.touchStart(held.x + held.width / 2, held.y + held.height / 2);
for (let i = 1; i <= 6; i++) await hand.touchscreen.touchMove(held.x + held.width / 2 + 10 * i, held.y + held.height / 2 - 5 * i);
await hand.touchscreen.touchEnd();
const dragged = await placeOf(hand, ".mark-image");
ok("a finger drags it", dragged[0] > tapped[0] + 50 && dragged[1] < tapped[1] - 20, tapped, dragged);
ok("what can be done with it can be hit by a finger", (await hand.$$eval(".mark-bar button:not([hidden])", (all) => all.every((one) => one.offsetWidth >= 38 && one.offsetHeight >= 38))) &&
  (await hand.$eval(".mark-image .corner", (one) => one.offsetWidth >= 44)), await hand.$$eval(".mark-bar button, .corner", (all) => all.map((one) => [one.offsetWidth, one.offsetHeight])));
await judge(hand, "sign phone dragged");
await hand.tap('[data-put="cross"]');
await hand.waitForSelector(".mark-cross");
await hand.touchscreen.tap(...(await spot(hand, 0.5, 0.5)));
ok("a cross is put by a tap", await until(async () => near((await placeOf(hand, ".mark-cross")).slice(0, 2), [0.5 * 595 - 7.5, 0.5 * 842 - 7.5])), await placeOf(hand, ".mark-cross"));
await judge(hand, "sign phone placed");
const onPage = await placeOf(hand, ".mark-image");
await hand.tap("#submit");
const sixth = await downloaded("contract-signed");
const dark = sixth && darkOn(sixth, 3);
ok("a phone signs, and the ink is where it was", Boolean(dark) && Math.abs(dark[3] - Math.max(onPage[1] + onPage[3], 0.5 * 842 + 7.5)) < 4, dark, onPage);
ok("nothing went wrong on a phone", phone.wrong.length === 0, ...phone.wrong);

// Dark, German, Arabic: pictures to look at, and axe.
for (const [name, language, dark_] of [["german", "de-DE", false], ["arabic", "ar-EG", false], ["dark", "en-GB", true]]) {
  for (const [how, width, height, touch] of [["desk", 1366, 768, false], ["phone", 390, 844, true]]) {
    const one = await open(width, height, { language, touch });
    if (dark_) await one.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    await one.page.waitForSelector("#drop");
    await put(one.page, contract);
    await go(one.page, "tool/sign");
    await one.page.waitForSelector(".mark-on");
    if (touch) {
      await one.page.tap(".mark-on");
      await until(() => inSight(one.page, ".pad"));
    }
    await drawInk(one.page, touch);
    await one.page.waitForSelector(".mark-image img");
    await judge(one.page, `sign ${name} ${how}`);
    ok(`nothing went wrong: ${name} ${how}`, one.wrong.length === 0, ...one.wrong);
    await one.context.close();
  }
}
await done();
