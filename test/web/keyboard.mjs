// Whole jobs of ten tools by the keyboard alone, in a real Chromium: from the choice of a file to the download,
// with Tab, arrows, Enter, blank and letters. Nothing here presses with a mouse, and no step is taken by a script:
// what does not come into focus cannot be used. The system's own dialog for files alone is stood in for.
// Prints TAP. Run by check/pages.sh. Usage: keyboard.mjs ADDRESS - SAMPLE.pdf PICTURES

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { done, folder, ok, open, sample, tabTo, until } from "./browser.mjs";

const PLAIN = join(sample, "../plain.pdf");

/** How many presses of Tab may lie between two things. */
const FAR = 90;

/** The file that is downloaded by whoever presses Enter where the focus is. */
async function fetched(page) {
  const bytes = await page.evaluate(async () => {
    const link = /** @type {HTMLAnchorElement} */ (document.activeElement);
    return link.matches("a[download]") ? Array.from(new Uint8Array(await (await fetch(link.href)).arrayBuffer())) : [];
  });
  const made = join(folder, "by-keyboard");
  writeFileSync(made, Buffer.from(bytes));
  return made;
}
const pages = (file) => Number(execFileSync("qpdf", ["--show-npages", file], { encoding: "utf8" }));
const words = (file) => execFileSync("pdftotext", [file, "-"], { encoding: "utf8" });
const listing = (file) => execFileSync("unzip", ["-Z1", file], { encoding: "utf8" }).trim().split("\n");
const reading = (file, name) => execFileSync("unzip", ["-p", file, name], { encoding: "utf8", maxBuffer: 1e8 });

/** Puts the focus on something, as Tab does; what cannot be reached that way ends the job. */
async function reach(page, selector) {
  await page.waitForSelector(selector);
  if (!(await tabTo(page, selector, FAR))) throw new Error(`Tab does not come to ${selector}`);
}
async function type(page, selector, value) {
  await reach(page, selector);
  await page.keyboard.down("Control");
  await page.keyboard.press("a");
  await page.keyboard.up("Control");
  await page.keyboard.type(value);
}
const onBoard = async (page, count) => {
  await page.waitForFunction((n) => document.querySelectorAll("#board .leaf").length >= n, {}, count);
  await reach(page, "#board");
};

/** By tools: files, what is done in the view, and whether the result is what was asked for. */
const JOBS = {
  merge: { files: [sample, PLAIN], async does(page) {
    await onBoard(page, 7);
    await page.keyboard.press("End"); // The last page is chosen, and goes to the beginning by arrows.
    await page.waitForFunction(() => document.querySelector("#board .leaf.current[aria-posinset='9']"));
    for (let i = 0; i < 8; i++) {
      await page.keyboard.down("Alt");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.up("Alt");
    }
  }, holds: (file) => pages(file) === 9 && !/Zulu1/.test(words(file).split("\f")[0]) },
  split: { files: [sample], async does(page) {
    await onBoard(page, 6);
    await page.keyboard.press("Home");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("s");
  }, holds: (file) => listing(file).length === 2 },
  "extract-pages": { files: [sample], async does(page) {
    await type(page, "#picked", "2,5");
  }, holds: (file) => pages(file) === 2 && /Zulu2[^]*Zulu5/.test(words(file)) },
  rotate: { files: [sample], async does(page) {
    await reach(page, "#turn-right");
    await page.keyboard.press("Enter");
  }, holds: (file) => pages(file) === 6 },
  compress: { files: [sample], async does(page) {
    await reach(page, '.cards-rows input');
    await page.keyboard.press("ArrowDown");
  }, holds: (file) => pages(file) === 6 },
  watermark: { files: [sample], does: (page) => type(page, "#field-text", "By keyboard"), holds: (file) => /Bykeyboard/.test(words(file).replace(/\s/g, "")) },
  "page-numbers": { files: [sample], does: (page) => type(page, "#field-start", "71"), holds: (file) => /76/.test(words(file)) },
  "add-password": { files: [sample], does: (page) => type(page, "#field-password", "a long pass phrase"),
    holds: (file) => execFileSync("qpdf", ["--show-encryption", "--password=a long pass phrase", file], { encoding: "utf8" }).includes("R = ") },
  "to-word": { files: [sample], does: async () => null, holds: (file) => /Zulu/.test(reading(file, "word/document.xml")) },
  sign: { files: [sample], async does(page) {
    await reach(page, ".mark-on");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowUp");
    await reach(page, '.sign-maker [role=tab][data-way="drawn"]');
    await page.keyboard.press("ArrowRight"); // from drawing to typing
    await reach(page, "#sign-text");
    await page.keyboard.type("Jane Doe");
    await page.waitForSelector(".mark-image img");
  }, holds: (file) => pages(file) === 6 && execFileSync("pdfimages", ["-list", file], { encoding: "utf8" }).split("\n").length > 3 },
};

for (const [tool, { files, does, holds }] of Object.entries(JOBS)) {
  const { page, wrong, context } = await open(1366, 900);
  const pressed = [];
  await page.exposeFunction("noted", (what) => pressed.push(what));
  await page.evaluate(() => addEventListener("pointerdown", () => globalThis.noted("pointer"), true));
  let problem = "";
  try {
    await reach(page, "#choose");
    await (await page.$("#choose")).uploadFile(...files);
    await page.waitForFunction((n) => document.querySelectorAll("#files > li").length === n && !document.querySelector("#files progress"), {}, files.length);
    await reach(page, `#tools a[data-tool="${tool}"]`);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("main:not(.view-start) #submit") && !document.querySelector("main [aria-busy=true]"));
    await does(page);
    await reach(page, "#submit");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".fresh .result a.button, .fresh p.bad, main .error:not(:empty)");
    await reach(page, ".fresh .result a.button");
    const made = await fetched(page);
    if (!holds(made)) problem = "the result is not what was asked for";
    await reach(page, "#back-to-settings");
    await page.keyboard.press("Enter");
    if (!(await until(() => page.evaluate(() => document.activeElement.id === "submit")))) problem = "the way back does not lead to the button";
  } catch (error) {
    problem = `${error.message.split("\n")[0]} ${await page.evaluate(() => document.querySelector("main .error:not(:empty)")?.textContent || "").catch(() => "")}`;
  }
  ok(`a whole job by keyboard alone: ${tool}`, !problem && !pressed.length, problem, pressed);
  ok(`nothing went wrong: ${tool}`, wrong.length === 0, ...wrong);
  await context.close();
}
await done();
