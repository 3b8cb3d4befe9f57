// A visitor whose jobs are used up: it is said in every view, with when there are new ones and where there are more.
// Prints TAP. Run by check/pages.sh against a server with web = open and one job for each visitor.
// Usage: quota.mjs ADDRESS - SAMPLE.pdf PICTURES

import { click, done, go, judge, number, ok, open, put, result, sample, text, until } from "./browser.mjs";

const { page, wrong } = await open(1366, 768);
await page.waitForSelector("#drop");
ok("nothing is said while there are jobs", !(await page.$("#quota-spent")));
await put(page, sample);
await go(page, "tool/repair");
await click(page, "#submit");
await result(page, 0);
ok("after the last one it is said", await until(async () => /All 1 jobs of this month are used/.test(await text(page, "#quota-spent"))), await text(page, "#quota-spent"));
ok("with the way to the plans", (await page.$eval("#quota-spent a", (one) => one.pathname)) === "/pricing");
await go(page, "tool/compress");
ok("in every view", Boolean(await page.$("#quota-spent")));
await judge(page, "quota spent");
const isOff = () => page.$eval("#submit", (one) => one.disabled && one.getAttribute("aria-describedby") === "quota-spent");
ok("a tool's button is off, and tells why", await isOff());
for (const view of ["pages/rotate", "pages/merge", "flow"]) {
  await go(page, view);
  ok(`so is that of ${view}`, await until(isOff));
}
await page.reload({ waitUntil: "networkidle0" });
ok("it is said from the beginning of the next visit to the page", await until(async () => Boolean(await page.$("#quota-spent"))));
ok("nothing went wrong", wrong.length === 0, ...wrong);
await done();
