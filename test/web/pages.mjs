// The web page in a real Chromium: the ways a person takes, by mouse and by keyboard, on a
// desk and on a phone; axe's rules on each state. Prints TAP. Run by check/pages.sh.
// Usage: pages.mjs ADDRESS KEY SAMPLE.pdf PICTURES

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { address, click, done, emptyFiles, enter, fill, folder, go, judge, number, ok, open, put, run, sample, tabTo, text, until } from "./browser.mjs";

const HOSTILE = `<img src=x onerror=document.title='taken'>.pdf`;
const second = join(folder, "second.pdf");
const hostile = join(folder, HOSTILE);
const word = join(folder, "not a pdf.txt");
for (const name of [second, hostile]) writeFileSync(name, readFileSync(sample));
writeFileSync(word, "only words");

// A desk, by mouse.
const desk = await open(1280, 900);
await judge(desk.page, "desk key");
await desk.page.type("#key", "pk_wrong");
await desk.page.keyboard.press("Enter");
await desk.page.waitForFunction(() => document.getElementById("key-error").textContent);
ok("a wrong key is told", true);
await desk.page.$eval("#key", (input) => (input.value = ""));
await enter(desk.page);
const cookies = await desk.page.cookies();
ok("the key is where no script can read it", cookies.length === 1 && cookies[0].httpOnly &&
  cookies[0].sameSite === "Strict" && !(await desk.page.evaluate(() => document.cookie)), cookies.length);
await judge(desk.page, "desk start");
const offered = await desk.page.$$eval("#tools a", (all) => all.map((one) => one.dataset.tool));
// Extract and delete are the page's own, done by split.
ok("every tool of the server is offered", offered.length === Number(process.env.TOOLS) + 2, offered);

for (const tool of offered.filter((name) => !["merge", "split", "extract-pages", "delete", "rotate"].includes(name))) {
  await go(desk.page, `tool/${tool}`);
  const unnamed = await desk.page.$$eval("#form input, #form select, #form textarea",
    (all) => all.filter((control) => control.type !== "hidden" && !control.labels.length && !control.getAttribute("aria-label") &&
      !(control.hidden && control.closest(".field").querySelector("[role=radiogroup][aria-label]"))).map((control) => control.name));
  ok(`the form of ${tool} has a name for each field`, unnamed.length === 0, unnamed);
}

await go(desk.page, "");
await put(desk.page, hostile, second);
ok("a hostile name is shown as it is", (await text(desk.page, "#files .name")) === HOSTILE);
await judge(desk.page, "desk files");
await click(desk.page, '#files > li:nth-child(2) button[aria-label^="Move"][aria-label$="up"]');
ok("files are put into another order", (await text(desk.page, "#files .name")) === "second.pdf");

await go(desk.page, "tool/watermark");
await click(desk.page, "#submit");
ok("what is missing is told at its field", (await text(desk.page, "#field-text-error")).length > 0);
await desk.page.type("#field-text", "DRAFT");
await click(desk.page, "#fields summary");
await judge(desk.page, "desk form");
ok("many files with the same settings become one ZIP", /watermark\.zip/.test(await run(desk.page)), await text(desk.page, "#jobs"));
await go(desk.page, "");
await go(desk.page, "tool/watermark");
ok("settings stick", (await desk.page.$eval("#field-text", (one) => one.value)) === "DRAFT");
await click(desk.page, ".preset-save summary");
await desk.page.type("#preset-name", "My draft");
await click(desk.page, ".preset-save button");
await fill(desk.page, "text", "OTHER");
await desk.page.select("#presets", "My draft");
ok("and can be kept by a name", (await desk.page.$eval("#field-text", (one) => one.value)) === "DRAFT");

await emptyFiles(desk.page);
await put(desk.page, second);
await go(desk.page, "tool/compress");
const pressed = await run(desk.page);
ok("a file is compressed", /second-compressed\.pdf/.test(pressed), pressed);
await judge(desk.page, "desk done");
await click(desk.page, "#jobs > li a.button");
ok("the result is downloaded", await until(() => readdirSync(folder).includes("second-compressed.pdf")) &&
  readFileSync(join(folder, "second-compressed.pdf")).subarray(0, 5).toString() === "%PDF-");
await click(desk.page, '#jobs > li button[aria-label^="Continue"]');
await desk.page.waitForFunction(() => document.querySelector("#files .name")?.textContent === "second-compressed.pdf");
await go(desk.page, "tool/page-numbers");
const reused = await run(desk.page);
ok("a result is used without sending it again", /second-compressed-numbered\.pdf/.test(reused), reused);

await go(desk.page, "tool/page-numbers");
await fill(desk.page, "pages", "9999");
const refused = await run(desk.page);
ok("a job that fails says why", /page/.test(refused), refused);

