// A server that is killed in the middle of a job, with the web page open in a real Chromium:
// the page says so, goes on by itself when the server is back, and the job ends as if nothing had
// happened. Prints TAP. Run by check/pages.sh. Usage: restart.mjs PLATEN DATA PORT KEY SAMPLE.pdf

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_FOLDER, "x.js"));
const puppeteer = require("puppeteer-core");
const [platen, data, port, key, sample] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "platen-restart-"));
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

async function serve() {
  const server = spawn(platen, ["serve", "--data", data, "--listen", `127.0.0.1:${port}`, "--min-free-space", "1M"], { stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  await new Promise((resolve, reject) => {
    server.stderr.on("data", (bytes) => {
      log += bytes;
      if (/event=server.ready/.test(log)) resolve(undefined);
    });
    server.on("exit", () => reject(new Error(log.slice(-500))));
  });
  return server;
}

// Enough pages that the job is still at work when the server is killed.
const long = join(folder, "long.pdf");
execFileSync("qpdf", ["--empty", "--pages", ...Array.from({ length: 200 }, () => [sample, "1-z"]).flat(), "--", long]);
let server = await serve();
process.on("exit", () => server.kill("SIGKILL")); // a test that fails leaves nothing behind
const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] });
const page = await browser.newPage();
page.setDefaultTimeout(120000);
await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: "networkidle0" });
await page.type("#key", key);
await page.keyboard.press("Enter");
await page.waitForSelector("#drop");
await (await page.$("main #choose")).uploadFile(long);
await page.waitForFunction(() => document.querySelector("#files > li") && !document.querySelector("#files progress"));
await page.evaluate(() => (location.hash = "#/tool/to-png"));
await page.waitForSelector("#field-dpi");
await page.type("#field-dpi", "120");
await page.click("#submit");
await page.waitForFunction(() => /Working/.test(document.querySelector("#jobs > li.busy")?.textContent || ""));
ok("a job is at work", true);
server.kill("SIGKILL");
await once(server, "exit");
await page.waitForFunction(() => /Connection lost/.test(document.querySelector("#jobs > li.busy")?.textContent || ""));
ok("the page says that the server is away", true);
server = await serve();
await page.waitForSelector("#jobs > li:first-child a.button");
const said = await page.$eval("#jobs > li", (row) => row.textContent);
ok("and the job ends when it is back", /PDF to PNG/.test(said) && /1,200 files/.test(said), said);
await browser.close();
server.kill("SIGTERM");
await once(server, "exit");
console.log(`1..${count}`);
process.exit(failed ? 1 : 0);
