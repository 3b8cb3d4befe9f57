// The walk of a person who sees the page for the first time, as a visitor without a key: two files are
// merged, a page is put in another place, and the result is compressed and signed, with one result
// used after the other. Once at a desk by mouse, once on a phone by touch; a picture of each step.
// Prints TAP. Run by check/pages.sh against a server with web = open.
// Usage: walk.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { done, drawInk, folder, inSight, judge, number, ok, open, pictures, put, result, sample, sealAs, text, until } from "./browser.mjs";

const report = join(folder, "Report.pdf");
const annex = join(folder, "Annex.pdf");
copyFileSync(sample, report);
copyFileSync(join(sample, "../plain.pdf"), annex);
const leaf = (n) => `#board .leaf[aria-posinset="${n}"]`;

for (const [name, width, height, touch] of [["desk", 1280, 800, false], ["phone", 360, 740, true]]) {
  const { page, wrong } = await open(width, height, { touch });
  let step = 0;
  const shot = (what) => page.screenshot({ path: join(pictures, `walk-${name}-${++step}-${what}.png`) });
  const press = async (selector) => {
    await page.waitForSelector(selector);
    await page.$eval(selector, (one) => one.scrollIntoView({ block: "center" }));
    await (touch ? page.tap(selector) : page.click(selector));
  };
  let taken = false; // The download of the result was in sight.
  const made = async () => {
    const before = await number(page, "#jobs > li");
    await press("#submit");
    await page.waitForSelector("#jobs > li.fresh a.button");
    taken = false;
    await until(async () => (taken = await inSight(page, "#jobs > li.fresh a.button")));
    const words = await result(page, before);
    await shot("made");
    return words;
  };
  const goOn = async () => {
    await press('#jobs > li button[aria-label^="Continue"]');
    await page.waitForFunction(() => document.querySelector("main.view-start") && document.querySelectorAll("#files > li").length === 1);
  };

  await page.waitForSelector("#drop");
  ok(`${name}: the first words say what can be done here`, touch === /^Choose/.test(await text(page, "#drop h2")), await text(page, "#drop h2"));
  ok(`${name}: files can be chosen at first sight`, await inSight(page, "label.button[for=choose], #drop .button, #drop label"));
  await shot("start");
  await put(page, report, annex);
  await shot("files");
  ok(`${name}: the buttons of a file stand side by side`, await page.$$eval("#files > li", (rows) => rows.every((row) =>
    new Set([...row.querySelectorAll("button")].map((one) => Math.round(one.getBoundingClientRect().top))).size === 1)));
  ok(`${name}: of two files, merging is offered first`, (await page.$eval("#tools a", (one) => one.dataset.tool)) === "merge");
  await press('#tools a[data-tool="merge"]');
  await page.waitForSelector(leaf(9));
  await until(async () => (await number(page, "#board .leaf img")) >= 9);
  ok(`${name}: how pages are put in order is said`, await inSight(page, "#board-hint"));
  ok(`${name}: what saves the pages is in sight`, await inSight(page, "#submit"));
  if (touch) {
    const gap = await page.evaluate(() => document.querySelector(".main-nav").getBoundingClientRect().top - document.querySelector(".board-bar").getBoundingClientRect().bottom);
    ok("phone: nothing shows between the two bars at the bottom", Math.abs(gap) < 1, gap);
  }
  await shot("pages");
  const box = async (n) => (await page.$(leaf(n))).boundingBox();
  // Between the bars of a phone's window there is room for the three rows only after scrolling.
  await page.$eval(leaf(4), (one) => one.scrollIntoView({ block: "center" }));
  const [from, to] = [await box(7), await box(1)];
  if (touch) {
    await page.touchscreen.touchStart(from.x + from.width / 2, from.y + from.height / 3);
    await page.waitForSelector(".ghost");
    await page.touchscreen.touchMove(to.x + 6, to.y + to.height / 2);
    await shot("carried");
    await page.touchscreen.touchEnd();
  } else {
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + from.width / 2 + 20, from.y + 20, { steps: 4 });
    await page.mouse.move(to.x + 8, to.y + to.height / 2, { steps: 6 });
    await shot("carried");
    await page.mouse.up();
  }
  ok(`${name}: the annex's first page now comes first`, /Annex/.test(await page.$eval(leaf(1), (one) => one.getAttribute("aria-label"))));
  await shot("ordered");
  if (touch) await judge(page, "walk pages phone");
  ok(`${name}: the files are merged`, /Annex-merged\.pdf/.test(await made()));
  ok(`${name}: the result can be taken at once`, taken);
  await goOn();
  await press('#tools a[data-tool="compress"]');
  await page.waitForSelector("#field-quality");
  await shot("compress");
  ok(`${name}: what runs the tool is in sight`, await inSight(page, "#submit"));
  ok(`${name}: the result is compressed`, /Annex-merged-compressed\.pdf/.test(await made()));
  ok(`${name}: and can be taken at once`, taken);
  await goOn();
  await press('#tools a[data-tool="sign"]');
  await page.waitForSelector("#preview:not([hidden]) .stage img[src]");
  await shot("sign");
  await press("#submit");
  ok(`${name}: what is missing is said where it is missing`, (await until(async () => (await text(page, "#sign-error")).length > 0)) && (await until(() => inSight(page, ".pad"))));
  await shot("missing");
  await drawInk(page, touch);
  await page.waitForSelector(".mark-image img");
  if (touch) await press("#sign-done");
  await sealAs(page, "Jane Doe");
  ok(`${name}: and signed`, /Annex-merged-compressed-signed\.pdf/.test(await made()));
  ok(`${name}: which can be taken at once, too`, taken);
  await press("#jobs > li a.button");
  const file = join(folder, "Annex-merged-compressed-signed.pdf");
  await until(() => readdirSync(folder).includes("Annex-merged-compressed-signed.pdf") && readFileSync(file).includes("%%EOF"));
  const words = execFileSync("pdftotext", ["-f", "1", "-l", "1", file, "-"], { encoding: "utf8" });
  ok(`${name}: the file has all pages, the moved one first`, execFileSync("qpdf", ["--show-npages", file], { encoding: "utf8" }).trim() === "9" && /Page\s*1/.test(words), words);
  ok(`${name}: and its signature holds`, /Signature is Valid/.test(execFileSync("pdfsig", ["-nocert", file], { encoding: "utf8" })));
  ok(`${name}: nothing went wrong`, wrong.length === 0, ...wrong);
  execFileSync("rm", [file]);
}

await done();
