// The JavaScript client (clients/javascript) with a real server: what it promises, also when the line breaks.
// node platen_client.mjs URL KEY DOCUMENTATION

import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as client from "platen-client";

const { Platen } = client;
const [url, key, documentation] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "platen-client-"));
const page = await readFile("page.pdf");
let count = 0;

function ok(what, passed, ...details) {
  count += 1;
  console.log(`${passed ? "ok" : "not ok"} ${count} - ${what}`);
  if (!passed) {
    process.exitCode = 1;
    for (const detail of details) console.log(`#   ${JSON.stringify(detail) ?? detail}`);
  }
}
const same = (what, got, want) => ok(what, JSON.stringify(got) === JSON.stringify(want), { got }, { want });
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

async function fails(what, kind, code, call) {
  try {
    await call();
    ok(`${what} is ${kind.name} ${code}`, false);
  } catch (error) {
    ok(`${what} is ${kind.name} ${code}`, error instanceof kind && error.code === code, String(error), error.code);
  }
}

/** Passes connections on to the server, and breaks those that `breaks` chooses: by the connection's number from 0, the
 * bytes that go up and down before it is cut. */
async function brokenLine(breaks) {
  const target = new URL(url);
  const line = { count: 0 };
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const [up = Infinity, down = Infinity] = breaks(line.count++) ?? [];
    for (const [source, sink, limit] of [[near, far, up], [far, near, down]]) {
      let sent = 0;
      source.on("error", () => sink.destroy());
      source.on("end", () => sink.end());
      source.on("data", (data) => {
        sink.write(data.subarray(0, Math.max(0, limit - sent)));
        sent += data.length;
        if (sent > limit) {
          near.destroy();
          far.destroy();
        }
      });
    }
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  line.url = `http://127.0.0.1:${server.address().port}`;
  line.close = () => server.close();
  return line;
}

/** A document with bytes that do not become fewer. */
function large(bytes) {
  const noise = Buffer.from(Array.from({ length: bytes }, () => Math.floor(Math.random() * 256)));
  return Buffer.concat([page, Buffer.from("\n%"), Buffer.from(noise.toString("base64"))]);
}

const platen = new Platen({ url, key });
async function jobs() {
  let n = 0;
  for await (const _ of platen.jobs()) n += 1;
  return n;
}

async function testResults() {
  const task = platen.rotate(page, { degrees: 90 });
  const job = await task;
  same("a task gives the completed job", [job.status, job.tool, job.outputs.length], ["completed", "rotate", 1]);
  const path = await task.save(join(folder, "turned.pdf"));
  const saved = await readFile(path);
  same("save writes the result", sha256(saved), job.outputs[0].sha256);
  ok("bytes gives the same", Buffer.from(await task.bytes()).equals(saved));
  const pieces = [];
  for await (const piece of task.stream()) pieces.push(piece);
  ok("stream gives the same", Buffer.concat(pieces).equals(saved));
  same("blob has the type of the result", (await task.blob()).type, "application/pdf");
  same("save into a folder takes the result's name", await task.save(folder), join(folder, job.outputFile));
  ok("no part of a file is left", (await readdir(folder)).every((name) => !name.endsWith(".part")));
  const stream = new Blob([page]).stream();
  const streamed = await platen.rotate({ name: "s.pdf", data: stream, size: page.length }, { degrees: 90 });
  same("a stream is a file", streamed.outputFile, "s-rotate.pdf");
  same("a result is a file of a further job", (await platen.rotate(await task.ref(), { degrees: 90 })).status, "completed");
  const parts = await platen.split(await platen.merge([page, page]).ref(), { pages: "1,2" }).saveAll(join(folder, "parts"));
  same("saveAll writes each file of a result", parts.length, 2);
  ok("a dry run says what a job would meet", (await platen.dryRun("rotate", page, { degrees: 90 })).ok);
  ok("usage says what was used", (await platen.usage()).requests.used > 3);
  const flow = await fetch(`${url}/api/v1/workflows`, { method: "POST", headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ name: `Mail ${process.pid}`, steps: [{ tool: "rotate", params: { degrees: 90 } }, { tool: "add-password" }] }) }).then((answer) => answer.json());
  same("a saved workflow is run with what it needs",
    (await platen.workflow(page, flow.workflowId, { "steps[0].degrees": 180, "steps[1].password": "open sesame" })).status, "completed");
  const seen = [];
  await platen.rotate(page, { degrees: 90, onProgress: ({ stage }) => seen.push(stage) });
  same("progress ends with completed", seen.at(-1), "completed");
  same("resume goes on with a job", (await platen.resume(job.jobId)).jobId, job.jobId);
  const ticket = await platen.ticket({ maxBytes: 1 << 20, name: "from elsewhere.pdf" });
  same("a ticket waits for its file", (await platen.tickets()).map((one) => one.uploadId).join(), ticket.uploadId);
  await fetch(ticket.url, { method: "PUT", body: page });
  same("the file that came to a ticket's address is one for jobs",
    (await platen.rotate(ticket.ref, { degrees: 90 })).outputFile, "from elsewhere-rotate.pdf");
  await platen.deleteUpload(ticket.ref);
  await platen.deleteUpload((await platen.ticket()).ref);
  same("a ticket that is revoked is not listed", (await platen.tickets()).length, 0);
  await platen.deleteJob(job.jobId);
  await fails("a deleted job", client.NotFoundError, "job_not_found", () => platen.job(job.jobId));
}

