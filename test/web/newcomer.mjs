// Where a person who had never seen the page stumbled, each as a statement: results that were deleted by
// mistake, stamps that stood elsewhere than shown, signatures that were not drawn, settings that were
// forgotten, pages that lost their order. As a visitor. Prints TAP. Run by check/pages.sh against a
// server with web = open. Usage: newcomer.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { address, click, done, emptyFiles, fill, folder, go, judge, number, ok, open, pictures, put, result, run, sample, tabTo, text, until } from "./browser.mjs";

const PLAIN = join(sample, "../plain.pdf");
const desk = await open(1366, 768);
const { page } = desk;
await page.waitForSelector("#drop");

// A result that was deleted by mistake.
const jobs = () => page.evaluate(async () => (await (await fetch("/api/v1/jobs?limit=30")).json()).jobs.length);
await put(page, PLAIN);
await go(page, "tool/repair");
await run(page);
const bin = '#jobs > li:first-child .remove';
await click(page, bin);
ok("a result that is deleted can be had back", /plain-repair\.pdf/.test(await text(page, "#jobs .job-gone")) && (await jobs()) === 1);
ok("and what brings it back has the focus", await page.evaluate(() => /Keep/.test(document.activeElement.getAttribute("aria-label"))));
await judge(page, "newcomer deleted");
await page.keyboard.press("Enter");
ok("as it was", (await number(page, "#jobs a.button")) === 1 && (await page.evaluate(() => document.activeElement.matches("#jobs > li"))));
await click(page, bin);
await click(page, "#jobs .job-gone button:last-child");
ok("or is deleted at once", await until(async () => (await jobs()) === 0 && (await number(page, "#jobs > li")) === 0));
await run(page);
const look = await (await page.$('#jobs button[aria-label^="View"]')).boundingBox();
const far = await (await page.$(bin)).boundingBox();
ok("the bin stands apart from what shows the result", far.x - look.x - look.width > 40, far, look);
await click(page, bin);
await page.reload({ waitUntil: "networkidle0" });
ok("a page that is left deletes what was to be deleted", await until(async () => (await jobs()) === 0));

// The order of pages outlives a reload, with a file that asks for its password again and one that is gone.
const locked = join(folder, "locked.pdf");
execFileSync("qpdf", ["--encrypt", "open sesame", "owner", "256", "--", PLAIN, locked]);
const leaf = (n) => `#board .leaf[aria-posinset="${n}"]`;
const labels = () => page.$$eval("#board .leaf", (all) => all
  .sort((a, b) => Number(a.getAttribute("aria-posinset")) - Number(b.getAttribute("aria-posinset"))).map((one) => one.getAttribute("aria-label")));
const unlock = async () => {
  await page.waitForSelector(".unlock input");
  await page.type(".unlock input", "open sesame");
  await page.keyboard.press("Enter");
};
await go(page, "");
await emptyFiles(page);
await put(page, sample, locked);
await go(page, "pages/merge");
await page.waitForSelector(leaf(6));
await unlock();
await page.waitForSelector(leaf(9));
await click(page, leaf(9));
await click(page, '[data-act="right"]');
await page.focus("#board");
for (let i = 0; i < 8; i++) {
  await page.keyboard.down("Alt");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.up("Alt");
}
const arranged = await labels();
ok("a page of a locked file is turned and comes first", /locked/.test(arranged[0]) && /90/.test(arranged[0]), arranged);
await page.reload({ waitUntil: "networkidle0" });
await page.waitForSelector(leaf(9));
ok("after a reload its pages are where they were, though its password is asked for", (await labels()).join() === arranged.join(), await labels());
await click(page, "#submit");
ok("and nothing is saved before that", /locked\.pdf/.test(await text(page, "#form-error")) && (await number(page, "#jobs > li.busy")) === 0, await text(page, "#form-error"));
await unlock();
ok("then they show", await until(async () => (await number(page, "#board .leaf img")) === 9), await number(page, "#board .leaf img"));
ok("and are saved", /\.pdf/.test(await run(page)), await text(page, "#form-error"));

ok("nothing went wrong", desk.wrong.length === 0, ...desk.wrong);
await done();
