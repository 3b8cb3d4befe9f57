// What the web page says and offers where something is in the way: files that a tool leaves out, passwords,
// files of no use, deleted pages, and names that are there already. As a visitor. Prints TAP. Run by check/pages.sh
// against a server with web = open. Usage: mishaps.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { click, done, emptyFiles, folder, go, judge, number, ok, open, put, result, run, sample, sealAs, text, until } from "./browser.mjs";

const PASSWORD = "open sesame";
const inside = (name, bytes) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const plain = join(sample, "../plain.pdf");
const contract = join(folder, "contract.pdf");
copyFileSync(plain, contract);
const locked = join(folder, "locked.pdf");
execFileSync("qpdf", ["--encrypt", PASSWORD, "owner", "256", "--", plain, locked]);
const photo = inside("photo.png", (() => {
  const part = (name, bytes) => {
    const all = Buffer.concat([Buffer.from(name), bytes]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(bytes.length);
    frame.writeUInt32BE(crc32(all), 4);
    return Buffer.concat([frame.subarray(0, 4), all, frame.subarray(4)]);
  };
  const head = Buffer.from([0, 0, 0, 40, 0, 0, 0, 30, 8, 0, 0, 0, 0]); // 40 by 30, gray
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), part("IHDR", head), part("IDAT", deflateSync(Buffer.alloc(30 * 41, 0))), part("IEND", Buffer.alloc(0))]);
})());
/** A PNG's checksum. */
function crc32(bytes) {
  let sum = ~0;
  for (const byte of bytes) for (let i = 0, b = byte; i < 8; i++, b >>= 1) sum = (sum >>> 1) ^ ((sum ^ b) & 1 ? 0xedb88320 : 0);
  return ~sum >>> 0;
}
const program = inside("setup.exe", "MZ not a program");
const leaf = (n) => `#board .leaf[aria-posinset="${n}"]`;
const jobs = (page) => number(page, "#jobs > li");
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute("aria-label") || document.activeElement.id);
const pagesOf = (name) => Number(execFileSync("qpdf", ["--show-npages", name], { encoding: "utf8" }));
async function take(page) {
  const name = join(folder, await page.$eval("#jobs > li:first-child a.button", (one) => one.download));
  await click(page, "#jobs > li:first-child a.button");
  await until(() => existsSync(name) && readFileSync(name).includes("%%EOF"));
  return name;
}

/** What the preview says is written on the page. */
const stamped = (page) => page.$eval("#stamp", (one) => one.getAttribute("aria-label"));
/** Chooses an entry of a list by its words. */
const choose = (page, selector, words) => page.$eval(selector, (one, wanted) => {
  one.selectedIndex = [...one.options].findIndex((option) => option.textContent.startsWith(wanted));
  one.dispatchEvent(new Event("input", { bubbles: true }));
  one.dispatchEvent(new Event("change", { bubbles: true }));
}, words);

