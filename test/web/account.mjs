// The account's page and the operator's in every state, in a real Chromium: keys are made, rolled and revoked, deliveries of webhooks fail, are chosen by state and
// sent again, past months are shown, the operator's page asks for its key. Prints TAP. Run by
// check/pages.sh against a server whose operator's page needs OPERATOR, and that may call 127.0.0.1.
// Usage: account.mjs ADDRESS KEY SAMPLE.pdf PICTURES

import { createServer } from "node:http";
import { address, click, done, enter, go, judge, key, number, ok, open, tabTo, text, until } from "./browser.mjs";

const HOSTILE = `<img src=x onerror=document.title='taken'>`;
const operatorKey = process.env.OPERATOR;

/** What receives webhooks: it refuses until `kind`. */
let kind = false;
let calls = 0;
const receiver = createServer((request, response) => {
  calls++;
  request.resume().on("end", () => {
    response.statusCode = kind ? 200 : 410;
    response.end();
  });
});
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", () => resolve(undefined)));
const hook = `http://127.0.0.1:${/** @type {any} */ (receiver.address()).port}/${encodeURIComponent(HOSTILE)}`;

/** A job by the public interface, with the page's own session. */
const submit = (page, callback) => page.evaluate(async (url) => {
  const data = new FormData();
  const pdf = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>";
  data.append("file", new File([pdf], "a.pdf"));
  data.append("degrees", "90");
  data.append("callbackUrl", url);
  const answer = await fetch("/api/v1/tools/pdf/rotate", { method: "POST", body: data, headers: { "Platen-Page": "1" } });
  return (await answer.json()).jobId;
}, callback);
const section = (page, title) => page.waitForSelector(`section[aria-labelledby="${title}"]`);
const names = (page) => page.$$eval('section[aria-labelledby="keys-title"] tbody th bdi', (all) => all.map((one) => one.textContent));

const desk = await open(1280, 900);
const { page } = desk;
await enter(page);
await go(page, "account");
await section(page, "keys-title");
await judge(page, "account new");
ok("with no delivery the page says so", (await page.$eval('section[aria-labelledby="hooks-title"] p:not(.hint)', (one) => !one.hidden && one.textContent.length > 0)) &&
  (await page.$eval('section[aria-labelledby="hooks-title"] .table', (one) => one.hidden)));

// Keys.
await page.type("#key-name", HOSTILE);
await page.keyboard.press("Enter");
await page.waitForSelector("#new-key");
const made = await page.$eval("#new-key", (one) => one.value);
ok("a new key is shown once, chosen and by its name", (await until(async () => (await names(page)).includes(HOSTILE))) &&
  (await page.evaluate(() => document.activeElement.id === "new-key")), await names(page));
const works = (secret) => fetch(`${address}/api/v1/usage`, { headers: { "X-API-Key": secret } }).then((answer) => answer.status);
ok("it works", (await works(made)) === 200);
await judge(page, "account key made");
const secret = () => page.$eval("#hook-secret-text", (one) => one.value).catch(() => "");
ok("the secret of webhooks is not shown unasked", (await secret()) === "");
await click(page, "#hook-secret-show");
ok("it is shown when that is wanted", await until(async () => /^whsec_/.test(await secret())), await secret());
const signing = await secret();
await judge(page, "account secret");
await click(page, "#hook-secret-roll");
ok("and replaced", await until(async () => /^whsec_/.test(await secret()) && (await secret()) !== signing), await secret());
const row = (name) => page.evaluate((wanted) => [...document.querySelectorAll('section[aria-labelledby="keys-title"] tbody tr')].findIndex((one) => one.querySelector("th bdi").textContent === wanted) + 1, name);
const act = async (n, which) => click(page, `section[aria-labelledby="keys-title"] tbody tr:nth-child(${n}) button:nth-of-type(${which})`);
await act(await row(HOSTILE), 1);
await page.waitForFunction((old) => document.querySelector("#new-key")?.value !== old, {}, made);
const rolled = await page.$eval("#new-key", (one) => one.value);
ok("a key is rolled into another", rolled !== made && (await works(rolled)) === 200);
ok("the list says which key ends, and which one this page uses", await until(async () => /ends/i.test(await text(page, 'section[aria-labelledby="keys-title"] tbody')) &&
  /this page/i.test(await text(page, 'section[aria-labelledby="keys-title"] tbody'))), await text(page, 'section[aria-labelledby="keys-title"] tbody'));
