// What the web page costs: the first view in bytes over the network, its first pixel on a slow line (4G with
// 150 ms and 1.6 Mbit/s, as Chromium emulates it), and script on a slow processor (Chromium's throttle); the first screen of long documents and the frames while they are
// scrolled through; 200 files that are chosen at once; the browser's memory while 2 GB are sent. With BYTES=1 only the bytes of the first
// view are held to their budget, as time depends on the machine.
// Usage: page.mjs ADDRESS KEY [PLAIN.pdf]. Run by bench/page.sh, and with BYTES=1 by check/pages.sh.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_FOLDER, "x.js"));
const puppeteer = require("puppeteer-core");
const [address, key] = process.argv.slice(2);
const THROTTLE = 4;
const MOST_BYTES = 70e3;
const MOST_SCRIPT_MS = 200;

const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] });

/** The bytes of answers as they came, and the seconds of script and of all work of the main thread. */
async function visit(context, language) {
  const page = await context.newPage();
  const session = await page.createCDPSession();
  let bytes = 0;
  let answers = 0;
  await session.send("Network.enable");
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLE });
  session.on("Network.loadingFinished", (event) => {
    bytes += event.encodedDataLength;
    answers++;
  });
  await page.setExtraHTTPHeaders({ "Accept-Language": language });
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

/** Milliseconds to the first pixel and to the start's own title over a slow line, the median of five; and what moved. */
async function paint(language) {
  const runs = [];
  for (let i = 0; i < 5; i++) {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.setExtraHTTPHeaders({ "Accept-Language": language });
    await page.evaluateOnNewDocument((name) => {
      Object.defineProperty(navigator, "languages", { get: () => [name] });
      globalThis.moved = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((one) => (globalThis.moved += one.value))).observe({ type: "layout-shift", buffered: true });
      new PerformanceObserver((list) => list.getEntries().forEach((one) => (globalThis.largest = one.startTime))).observe({ type: "largest-contentful-paint", buffered: true });
    }, language);
    const session = await page.createCDPSession();
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 });
    await page.goto(address, { waitUntil: "networkidle0" });
    runs.push(await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0].startTime, globalThis.largest, globalThis.moved]));
    await context.close();
  }
  const median = (at) => runs.map((one) => one[at]).sort((a, b) => a - b)[2];
  console.log(`${language}: over a slow line the first pixel after ${median(0).toFixed(0)} ms, the largest text after ${median(1).toFixed(0)} ms, layout shift ${median(2).toFixed(3)}`);
}

/** The pages of a document on the board: what its first screen costs, and frames while it is scrolled through. */
async function board(file, count) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(address, { waitUntil: "networkidle0" });
  await page.evaluate((secret) => fetch("/api/v1/session", { method: "POST", headers: { "X-API-Key": secret, "Platen-Page": "1" } }), key);
  await page.reload({ waitUntil: "networkidle0" });
  await (await page.waitForSelector("main #choose")).uploadFile(file);
  await page.waitForFunction(() => document.querySelector("#files > li") && !document.querySelector("#files progress"));
  await page.waitForFunction((n) => document.querySelector("#files").textContent.replace(/\D/g, "").startsWith(String(n)), { timeout: 120000 }, count);
  const session = await page.createCDPSession();
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const cost = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (name) => metrics.find((one) => one.name === name).value * 1000;
  };
  const from = await cost();
  const clock = await page.evaluate(async () => {
    const began = performance.now();
    location.hash = "#/pages";
    const seen = () => [...document.querySelectorAll("#board .leaf")].filter((one) => one.getBoundingClientRect().top < innerHeight);
    for (;;) {
      await new Promise(requestAnimationFrame);
      const here = seen();
      if (here.length > 3 && here.every((one) => { const image = one.querySelector("img"); return image?.complete && image.naturalWidth; })) return performance.now() - began;
    }
  });
  const then = await cost();
  // A screen's height in every 10 frames, for 300 frames.
  const frames = await page.evaluate(async () => {
    const gaps = [];
    let last = await new Promise(requestAnimationFrame);
    for (let i = 0; i < 300; i++) {
      scrollBy(0, innerHeight / 10);
      const now = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
    return { late: gaps.filter((one) => one > 25).length, worst: Math.max(...gaps), leaves: document.querySelectorAll("#board .leaf").length };
  });
  const end = await cost();
  console.log(`${count} pages: first screen ${clock.toFixed(0)} ms by the clock, script ${(then("ScriptDuration") - from("ScriptDuration")).toFixed(0)} ms, ` +
    `all work of the page ${(then("TaskDuration") - from("TaskDuration")).toFixed(0)} ms; 300 frames of scrolling: ${frames.late} late, worst ${frames.worst.toFixed(0)} ms, ` +
    `all work ${((end("TaskDuration") - then("TaskDuration")) / 300).toFixed(1)} ms a frame, ${frames.leaves} pages in the document tree`);
  await context.close();
}

