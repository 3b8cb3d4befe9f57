// Files from addresses, in a real Chromium: typed where files are chosen, pasted, not to be had, and not for visitors; and
// what became of the address of a result. Prints TAP. Run by check/pages.sh against a server that may fetch from 127.0.0.2.
// Usage: address.mjs ADDRESS KEY SAMPLE.pdf PICTURES

import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { click, done, emptyFiles, enter, go, judge, ok, open, run, sample, text, until } from "./browser.mjs";

const pdf = readFileSync(sample);
let sent = 0;
const origin = createServer((request, response) => {
  if (request.method === "PUT") sent++;
  request.resume().on("end", () => {
    if (request.url === "/page") {
      response.writeHead(200, { "Content-Type": "text/html" });
      return response.end("<!doctype html><title>A page</title><h1>Words of the page");
    }
    const there = request.url?.startsWith("/report");
    response.writeHead(there || request.method === "PUT" ? 200 : 404, { "Content-Length": there ? pdf.length : 0 });
    response.end(there && request.method === "GET" ? pdf : undefined);
  });
});
await new Promise((resolve) => origin.listen(0, "127.0.0.2", () => resolve(undefined)));
const at = (path) => `http://127.0.0.2:${/** @type {any} */ (origin.address()).port}${path}`;

const desk = await open(1366, 768);
const { page } = desk;
await enter(page);
await go(page, "");
await page.waitForSelector("#from-address");
await click(page, "#from-address");
await page.waitForSelector("#address");
ok("the field for an address has the focus", await page.evaluate(() => document.activeElement?.id === "address"));
await judge(page, "address");
await page.keyboard.press("Escape");
ok("Escape puts the button back, with the focus", await until(() => page.evaluate(() => document.activeElement?.id === "from-address")));
await click(page, "#from-address");
await page.waitForSelector("#address");
await page.type("#address", at("/report.pdf?secret=1"));
await page.keyboard.press("Enter");
const rows = () => page.$$eval("#files > li", (all) => all.map((one) => one.textContent));
ok("the file at the address stands in the list", await until(async () => /report\.pdf.*page/s.test((await rows())[0] || "")), await rows());
await judge(page, "address fetched");

/** As the keyboard would. */
const paste = (words) => page.evaluate((one) => {
  const data = new DataTransfer();
  data.setData("text/plain", one);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}, words);
await paste("some words that are no address");
ok("words that are pasted are no file", (await rows()).length === 1);
await paste(at("/report-two.pdf"));
ok("an address that is pasted is", await until(async () => /report-two\.pdf.*page/s.test((await rows())[1] || "")), await rows());
await paste(at("/gone.pdf"));
ok("one that cannot be had says so", await until(async () => /cannot be had/.test((await rows())[2] || "")), await rows());
await paste("http://127.0.0.1/a.pdf");
ok("so does one that may not be reached", await until(async () => /cannot be had/.test((await rows())[3] || "")), await rows());
await judge(page, "address refused");
ok("tools are offered for what was fetched", await until(async () => /Takes 2 of 4|Rotate PDF/.test(await text(page, "#tools"))), await text(page, "#tools"));

const job = await page.evaluate(async (url) => {
  const uploads = JSON.parse(localStorage.getItem("platen-files") || localStorage.getItem("files") || "[]");
  const data = new FormData();
  data.append("fileUrl", url);
  data.append("degrees", "90");
  data.append("outputUrl", url);
  const answer = await fetch("/api/v1/tools/pdf/rotate", { method: "POST", body: data, headers: { "Platen-Page": "1" } });
  return { status: answer.status, uploads: uploads.length, id: (await answer.json()).jobId };
}, at("/report.pdf"));
ok("a result may be sent to an address", job.status === 202 && await until(() => sent === 1), job);
await until(() => page.evaluate((id) => fetch(`/api/v1/jobs/${id}`, { headers: { "Platen-Page": "1" } }).then((answer) => answer.json()).then((one) => one.delivery === "done"), job.id));
await page.reload();
ok("the list of results says that it was", await until(async () => /was sent to its address/.test(await text(page, `[data-job="${job.id}"]`))), await text(page, `[data-job="${job.id}"]`));

// Where Chromium's headless shell is installed, pages at addresses.
for (const [name, wanted] of /** @type {[string, RegExp][]} */ ([["url-to-pdf", /127\.0\.0\.2.*\.pdf/], ["url-to-png", /127\.0\.0\.2.*\.png/]])) {
  if (!(await fetch(`${process.argv[2]}/openapi.json`).then((one) => one.text())).includes(`"/api/v1/tools/pdf/${name}"`)) continue;
  await go(page, `tool/${name}`);
  await page.waitForSelector("main.view-tool #field-url");
  ok(`${name} asks for an address and no file`, !(await page.$("#choose")));
  await click(page, "#submit");
  ok(`${name} wants the address`, await until(async () => (await text(page, "#field-url-error")) !== ""));
  await page.type("#field-url", at("/gone"));
  ok(`${name} says if the page cannot be had`, /could not be fetched/.test(await run(page)), await text(page, "#jobs"));
  await page.$eval("#field-url", (one) => (one.value = ""));
  await page.type("#field-url", at("/page"));
  if (name === "url-to-pdf") await judge(page, name);
  const said = await run(page);
  ok(`${name} shows the page at an address`, wanted.test(said), said);
  ok("the browser does not keep the address", !(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).includes("/page"));
}

// A text in place of a file.
for (const [name, typed, wanted] of [["markdown-to-pdf", "# Typed\n\nwords", /text.*\.pdf/], ["html-to-pdf", "<h1>Typed</h1>", /page.*\.pdf/]]) {
  if (!(await fetch(`${process.argv[2]}/openapi.json`).then((one) => one.text())).includes(`"/api/v1/tools/pdf/${name}"`)) continue;
  await emptyFiles(page);
  await go(page, `tool/${name}`);
  await click(page, "#from-text");
  await page.waitForSelector("#pasted");
  ok(`${name}: the field for a text has the focus`, await until(() => page.evaluate(() => document.activeElement?.id === "pasted")));
  await judge(page, `${name} text`);
  await page.type("#pasted", /** @type {string} */ (typed));
  await click(page, ".pasted button");
  ok(`${name}: the text is a file`, await until(() => page.$$eval("#files > li", (all) => all.length === 1)));
  const said = await run(page);
  ok(`${name}: a text that is typed becomes a PDF`, /** @type {RegExp} */ (wanted).test(said), said);
}
origin.close();
done();