async function testErrors() {
  await fails("a wrong option", client.ApiError, "invalid_parameter", () => platen.rotate(page, { degrees: 17 }));
  await fails("a job that fails", client.JobError, "corrupt_file", () => platen.rotate(Buffer.from("%PDF-1.4\n"), { degrees: 90 }));
  await fails("an unknown key", client.AuthenticationError, "invalid_api_key", () => new Platen({ url, key: "pk_unknown" }).usage());
  await fails("two files for one", client.PlatenError, "too_many_files", async () => platen.rotate([page, page], { degrees: 90 }));
  await fails("a server that is not there", client.ConnectionError, "connection_failed",
    () => new Platen({ url: "http://127.0.0.1:1", key, retries: 1 }).usage());
  const control = new AbortController();
  const task = platen.rotate(page, { degrees: 90, signal: control.signal });
  control.abort(new client.PlatenError("mine", "no more"));
  await fails("a task whose signal is aborted", client.PlatenError, "mine", () => task);
  const cancelled = platen.rotate(page, { degrees: 90 });
  const id = await cancelled.id();
  await cancelled.cancel();
  await fails("the job of a task that was cancelled", client.NotFoundError, "job_not_found", () => platen.job(id));
}

async function testBrokenLines() {
  const data = large(2_000_000), before = await jobs();
  const line = await brokenLine((n) => n % 3 === 1 ? [1_000_000] : undefined);
  const sender = new Platen({ url: line.url, key, pieceSize: 1 << 20 });
  const task = sender.rotate(data, { degrees: 90 });
  same("an upload goes on after the line broke in its pieces", (await task).inputBytes, data.length);
  ok("the line has broken", line.count > 2, line.count);
  same("one job was made", await jobs(), before + 1);
  line.close();

  const lost = await brokenLine((n) => n === 0 ? [Infinity, 0] : undefined);
  same("a submission whose answer was lost is repeated", (await new Platen({ url: lost.url, key }).rotate(page, { degrees: 90 })).status, "completed");
  same("it made one job", await jobs(), before + 2);
  lost.close();

  const pictures = await platen.rotate(data, { degrees: 180 });
  const cut = await brokenLine((n) => n < 3 ? [Infinity, 700] : undefined);
  const redirected = new Platen({
    url, key,
    fetch: (address, init) => fetch(String(address).includes("/files/") ? String(address).replace(url, cut.url) : address, init),
  });
  same("a download goes on after the line broke", sha256(await redirected.resume(pictures.jobId).bytes()), pictures.outputs[0].sha256);
  ok("it was asked for several times", cut.count > 1, cut.count);
  cut.close();
  const changed = new Platen({
    url, key,
    fetch: async (address, init) => String(address).includes("/files/")
      ? new Response(new Uint8Array((await (await fetch(address, init)).arrayBuffer())).fill(32, 0, 9)) : fetch(address, init),
  });
  await fails("a result that was changed on its way", client.ChecksumError, "checksum_mismatch", () => changed.resume(pictures.jobId).save(join(folder, "x.pdf")));
  ok("it is not saved", !(await readdir(folder)).some((name) => name.startsWith("x.pdf")));
}

