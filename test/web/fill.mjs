// Filling in a form in the page: the fields stand on the pages, and what is typed into them is in the result.
// As a visitor. Prints TAP. Run by check/pages.sh against a server with web = open.
// Usage: fill.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { click, done, emptyFiles, folder, go, judge, number, ok, open, pictures, put, sample, text, until } from "./browser.mjs";

execFileSync("python3", [join(dirname(process.argv[1]), "../tools/filled.py"), "make", folder]);
const form = join(folder, "Application.pdf");
copyFileSync(join(folder, "form.pdf"), form);
const fieldOf = (name) => `.fill-field[data-field="${name}"]`;
const typed = (page, name, words) => page.type(fieldOf(name), words);

for (const [name, width, height, touch] of [["desk", 1280, 800, false], ["phone", 360, 740, true]]) {
  const { page, wrong, context } = await open(width, height, { touch });
  await page.waitForSelector("#drop");
  await put(page, form);
  await go(page, "tool/fill-form");
  await page.waitForSelector(fieldOf("given"));
  ok(`${name}: all fields that can be filled in are on the page`, (await number(page, ".fill-field")) === 16, await number(page, ".fill-field"));
  ok(`${name}: a field has the words that people are told`, (await page.$eval(fieldOf("given"), (one) => one.getAttribute("aria-label"))) === "Your first name");
  const stage = await (await page.$(".fill-stage")).boundingBox();
  const box = await (await page.$(fieldOf("given"))).boundingBox();
  ok(`${name}: and stands where it is in the document`, Math.abs((box.x - stage.x) / stage.width - 20 / 400) < 0.01 && Math.abs((box.y - stage.y) / stage.height - 20 / 740) < 0.01, box, stage);
  await click(page, "#submit");
  ok(`${name}: without a value nothing is sent`, await until(async () => (await text(page, "#form-error")).length > 0));
  await typed(page, "given", "Ada Łukasiewicz");
  await typed(page, "price.net", "100");
  await page.select(fieldOf("fruit"), "b");
  await page.select(fieldOf("several"), "x", "z");
  await click(page, fieldOf("agree"));
  await click(page, `${fieldOf("colour")}[value="1"]`);
  await judge(page, `fill ${name}`);
  await page.screenshot({ path: join(pictures, `fill-${name}-window.png`) });
  await click(page, "#submit");
  await page.waitForSelector("#jobs > li.fresh a.button");
  ok(`${name}: the result has a name of its own`, (await page.$eval("#jobs > li:first-child a.button", (one) => one.download)) === "Application-filled.pdf");
  const made = join(folder, await page.$eval("#jobs > li:first-child a.button", (one) => one.download));
  rmSync(made, { force: true });
  await click(page, "#jobs > li:first-child a.button");
  await until(() => existsSync(made) && readFileSync(made).includes("%%EOF"));
  const said = execFileSync("pdftotext", ["-layout", made, "-"], { encoding: "utf8" });
  for (const words of ["Ada Łukasiewicz", "Berries", "$119.00"]) ok(`${name}: the result shows ${words}`, said.includes(words), said);
  const values = JSON.parse(execFileSync("python3", [join(dirname(process.argv[1]), "../tools/filled.py"), "values", made], { encoding: "utf8" }));
  ok(`${name}: and has the states that were chosen`, values.agree === "/Accepted" && values.colour === "/1" && JSON.stringify(values.several) === '["u:x","u:z"]', values);
  ok(`${name}: nothing went wrong`, wrong.length === 0, ...wrong);
  await emptyFiles(page);
  await context.close();
}

const plain = await open(1000, 800);
await plain.page.waitForSelector("#drop");
await put(plain.page, join(sample, "../plain.pdf"));
await go(plain.page, "tool/fill-form");
ok("a document without fields is named as such", await until(async () => /no fields/.test(await text(plain.page, "#fill-said"))), await text(plain.page, "main"));
await plain.context.close();
await done();
