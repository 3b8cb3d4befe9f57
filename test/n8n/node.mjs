// node.mjs FOLDER URL KEY WORKFLOW: the n8n node in FOLDER works on files with a running server. What n8n gives
// to a node is played here: parameters, credentials, requests, binary data.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { Readable } from "node:stream";

const [folder, url, key, workflow] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const { Platen } = require(`${folder}/dist/nodes/Platen/Platen.node.js`);
const { PlatenApi } = require(`${folder}/dist/credentials/PlatenApi.credentials.js`);
const node = new Platen();
const page = readFileSync("page.pdf");

function ok(what) {
  console.log(`ok - ${what}`);
}

/** What n8n's requests do with these options. */
async function request(options, more = {}) {
  const json = options.json && options.body !== undefined;
  const answer = await fetch(options.url, {
    method: options.method,
    headers: { ...more, ...options.headers, ...(json ? { "Content-Type": "application/json" } : {}) },
    body: json ? JSON.stringify(options.body) : options.body,
  });
  if (options.encoding === "stream") return Readable.fromWeb(answer.body);
  const text = await answer.text();
  const body = /json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
  if (!answer.ok && !options.ignoreHttpStatusErrors) throw new Error(`status ${answer.status}`);
  return options.returnFullResponse ? { statusCode: answer.status, headers: answer.headers, body } : body;
}

function context(parameters, items = [{ json: {} }], more = {}) {
  const presets = Object.fromEntries(node.description.properties.map((property) => [property.name, property.default]));
  return {
    getInputData: () => items,
    getNode: () => ({ name: "Platen", type: "n8n-nodes-platen.platen", typeVersion: 1, position: [0, 0], parameters: {} }),
    getNodeParameter: (name, i, preset) => ({ ...presets, ...parameters })[name] ?? preset,
    getCredentials: async () => ({ url: `${url}/`, key: more.key ?? key }),
    continueOnFail: () => more.goesOn ?? false,
    helpers: {
      httpRequest: (options) => request(options),
      httpRequestWithAuthentication(name, options) {
        assert.equal(name, new PlatenApi().name);
        const [header, value] = Object.entries(new PlatenApi().authenticate.properties.headers)[0];
        return request(options, { [header]: value.replace("={{$credentials.key}}", more.key ?? key) });
      },
      assertBinaryData(i, name) {
        const data = items[i].binary?.[name];
        if (!data) throw new Error(`there is no binary field ${name}`);
        return data;
      },
      getBinaryMetadata: async () => ({ fileSize: more.stored.length }),
      getBinaryStream: async () => Readable.from([more.stored.subarray(0, 300), more.stored.subarray(300)]),
      getBinaryDataBuffer: async (i, name) => Buffer.from(items[i].binary[name].data, "base64"),
      async prepareBinaryData(stream, fileName) {
        const parts = [];
        for await (const part of stream) parts.push(part);
        return { fileName, data: Buffer.concat(parts).toString("base64"), mimeType: "application/pdf" };
      },
    },
  };
}

const item = (name = "data") => ({ json: {}, binary: { [name]: { fileName: "page.pdf", mimeType: "application/pdf", data: page.toString("base64") } } });
const execute = (...given) => node.execute.call(context(...given));

const rotate = { operation: "tool", tool: "rotate", params: '{"degrees": 90}' };
const [[turned]] = await execute(rotate, [item()]);
assert.equal(turned.json.status, "completed");
assert.equal(turned.binary, undefined);
assert.deepEqual(turned.pairedItem, { item: 0 });
ok("a tool is run on binary data, and the answer is the job with links");

const [files] = await execute({ ...rotate, answer: "file", outputName: "turned" }, [item(), item()]);
assert.equal(files.length, 2);
assert.equal(files[1].binary.data.fileName, "turned.pdf");
assert.match(Buffer.from(files[1].binary.data.data, "base64").toString("latin1"), /^%PDF-/);
ok("each item has its own result, as a file if that is wanted");

const [[streamed]] = await execute(rotate, [{ json: {}, binary: { data: { id: "filesystem:1", fileName: "a.pdf" } } }], { stored: page });
assert.equal(streamed.json.inputBytes, page.length);
ok("data that n8n keeps on disk are streamed");

