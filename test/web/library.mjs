// The results as a library, in a real Chromium: a picture of each, found by a word, several at once, done
// again. Prints TAP. Run by check/pages.sh. Usage: library.mjs ADDRESS - SAMPLE.pdf PICTURES

import { existsSync } from "node:fs";
import { join } from "node:path";
import { click, done, folder, go, judge, number, ok, open, put, sample, text, until } from "./browser.mjs";

const PLAIN = join(sample, "../plain.pdf");
for (const [name, width, height, touch] of [["desk", 1366, 768, false], ["phone", 390, 844, true]]) {
  const { page, wrong } = await open(width, height, { touch });
  await page.waitForSelector("#drop");
  const run = async (tool, before) => {
    await go(page, tool);
    await before?.();
    await click(page, "#submit");
    await page.waitForSelector(".fresh .result a.button");
  };
  await put(page, sample);
  await run("tool/repair");
  await go(page, "");
  await put(page, PLAIN);
  await run("tool/add-password", async () => page.type("#field-password", "a long pass phrase"));
  await go(page, "results");
  await page.waitForSelector(".library-bar");
  const rows = () => number(page, "#jobs > li:not([hidden])");
  await until(async () => (await number(page, "#jobs .pick")) === (await rows()));
  const all = await rows();
  ok(`${name}: every result can be picked`, all >= 2 && (await number(page, "#jobs .pick")) === all, all);
  ok(`${name}: a result without a password shows its first page`, await until(() => page.$$eval(".row-thumb img", (some) => some.some((one) => one.naturalWidth > 0))));
  ok(`${name}: what had a secret is not kept for another time`, (await page.evaluate(() => !/pass phrase/.test(JSON.stringify(localStorage)))) &&
    (await page.$$eval("#jobs > li", (some) => some.filter((one) => /protected/.test(one.textContent)).every((one) => !one.querySelector(".again")))));
  await judge(page, `library ${name}`);
  await page.type("#find-result", "protected");
  ok(`${name}: results are found by a word`, (await rows()) < all && (await rows()) > 0, await rows());
  await page.type("#find-result", "xyz");
  ok(`${name}: and none is told`, (await rows()) === 0 && /No result/.test(await text(page, "#no-result")));
  await page.$eval("#find-result", (one) => {
    one.value = "";
    one.dispatchEvent(new Event("input"));
  });
  await click(page, "#jobs > li:last-child .pick input");
  ok(`${name}: one is picked`, /1 file/.test(await text(page, "#picked")) && !(await page.$eval("#delete-picked", (one) => one.disabled)));
  await click(page, "#pick-all");
  ok(`${name}: all are picked at once`, (await text(page, "#picked")).startsWith(String(all)), await text(page, "#picked"));
  if (!touch) {
    await click(page, "#download-picked");
    ok("all that are picked are downloaded", await until(async () => existsSync(join(folder, "plain-protected.pdf")) || existsSync(join(folder, "features-protected.pdf"))));
  }
  const place = await page.$$eval("#jobs > li", (some) => some.findIndex((one) => one.querySelector(".making")));
  const row = `#jobs > li:nth-child(${place + 1})`;
  await click(page, `${row} .making > summary`);
  ok(`${name}: a result tells its settings`, await until(async () => /defaults?/.test(await text(page, `${row} .making .hint`))), await text(page, `${row} .making`));
  await page.evaluate(() => scrollTo(0, 0));
  await judge(page, `library settings ${name}`);
  const ending = await text(page, `${row} .name`);
  await click(page, `${row} .rename`);
  await page.keyboard.type("Minutes / May");
  await page.keyboard.press("Enter");
  ok(`${name}: a result is given another name`, await until(async () => (await text(page, `${row} .name`)) === `Minutes _ May${/\.\w+$/.exec(ending)[0]}`), await text(page, `${row} .name`));
  ok(`${name}: and its button has the focus`, await until(() => page.evaluate(() => document.activeElement.classList.contains("rename"))));
  await page.keyboard.press("Enter");
  await page.keyboard.type("nothing");
  await page.keyboard.press("Escape");
  ok(`${name}: Escape leaves the name as it was`, await until(async () => /Minutes _ May/.test(await text(page, `${row} .name`))));
  await page.reload({ waitUntil: "networkidle0" });
  await page.waitForSelector(`${row} .rename`);
  ok(`${name}: the name is there at the next visit`, /Minutes _ May/.test(await text(page, `${row} .name`)));
  if (!touch) {
    await click(page, `${row} .job-actions a[download]`);
    ok("and the file is saved under it", await until(async () => existsSync(join(folder, "Minutes _ May.pdf"))));
  }
  const again = await page.$("#jobs .again");
  ok(`${name}: a result without a secret can be done again`, Boolean(again));
  await click(page, "#jobs .again");
  ok(`${name}: and is`, await until(async () => (await rows()) === all + 1 && !(await page.$("#jobs > li.busy"))), await rows());
  await click(page, "#pick-all");
  await click(page, "#use-picked");
  ok(`${name}: several go on to a tool`, await until(async () => (await number(page, "#files > li")) >= 2) && (await number(page, "#jobs .pick")) === 0, await number(page, "#files > li"));
  await go(page, "results");
  await page.waitForSelector("#jobs .pick");
  await click(page, "#pick-all");
  await click(page, "#delete-picked");
  ok(`${name}: several are deleted, and can be had back`, await until(async () => (await number(page, "#jobs .job-gone")) === all + 1), await number(page, "#jobs .job-gone"));
  await go(page, "");
  await click(page, "#remove-all");
  await page.waitForFunction(() => !document.querySelector("#files > li"));
  await put(page, sample, PLAIN);
  await go(page, "flow");
  await click(page, ".flow-template");
  const tools = () => page.$$eval("#steps select[aria-label]", (some) => some.filter((one) => one.closest(".step-head")).map((one) => one.value).join());
  ok(`${name}: a workflow begins with a card`, await until(async () => (await tools()) === "merge,page-numbers,compress"), await tools());
  const ends = () => page.$$eval("#steps > li", (some) => some.map((one) => [one.querySelector(".step-up").disabled, one.querySelector(".step-down").disabled].map(Number).join("")).join());
  ok(`${name}: the first step cannot go up, nor the last down`, (await ends()) === "10,00,01", await ends());
  await judge(page, `library flow ${name}`);
  await click(page, "#add-step");
  ok(`${name}: a step that is added is a tool that is not there yet`, await until(async () => (await tools()) === "merge,page-numbers,compress,watermark"), await tools());
  const before = await number(page, "#jobs > li");
  await click(page, "#steps > li:nth-child(2) .step-look");
  ok(`${name}: the result after a step is looked at`, await until(async () => (await number(page, "dialog[open] .reader-pane .reader-page img, dialog[open] .reader-pane img")) > 0), await text(page, "#form-error"));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector("dialog[open], .step-look:disabled"));
  await go(page, "results");
  await page.reload({ waitUntil: "networkidle0" });
  ok(`${name}: and is in no list`, (await number(page, "#jobs > li")) <= before, await number(page, "#jobs > li"), before);
  ok(`${name}: nothing went wrong`, wrong.length === 0, ...wrong);
}
await done();
