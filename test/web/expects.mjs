// What a person expects who knows other programs: results with names that say what they are, a password that is
// typed once, a removal that can be undone, a name that is asked for before what can be looked at. As a visitor.
// Prints TAP. Run by check/pages.sh against a server with web = open. Usage: expects.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { click, done, emptyFiles, fill, folder, go, judge, number, ok, open, put, result, run, sample, tabTo, text, until } from "./browser.mjs";

const PLAIN = join(sample, "../plain.pdf");
const named = (name) => (copyFileSync(PLAIN, join(folder, name)), join(folder, name));
const REPORT = named("Report 2026.pdf");
const locked = (name, password) => (execFileSync("qpdf", ["--encrypt", password, `owner of ${password}`, "256", "--", PLAIN, join(folder, name)]), join(folder, name));
const desk = await open(1440, 900);
const { page } = desk;
await page.waitForSelector("#drop");
const newest = () => text(page, "#jobs > li:first-child .name");
const leaf = (n) => `#board .leaf[aria-posinset="${n}"]`;
const focused = (on) => on.evaluate(() => document.activeElement.id || document.activeElement.getAttribute("aria-label") || document.activeElement.tagName);

// Names of results.
await put(page, REPORT);
await go(page, "tool/to-text");
const said = () => page.$eval("#field-outputName", (one) => one.placeholder);
ok("what the result will be called is said before", (await said()) === "Report 2026", await said());
await run(page);
ok("a conversion keeps the file's name", (await newest()) === "Report 2026.txt", await newest());
ok("the next one is said to have another", await until(async () => (await said()) === "Report 2026-2"), await said());
await go(page, "tool/repair");
ok("what is changed has a word for it", (await said()) === "Report 2026-repaired", await said());
await page.type("#field-outputName", "Mended");
await run(page);
ok("a name that is typed counts", (await newest()) === "Mended.pdf", await newest());
await go(page, "tool/compress");
await go(page, "tool/repair");
ok("for this result alone", (await page.$eval("#field-outputName", (one) => one.value)) === "");
await put(page, named("Second.pdf"));
ok("several in one ZIP have one name", (await said()) === "repaired", await said());
await click(page, "#one-zip");
ok("several results have names of their own", await page.$eval("#field-outputName", (one) => one.disabled && one.offsetParent === null));
await click(page, "#one-zip");

// A list that was emptied by mistake.
await go(page, "");
const names = () => page.$$eval("#files .name", (all) => all.map((one) => one.textContent).join());
const before = await names();
const clear = "#remove-all";
ok("the arrows of all rows stand below each other", new Set(await page.$$eval("#files .move-up", (all) => all.map((one) => one.getBoundingClientRect().x))).size === 1 && (await number(page, "#files .move-down")) === 2);
await click(page, clear);
ok("removing all can be undone, and what undoes it has the focus", (await number(page, "#files > li")) === 0 && /2 files removed/.test(await text(page, "#cleared")) && (await focused(page)) === "undo-clear", await text(page, "#cleared"), await focused(page));
await judge(page, "expects cleared");
await page.keyboard.press("Enter");
ok("which brings them back in their order", (await names()) === before && (await text(page, "#cleared")) === "", await names());
await click(page, clear);
await put(page, REPORT);
ok("other files end that", (await text(page, "#cleared")) === "" && (await number(page, "#files > li")) === 1);
await page.focus("#files .icon-button");
await put(page, named("Third.pdf"));
await page.focus("#files > li:last-child .move-up");
await page.keyboard.press("Enter");
ok("a file that is moved to the end of its way keeps the focus in its row", /Third/.test(await focused(page)) && /^Third/.test(await names()), await focused(page), await names());

