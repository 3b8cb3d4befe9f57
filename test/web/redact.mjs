// Redacting in the page: what is found stands on the pages, is looked over, joined by boxes that are drawn, and gone from
// the result. As a visitor. Prints TAP. Run by check/pages.sh against a server with web = open.
// Usage: redact.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { click, done, downloaded, emptyFiles, folder, go, judge, number, ok, open, pictures, put, sample, settled, text, until } from "./browser.mjs";

execFileSync("python3", [join(dirname(process.argv[1]), "../tools/model_pages.py"), folder]);
const report = join(folder, "report.pdf");

async function made(page) {
  await click(page, "#submit");
  await page.waitForSelector("#jobs > li.fresh a.button, #form-error:not(:empty)");
  const wrong = await text(page, "#form-error");
  if (wrong) throw new Error(wrong);
  return downloaded(page, "redacted.pdf");
}
const wordsOf = (path) => execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });

for (const [name, file, wanted, width, height, touch, language] of [["desk", report, "lines", 1366, 768, false, "en-GB"], ["turned phone", sample, "text-Zulu1", 360, 740, true, "ar"]]) {
  const { page, wrong, context } = await open(width, height, { touch, language });
  await page.waitForSelector("#drop");
  await put(page, file);
  await go(page, "tool/redact");
  await page.waitForSelector(".redact-stage[data-ready]");
  await click(page, "#submit");
  ok(`${name}: without a place nothing is sent`, await until(async () => (await text(page, "#form-error")).length > 0));
  await page.type("#redact-words", wanted);
  await click(page, "#redact-find");
  await page.waitForSelector(".redact-list > li");
  const found = await number(page, ".redact-list > li");
  ok(`${name}: what is found is listed, and stands on the page`, found > 0 && (await number(page, ".redact-hit")) > 0, found);
  // The place on the page is that of the words, as mutool has them.
  const drawn = execFileSync("mutool", ["draw", "-q", "-F", "stext", file, "1"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const size = /<page [^>]*width="([\d.]+)" height="([\d.]+)"/.exec(drawn).slice(1).map(Number);
  const letters = [...drawn.matchAll(/<char quad="([^"]*)"[^>]*? c="([^"]*)"/g)].map((one) => ({ quad: one[1].split(" ").map(Number), c: one[2] }));
  const at = letters.map((one) => one.c).join("").indexOf(wanted);
  const corners = letters.slice(at, at + wanted.length).flatMap((one) => [0, 2, 4, 6].map((i) => [one.quad[i], one.quad[i + 1]]));
  const middleOf = (axis) => (Math.min(...corners.map((one) => one[axis])) + Math.max(...corners.map((one) => one[axis]))) / 2;
  const place = await page.$eval(".redact-hit", (one) => ["left", "top", "width", "height"].map((side) => Number.parseFloat(one.style[side]) / 100));
  const middle = [place[0] + place[2] / 2, place[1] + place[3] / 2];
  const is = [middleOf(0) / size[0], middleOf(1) / size[1]];
  ok(`${name}: where its words are`, Math.hypot(middle[0] - is[0], middle[1] - is[1]) < 0.03, middle, is);
  const hits = async () => JSON.parse((await page.$eval("#field-hits", (one) => one.value)) || "[]");
  const before = (await hits()).length;
  await click(page, ".redact-hit");
  ok(`${name}: a press on a place keeps it`, (await hits()).length === before - 1 && !(await page.$eval(".redact-list input", (one) => one.checked)), before, await hits());
  await click(page, ".redact-list input");
  ok(`${name}: and its box in the list removes it again`, (await hits()).length === before && (await page.$eval(".redact-hit", (one) => one.getAttribute("aria-pressed"))) === "true");
  // A box, by mouse or by a finger; then by keys.
  await page.$eval(".redact-stage", (one) => one.scrollIntoView({ block: "center" }));
  if (touch) await click(page, "#redact-draw");
  await page.$eval(".redact-stage", (one) => one.scrollIntoView({ block: "center" }));
  await settled(page);
  const stage = await (await page.$(".redact-layer")).boundingBox();
  const from = [stage.x + stage.width * 0.5, stage.y + stage.height * 0.7];
  const to = [stage.x + stage.width * 0.8, stage.y + stage.height * 0.8];
  if (touch) {
    await page.touchscreen.touchStart(...from);
    await page.touchscreen.touchMove(...to);
    await page.touchscreen.touchEnd();
  } else {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 4 });
    await page.mouse.up();
  }
  ok(`${name}: a box is drawn`, (await until(async () => (await hits()).length === before + 1)) && (await page.evaluate(() => document.activeElement.matches(".redact-hit.drawn"))), await hits());
  const quad = async () => (await hits()).at(-1).quads[0];
  const was = await quad();
  await page.keyboard.press("ArrowRight");
  ok(`${name}: keys move it`, JSON.stringify(await quad()) !== JSON.stringify(was));
  await click(page, "#redact-box");
  ok(`${name}: a box is added without a pointer`, (await hits()).length === before + 2 && (await page.evaluate(() => document.activeElement.matches(".redact-hit.drawn"))));
  await page.keyboard.press("Delete");
  ok(`${name}: and removed by a key`, (await hits()).length === before + 1);
  await judge(page, `redact ${name}`);
  await page.$eval(".redact-stage", (one) => one.scrollIntoView({ block: "center" }));
  await page.screenshot({ path: join(pictures, `redact-${name.replace(" ", "-")}-window.png`) });
  ok(`${name}: the words are in the document before`, wordsOf(file).includes(wanted));
  const result = await made(page);
  ok(`${name}: and gone from the result`, !wordsOf(result).includes(wanted), wordsOf(result));
  ok(`${name}: the proof is told in plain words`, (await text(page, "#jobs > li.fresh .proof")).length > 20);
  await judge(page, `redact result ${name}`);
  await page.screenshot({ path: join(pictures, `redact-${name.replace(" ", "-")}-result.png`) });
  ok(`${name}: nothing went wrong with redacting`, wrong.length === 0, ...wrong);
  await emptyFiles(page);
  await context.close();
}
const twice = join(folder, "twice.pdf");
execFileSync("qpdf", ["--empty", "--pages", report, "1", report, "1", "--", twice]);
// The strip of pages is whole in windows that are not high, and on a tablet.
for (const [width, height] of [[1366, 768], [768, 1024]]) {
  const { page, context } = await open(width, height);
  await page.waitForSelector("#drop");
  await put(page, twice);
  await go(page, "tool/redact");
  await page.waitForSelector(".redact-stage[data-ready]");
  const bottom = async () => page.$eval(".strip", (one) => (one.checkVisibility() ? Math.round(one.getBoundingClientRect().bottom) : 0));
  ok(`the strip of pages is whole in a window of ${width} x ${height}`, await until(async () => (await bottom()) > 0 && (await bottom()) <= height), await bottom());
  await context.close();
}