async function testWaiting() {
  let n = 0;
  const busy = createHttpServer((request, response) => {
    n += 1;
    request.resume();
    response.writeHead(n < 3 ? 503 : 200, { "Content-Type": "application/json", ...(n < 3 ? { "Retry-After": "0" } : {}) });
    response.end(JSON.stringify(n < 3 ? { error: "overloaded", message: "later" } : { plan: "x" }));
  });
  await new Promise((ready) => busy.listen(0, "127.0.0.1", ready));
  const waiting = new Platen({ url: `http://127.0.0.1:${busy.address().port}`, key });
  same("a server that is overloaded is asked again", [(await waiting.usage()).plan, n], ["x", 3]);
  busy.close();
}

async function testWebhook() {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`, body = JSON.stringify({ jobId: "j", status: "completed" });
  const at = Math.floor(Date.now() / 1000);
  const { createHmac } = await import("node:crypto");
  const signature = `v1,${createHmac("sha256", Buffer.alloc(32, 7)).update(`m.${at}.${body}`).digest("base64")}`;
  const headers = { "Webhook-Id": "m", "webhook-timestamp": String(at), "webhook-signature": `v1,AAAA ${signature}` };
  same("a webhook gives its job", (await client.verifyWebhook(body, headers, secret)).jobId, "j");
  await fails("another body", client.WebhookError, "invalid_webhook", () => client.verifyWebhook(`${body} `, headers, secret));
  await fails("another secret", client.WebhookError, "invalid_webhook", () => client.verifyWebhook(body, headers, `whsec_${"A".repeat(43)}=`));
  await fails("an old webhook", client.WebhookError, "invalid_webhook",
    () => client.verifyWebhook(body, headers, secret, { now: new Date(Date.now() + 3600_000) }));
}

async function testDocumentation() {
  const blocks = [...(await readFile(documentation, "utf8")).matchAll(/^```js\n([^]*?)^```/gm)].map((found) => found[1]);
  ok("docs/clients.md has examples in JavaScript", blocks.length >= 7, blocks.length);
  const seen = new Set();
  const lines = blocks.join("\n").split("\n").filter((line) => !line.startsWith("import ") || (!seen.has(line) && seen.add(line)));
  const script = join(process.cwd(), "documentation.mjs");
  await writeFile(script, `import { readFile } from "node:fs/promises";\n${lines.join("\n")}`);
  const here = process.cwd(), work = await mkdtemp(join(tmpdir(), "platen-documentation-"));
  await writeFile(join(work, "report.pdf"), (await platen.merge([page, page, page]).bytes()));
  await writeFile(join(work, "appendix.pdf"), page);
  process.chdir(work);
  process.env.PLATEN_URL = url;
  process.env.PLATEN_KEY = key;
  try {
    await import(pathToFileURL(script).href);
    ok("the examples of docs/clients.md run", true);
  } catch (error) {
    ok("the examples of docs/clients.md run", false, String(error), error.stack);
  }
  process.chdir(here);
  const made = await readdir(work);
  ok("they make the files that they name",
    ["small.pdf", "both.pdf", "turned.pdf", "parts", "mail.pdf", "pages.zip"].every((name) => made.includes(name)), made);
}

for (const test of [testResults, testErrors, testBrokenLines, testWaiting, testWebhook, testDocumentation]) await test();
console.log(`1..${count}`);
