// The start of the page, in a real Chromium: what this is and how long files are kept, tools that are looked
// for, marked and used, files of mixed kinds, damaged and locked ones, a file dropped on a tool, and colours.
// Prints TAP. Run by check/pages.sh. Usage: start.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { click, done, folder, go, judge, number, ok, open, put, sample, text, until } from "./browser.mjs";

const PLAIN = join(sample, "../plain.pdf");
const desk = await open(1366, 768);
const { page } = desk;
const first = () => page.$eval("#tools a", (one) => one.dataset.tool);
const groups = () => page.$$eval("#tools h2", (all) => all.map((one) => one.textContent));
await page.waitForSelector("#drop");
ok("the first words say what this is, and how long files are kept", /PDF tools/.test(await text(page, "h1")) && await until(async () => /deleted after \d+ \w+/.test(await text(page, ".intro .lead"))), await text(page, ".intro"));
ok("what most people come for stands first", (await first()) === "merge" || (await first()) === "compress", await first());

await page.type("#tool-search", "passw");
ok("a word of a tool finds it", (await page.$$eval("#tools a", (all) => all.map((one) => one.dataset.tool).sort().join())) === "add-password,remove-password", await groups());
await page.$eval("#tool-search", (one) => {
  one.value = "";
  one.dispatchEvent(new Event("input"));
});
await page.keyboard.down("Control");
await page.keyboard.press("k");
await page.keyboard.up("Control");
await page.waitForSelector("#finder");
await judge(page, "finder");
await page.keyboard.type("word");
await page.keyboard.press("ArrowDown");
await page.keyboard.press("ArrowUp");
await page.keyboard.press("Enter");
ok("Ctrl+K finds a tool from everywhere", await until(async () => (await page.evaluate(() => location.hash)) === "#/tool/word-to-pdf"));
await page.waitForSelector("main.view-tool");
await go(page, "");
ok("the tools that were used come first then", (await groups())[0] === "Your tools" && (await first()) === "word-to-pdf", await groups());
await click(page, '[data-tool="repair"] + .star');
ok("and those that are marked before them", (await first()) === "repair" && await page.evaluate(() => document.activeElement.getAttribute("aria-pressed") === "true"));
await click(page, '[data-tool="repair"] + .star');

// Mixed, damaged, locked.
writeFileSync(join(folder, "table.csv"), "a,b\n1,2\n");
await put(page, sample, PLAIN, join(folder, "table.csv"));
ok("files of mixed kinds are offered every tool that takes some, with how many", await until(async () => /Takes 2 of 3 files/.test(await text(page, '[data-tool="compress"]')) && /Takes 1 of 3/.test(await text(page, '[data-tool="excel-to-pdf"]'))), await text(page, "#tools"));
await page.evaluate(() => scrollTo(0, 0)); // the header may lie on a part of a button
await judge(page, "start mixed");
await click(page, "#remove-all");
writeFileSync(join(folder, "broken.pdf"), "%PDF-1.7\nthis is not a document\n");
await put(page, join(folder, "broken.pdf"));
ok("a damaged file is offered Repair first", await until(async () => (await first()) === "repair") && /damaged/.test(await text(page, '[data-tool="repair"]')), await text(page, "#tools"));
await click(page, "#remove-all");
const cut = join(folder, "cut.pdf");
writeFileSync(cut, readFileSync(sample).subarray(0, -600));
await put(page, cut);
ok("so is one that breaks off, though its pages can be shown", await until(async () => (await first()) === "repair" && /end of this file/.test(await text(page, "#files .state")) && /pages/.test(await text(page, "#files .state"))), await text(page, "#files"));
await click(page, "#remove-all");
const many = Array.from({ length: 20 }, (_, i) => join(folder, `Copy ${i + 1}.pdf`));
for (const one of many) copyFileSync(PLAIN, one);
await put(page, ...many);
ok("many files leave what can be done with them in sight", await until(() => page.evaluate(() => scrollY === 0 && document.querySelector("#tools a").getBoundingClientRect().top < innerHeight - 40)));
await judge(page, "start many");
await click(page, "#remove-all");
const locked = join(folder, "locked.pdf");
execFileSync("qpdf", ["--encrypt", "open sesame", "owner", "256", "--", PLAIN, locked]);
await put(page, locked);
ok("a locked one Unlock", await until(async () => (await first()) === "remove-password"), await text(page, "#tools"));
await click(page, "#remove-all");

// Dropped on a tool.
await page.evaluate(() => {
  const data = new DataTransfer();
  data.items.add(new File(["hello"], "note.txt"));
  const card = document.querySelector('[data-tool="word-to-pdf"]');
  for (const name of ["dragenter", "dragover", "drop"]) card.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data }));
});
ok("a file that is dropped on a tool starts it", await until(async () => (await page.evaluate(() => location.hash)) === "#/tool/word-to-pdf" && (await number(page, "#files > li")) === 1));

// Colours.
await go(page, "");
const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = await paper();
await click(page, "#theme");
await click(page, "#theme");
ok("the page is dark when that is chosen", (await paper()) !== light && /dark/.test(await page.$eval("#theme", (one) => one.title)));
await judge(page, "start dark chosen");
await page.reload({ waitUntil: "networkidle0" });
ok("and stays so", (await paper()) !== light);
// Long words of a language make no card wider than half a phone.
for (const language of ["de", "fr", "pt", "ar"]) {
  const phone = await open(360, 740, { touch: true, language });
  await phone.page.waitForSelector("#drop");
  const cut = await phone.page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, [...document.querySelectorAll(".tool")].filter((one) => one.getBoundingClientRect().right > 360 || one.getBoundingClientRect().left < 0).map((one) => one.textContent)]);
  ok(`every tool is whole on a phone: ${language}`, cut[0] <= 0 && cut[1].length === 0, cut);
  const list = await phone.page.$eval("#language", (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [width, height, document.elementFromPoint(x + width / 2, y + height / 2) === one];
  });
  ok(`the list of languages leaves the bar its room, and can be pressed: ${language}`, list[0] >= 44 && list[0] <= 60 && list[1] >= 44 && list[2], list);
  await phone.context.close();
}
ok("nothing went wrong at the start", desk.wrong.length === 0, ...desk.wrong);

await done();