await judge(page, "account key rolled");
await page.select("#key-scope", "submit");
await page.type("#key-name", "Page");
await page.keyboard.press("Enter");
await page.waitForFunction((old) => document.querySelector("#new-key")?.value !== old, {}, rolled);
const submits = await page.$eval("#new-key", (one) => one.value);
ok("a key has the scope that was chosen", /^ps_/.test(submits) && (await works(submits)) === 403 && await until(async () => /Submits jobs/.test(await text(page, 'section[aria-labelledby="keys-title"] tbody'))), submits);
await act(await row("Page"), 2);
await until(async () => !(await names(page)).includes("Page"));
await page.select("#key-scope", "manage");
await page.click("#key-test");
await page.type("#key-tools", "rotate, merge");
await page.type("#key-addresses", "127.0.0.0/8");
await page.type("#key-name", "Tests");
await page.keyboard.press("Enter");
await page.waitForFunction(() => document.querySelector("#new-key")?.value.startsWith("tk_"));
const tests = await page.$eval("#new-key", (one) => one.value);
const limits = async () => text(page, 'section[aria-labelledby="keys-title"] tbody');
ok("a test key is made for some tools and addresses", /^tk_/.test(tests) && (await works(tests)) === 200 && await until(async () => /Test key/.test(await limits()) && /rotate merge/.test(await limits()) && /127\.0\.0\.0\/8/.test(await limits())), await limits());
await judge(page, "account test key");
await act(await row("Tests"), 2);
await until(async () => !(await names(page)).includes("Tests"));
ok("the form is empty again", await page.evaluate(() => !document.querySelector("#key-test").checked && !document.querySelector("#key-tools").value));
const before = (await names(page)).length;
await act(await row(HOSTILE), 2);
ok("a key is revoked", await until(async () => (await names(page)).length === before - 1));
while ((await names(page)).length > 1) {
  const n = (await names(page)).length;
  await act(await row(HOSTILE), 2);
  await until(async () => (await names(page)).length === n - 1);
}
ok("with them their secrets", (await works(rolled)) === 401 && (await works(made)) === 401);
await act(1, 2);
ok("the last one is not, and the page says what to do", await until(async () => /roll/i.test(await text(page, 'section[aria-labelledby="keys-title"] .error'))));
await judge(page, "account key refused");

// Webhooks.
await submit(page, hook);
ok("the receiver was called", await until(async () => calls > 0), calls);
await go(page, "");
await go(page, "account");
await section(page, "hooks-title");
ok("a delivery that failed says why", await until(async () => {
  await go(page, "");
  await go(page, "account");
  await section(page, "hooks-title");
  return /410/.test(await text(page, 'section[aria-labelledby="hooks-title"] tbody'));
}), await text(page, 'section[aria-labelledby="hooks-title"]'));
await judge(page, "account delivery failed");
await page.select("#hooks-status", "delivered");
await page.waitForFunction(() => document.querySelector('section[aria-labelledby="hooks-title"] .table').hidden);
ok("those of one state are chosen", true);
await page.select("#hooks-status", "");
await page.waitForFunction(() => !document.querySelector('section[aria-labelledby="hooks-title"] .table').hidden);
kind = true;
const once = calls;
await page.focus("#hooks-status");
await page.keyboard.press("Tab");
ok("sending again is reached by Tab", await tabTo(page, 'section[aria-labelledby="hooks-title"] tbody button', 5));
await page.keyboard.press("Enter");
ok("a delivery is sent again", await until(async () => calls > once));
ok("and the page shows that it came", await until(async () => {
  await page.select("#hooks-status", "delivered");
  return /Delivered/.test(await text(page, 'section[aria-labelledby="hooks-title"] tbody'));
}), await text(page, 'section[aria-labelledby="hooks-title"] tbody'));
await judge(page, "account delivery sent");