// Passwords.
await emptyFiles(page);
await put(page, locked("alpha.pdf", "alpha word"));
await page.waitForSelector("#files .unlock input");
await page.type("#files .unlock input", "alpha word");
await page.keyboard.press("Enter");
await page.waitForFunction(() => !document.querySelector("#files .unlock"));
await go(page, "tool/page-numbers");
await run(page);
await click(page, '#jobs > li:first-child button[aria-label^="Continue"]');
await page.waitForFunction(() => document.querySelector("#files .name")?.textContent === "alpha-numbered.pdf");
ok("a result of a protected file asks for no password", await until(async () => /3 pages/.test(await text(page, "#files"))) && !(await page.$(".unlock")), await text(page, "#files"));
await go(page, "tool/compress");
ok("nor does the next tool", /alpha-numbered-compressed\.pdf/.test(await run(page)), await text(page, "#form-error"));
await put(page, locked("beta.pdf", "beta word"), PLAIN);
await go(page, "pages/merge");
await page.waitForSelector("#left-out .unlock input");
await page.type("#left-out .unlock input", "beta word");
await page.keyboard.press("Enter");
await page.waitForSelector(leaf(9));
ok("what the merged file will be called is said above its pages", (await page.$eval("#output-name", (one) => one.placeholder)) === "alpha-numbered-merged");
const jobs = await number(page, "#jobs > li");
await click(page, "#submit");
ok("files with different passwords are merged", /alpha-numbered-merged\.pdf/.test(await result(page, jobs)), await text(page, "#form-error"));
await click(page, "#jobs > li:first-child a.button");
const file = join(folder, "alpha-numbered-merged.pdf");
await until(() => readdirSync(folder).includes("alpha-numbered-merged.pdf"));
ok("with all pages", await until(() => { try { return execFileSync("qpdf", ["--show-npages", file], { encoding: "utf8" }).trim() === "9"; } catch { return false; } }));
ok("and what was unlocked for it is gone from the server", await until(async () => page.evaluate(async () => (await (await fetch("/api/v1/jobs?limit=50")).json()).jobs.every((one) => one.tool !== "remove-password"))));

// A result of data, and one that is a web page.
await emptyFiles(page);
await put(page, REPORT);
await go(page, "tool/info");
await run(page);
ok("with what no tool takes nothing goes on", !(await page.$('#jobs > li:first-child button[aria-label^="Continue"]')));
await go(page, "tool/to-html");
await run(page);
await click(page, '#jobs > li:first-child button[aria-label^="View"]');
ok("a web page is viewed as what it says", await until(async () => /Page 1\s*Page 2\s*Page 3/.test(await text(page, "dialog .prose"))) && (await number(page, "dialog .prose > p")) === 3, await text(page, "dialog"));
await judge(page, "expects html", ["dialog"]);
await page.keyboard.press("Escape");
await until(async () => !(await page.$("dialog")));
const harmless = await page.evaluate(async () => {
  const { readable } = await import(new URL("app_html.js", document.querySelector('script[type="module"]').src).href);
  const place = document.createElement("div");
  place.append(...readable(`<title>t</title><script>document.title = "taken"</scr` + `ipt><style>p { color: red }</style><h1 title="words" id="main">Words</h1>
    <img src="https://example.org/x.png"><img src="data:image/svg+xml;base64,PHN2Zy8+"><img alt="Dot" src="data:image/png;base64,iVBORw0KGgo=">
    <a href="javascript:alert(1)">link</a><svg><script>alert(1)</scr` + `ipt></svg><form><input></form><iframe src="/"></iframe><table><tr><td colspan="2">cell</td></tr></table>`));
  return place.innerHTML.replace(/\s+/g, " ").trim();
});
ok("of which only words, tables and pictures are shown", harmless === '<h1>Words</h1> <img alt="Dot" src="data:image/png;base64,iVBORw0KGgo="> link<table><tbody><tr><td colspan="2">cell</td></tr></tbody></table>', harmless);

