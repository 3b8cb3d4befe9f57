// The console of the reference (/docs) in a real Chromium: it uses the session of the page for people,
// so that no key is typed, and asks for a key without one. Prints TAP. Run by check/pages.sh.
// Usage: docs.mjs ADDRESS KEY SAMPLE.pdf PICTURES

import { address, done, enter, ok, open, sample, until } from "./browser.mjs";

const { page, wrong } = await open(1280, 900);
await enter(page);
await page.goto(`${address}/docs`, { waitUntil: "domcontentloaded" });
await page.waitForSelector("details.console");
const box = await page.evaluateHandle(() => [...document.querySelectorAll("details.console")].find((one) => one.querySelector("[name=degrees]")));
await page.evaluate((one) => (one.open = true), box);
const field = /** @type {any} */ (await box.asElement());
await page.waitForFunction((one) => !one.querySelector(".signed-in").hidden, {}, box);
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
  await fetch("/api/v1/session");
  await new Promise((resolve) => setTimeout(resolve, 500));
  return one.querySelector("[name=key]").required && one.querySelector(".signed-in").hidden;
}));
ok("nothing went wrong, nothing else was asked", wrong.length === 0, ...wrong);
await done();
