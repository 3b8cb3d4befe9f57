// The screen of a result, in a real Chromium: it takes the place of the settings, downloads by itself, has
// a picture, a name that can be changed, sizes as bars, a link with its code, and what comes next.
// Prints TAP. Run by check/pages.sh. Usage: result.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { click, done, fill, folder, go, judge, number, ok, open, put, sample, text, until } from "./browser.mjs";

const PLAIN = join(sample, "../plain.pdf");
const desk = await open(1366, 768);
const { page } = desk;
const shown = (selector) => page.$eval(selector, (one) => Boolean(one.checkVisibility()));
await page.waitForSelector("#drop");
await put(page, sample);
await go(page, "tool/compress");
ok("the document stands large beside the options, in one window", await until(() => page.$$eval(".stage img", (all) => all.length === 1 && all[0].naturalWidth > 0)) &&
  await page.$eval(".stage", (one) => one.getBoundingClientRect().bottom <= innerHeight && one.getBoundingClientRect().height > 300));
ok("with the button", await page.$eval("#submit", (one) => one.getBoundingClientRect().bottom <= innerHeight));
ok("each page is a picture in the strip", (await number(page, ".strip-page")) === 6);
await click(page, '.strip-page[data-page="4"]');
ok("and is shown large when it is chosen", await page.$eval(".stage img", (one) => /pages\/4\.webp/.test(one.src)));
await page.click('.cards-rows input[value="screen"]');
ok("a quality is chosen by its card", (await page.$eval("#field-quality", (one) => one.value)) === "screen");
await click(page, "#submit");
await page.waitForSelector(".fresh .result a.button");
ok("the result is a screen in place of the settings", !(await shown("#form")) && await shown(".result"));
ok("with the first page", await until(() => page.$$eval(".result-picture img", (all) => all.length === 1 && all[0].naturalWidth > 0)));
ok("with how large it was and is", (await number(page, ".size-bar")) === 2 && /smaller/.test(await text(page, ".saved")));
ok("its download begins by itself", await until(async () => existsSync(join(folder, "features-compressed.pdf"))));
await judge(page, "result screen");

await page.click(".result-name input", { clickCount: 3 });
await page.keyboard.type("Quarter 3");
await click(page, ".result a.button");
ok("it is saved under the name that was typed", await until(async () => existsSync(join(folder, "Quarter 3.pdf"))));
await click(page, ".result .job-actions button[aria-expanded]");
await page.waitForSelector(".share .qr");
const link = await page.$eval(".share input", (one) => one.value);
const fetched = await fetch(link);
ok("the link gives the file to whoever has it", fetched.status === 200 && /pdf/.test(fetched.headers.get("content-type")), link, fetched.status);
ok("and says until when", /until/.test(await text(page, ".share p")));
const code = await page.$eval(".qr", (one) => one.toDataURL("image/png").split(",")[1]);
writeFileSync(join(folder, "qr.png"), Buffer.from(code, "base64"));
ok("its code has the same address", execFileSync("zbarimg", ["-q", "--raw", join(folder, "qr.png")], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() === link);
await judge(page, "result link");
await click(page, "#back-to-settings");
ok("the settings are as they were", await shown("#form") && (await page.$eval("#field-quality", (one) => one.value)) === "screen" && await page.evaluate(() => document.activeElement.id === "submit"));
ok("and the result is a row, by the name that was typed", /Quarter 3\.pdf/.test(await text(page, "#jobs > li .name")));

// A quality that was looked at is the result.
const usage = async () => (await page.evaluate(() => fetch("/api/v1/usage").then((one) => one.json()))).requests.used;
await click(page, "#compare");
await until(async () => (await page.$$eval("#fields .card-note", (all) => all.filter((one) => /\d [kM]?B/.test(one.textContent)).length)) === 5);
ok("a page is seen before and after", await until(() => page.$$eval(".slider img", (all) => all.length === 1 && all[0].naturalWidth > 0)));
await page.focus(".slider input");
const cut = () => page.$eval(".slider", (one) => one.style.getPropertyValue("--cut"));
const half = await cut();
await page.keyboard.press("ArrowLeft");
ok("the bar between them is moved by keys", (await cut()) !== half);
await judge(page, "result compare");
const used = await usage();
await click(page, "#submit");
await page.waitForSelector(".fresh .result a.button");
ok("what was compared is not made once more", (await usage()) === used, used, await usage());
await click(page, '.next-tools button.chip');
await page.waitForSelector("main.view-tool #form");
ok("the result goes on to the next tool", (await page.evaluate(() => location.hash)) === "#/tool/sign" && (await number(page, "#files > li")) === 1);

// What was changed is shown, not what stands before it.
const pictured = (n) => until(() => page.$$eval(".result-picture img", (all, wanted) => all.length === 1 && all[0].naturalWidth > 0 && new URL(all[0].src).pathname.endsWith(`/pages/${wanted}.webp`), n));
await go(page, "tool/watermark");
await fill(page, "text", "Draft");
for (const [pages, first] of [["!1-2", 3], ["r2-,5", 5], ["even", 2], ["4-3", 3], ["all", 1]]) {
  await fill(page, "pages", pages);
  await click(page, "#submit");
  await page.waitForSelector(".fresh .result a.button");
  ok(`the page that was changed first is shown: ${pages}`, await pictured(first), await page.$$eval(".result-picture img", (all) => all.map((one) => one.src)));
  await click(page, "#back-to-settings");
}
await go(page, "tool/sign");
await page.waitForSelector(".mark-on");
await click(page, '[data-put="tick"]');
await click(page, "#submit");
await page.waitForSelector(".fresh .result a.button");
ok("of a signed document the page that was signed", await pictured(6) && /6/.test(await page.$eval(".result-picture img", (one) => one.alt)));

// Several results.
await go(page, "");
await put(page, PLAIN);
await go(page, "tool/add-password");
await page.type("#field-password", "a long pass phrase");
await click(page, "#submit");
ok("several results are several cards", await until(async () => (await number(page, ".fresh .result")) === 2));
ok("of which none is downloaded by itself", (await number(page, ".result-what > .hint + .hint")) === 0 && !existsSync(join(folder, "plain-protected.pdf")));
await judge(page, "result several");

// What fails says what mends it.
writeFileSync(join(folder, "broken.pdf"), "%PDF-1.7\nthis is not a document\n");
await go(page, "");
await click(page, "#remove-all");
await put(page, join(folder, "broken.pdf"));
await go(page, "tool/compress");
await click(page, "#submit");
ok("a damaged file offers the tool that repairs", await until(async () => (await number(page, '.fresh a[href="#/tool/repair"]')) === 1), await text(page, ".fresh"), await text(page, "#form-error"));
ok("nothing went wrong with results", desk.wrong.length === 0, ...desk.wrong);

await done();
