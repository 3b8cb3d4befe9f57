// What the first view of the page for people costs: bytes over the network, and script on a slow
// processor (Chromium's throttle). With BYTES=1 only
// the bytes are held to their budget, as time depends on the machine.
// Usage: page.mjs ADDRESS KEY. Run by bench/page.sh, and with BYTES=1 by check/pages.sh.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_FOLDER, "x.js"));
const puppeteer = require("puppeteer-core");
const [address, key] = process.argv.slice(2);
const THROTTLE = 4;
const MOST_BYTES = 100e3;
const MOST_SCRIPT_MS = 200;

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** The bytes of answers as they came, and the seconds of script and of all work of the main thread. */
async function visit(context, language) {
  const page = await context.newPage();
  const session = await page.createCDPSession();
  let bytes = 0;
  let answers = 0;
  await session.send("Network.enable");
  await session.send("Performance.enable");
  await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
  session.on("Network.loadingFinished", (event) => {
    bytes += event.encodedDataLength;
    answers++;
  });
  await page.evaluateOnNewDocument((name) => Object.defineProperty(navigator, "languages", { get: () => [name] }), language);
  await page.goto(address, { waitUntil: "networkidle0" });
  await page.waitForSelector("#key-form, #drop");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (name) => metrics.find((one) => one.name === name).value * 1000;
  await page.close();
  return { bytes, answers, script: of("ScriptDuration"), task: of("TaskDuration") };
}

let bad = 0;
for (const language of ["en", "ar", "ja"]) {
  const context = await browser.createBrowserContext();
  const login = await context.newPage();
  await login.goto(address, { waitUntil: "networkidle0" });
  await login.evaluate((secret) => fetch("/api/v1/session", { method: "POST", headers: { "X-API-Key": secret, "Platen-Page": "1" } }), key);
  const session = await login.createCDPSession();
  await session.send("Network.clearBrowserCache");
  await login.close();
  const first = await visit(context, language);
  const later = await visit(context, language);
  const held = first.bytes < MOST_BYTES && (process.env.BYTES || first.script < MOST_SCRIPT_MS);
  if (!held) bad++;
  console.log(`${language}: first view ${(first.bytes / 1000).toFixed(1)} kB in ${first.answers} answers, script ${first.script.toFixed(0)} ms, ` +
    `all work ${first.task.toFixed(0)} ms at ${THROTTLE}x; again ${(later.bytes / 1000).toFixed(1)} kB${held ? "" : " - OVER THE BUDGET"}`);
  await context.close();
}
await browser.close();
process.exit(bad ? 1 : 0);
