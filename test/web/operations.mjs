// Lists that the API takes as JSON, made by controls: the operations of "pages" and the bookmarks of "outline". What the
// page shows before is what the tool makes. As a visitor. Prints TAP. Run by check/pages.sh against a server with web = open.
// Usage: operations.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { click, done, downloaded, emptyFiles, folder, go, judge, number, ok, open, pictures, put, sample, tabTo, text, until } from "./browser.mjs";

const PLAIN = join(sample, "../plain.pdf");
const value = (page, name) => page.$eval(`#field-${name}`, (one) => one.value);

/** The result of a press on the view's button, as a file. */
async function made(page) {
  await click(page, "#submit");
  await page.waitForSelector("#jobs > li.fresh a.button");
  const path = await downloaded(page, "made.pdf");
  await click(page, "#back-to-settings");
  return path;
}

/** The result of the tool itself, without the page's own buttons. */
async function madeOf(page, operations) {
  const bytes = await page.evaluate(async (pdf, list) => {
    const data = new FormData();
    data.append("file", new Blob([Uint8Array.from(atob(pdf), (one) => one.charCodeAt(0))]), "plain.pdf");
    data.append("operations", list);
    const sent = await fetch("/api/v1/tools/pdf/pages", { method: "POST", headers: { "Platen-Page": "1" }, body: data });
    let job = await sent.json();
    while (job.status === "pending" || job.status === "processing") job = await fetch(`/api/v1/jobs/${job.jobId}?wait=20`).then((one) => one.json());
    const { pathname, search } = new URL(job.downloadUrl);
    const found = new Uint8Array(await fetch(pathname + search).then((one) => one.arrayBuffer()));
    return btoa(Array.from(found, (one) => String.fromCharCode(one)).join(""));
  }, readFileSync(PLAIN).toString("base64"), JSON.stringify(operations));
  const path = join(folder, "way.pdf");
  writeFileSync(path, Buffer.from(bytes, "base64"));
  return path;
}

/** Sizes of the pages of a file, in points, as poppler says. */
const sizesOf = (path) => [...execFileSync("pdfinfo", ["-l", "1000", path], { encoding: "utf8" }).matchAll(/size:\s+([\d.]+) x ([\d.]+)/g)].map((one) => one.slice(1).map(Number));
/** Their proportions in the preview. */
const shown = (page) => page.$$eval(".op-paper", (all) => all.map((one) => one.style.aspectRatio.split("/").map(Number)));
const near = (a, b) => a.length === b.length && a.every((one, i) => Math.abs(one[0] / one[1] - b[i][0] / b[i][1]) < 0.01);

async function add(page, op) {
  await page.$eval(".op-add", (one) => (one.open = true));
  await click(page, `.op-adders [data-op="${op}"]`);
  await page.waitForSelector(`.op-row[data-op="${op}"]`);
}
const setOperations = (page, list) => page.evaluate((json) => {
  document.querySelector(".op-json").open = true;
  const box = document.querySelector(".op-text");
  box.value = json;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}, JSON.stringify(list));

const WAYS = [
  [{ op: "crop", margins: [10, 20, 30, 40] }], [{ op: "crop", box: [10, 20, 100, 150], pages: "2-" }], [{ op: "nup", columns: 2, rows: 1 }], [{ op: "nup", columns: 3, rows: 3, size: "letter", margin: 20, gap: 8 }],
  [{ op: "booklet" }], [{ op: "booklet", size: "a4" }], [{ op: "poster", columns: 2, rows: 3, pages: "odd" }], [{ op: "poster", columns: 2, rows: 1, size: "a4", overlap: 20 }],
  [{ op: "resize", size: "100x150mm" }, { op: "scale", factor: 2, pages: "!1" }], [{ op: "split", every: true, at: 0.3 }, { op: "reverse" }], [{ op: "blank", after: "0", count: 2, size: "legal" }, { op: "blank", after: "r1" }],
  [{ op: "crop", box: [0, 0, 100, 100], pages: "1" }, { op: "reorder", pages: "3,1" }], [{ op: "crop", box: [0, 0, 90, 120], pages: "2" }, { op: "duplicate", pages: "2-3", count: 2 }, { op: "delete", pages: "1,last" }],
  [{ op: "split" }, { op: "nup", columns: 1, rows: 2 }],
];