// A stamp is placed by a press on a part of the page.
await go(page, "tool/watermark");
await page.type("#field-text", "DRAFT");
await page.waitForSelector("#preview:not([hidden]) .stage img[src]");
const parts = await page.$$eval(".spots .spot", (all) => all.map((one) => one.getBoundingClientRect()).map(({ width, height }) => [Math.round(width), Math.round(height)].join()));
ok("where a stamp can stand is an even field for each place", parts.length === 9 && new Set(parts).size === 1, parts);
await page.$eval(".stage", (one) => one.scrollIntoView({ block: "start" }));
await page.evaluate(() => scrollBy(0, 120));
const at = await page.evaluate(() => [scrollX, scrollY].join());
const part = await (await page.$(".spot:nth-child(9)")).boundingBox();
await page.mouse.click(part.x + part.width - 6, part.y + part.height / 2);
ok("a press there takes it there, and the page does not jump", (await page.$eval("#field-position", (one) => one.value)) === "bottom-right" && (await page.evaluate(() => [scrollX, scrollY].join())) === at && (await focused(page)) === "stamp",
  at, await page.evaluate(() => [scrollX, scrollY].join()), await focused(page));
await page.evaluate(() => scrollTo(0, 0));
await click(page, "#fields details.more > summary");
ok("what is unfolded comes into sight", await until(() => page.evaluate(() => {
  const [card, first, bar] = ["#form", "#fields details.more .field input, #fields details.more .field select", "#form .actions"].map((one) => document.querySelector(one).getBoundingClientRect());
  return first.top > card.top && first.bottom < bar.top;
})));

// A phone: the first screen shows the page and what is put on it.
const phone = await open(390, 844, { touch: true });
await put(phone.page, REPORT);
await go(phone.page, "tool/sign");
await phone.page.waitForSelector("#preview:not([hidden]) .mark-on");
const bottom = await phone.page.$eval(".mark-on", (one) => one.getBoundingClientRect().bottom);
const bar = await phone.page.$eval(".options > .actions", (one) => one.getBoundingClientRect().top);
ok("on a phone the signature on its page is in sight at the beginning", bottom < bar, bottom, bar);
await judge(phone.page, "expects sign phone");
await go(phone.page, "pages/merge");
await phone.page.waitForSelector(leaf(3));
const places = await phone.page.evaluate(() => ["#output-name", "#board"].map((one) => document.querySelector(one).getBoundingClientRect().top));
ok("and the name of the result before the pages", places[0] < places[1], places);
await judge(phone.page, "expects pages phone");
const german = await open(390, 844, { touch: true, language: "de" });
await put(german.page, REPORT);
await go(german.page, "tool/compress");
ok("names are in the reader's language", (await german.page.$eval("#field-outputName", (one) => one.placeholder)) === "Report 2026-komprimiert");
await fill(german.page, "outputName", "Kurz");
await run(german.page);
await judge(german.page, "expects results phone German");
ok("nothing went wrong", [desk, phone, german].every(({ wrong }) => wrong.length === 0), ...desk.wrong, ...phone.wrong, ...german.wrong);

// What nobody has chosen is what the server has without it, in every form.
const fresh = await open(1366, 900);
await fresh.page.waitForSelector("#drop");
const schemas = await fresh.page.evaluate(async () => {
  const { paths } = await (await fetch("/openapi.json")).json();
  return Object.entries(paths).filter(([path]) => /^\/api\/v1\/tools\/pdf\/[a-z-]+$/.test(path)).map(([path, one]) => [path.split("/").pop(), one.post?.requestBody?.content?.["multipart/form-data"]?.schema?.properties || {}]);
});
const odd = [];
const linked = await fresh.page.$$eval('a[href^="#/tool/"]', (all) => all.map((one) => one.hash.split("/").pop()));
for (const [name, properties] of schemas.filter(([one, all]) => linked.includes(one) && Object.values(all).some((schema) => schema.enum))) {
  await go(fresh.page, `tool/${name}`);
  const selects = await fresh.page.$$eval("#fields select[name]", (all) => all.map((one) => [one.name, one.value]));
  for (const [field, value] of selects)
    if (properties[field]?.enum && properties[field].default !== undefined && value !== String(properties[field].default)) odd.push([name, field, value]);
}
ok("a choice that nobody has made is the server's own", linked.includes("markdown-to-pdf") && odd.length === 0, linked, ...odd);
await go(fresh.page, "tool/add-password");
ok("all choices are offered that are not other names of one", (await fresh.page.$$eval("#field-allowPrint option", (all) => all.map((one) => one.value).join())) === "full,low,none");

await done();
