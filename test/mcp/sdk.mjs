// sdk.mjs URL KEY FILE: the protocol's official client uses /mcp: it finds a tool, has a file of an upload
// worked on, follows the link, and reads errors. Prints a line for each statement that holds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, key, file] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };

function ok(what) {
  console.log(`ok - ${what}`);
}

async function api(method, path, type, body, more = {}) {
  const answer = await fetch(url + path, { method, body, headers: { ...headers, "Content-Type": type, ...more } });
  assert.equal(answer.ok, true, await answer.clone().text());
  return answer.json();
}

const data = readFileSync(file);
const { uploadId } = await api("POST", "/api/v1/uploads", "application/json", JSON.stringify({ name: "page.pdf", size: data.length }));
await api("PATCH", `/api/v1/uploads/${uploadId}`, "application/offset+octet-stream", data, { "Upload-Offset": "0" });

const client = new Client({ name: "test", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
assert.equal(client.getServerVersion().name, "platen");
assert.match(client.getInstructions(), /find_tool/);
ok("the client connects and reads who the server is");

const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), ["find_tool", "run", "status", "upload_ticket", "workflows", "usage"]);
ok("it lists the tools");

const found = await client.callTool({ name: "find_tool", arguments: { query: "rotate pages" } });
assert.match(found.content[0].text, /"tool":"rotate"/);
ok("it finds a tool");

const steps = [{ tool: "rotate", params: { degrees: 90 } }];
const done = await client.callTool({ name: "run", arguments: { steps, files: [`upload:${uploadId}`] } });
assert.equal(done.structuredContent.status, "completed");
const link = done.content.find((part) => part.type === "resource_link");
const result = Buffer.from(await (await fetch(link.uri)).arrayBuffer());
assert.equal(result.subarray(0, 5).toString(), "%PDF-");
assert.equal(result.length, link.size);
ok("it runs a tool, and the link has the result");

const { resources } = await client.listResources();
assert.equal(resources[0].name, link.name);
const { contents } = await client.readResource({ uri: resources[0].uri });
assert.deepEqual(Buffer.from(contents[0].blob, "base64"), result);
ok("it reads the result as a resource");

const seen = [];
const reported = await client.callTool({ name: "run", arguments: { steps, files: [`upload:${uploadId}`] } }, undefined, { onprogress: (one) => seen.push(one) });
assert.equal(reported.structuredContent.status, "completed");
assert.equal(seen[0].message, `job:${reported.structuredContent.jobId} was accepted`);
ok("it is told of progress");

const wrong = await client.callTool({ name: "run", arguments: { steps: [{ tool: "rotate", params: { degrees: 1 } }], files: [`upload:${uploadId}`] } });
assert.equal(wrong.isError, true);
assert.match(wrong.content[0].text, /multiple of 90/);
ok("a wrong call is a result that says what to change");

await assert.rejects(client.callTool({ name: "nix", arguments: {} }), /Unknown tool/);
await client.ping();
await client.close();
ok("an unknown tool is an error of the protocol");

const stranger = new Client({ name: "test", version: "1" });
await assert.rejects(stranger.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`))), /missing_api_key/);
ok("without a key it cannot connect");