/** Many files that are chosen at once: when their rows stand, how long the page does nothing else, and frames while all are scrolled through. */
async function many(file, count) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(address, { waitUntil: "networkidle0" });
  await page.evaluate((secret) => fetch("/api/v1/session", { method: "POST", headers: { "X-API-Key": secret, "Platen-Page": "1" } }), key);
  await page.reload({ waitUntil: "networkidle0" });
  const folder = mkdtempSync(join(tmpdir(), "platen-bench-many-"));
  const names = Array.from({ length: count }, (_, i) => join(folder, `Letter ${i + 1}.pdf`));
  for (const one of names) copyFileSync(file, one);
  const session = await page.createCDPSession();
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const work = async () => (await session.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value * 1000;
  await page.evaluate(() => {
    globalThis.long = [];
    globalThis.made = 0;
    new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((one) => one.duration))).observe({ type: "longtask" });
    new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((node) => (globalThis.made += node.nodeName === "LI" ? 1 : 0)))).observe(document.getElementById("files"), { childList: true });
  });
  const before = await work();
  const began = Date.now();
  await (await page.waitForSelector("main #choose")).uploadFile(...names);
  await page.waitForFunction((n) => document.querySelectorAll("#files > li").length === n, { timeout: 120000 }, count);
  const stand = Date.now() - began;
  await page.waitForFunction((n) => !document.querySelector("#files progress") && document.querySelectorAll("#files .thumb img").length === n, { timeout: 300000 }, count);
  const all = Date.now() - began;
  const spent = (await work()) - before;
  const { long, made } = await page.evaluate(() => ({ long: globalThis.long, made: globalThis.made }));
  const frames = await page.evaluate(async () => {
    const list = document.getElementById("files");
    const gaps = [];
    let last = await new Promise(requestAnimationFrame);
    for (let i = 0; i < 200; i++) {
      list.scrollBy(0, 60);
      const now = await new Promise(requestAnimationFrame);
      gaps.push(now - last);
      last = now;
    }
    return { late: gaps.filter((one) => one > 25).length, worst: Math.max(...gaps) };
  });
  console.log(`${count} files: ${made} rows made, which stand after ${stand} ms, with pictures after ${all} ms; all work of the page ${spent.toFixed(0)} ms, ` +
    `tasks over 50 ms: ${long.length}, the longest ${Math.max(0, ...long).toFixed(0)} ms; 200 frames of scrolling: ${frames.late} late, worst ${frames.worst.toFixed(0)} ms`);
  rmSync(folder, { recursive: true });
  // An account keeps 200 uploads at most: those of what comes next have their place again.
  await page.evaluate(() => Promise.all(JSON.parse(localStorage.getItem("platen.files")).map((one) =>
    fetch(`/api/v1/uploads/${one.upload}`, { method: "DELETE", headers: { "Platen-Page": "1" } }))));
  await context.close();
}

/** A large file that is sent: the memory of the page's process at most, over what it was. */
async function upload(file, bytes) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "networkidle0" });
  await page.evaluate((secret) => fetch("/api/v1/session", { method: "POST", headers: { "X-API-Key": secret, "Platen-Page": "1" } }), key);
  await page.reload({ waitUntil: "networkidle0" });
  // Of all processes of this browser, as the file passes through several of them.
  const used = () => {
    const children = (pid) => execFileSync("sh", ["-c", `cat /proc/${pid}/task/*/children 2>/dev/null || true`], { encoding: "utf8" }).split(/\s+/).filter(Boolean).flatMap((one) => [one, ...children(one)]);
    const own = browser.process().pid;
    return [own, ...children(own)].reduce((sum, pid) => {
      try {
        return sum + Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] || 0) / 1000;
      } catch {
        return sum; // ended meanwhile
      }
    }, 0);
  };
  const before = used();
  let most = 0;
  await (await page.waitForSelector("main #choose")).uploadFile(file);
  await page.waitForSelector("#files > li");
  while (await page.$("#files progress")) {
    most = Math.max(most, used());
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  console.log(`upload of ${(bytes / 1e9).toFixed(1)} GB: the browser had ${before.toFixed(0)} MB before and ${most.toFixed(0)} MB at most`);
  await context.close();
}

if (!process.env.BYTES) {
  for (const language of ["en", "ar"]) await paint(language);
  const folder = mkdtempSync(join(tmpdir(), "platen-bench-page-"));
  const one = process.argv[4];
  await many(one, 200);
  for (const count of [1000, 10000]) {
    const file = join(folder, `${count}.pdf`);
    execFileSync("qpdf", ["--empty", "--pages", ...Array.from({ length: count / 2 }, () => [one, "1-2"]).flat(), "--", file]);
    await board(file, count);
  }
  const large = join(folder, "large.pdf");
  copyFileSync(one, large);
  truncateSync(large, 1.99e9);
  await upload(large, 1.99e9);
  rmSync(folder, { recursive: true });
}
await browser.close();
process.exit(bad ? 1 : 0);