for (const [name, width, height, touch, language] of [["desk", 1366, 768, false, "en-GB"], ["phone", 360, 740, true, "ar"]]) {
  const { page, wrong, context } = await open(width, height, { touch, language });
  await page.waitForSelector("#drop");
  await put(page, PLAIN);
  await go(page, "tool/pages");
  await page.waitForSelector(".op-adders button");
  ok(`${name}: every operation has a button`, (await number(page, ".op-adders button")) === 13);
  await click(page, "#submit");
  ok(`${name}: without an operation nothing is sent`, await until(async () => (await text(page, "#field-operations-error")).length > 0));
  for (const op of ["crop", "nup", "blank"]) await add(page, op);
  ok(`${name}: each adds a row, and the JSON is made of them`, (await value(page, "operations")) === '[{"op":"crop","margins":28.35},{"op":"nup","columns":2,"rows":1},{"op":"blank","after":"last"}]', await value(page, "operations"));
  await click(page, ".op-row:nth-child(2) input[value='2x2']");
  await click(page, ".op-row:nth-child(3) .op-up");
  await click(page, ".op-row:nth-child(1) .op-remove");
  ok(`${name}: rows are changed, moved and removed`, (await value(page, "operations")) === '[{"op":"blank","after":"last"},{"op":"nup","columns":2,"rows":2}]', await value(page, "operations"));
  ok(`${name}: what they make is told and shown`, (await until(async () => (await number(page, ".op-paper")) === 1)) && (await number(page, ".op-part")) === 3, await text(page, "#op-said"));
  await judge(page, `operations ${name}`);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(pictures, `operations-${name}-window.png`) });
  const one = sizesOf(await made(page));
  ok(`${name}: the tool makes what was shown`, near(one, await shown(page)), one, await shown(page));
  if (name === "desk") {
    for (const list of WAYS) {
      await setOperations(page, list);
      ok(`rows are made of ${JSON.stringify(list)}`, (await number(page, ".op-row")) === list.length && JSON.stringify(JSON.parse(await value(page, "operations"))) === JSON.stringify(list), await value(page, "operations"));
      const is = sizesOf(await madeOf(page, list));
      ok("and the pages of the result are those that were shown", near(is, await shown(page)), is, await shown(page));
    }
    await setOperations(page, [{ op: "delete", pages: "9" }]);
    ok("pages that are not there are told at once", await until(async () => page.$eval("#op-said", (line) => line.classList.contains("bad"))));
    await page.evaluate(() => (document.querySelector(".op-text").value = "[1]", document.querySelector(".op-text").dispatchEvent(new Event("change"))));
    ok("text that is no list of operations is told", (await text(page, ".op-json .error")).length > 0);
    // By keyboard alone.
    await setOperations(page, []);
    await page.focus(".op-add > summary");
    ok("by keyboard: the buttons are reached", await tabTo(page, '[data-op="reverse"]'));
    await page.keyboard.press("Enter");
    ok("by keyboard: a row is added and has the focus", (await value(page, "operations")) === '[{"op":"reverse"}]' && (await page.evaluate(() => Boolean(document.activeElement.closest(".op-row")))));
    await page.keyboard.press("Enter");
    ok("by keyboard: it is removed, and the focus is where rows are added", (await value(page, "operations")) === "" && (await page.evaluate(() => document.activeElement.matches(".op-add > summary"))));
  }
  ok(`${name}: nothing went wrong with operations`, wrong.length === 0, ...wrong);
  await emptyFiles(page);
  await context.close();
}

for (const [name, width, height, touch, language] of [["desk", 1366, 768, false, "en-GB"], ["phone", 360, 740, true, "de"]]) {
  const { page, wrong, context } = await open(width, height, { touch, language });
  await page.waitForSelector("#drop");
  await put(page, sample);
  await go(page, "tool/outline");
  await page.waitForSelector(".mark-row");
  const items = await page.$$eval(".mark-row > input", (all) => all.map((one) => one.value));
  ok(`${name}: the rows are the bookmarks of the document`, items.length > 1, items);
  ok(`${name}: and nothing is changed yet`, (await page.$eval("#field-action", (one) => one.value)) === "read");
  await click(page, "#out-add");
  await page.keyboard.type("A new place");
  ok(`${name}: what is typed becomes the new outline`, (await page.$eval("#field-action", (one) => one.value)) === "set" && JSON.stringify(JSON.parse(await value(page, "outline"))).includes('"A new place"'), await value(page, "outline"));
  const place = await page.$$eval(".mark-row > input", (all) => all.findIndex((one) => one.value === "A new place"));
  if (place > 0) {
    const row = `.mark-row:nth-child(${place + 1})`;
    const level = () => page.$eval(row, (one) => Number(one.style.getPropertyValue("--level")));
    const was = await level();
    await click(page, (await page.$(`${row} .mark-in:not(:disabled)`)) ? `${row} .mark-in` : `${row} .mark-out`);
    ok(`${name}: a row changes its level`, Math.abs((await level()) - was) === 1, was, await level());
  }
  await click(page, ".mark-row:nth-child(1) .mark-remove");
  ok(`${name}: a row is removed`, (await number(page, ".mark-row")) === items.length, await number(page, ".mark-row"));
  await judge(page, `outline ${name}`);
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(pictures, `outline-${name}-window.png`) });
  const rows = await page.$$eval(".mark-row", (all) => all.map((one) => [Number(one.style.getPropertyValue("--level")), one.querySelector("input").value]));
  const result = await made(page);
  const dumped = execFileSync("qpdf", ["--json", "--json-key=outlines", result], { encoding: "utf8" });
  const flat = (list, deep = 0) => list.flatMap((one) => [[deep, one.title], ...flat(one.kids, deep + 1)]);
  ok(`${name}: the document has these bookmarks`, JSON.stringify(flat(JSON.parse(dumped).outlines)) === JSON.stringify(rows), flat(JSON.parse(dumped).outlines), rows);
  ok(`${name}: nothing went wrong with bookmarks`, wrong.length === 0, ...wrong);
  await emptyFiles(page);
  await context.close();
}

const { page } = await open(1366, 768);
await page.waitForSelector("#drop");
execFileSync("python3", [join(dirname(process.argv[1]), "../tools/model_pages.py"), folder]);
await put(page, join(folder, "report.pdf"));
await go(page, "tool/outline");
await page.waitForSelector("#out-headings:not([hidden])");
await click(page, "#out-headings");
ok("rows are made of the headings of the text", await until(async () => (await number(page, ".mark-row")) > 0 && (await page.$eval("#field-action", (one) => one.value)) === "set"), await text(page, "#form-error"));
await done();