// What was used.
ok("past months are drawn, and told in a table", (await number(page, ".bars > span")) >= 1 && (await page.$eval('section[aria-labelledby="history-title"] tbody', (one) => one.rows.length)) >= 1);
await click(page, 'section[aria-labelledby="history-title"] summary');
ok("this month's jobs are in it", /[1-9]/.test(await page.$eval('section[aria-labelledby="history-title"] tbody tr:last-child td', (one) => one.textContent)));
await judge(page, "account months");
const among = async () => /a-rotate\.pdf/.test(await text(page, "#jobs"));
ok("jobs of other programs are among the results", await among() || (await page.reload({ waitUntil: "networkidle0" }), await until(among)));

// Dark, a phone, Arabic, twice as large.
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await judge(page, "account dark");
await page.emulateMediaFeatures([]);
await page.setViewport({ width: 640, height: 450, deviceScaleFactor: 2 });
await judge(page, "account twice");
for (const [how, language, width] of [["phone", "en", 360], ["arabic", "ar", 1280], ["arabic phone", "ar", 360]]) {
  const there = await open(Number(width), 800, { language: String(language), touch: width === 360 });
  await enter(there.page);
  await go(there.page, "account");
  await section(there.page, "hooks-title");
  await judge(there.page, `account ${how}`);
  await go(there.page, "operator");
  await there.page.waitForSelector("#admin-form");
  await there.page.type("#admin-key", operatorKey);
  await there.page.keyboard.press("Enter");
  await there.page.waitForFunction(() => !document.querySelector("#admin-form"));
  await there.page.waitForFunction(() => document.querySelectorAll("main section.card").length > 3);
  await judge(there.page, `operator ${how}`);
  ok(`nothing went wrong: ${how}`, there.wrong.length === 0, ...there.wrong);
  await there.context.close();
}
await page.setViewport({ width: 1280, height: 900 });

// The operator's page.
await go(page, "operator");
await page.waitForSelector("#admin-form");
await judge(page, "operator asks");
await page.type("#admin-key", "not the operator's key at all");
await page.keyboard.press("Enter");
ok("a wrong operator's key is told", await until(async () => ((await page.$("#admin-problem")) ? text(page, "#admin-problem") : "")));
await judge(page, "operator refused");
await page.$eval("#admin-key", (one) => (one.value = ""));
await page.type("#admin-key", operatorKey);
await page.keyboard.press("Enter");
// The settings come last.
await page.waitForFunction(() => document.querySelector("main").textContent.includes("page_cache"));
const words = await text(page, "main");
ok("the right one shows queue, nodes, keys, plans and settings", ["queue", "workers", "failures", "business", "callback_allow", "page_cache"].every((one) => words.toLowerCase().includes(one)), words.slice(0, 2000));
const rows = () => page.$$eval("#op-changed", ([box]) => [...box.closest("section").querySelectorAll("tbody > tr")].filter((row) => row.checkVisibility()).map((row) => row.cells[0].textContent));
const changed = await rows();
ok("of the settings those are shown that differ from the default", changed.includes("callback_allow") && !changed.includes("page_cache") && !changed.includes("retention"), changed);
await click(page, "#op-changed");
ok("and all of them if that is asked for", (await rows()).length > 50 && (await rows()).includes("page_cache"));
ok("the figures that count come first", (await page.$$eval(".tiles > li", (all) => all.length)) === 6);
await click(page, "#op-more summary");
ok("programs are named with their sandbox", await until(async () => /platen-pages.*seccomp/s.test(await text(page, "#op-more"))));
const drawn = await page.evaluateHandle(() => document.querySelector(".tiles"));
ok("what was opened stays open when the figures are drawn again", (await until(() => page.evaluate((old) => !old.isConnected, drawn))) && (await page.$eval("#op-more", (one) => one.open)));
ok("with the limits of open mode, of each session and of each address", ["visitor_sessions", "visitor_jobs_per_hour", "visitor_jobs", "visitor_data", "visitor_requests", "visitor_retention"].every((one) => words.includes(one)));
ok("and no secret", !words.includes(operatorKey) && !words.includes(key) && !words.includes(rolled));
await judge(page, "operator");
await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
await judge(page, "operator dark");
await page.emulateMediaFeatures([]);
await page.setViewport({ width: 640, height: 450, deviceScaleFactor: 2 });
await judge(page, "operator twice");
await page.setViewport({ width: 1280, height: 900 });

ok("nothing went wrong, nothing else was asked", desk.wrong.length === 0, ...desk.wrong);
ok("the hostile name did nothing", !/taken/.test(await page.title()));

receiver.close();
await done();
