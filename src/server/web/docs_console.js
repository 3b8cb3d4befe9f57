// A form to try a tool with: upload, wait, fetch.
import { codeBlock, element, folded } from "./docs_markdown.js";
import { isFile, resolve } from "./docs_schema.js";

// For this page's life only: a key is not left behind in a browser.
let key = "";

/** Whether the web page knows who this is: its cookie then says so here too. Asked once. */
let known = null;
function session() {
  known ??= fetch("/api/v1/session").then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({}));
  return known;
}

function control(document, name, node, required) {
  const schema = resolve(document, node) ?? {};
  const items = schema.type === "array" ? resolve(document, schema.items) : schema;
  const attributes = { name, required };
  if (isFile(items)) return element("input", { ...attributes, type: "file", multiple: schema.type === "array" });
  const words = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : null);
  if (words) {
    return element("select", attributes, element("option", { value: "" }, `(${schema.default ?? "not said"})`),
      words.map((word) => element("option", { value: word }, String(word))));
  }
  return element("input", {
    ...attributes, type: schema.format === "password" ? "password" : "text", autocomplete: "off",
    placeholder: schema.default ?? schema.examples?.[0] ?? "",
  });
}

/** What was filled in: an empty field is one left out. */
function collect(form) {
  const body = new FormData();
  for (const input of form.elements) {
    if (!input.name || input.name === "key") continue;
    if (input.type === "file") for (const file of input.files) body.append(input.name, file);
    else if (input.value !== "") body.append(input.name, input.value);
  }
  return body;
}

const asked = (path, options = {}) =>
  fetch(path, { ...options, headers: { ...(key ? { "X-API-Key": key } : { "Platen-Page": "1" }), ...options.headers } });

async function follow(job, say) {
  let seen = job;
  while (seen.status === "pending") {
    say(`${seen.progress === undefined ? "waiting" : `${Math.round(seen.progress * 100)} %`} …`, seen);
    seen = await (await asked(`/api/v1/jobs/${job.jobId}?wait=2`)).json();
  }
  return seen;
}

async function run(path, form, output) {
  const say = (text, json) => output.replaceChildren(element("p", { role: "status" }, text),
    ...(json ? [codeBlock(JSON.stringify(json, null, 2))] : []));
  key = form.elements.key.value;
  say("uploading …");
  try {
    const answer = await asked(path, { method: "POST", body: collect(form) });
    const accepted = await answer.json();
    if (!accepted.jobId) {
      say(`${answer.status}: ${accepted.message ?? ""}`, accepted);
      return;
    }
    const job = accepted.status === "pending" ? await follow(accepted, say) : accepted;
    say(job.status === "completed" ? "completed" : `failed: ${job.message ?? ""}`, job);
    // Relative to this page: the server may stand behind another name than it was told.
    if (job.downloadUrl) {
      const url = new URL(job.downloadUrl);
      output.firstChild.append(" ", element("a", { class: "button", href: url.pathname + url.search }, `Download ${job.outputFile}`));
    }
  } catch (error) {
    say(`The server could not be reached: ${error.message}`);
  }
}

/** The console of one tool, made when it is first opened. */
export function tryIt(document, path, schema) {
  return folded({ class: "console" }, element("summary", {}, "Try it"), () => {
    const required = new Set(schema.required ?? []);
    const output = element("div", { class: "output", "aria-live": "polite" });
    const row = (name, input) => element("label", {}, element("span", {}, name), input);
    const signed = element("p", { class: "signed-in", hidden: true }, "Signed in on the page: no key is needed here.");
    const field = element("input", { name: "key", type: "password", required: true, autocomplete: "off" });
    field.value = key;
    session().then(({ signedIn }) => {
      field.required = !signedIn;
      if (signedIn) field.placeholder = "your session's";
      signed.hidden = !signedIn;
    });
    return [element("form", {
      submit: (event) => {
        event.preventDefault();
        run(path, event.target, output);
      },
    }, row("API key", field), signed,
    Object.entries(schema.properties).map(([name, node]) => row(name, control(document, name, node, required.has(name)))),
    element("button", { type: "submit" }, "Run")), output];
  });
}