const handles = { source: "handle", handles: `job:${turned.json.jobId}` };
const [[merged]] = await execute({ operation: "tool", tool: "merge", ...handles, handles: `${handles.handles}, ${handles.handles}` });
assert.equal(merged.json.outputs[0].pages, 2);
const [[alone]] = await execute({ operation: "tool", tool: "jpg-to-pdf", ...handles, handles: "job:none" }, undefined, { goesOn: true });
assert.equal(alone.json.code, "invalid_parameter");
ok("handles are files, also for tools that take several");

const [[chain]] = await execute({ operation: "pipeline", steps: [{ tool: "rotate", params: { degrees: 180 } }, { tool: "compress" }], ...handles });
assert.equal(chain.json.tool, "pipeline");
ok("several steps are one job");

const made = await fetch(`${url}/api/v1/workflows`, { method: "POST", headers: { "X-API-Key": key, "Content-Type": "application/json" },
  body: JSON.stringify({ name: "Mail", steps: [{ tool: "rotate", params: { degrees: 90 } }, { tool: "add-password" }] }) }).then((answer) => answer.json());
const listed = await node.methods.loadOptions.workflows.call(context({}));
assert.deepEqual(listed, [{ name: "Mail", value: made.workflowId, description: "rotate, add-password" }]);
const [[saved]] = await execute({ operation: "workflow", workflow: made.workflowId, values: { "steps[1].password": "open sesame" }, ...handles });
assert.equal(saved.json.status, "completed");
const [[lacking]] = await execute({ operation: "workflow", workflow: made.workflowId, ...handles }, undefined, { goesOn: true });
assert.equal(lacking.json.field, "steps[1].password");
ok("saved workflows are listed and run");

const [[later]] = await execute({ operation: "job", job: `job:${chain.json.jobId}` });
assert.equal(later.json.jobId, chain.json.jobId);
const [[usage]] = await execute({ operation: "usage" });
assert.ok(usage.json.requests.used >= 5);
ok("jobs and usage are answered");

await assert.rejects(execute({ ...rotate, params: { degrees: 45 } }, [item()]), (error) => {
  assert.equal(error.name, "NodeApiError");
  assert.match(error.message, /multiple of 90/);
  return true;
});
const [[wrong]] = await execute({ ...rotate, params: { degrees: 45 } }, [item()], { goesOn: true });
assert.deepEqual([wrong.json.code, wrong.json.field], ["invalid_parameter", "degrees"]);
await assert.rejects(execute(rotate, [item()], { key: "pk_wrong" }), /API key/);
await assert.rejects(execute(rotate, [{ json: {} }]), /binary field/);
await assert.rejects(execute({ ...rotate, params: '{"a\\r\\nb": 1}' }, [item()]), /no field/);
ok("errors have the words of the server");

const tools = await node.methods.loadOptions.tools.call(context({}));
assert.ok(tools.some((tool) => tool.value === "rotate" && tool.description));
assert.ok(!tools.some((tool) => tool.value === "pipeline" || tool.value.includes("dry-run")));
ok("the editor lists the tools");

const given = JSON.parse(readFileSync(workflow, "utf8"));
const names = given.nodes.map((one) => one.name);
for (const [from, { main }] of Object.entries(given.connections)) {
  assert.ok(names.includes(from) && main.flat().every((to) => names.includes(to.node)));
}
const own = given.nodes.find((one) => one.type === "n8n-nodes-platen.platen");
const known = node.description.properties.map((property) => property.name);
assert.deepEqual(Object.keys(own.parameters).filter((name) => !known.includes(name)), []);
const [[done]] = await execute({ ...own.parameters, steps: own.parameters.steps.replace('{"tool": "ocr"}', '{"tool": "rotate", "params": {"degrees": 90}}') },
  [item(own.parameters.binary)]);
assert.equal(done.json.status, "completed");
assert.match(given.nodes.find((one) => one.name === "Download").parameters.redirectUrl, /outputs\[0\]\.downloadUrl/);
ok("the workflow's node does what it says");