await go(desk.page, "flow");
await click(desk.page, "#steps > li:first-child button:last-of-type");
await desk.page.type("#flow-name", "Small");
await click(desk.page, "#save-flow");
await judge(desk.page, "desk flow");
const flowed = await run(desk.page);
ok("a workflow runs", /pdf/.test(flowed) && !/refused/.test(flowed), flowed);
ok("and is kept by its name", await until(() => desk.page.$$eval("#saved-flows .saved-name", (all) => all.some((one) => one.textContent === "Small"))));

await emptyFiles(desk.page);
await put(desk.page, word);
ok("tools that do not take a file are not offered for it", !(await desk.page.$('#tools [data-tool="rotate"]')) &&
  Boolean(await desk.page.$('#tools [data-tool="word-to-pdf"]')));
await emptyFiles(desk.page);

await go(desk.page, "tool/add-password");
await desk.page.type("#field-password", "abc");
const weak = await text(desk.page, ".strength .hint");
await fill(desk.page, "password", "correct horse battery staple 9!");
ok("a password is told how strong it is", weak !== (await text(desk.page, ".strength .hint")) && /Strong/.test(await text(desk.page, ".strength .hint")), weak);
await judge(desk.page, "desk password");
await go(desk.page, "account");
await judge(desk.page, "desk account");
await go(desk.page, "tool/sign");
await judge(desk.page, "desk sign");

await go(desk.page, "");
const listed = await number(desk.page, "#jobs > li");
await desk.page.reload({ waitUntil: "networkidle0" });
await desk.page.waitForSelector("#jobs > li");
ok("after the tab was closed the results are there", (await number(desk.page, "#jobs > li")) === listed);
await click(desk.page, '#jobs > li button[aria-label^="Delete"]');
await click(desk.page, '#jobs .job-gone button[aria-label^="Delete"]');
await desk.page.waitForFunction((n) => document.querySelectorAll("#jobs > li").length === n - 1, {}, listed);
ok("a result is deleted", true);
const forged = await desk.page.evaluate(() => fetch("/api/v1/session", { method: "POST" }).then((answer) => answer.status));
ok("the cookie alone changes nothing", forged === 401 || forged === 403, forged);
await go(desk.page, "account");
await click(desk.page, "#leave");
await desk.page.waitForSelector("#key-form");
ok("the key is forgotten", (await desk.page.cookies()).length === 0);
ok("nothing went wrong, nothing else was asked", desk.wrong.length === 0, ...desk.wrong);
ok("the hostile name did nothing", /platen$/.test(await desk.page.title()), await desk.page.title());

// A phone.
const phone = await open(360, 740, { touch: true });
await enter(phone.page);
await judge(phone.page, "phone start");
await put(phone.page, sample);
await phone.page.$eval('#tools [data-tool="page-numbers"]', (one) => one.scrollIntoView({ block: "center" }));
await phone.page.tap('#tools [data-tool="page-numbers"]');
await phone.page.waitForSelector("main.view-tool #field-position");
await judge(phone.page, "phone form");
ok("a phone numbers pages", /numbered\.pdf/.test(await run(phone.page)));
await judge(phone.page, "phone done");
ok("nothing went wrong on a phone", phone.wrong.length === 0, ...phone.wrong);

// By keyboard alone; the dialog that chooses a file is the system's.
const keys = await open(1000, 800);
await enter(keys.page);
await put(keys.page, sample);
ok("tools are reached by Tab", await tabTo(keys.page, '[data-tool="compress"]'));
await keys.page.keyboard.press("Enter");
await keys.page.waitForSelector("main.view-tool #field-quality");
ok("a view begins at its title", await keys.page.evaluate(() => document.activeElement.tagName === "H1"));
ok("the button of the form is reached by Tab", await tabTo(keys.page, "#submit"));
const rows = await number(keys.page, "#jobs > li");
await keys.page.keyboard.press("Enter");
await keys.page.waitForFunction((n) => document.querySelectorAll("#jobs > li").length > n && document.querySelector("#jobs > li:first-child a.button"), {}, rows);
ok("a file is compressed by keyboard alone", /compressed$/.test(await keys.page.$eval(".result-name input", (one) => one.value)));
ok("and the download is reached by Tab", await tabTo(keys.page, "#jobs a.button"));

// Dark, and as large as a reader may want.
await keys.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await judge(keys.page, "dark");
await go(keys.page, "");
await judge(keys.page, "dark start");
await keys.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
await keys.page.setViewport({ width: 640, height: 450, deviceScaleFactor: 2 });
await judge(keys.page, "twice as large");
ok("nothing went wrong by keyboard", keys.wrong.length === 0, ...keys.wrong);
ok("the address of the page is not left", keys.page.url().startsWith(address));

await done();
