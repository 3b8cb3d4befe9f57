// The main way through the web page in Firefox: files chosen, a tool used, the result there;
// pages arranged on the board. Prints TAP. Run by check/pages.sh.
// Usage: firefox.mjs ADDRESS KEY SAMPLE.pdf

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_FOLDER, "x.js"));
const puppeteer = require("puppeteer-core");
const [address, key, sample] = process.argv.slice(2);
let count = 0;
let failed = 0;
function ok(what, passed, ...details) {
  count++;
  if (!passed) failed++;
  console.log(`${passed ? "ok" : "not ok"} ${count} - ${what}`);
  if (passed) return;
  console.log(`# ${new Error().stack.split("\n")[2].replace(/^.*file:\/\/|\)$/g, "")}`);
  for (const detail of details) console.log(`#   ${JSON.stringify(detail)}`);
}

const browser = await puppeteer.launch({ browser: "firefox", executablePath: process.env.FIREFOX || "/usr/bin/firefox-esr" });
const page = await browser.newPage();
const wrong = [];
page.setDefaultTimeout(60000);
page.on("pageerror", (error) => wrong.push(String(error)));
await page.goto(address);
await page.waitForSelector("#key");
await page.type("#key", key);
await page.keyboard.press("Enter");
await page.waitForSelector("#drop");
ok("the key opens the page in Firefox", true);
await (await page.$("main #choose")).uploadFile(sample);
await page.waitForFunction(() => document.querySelector("#files > li") && !document.querySelector("#files progress"));
ok("a file is sent", true);
await page.evaluate(() => (location.hash = "#/tool/compress"));
await page.waitForSelector("#field-quality");
await page.click("#submit");
await page.waitForSelector("#jobs > li a.button, #form-error:not(:empty)");
ok("a tool gives its result", /compressed$/.test(await page.$eval(".result-name input", (one) => one.value)), await page.$eval("main", (one) => one.textContent));
if (process.env.BOARD) {
  await page.evaluate(() => (location.hash = "#/pages/merge"));
  await page.waitForSelector("#board .leaf img");
  await page.focus("#board");
  await page.keyboard.press("End");
  await page.keyboard.press("Delete");
  await page.click("#submit");
  await page.waitForFunction(() => document.querySelectorAll("#jobs > li a.button").length === 2 || document.querySelector("#form-error:not(:empty)"));
  ok("pages are arranged", (await page.$$eval("#jobs > li a.button", (all) => all.length)) === 2, await page.$eval("#form-error", (one) => one.textContent));
}
ok("nothing went wrong in Firefox", wrong.length === 0, ...wrong);
await browser.close();
console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