for (const [name, width, height, touch] of [["desk", 1280, 800, false], ["phone", 360, 740, true]]) {
  const { page, wrong, context } = await open(width, height, { touch });
  await page.waitForSelector("#drop");

  // Merging: what is not on the board is named, and is not left out without a word.
  await put(page, contract, locked, photo);
  ok(`${name}: files of which one is a picture are not at their end`, await until(async () => /photo\.png/.test(await text(page, "#left-out"))) &&
    Boolean(await page.$("#left-out .make-pdfs")), await text(page, "#left-out"));
  await judge(page, `mishaps mix ${name}`);
  ok(`${name}: no button of a row lies on its field`, await page.$$eval("#files > li", (rows) => rows.every((row) => {
    const field = row.querySelector("input")?.getBoundingClientRect();
    return !field || [...row.querySelectorAll("button")].every((one) => {
      const box = one.getBoundingClientRect();
      return box.left >= field.right || box.right <= field.left || box.top >= field.bottom || box.bottom <= field.top;
    });
  })));
  await go(page, "pages/merge");
  await page.waitForSelector(leaf(3));
  const told = () => text(page, "#left-out");
  ok(`${name}: each file that is not included is named, and why`, await until(async () => /locked\.pdf is not included: enter its password/.test(await told()) && /photo\.png is not included/.test(await told())), await told());
  ok(`${name}: above the pages`, await page.evaluate(() => document.getElementById("left-out").getBoundingClientRect().bottom <= document.getElementById("board").getBoundingClientRect().top));
  await judge(page, `mishaps merge ${name}`);
  const before = await jobs(page);
  await click(page, "#submit");
  await page.waitForSelector("dialog[open] #without");
  ok(`${name}: saving asks first`, (await jobs(page)) === before && /locked\.pdf/.test(await text(page, "dialog")) && /photo\.png/.test(await text(page, "dialog")), await text(page, "dialog"));
  await judge(page, `mishaps without ${name}`);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog"));
  ok(`${name}: and does nothing if it is taken back`, (await jobs(page)) === before && !(await page.$eval("#submit", (one) => one.disabled)));
  await page.type("#left-out .unlock input", "wrong");
  await page.keyboard.press("Enter");
  ok(`${name}: a wrong password is told as what it is, and the field has the focus again`, await until(async () => /does not open/.test(await text(page, "#left-out .unlock .bad")) &&
    /locked\.pdf/.test(await focused(page))), await told(), await focused(page));
  await page.type("#left-out .unlock input", PASSWORD);
  await page.keyboard.press("Enter");
  ok(`${name}: with its password a file is included`, await until(async () => Boolean(await page.$(leaf(6))) && !/locked/.test(await told())), await told());
  await click(page, "#left-out .make-pdfs");
  ok(`${name}: a picture becomes a page at a press`, await until(async () => Boolean(await page.$(leaf(7))) && (await page.$eval("#left-out", (one) => one.hidden))), await told());
  ok(`${name}: and its row is a PDF`, (await page.$$eval("#files .name", (all) => all.map((one) => one.textContent).join())) === "contract.pdf,locked.pdf,photo.pdf");
  const merged = await run(page);
  ok(`${name}: all of it is merged without a question`, /contract-merged\.pdf/.test(merged), merged);
  if (!touch) ok("the result has all pages", pagesOf(await take(page)) === 7);
  await emptyFiles(page);

  // Names of results, and pages that are all deleted.
  await put(page, contract);
  await go(page, "pages/merge");
  await page.waitForSelector(leaf(3));
  ok(`${name}: what makes the PDF says so, and does not look like a download`, /^Create PDF/.test(await text(page, "#submit")) && !(await page.$("#submit .icon-jobs")), await text(page, "#submit"));
  await run(page);
  const second = await run(page);
  const names = await page.$$eval("#jobs > li .name", (all) => all.map((one) => one.textContent));
  ok(`${name}: two results have two names`, new Set(names).size === names.length && /contract-edited-\d\.pdf/.test(second), names);
  if (touch) await click(page, '[data-act="more"]');
  await click(page, "#select-all");
  await click(page, '[data-act="trash"]');
  ok(`${name}: that all pages are deleted is said, with what brings them back`, /All pages are deleted/.test(await text(page, "#drop")) && (await focused(page)) === "undo-all", await text(page, "#drop"), await focused(page));
  await judge(page, `mishaps deleted ${name}`);
  await page.keyboard.press("Enter");
  ok(`${name}: which it does`, (await until(async () => Boolean(await page.$(leaf(3))))) && (await focused(page)) === "Pages", await focused(page));
  await emptyFiles(page);

  // What the API takes as texts is chosen from lists, with a place for any other value.
  await put(page, contract);
  await go(page, "tool/page-numbers");
  await page.waitForSelector("#preview:not([hidden]) .stage img[src]");
  ok(`${name}: formats of numbers are shown as they look`, /Page 1 of 12/.test(await text(page, "#field-format")) && !/[{}]/.test(await text(page, "#field-format")), await text(page, "#field-format"));
  await page.select("#field-format", "Page {n} of {total}");
  ok(`${name}: and on the page`, await until(async () => /Page 1 of 3/.test(await stamped(page))), await stamped(page));
  await page.evaluate(() => (document.querySelector("#fields details").open = true));
  await page.select("#field-ttl", "1h");
  const numbered = await run(page);
  const job = await page.evaluate(() => fetch(`/api/v1/jobs/${document.querySelector("#jobs > li").dataset.job}`).then((one) => one.json()));
  ok(`${name}: a result is kept for the time that was chosen`, Math.round((Date.parse(job.expiresAt) - Date.parse(job.finishedAt)) / 6e4) === 60 && /contract-numbered/.test(numbered), job.expiresAt, job.finishedAt, numbered);
  if (!touch) ok("the numbers are as they were chosen", /Page 2 of 3/.test(execFileSync("pdftotext", [await take(page), "-"], { encoding: "utf8" })));
  await choose(page, "#field-format", "Another text");
  await page.$eval("#field-format ~ .own input", (one) => (one.value = ""));
  await page.type("#field-format ~ .own input", "No. {n}");
  ok(`${name}: any other format is typed`, await until(async () => /No. 1/.test(await stamped(page))), await stamped(page));
  await judge(page, `mishaps numbers ${name}`);
  await page.reload({ waitUntil: "networkidle0" });
  await page.waitForSelector("#field-format");
  ok(`${name}: and is kept like the rest`, await until(async () => (await page.$eval("#field-format", (one) => one.value)) === "No. {n}" && !(await page.$eval("#field-format ~ .own", (one) => one.hidden))));
  await emptyFiles(page);
  await put(page, photo);
  await go(page, "tool/jpg-to-pdf");
  await choose(page, "#field-pageSize", "Another size");
  const sizing = await jobs(page);
  await click(page, "#submit");
  ok(`${name}: a size that is not given is asked for`, /needed/.test(await text(page, "#field-pageSize-error")) && (await jobs(page)) === sizing, await text(page, "#field-pageSize-error"));
  await page.type("#field-pageSize ~ .own label:first-child input", "100");
  await page.type("#field-pageSize ~ .own label:last-child input", "150");
  await judge(page, `mishaps size ${name}`);
  await run(page);
  if (!touch) ok("a page has the size in millimetres", /283\.4\d* x 425\.\d* pts/.test(execFileSync("pdfinfo", [await take(page)], { encoding: "utf8" })), execFileSync("pdfinfo", [await take(page)], { encoding: "utf8" }));
  await emptyFiles(page);
  await put(page, contract);
  await go(page, "tool/sign");
  await page.waitForSelector("#preview:not([hidden]) .mark-on");
  if (touch) {
    const [x, y, from] = await page.$eval(".stage", (one) => {
      one.scrollIntoView({ block: "center" });
      const { left, top } = one.getBoundingClientRect();
      return [left + 20, top + 40, scrollY];
    });
    await page.touchscreen.touchStart(x, y + 100);
    for (let down = 90; down >= 0; down -= 10) await page.touchscreen.touchMove(x, y + down);
    await page.touchscreen.touchEnd();
    ok("a finger scrolls over the page that is signed", await until(async () => (await page.evaluate(() => scrollY)) > from + 30), from, await page.evaluate(() => scrollY));
  }
  ok(`${name}: the page of a signature is the last one`, (await text(page, "#stamp-page")) === "Page 3 of 3" && (await number(page, ".mark-on")) === 1);
  await click(page, '.strip-page[data-page="1"]');
  ok(`${name}: and is chosen, too`, (await until(async () => (await text(page, "#stamp-page")) === "Page 1 of 3")) && (await number(page, ".mark-on")) === 1);
  await emptyFiles(page);

  // A signature that a tool would break is told of before; signing once more breaks none.
  await put(page, contract);
  await go(page, "tool/sign");
  await sealAs(page, "Ada");
  await run(page);
  const signed = await take(page);
  ok(`${name}: signing says nothing of breaking`, await page.$eval("#signed", (one) => one.hidden));
  await click(page, '#jobs > li:first-child button[aria-label^="Continue"]');
  await page.waitForFunction(() => /sign/.test(document.querySelector("#files .name")?.textContent));
  await go(page, "tool/add-password");
  ok(`${name}: that protecting breaks the signature of a result is told before`, /contract-signed\.pdf is signed/.test(await text(page, "#signed")) && /Protect it first/.test(await text(page, "#form")), await text(page, "#signed"));
  await emptyFiles(page);
  await put(page, signed, contract);
  await go(page, "pages/merge");
  ok(`${name}: and so of a file that was chosen`, await until(async () => /contract-signed\.pdf is signed/.test(await text(page, "#signed")) && (await number(page, "#signed p")) === 1), await text(page, "#signed"));
  await judge(page, `mishaps signed ${name}`);
  execFileSync("rm", [signed]);
  await emptyFiles(page);

  // A file of no use.
  await put(page, program);
  ok(`${name}: a file of no use is named, and can be removed`, /setup\.exe can’t be used here/.test(await told()) && (await number(page, "#tools a")) === 0, await told(), await text(page, "#tools"));
  await put(page, contract);
  ok(`${name}: the others have their tools`, Boolean(await page.$('#tools [data-tool="compress"]')));
  await click(page, "#left-out li button");
  ok(`${name}: and it goes`, await until(async () => (await number(page, "#files > li")) === 1 && (await page.$eval("#left-out", (one) => one.hidden))));
  await emptyFiles(page);

  // A locked file is not sent to fail.
  await put(page, locked);
  await go(page, "tool/compress");
  await page.waitForSelector("#files .unlock");
  const sent = await jobs(page);
  await click(page, "#submit");
  ok(`${name}: a locked file is not sent; its password is asked for`, await until(async () => /locked\.pdf is protected/.test(await text(page, "#form-error")) && /Password of locked\.pdf/.test(await focused(page))) &&
    (await jobs(page)) === sent, await text(page, "#form-error"), await focused(page));
  await judge(page, `mishaps locked ${name}`);
  await page.type("#files .unlock input", PASSWORD);
  const compressed = await run(page, sent);
  ok(`${name}: a password that was typed counts without another press`, /locked-compressed\.pdf/.test(compressed), compressed);
  await emptyFiles(page);

  // One password unlocks a file: that of its row. A page that is loaded anew knows none.
  await page.reload({ waitUntil: "networkidle0" });
  await put(page, locked);
  await go(page, "tool/remove-password");
  await page.waitForSelector("#files .unlock");
  ok(`${name}: unlocking asks for one password, at the file`, (await number(page, "main input[type=password]")) === 1 && /beside the file/.test(await text(page, "#fields")), await text(page, "#fields"));
  await page.type("#files .unlock input", "wrong");
  const unlocking = await jobs(page);
  await click(page, "#submit");
  ok(`${name}: a wrong one is told before a job is used for it`, await until(async () => /does not open/.test(await text(page, "#files .unlock .bad"))) && (await jobs(page)) === unlocking, await text(page, "#files"));
  await page.type("#files .unlock input", PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("#files .unlock"));
  const unlocked = await run(page);
  ok(`${name}: the right one unlocks it`, /locked-unlocked\.pdf/.test(unlocked), unlocked);
  if (!touch) ok("and the result opens without", pagesOf(await take(page)) === 3);
  await emptyFiles(page);

  // A protected result is looked at: with the password that was just typed, and in a later visit with one that is asked for.
  await put(page, contract);
  await go(page, "tool/add-password");
  await page.type("#field-password", PASSWORD);
  await run(page);
  const view = async () => {
    await click(page, '#jobs > li:first-child button[aria-label^="View"]');
    await page.waitForSelector("dialog[open]");
  };
  const seen = () => page.evaluate(() => document.querySelector("dialog .paper img")?.naturalWidth > 300 && /1/.test(document.querySelector("dialog output").textContent));
  await view();
  ok(`${name}: what was protected just now is shown`, await until(seen), await text(page, "dialog"));
  ok(`${name}: with the reason that no password is asked for`, /password that you typed/.test(await text(page, "dialog .known")), await text(page, "dialog"));
  await page.keyboard.press("Escape");
  await page.reload({ waitUntil: "networkidle0" });
  await view();
  await page.waitForSelector("dialog .unlock");
  ok(`${name}: later its password is asked for there`, /Password of/.test(await focused(page)) && (await page.$eval("dialog .dialog-foot", (one) => one.hidden)), await text(page, "dialog"));
  await judge(page, `mishaps view ${name}`);
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  ok(`${name}: a wrong one is told`, await until(async () => /does not open/.test(await text(page, "dialog .unlock .bad")) && /Password of/.test(await focused(page))));
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  ok(`${name}: and the right one shows its pages`, await until(seen), await text(page, "dialog"));
  await page.keyboard.press("Escape");
  await emptyFiles(page);
  await put(page, locked);
  ok(`${name}: a password that opened one file opens others`, await until(async () => /3 pages/.test(await text(page, "#files")) && !(await page.$("#files .unlock"))), await text(page, "#files"));
  await go(page, "flow");
  const flowing = await jobs(page);
  await click(page, "#steps > li:first-child button:last-of-type");
  await click(page, "#submit");
  const flowed = await result(page, flowing);
  ok(`${name}: a workflow has the password, too`, /\.pdf/.test(flowed) && !/refused|protected/.test(flowed), flowed);
  await emptyFiles(page);

  ok(`${name}: nothing went wrong`, wrong.length === 0, ...wrong);
  await context.close();
}

