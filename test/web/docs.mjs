// The console of the reference (/docs) in a real Chromium: it uses the session of the web page,
// so that no key is typed, and asks for a key without one. Prints TAP. Run by check/pages.sh.
// Usage: docs.mjs ADDRESS KEY SAMPLE.pdf PICTURES

import { address, done, enter, judge, number, ok, open, sample, until } from "./browser.mjs";

const { page, wrong } = await open(1280, 900);
await enter(page);
await page.goto(`${address}/docs`, { waitUntil: "domcontentloaded" });
await page.waitForSelector("details.console");
const box = await page.$("#rotate details.console");
await page.evaluate((one) => (one.open = true), box);
const field = /** @type {any} */ (box);
await page.waitForFunction((one) => one.querySelector(".signed-in:not([hidden])"), {}, box);
ok("the console needs no key of who is signed in", await page.evaluate((one) => !one.querySelector("[name=key]").required && !one.querySelector("[name=key]").value, box));
await (await field.$("input[type=file]")).uploadFile(sample);
await page.evaluate((one) => (one.querySelector("[name=degrees]").value = "90"), box);
await page.evaluate((one) => one.querySelector("form button").scrollIntoView({ block: "center" }), box);
await (await field.$("form button")).click();
ok("and runs a tool", await until(async () => page.evaluate((one) => /completed/.test(one.querySelector(".output").textContent) && Boolean(one.querySelector(".output a")), box)),
  await page.evaluate((one) => one.querySelector(".output").textContent, box));
await page.deleteCookie(...(await page.cookies()));
await page.reload({ waitUntil: "domcontentloaded" });
await page.waitForSelector("details.console");
ok("without a session it asks for a key", await page.evaluate(async () => {
  const one = document.querySelector("details.console");
  one.open = true;
  while (!one.querySelector("form")) await new Promise(requestAnimationFrame);
  await fetch("/api/v1/session");
  await new Promise((resolve) => setTimeout(resolve, 500));
  return one.querySelector("[name=key]").required && one.querySelector(".signed-in").hidden;
}));

// What is folded is made when it is opened, as all of it is 50,000 elements, of which axe alone took minutes.
ok("the reference is small until it is opened", (await number(page, "*")) < 450 * Number(process.env.TOOLS), await number(page, "*"));
await page.evaluate(() => document.querySelectorAll("#rotate details").forEach((one) => (one.open = true)));
await page.waitForSelector("#rotate details.answer table");
// One of each kind of part: all of them are several hundred of the same kinds.
const PARTS = ["header", "aside", "main > section:first-of-type", "#rotate", "#getJob"];
await judge(page, "docs", PARTS);
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await judge(page, "docs dark", PARTS);
await page.emulateMediaFeatures([]);
await page.setViewport({ width: 360, height: 740 });
await judge(page, "docs phone", PARTS);
await page.setViewport({ width: 1280, height: 900 });
await page.type("#filter", "savedImages");
ok("the filter finds what is folded", await page.evaluate(() => !document.getElementById("compress").hidden && document.getElementById("getUsage").hidden));
for (const [place, width] of [["/pricing", 1280], ["/pricing", 360]]) {
  await page.setViewport({ width: Number(width), height: 800 });
  await page.goto(address + place, { waitUntil: "networkidle0" });
  await judge(page, `pricing ${width}`);
}
ok("nothing went wrong, nothing else was asked", wrong.length === 0, ...wrong);
await done();
