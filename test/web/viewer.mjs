// The viewer of a document: pages below each other, zoom, search, text over the pictures, links, outline, print,
// before and after; by mouse, keys, fingers and axe's rules; a thousand pages.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { browser, click, done, folder, go, judge, number, ok, open, pictures, put, run, sample, text, until } from "./browser.mjs";

/** A document of n pages, each with its number and the word that all have. */
function document(n) {
  const parts = ["<</Type/Catalog/Pages 2 0 R>>", `<</Type/Pages/Count ${n}/Kids[${Array.from({ length: n }, (_, i) => `${4 + 2 * i} 0 R`).join(" ")}]>>`, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"];
  for (let i = 1; i <= n; i++) {
    const content = `BT /F 40 Tf 60 700 Td (Number ${i}) Tj 0 -60 Td (common ground) Tj ET`;
    parts.push(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${parts.length + 2} 0 R>>`, `<</Length ${content.length}>>\nstream\n${content}\nendstream`);
  }
  let out = "%PDF-1.7\n";
  const at = parts.map((part, i) => {
    const from = out.length;
    out += `${i + 1} 0 obj\n${part}\nendobj\n`;
    return from;
  });
  const start = out.length;
  out += `xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${at.map((one) => `${String(one).padStart(10, "0")} 00000 n \n`).join("")}trailer\n<</Size ${parts.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return out;
}

const large = join(folder, "thousand.pdf");
writeFileSync(large, document(1000));
const pane = ".reader-pane";
const place = (page) => text(page, "dialog output");
const settled = (page) => until(() => page.evaluate(() => [...document.querySelectorAll(".reader-page.paper img")].every((one) => one.naturalWidth > 300)));
const named = (name) => `dialog [aria-label="${name}"]`;

/** Makes a result of a file, and looks at it. */
async function look(page, tool, file, fields = {}) {
  await put(page, file);
  await go(page, `tool/${tool}`);
  for (const [name, value] of Object.entries(fields)) await page.type(`#field-${name}`, value);
  await run(page);
  await click(page, '#jobs > li:first-child button:has(.icon-eye)');
  await page.waitForSelector("dialog .reader-page");
}

const desktop = await open(1366, 768);
const { page } = desktop;
await look(page, "page-numbers", sample);
ok("a result opens as pages", (await settled(page)) && (await place(page)) === "Page 1 of 6", await place(page));
ok("the first one is seen whole", await page.evaluate(() => {
  const [paper, seen] = [".reader-pane", ".reader-page.paper"].map((one) => document.querySelector(one).getBoundingClientRect());
  return seen.top >= paper.top && seen.bottom <= paper.bottom;
}));
await page.keyboard.press("PageDown");
ok("a key goes on", await until(async () => (await place(page)) === "Page 2 of 6"), await place(page));
await page.keyboard.press("End");
ok("to the end", await until(async () => (await place(page)) === "Page 6 of 6"), await place(page));
await page.keyboard.press("Home");
ok("and back", await until(async () => (await place(page)) === "Page 1 of 6"));
await page.$eval(pane, (one) => (one.scrollTop = one.scrollHeight));
ok("scrolling goes through the pages", await until(async () => (await place(page)) === "Page 6 of 6"), await place(page));

// Zoom.
await page.keyboard.press("Home");
await settled(page);
const wide = () => page.$eval(".reader-page.paper", (one) => one.clientWidth);
const before = await wide();
await click(page, named("Full width"));
ok("a page fills the width", (await page.evaluate(() => document.querySelector(".reader-page.paper").clientWidth / document.querySelector(".reader-pane").clientWidth)) > 0.9);
ok("and is drawn sharper", await until(() => page.$eval(".reader-page.paper img", (one) => one.naturalWidth >= Math.min(2000, one.clientWidth * 0.9))), await page.$eval(".reader-page.paper img", (one) => [one.naturalWidth, one.clientWidth]));
await click(page, named("Whole page"));
ok("and is seen whole again", Math.abs((await wide()) - before) < 2);
const box = await (await page.$(pane)).boundingBox();
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
await page.keyboard.down("Control");
await page.mouse.wheel({ deltaY: -240 });
await page.keyboard.up("Control");
ok("the wheel zooms with Ctrl", (await wide()) > 1.5 * before, [before, await wide()]);
await page.keyboard.press("0");
ok("0 shows the page whole", Math.abs((await wide()) - before) < 2);

// Text.
const word = await page.evaluate(() => {
  const one = [...document.querySelectorAll(".reader-page.paper .reader-text span")].find((span) => /Zulu1/.test(span.textContent));
  const [at, paper] = [one, one.closest(".reader-page")].map((node) => node.getBoundingClientRect());
  const range = document.createRange();
  range.selectNodeContents(one);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return { inside: at.left >= paper.left - 1 && at.right <= paper.right + 1 && at.top >= paper.top - 1 && at.bottom <= paper.bottom + 1, chosen: String(getSelection()) };
});
ok("words lie over their page and can be selected", word.inside && /Zulu1/.test(word.chosen), word);
await page.evaluate(() => getSelection().removeAllRanges());

// Search.
await page.keyboard.down("Control");
await page.keyboard.press("f");
await page.keyboard.up("Control");
ok("Ctrl+F is the search of the document", await page.evaluate(() => document.activeElement.type === "search"));
await page.keyboard.type("ZULÜ4");
ok("a word is found on its page, whatever its case and accents", await until(async () => /^1 of \d/.test(await text(page, ".reader-found")) && (await place(page)) === "Page 4 of 6"), [await text(page, ".reader-found"), await place(page)]);
ok("and marked", (await page.$$eval(".reader-page.paper .hit.now", (all) => all.length)) >= 1);
ok("where it is", await page.evaluate(() => {
  const mark = document.querySelector(".reader-page.paper .hit.now").getBoundingClientRect();
  return [...document.querySelectorAll(".reader-page.paper .reader-text span")].some((one) => {
    const at = one.getBoundingClientRect();
    return /Zulu4/.test(one.textContent) && mark.left >= at.left - 3 && mark.right <= at.right + 3 && Math.abs(mark.top - at.top) < at.height && Math.abs(mark.bottom - at.bottom) < at.height;
  });
}));
await judge(page, "viewer search", ["dialog"]);
await page.keyboard.press("Escape");
ok("Escape empties the search first", (await page.$eval("dialog input[type=search]", (one) => one.value)) === "" && Boolean(await page.$("dialog[open]")));
await page.keyboard.type("nowhere at all");
ok("what is not there is said", await until(async () => (await text(page, ".reader-found")) === "Not found"), await text(page, ".reader-found"));
await page.keyboard.press("Escape");

// Outline and links.
ok("an outline is offered", await until(() => page.$eval(named("Outline"), (one) => !one.hidden)));
await click(page, named("Outline"));
await page.evaluate(() => [...document.querySelectorAll(".reader-outline button")].find((one) => one.textContent === "Chapter Zulu4").click());
ok("and leads to its pages", await until(async () => (await place(page)) === "Page 4 of 6"), await place(page));
ok("where it is shown which entry one is at", await until(() => page.$eval(".reader-outline [aria-current]", (one) => /Zulu4/.test(one.textContent))));
await judge(page, "viewer outline", ["dialog"]);
await click(page, named("Outline"));
await page.keyboard.press("Escape");
await until(async () => !(await page.$("dialog")));
await click(page, '#jobs > li:first-child button:has(.icon-eye)');
await page.waitForSelector("dialog .reader-link");
await page.$eval('dialog .reader-link[aria-label="Go to page 2"]', (one) => one.click());
ok("a link leads to its page", await until(async () => (await place(page)) === "Page 2 of 6"), await place(page));
await page.keyboard.press("Home");
await page.waitForSelector('dialog .reader-link[href^="https"]');
await page.$eval('dialog .reader-link[href^="https"]', (one) => one.click());
ok("an outer link asks first and says where it leads", await until(async () => /https:\/\/example\.com\/Zulu1/.test(await text(page, "dialog .asked"))), await text(page, "dialog .asked"));
await judge(page, "viewer link");
await page.evaluate(() => [...document.querySelectorAll("dialog .asked button")][0].click());
ok("and need not be followed", await until(async () => !(await page.$("dialog .asked"))));
ok("then the document is still there", Boolean(await page.$("dialog .reader-page")));

// Print.
await page.evaluate(() => {
  window.print = () => (window.printed = document.querySelectorAll(".print-sheets img").length);
});
await click(page, named("Print"));
ok("all pages are printed", await until(() => page.evaluate(() => window.printed === 6)), await page.evaluate(() => window.printed));
await page.evaluate(() => dispatchEvent(new Event("afterprint")));
ok("and put away afterwards", (await number(page, ".print-sheets")) === 0);
await page.keyboard.press("Escape");

// Before and after.
await go(page, "tool/compress");
await run(page);
await click(page, '#jobs > li:first-child button:has(.icon-eye)');
await page.waitForSelector(named("Before and after"));
await click(page, named("Before and after"));
ok("any page is compared with what it was", await until(() => page.evaluate(() => {
  const paper = document.querySelector(".reader-page.paper");
  const [was, is] = [paper?.querySelector(":scope > img"), paper?.querySelector(".slider img")];
  return was?.naturalWidth > 300 && is?.naturalWidth > 300 && /uploads/.test(was.src) && /jobs/.test(is.src);
})), await page.evaluate(() => document.querySelector(".reader-page.paper")?.innerHTML.slice(0, 300)));
await judge(page, "viewer compared", ["dialog"]);
await page.keyboard.press("Escape");

// A thousand pages.
const many = await open(1366, 768);
await look(many.page, "page-numbers", large);
ok("a thousand pages open", await until(async () => (await place(many.page)) === "Page 1 of 1,000" || (await place(many.page)) === "Page 1 of 1000"), await place(many.page));
await many.page.keyboard.press("End");
ok("and the last is there at once", (await settled(many.page)) && /Page 1,?000 of/.test(await place(many.page)), await place(many.page));
ok("few pages are in the document", (await number(many.page, ".reader-page")) < 12, await number(many.page, ".reader-page"));
await many.page.keyboard.press("Home");
await many.page.type("dialog input[type=search]", "Number 777");
ok("a word far away is found", await until(async () => /Page 777 of/.test(await place(many.page))), [await place(many.page), await text(many.page, ".reader-found")]);

// A phone, dark, Arabic.
const phone = await open(390, 844, { touch: true });
await look(phone.page, "page-numbers", sample);
await settled(phone.page);
ok("on a phone the viewer takes the screen", await phone.page.$eval("dialog.reader", (one) => one.getBoundingClientRect().width >= 389));
ok("its buttons fit", await phone.page.evaluate(() => [...document.querySelectorAll("dialog button:not([hidden]), dialog input")].every((one) => {
  const at = one.getBoundingClientRect();
  return !at.width || (at.left >= 0 && at.right <= 390.5);
})));
const touched = await phone.page.$eval(".reader-page.paper", (one) => one.clientWidth);
await phone.page.evaluate(() => {
  const place = document.querySelector(".reader-pane");
  const touch = (id, x, y) => new Touch({ identifier: id, target: place, clientX: x, clientY: y });
  const send = (type, a, b) => place.dispatchEvent(new TouchEvent(type, { touches: [a, b], targetTouches: [a, b], changedTouches: [a, b], bubbles: true, cancelable: true }));
  send("touchstart", touch(1, 150, 400), touch(2, 250, 400));
  send("touchmove", touch(1, 100, 400), touch(2, 300, 400));
  place.dispatchEvent(new TouchEvent("touchend", { touches: [], targetTouches: [], changedTouches: [touch(1, 100, 400)], bubbles: true }));
});
ok("two fingers zoom", (await phone.page.$eval(".reader-page.paper", (one) => one.clientWidth)) > 1.8 * touched);
await judge(phone.page, "viewer phone", ["dialog"]);
const arabic = await open(1366, 768, { language: "ar" });
await arabic.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await look(arabic.page, "page-numbers", sample);
await settled(arabic.page);
await judge(arabic.page, "viewer arabic dark", ["dialog"]);
ok("what was searched stays in place from right to left", await arabic.page.evaluate(() => document.querySelector(".reader-search").getBoundingClientRect().left < 683));
for (const [one, name] of [[page, "viewer-desktop"], [phone.page, "viewer-phone"], [arabic.page, "viewer-arabic"]]) await one.screenshot({ path: join(pictures, `${name}.png`) });
for (const one of [desktop, many, phone, arabic]) ok("nothing went wrong in the page", one.wrong.length === 0, one.wrong);

await done();
