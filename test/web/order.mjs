// The order of files and the end of a session, in a real Chromium: pages stand in the order in which files
// were chosen, however their transfers end; whole files are moved; many files cost a row each; a session
// that ended begins again; nothing is deleted unasked; two tabs have one list.
// Prints TAP. Run by check/pages.sh. Usage: order.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { address, click, done, emptyFiles, folder, go, judge, number, ok, open, put, run, sample, text, until } from "./browser.mjs";

const PLAIN = readFileSync(join(sample, "../plain.pdf"));
const named = (name, bytes = PLAIN) => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
/** The files of the pages on the board, each named once where it begins. */
const order = (page) => page.$$eval("#board .leaf", (all) => all
  .sort((a, b) => Number(a.getAttribute("aria-posinset")) - Number(b.getAttribute("aria-posinset")))
  .map((one) => one.getAttribute("aria-label").replace(/^\d+: \d+ · /, "").replace(/\.pdf.*$/, "")).filter((one, i, list) => one !== list[i - 1]));
const listed = (page) => page.$$eval("#files .name", (all) => all.map((one) => one.textContent.replace(/\.pdf$/, "")));

const desk = await open(1280, 800);
const { page } = desk;
await page.waitForSelector("#drop");

// The first file arrives last.
const scan = join(folder, "Scan.pdf");
execFileSync("qpdf", [join(sample, "../plain.pdf"), "--add-attachment", named("noise.bin", randomBytes(24e6)), "--", scan]);
await go(page, "pages/merge");
const line = (bytes) => desk.session.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes });
await desk.session.send("Network.enable");
await line(3e6); // bytes a second, so that the large file takes some
await (await page.$("main #choose")).uploadFile(scan, named("Contract.pdf"), named("Annex.pdf"));
ok("pages of smaller files do not wait for a large one before them", await until(async () => (await order(page)).join() === "Contract,Annex"), await order(page));
await line(-1);
ok("pages stand in the order in which the files were chosen", await until(async () => (await order(page)).join() === "Scan,Contract,Annex"), await order(page));
ok("the button says how many files it merges", /Merge 3 files/.test(await text(page, "#submit")), await text(page, "#submit"));

// Whole files move.
await click(page, "#files > li:nth-child(3) .move-up");
ok("a file that is moved in the list moves on the board", await until(async () => (await order(page)).join() === "Scan,Annex,Contract"), await order(page));
const rowOf = async (n) => (await page.$(`#files > li:nth-child(${n}) .what`)).boundingBox();
await page.$eval("#files", (one) => one.scrollIntoView({ block: "center" }));
const [from, to] = [await rowOf(1), await rowOf(3)];
await page.mouse.move(from.x + 5, from.y + 5);
await page.mouse.down();
await page.mouse.move(from.x + 5, from.y + 20, { steps: 3 });
await page.mouse.move(to.x + 5, to.y + to.height, { steps: 6 });
await page.mouse.up();
ok("a file is dragged to another place", await until(async () => (await order(page)).join() === "Annex,Contract,Scan"), await order(page), await listed(page));
await click(page, ".sort-files");
ok("files are sorted by name", (await listed(page)).join() === "Annex,Contract,Scan");
await go(page, "");
await click(page, "#files > li:nth-child(1) .move-down");
await go(page, "pages/merge");
ok("the order that was set elsewhere holds on the board, though it was seen before", await until(async () => (await order(page)).join() === "Contract,Annex,Scan"), await order(page), await listed(page));

// Each tool begins from the files.
await page.focus("#board");
await page.keyboard.press("Home");
await page.keyboard.press("r");
await go(page, "pages/split");
ok("what was turned for one tool is not turned for another", await until(async () => (await number(page, "#board .leaf")) > 5) && !(await page.$$eval("#board .leaf", (all) => all.some((one) => /turned/.test(one.getAttribute("aria-label"))))));
await click(page, "#take-arranged");
ok("and can be taken over", await until(() => page.$$eval("#board .leaf", (all) => /turned/.test(all[0].getAttribute("aria-label")))));
await judge(page, "taken over");
await page.focus("#undo");
await page.keyboard.down("Control");
await page.keyboard.press("z");
await page.keyboard.up("Control");
ok("keys work while the focus is at a button", await until(async () => !(await page.$$eval("#board .leaf", (all) => all.some((one) => /turned/.test(one.getAttribute("aria-label")))))));
await emptyFiles(page);

// Many files.
await page.evaluate(() => {
  globalThis.made = 0;
  new MutationObserver((records) => records.forEach((one) => one.addedNodes.forEach((node) => (globalThis.made += Number(node.nodeName === "LI")))))
    .observe(document.body, { childList: true, subtree: true });
});
await put(page, ...Array.from({ length: 60 }, (_, i) => named(`many ${i}.pdf`)));
const rows = await page.evaluate(() => globalThis.made);
ok("each of many files has a row made once", rows >= 60 && rows < 130, rows);
await click(page, "#remove-all");

// Two tabs.
const other = await desk.context.newPage();
await other.goto(`${address}/`, { waitUntil: "networkidle0" });
await put(other, named("second tab.pdf"));
ok("another tab shows what one adds", await until(async () => (await listed(page)).join() === "second tab"), await listed(page));
await page.bringToFront();
await put(page, named("first tab.pdf"));
await other.reload({ waitUntil: "networkidle0" });
ok("and nothing is lost by either", await until(async () => (await listed(other)).sort().join() === "first tab,second tab"), await listed(other));
await other.close();

// The visit ended on the server.
await go(page, "tool/compress");
for (const cookie of await page.cookies()) await page.deleteCookie(cookie);
await click(page, "#submit");
ok("a visit that ended begins again by itself, and says so", await until(async () => /new visit has begun/.test(await text(page, ".toast"))), await text(page, "#form-error"));
await judge(page, "visit renewed");
await until(async () => !(await page.$("#files progress")));
ok("what this page still has is sent again", (await listed(page)).includes("first tab"), await listed(page));
const works = await run(page);
ok("and the tool works", /compressed\.(pdf|zip)/.test(works), works);
ok("nothing went wrong with order and sessions", desk.wrong.length === 0, ...desk.wrong);

await done();