// Kinds of data, and what stands in their place.
{
  const mail = join(folder, "mail.pdf");
  execFileSync("python3", [join(dirname(process.argv[1]), "../tools/pdf_builder.py"), mail], {
    input: `<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 250 Td (Write to ann@example.com or come by.) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
`,
  });
  const { page, wrong, context } = await open(1366, 768);
  await page.waitForSelector("#drop");
  await put(page, mail);
  await go(page, "tool/redact");
  await page.waitForSelector(".redact-stage[data-ready]");
  await click(page, ".redact-search details summary");
  await click(page, '.redact-presets input[value="email"]');
  await click(page, "#redact-find");
  await page.waitForSelector(".redact-list > li");
  ok("a kind of data is found", (await number(page, ".redact-list > li")) === 1 && (await text(page, ".redact-list > li")).includes("ann@example.com"), await text(page, ".redact-list"));
  await page.select('[name="fill"]', "label");
  await page.type('[name="label"]', "[mail]");
  await page.select('[name="width"]', "line");
  const result = await made(page);
  ok("it is gone, and what follows stays in order", wordsOf(result).includes("Write to") && wordsOf(result).includes("or come by.") && !wordsOf(result).includes("ann@"), wordsOf(result));
  ok("its label is drawn", execFileSync("qpdf", ["--qdf", "--object-streams=disable", result, "-"], { encoding: "latin1" }).includes("RdLabel1 Do"));
  ok("nothing went wrong with kinds of data", wrong.length === 0, ...wrong);
  await emptyFiles(page);
  await context.close();
}
await done();