// What the server says in English is not what a reader of another language is told.
const german = await open(1366, 768, { language: "de" });
await german.page.waitForSelector("#drop");
await put(german.page, inside("leer.pdf", ""));
ok("an empty file is called empty", /Diese Datei ist leer/.test(await text(german.page, "#files")), await text(german.page, "#files"));
await emptyFiles(german.page);
await put(german.page, contract);
await go(german.page, "tool/watermark");
await german.page.type("#field-text", "ENTWURF");
await german.page.evaluate(() => (document.querySelector("#fields details").open = true));
await german.page.type("#field-pages", "erste");
await click(german.page, "#submit");
ok("what the server says is told in the reader's language, its own sentence only on request", await until(async () => /Berichtigen Sie das markierte Feld/.test(await text(german.page, "#field-pages-error"))) &&
  (await german.page.$eval("#field-pages-error details", (one) => !one.open && one.querySelector("[lang=en]").textContent.length > 0)), await text(german.page, "#field-pages-error"));
await judge(german.page, "mishaps german");
ok("nothing went wrong in German", german.wrong.length === 0, ...german.wrong);

// The page opens while the server cannot be asked about its files: they are neither forgotten nor called lost.
const away = await open(1000, 800);
await away.page.waitForSelector("#drop");
await put(away.page, contract);
await away.page.setRequestInterception(true);
let asked = 0;
let missing = false;
away.page.on("request", (request) => {
  if (request.method() !== "GET" || !/\/uploads\/[^/]+$/.test(request.url())) return request.continue();
  asked++;
  return missing ? request.respond({ status: 404, contentType: "application/json", body: '{"error":"not_found","message":"No such upload."}' }) : request.abort("connectionreset");
});
await away.page.reload({ waitUntil: "domcontentloaded" });
ok("a file that the server could not be asked about stays in the list", await until(async () => (await number(away.page, "#files > li")) === 1));
ok("and is as it was", asked > 1 && !(await away.page.$("#files .bad")), asked);
ok("also for the next visit", (await away.page.evaluate(() => Object.values(localStorage).join())).includes("contract.pdf"));
missing = true;
await away.page.reload({ waitUntil: "domcontentloaded" });
await away.page.waitForSelector("#drop");
ok("one that the server no longer has is taken off the list", await until(async () => !(await away.page.evaluate(() => Object.values(localStorage).join())).includes("contract.pdf")));
await away.context.close();

await done();
