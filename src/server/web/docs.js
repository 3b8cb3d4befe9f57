// The reference: /openapi.json as a page.
import { anchor, codeBlock, element, folded, inline, markdown } from "./docs_markdown.js";
import { fieldTable, isFile, properties, resolve } from "./docs_schema.js";
import { languages } from "./docs_samples.js";
import { tryIt } from "./docs_console.js";

const METHODS = ["get", "post", "put", "patch", "delete"];
const FORM = "multipart/form-data";

/** [{path, method, operation, parameters}] in the order of the document, its references resolved. */
function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      path, method: method.toUpperCase(), operation: item[method],
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])]
        .map((one) => resolve(document, one)),
    })));
}

/** A row of buttons that each show one panel. */
function tabs(label, panels) {
  const names = Object.keys(panels);
  const box = element("div", { class: "tabs" });
  const show = (chosen) => {
    for (const tab of box.querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", tab.textContent === chosen);
    box.lastChild.replaceChildren(panels[chosen]());
  };
  box.append(element("div", { role: "tablist", "aria-label": label }, names.map((name) =>
    element("button", { type: "button", role: "tab", click: () => show(name) }, name))),
  element("div", { role: "tabpanel" }));
  show(names[0]);
  return box;
}

const bodyOf = (document, operation) => resolve(document, operation.requestBody)?.content?.[FORM];

function samples(document, { path, method, operation, parameters }) {
  const content = bodyOf(document, operation);
  const schema = content?.schema;
  const files = new Set(Object.entries(schema?.properties ?? {})
    .filter(([, value]) => isFile(value.items ?? value)).map(([name]) => name));
  const open = operation.security?.length === 0;
  const url = `${document.servers[0].url}${path}`.replace(/\{jobId\}/, "$JOB");
  const query = parameters.filter((one) => one.in === "query" && one.required);
  const address = query.length ? '$DOWNLOAD_URL' : url;
  const examples = Object.values(content?.examples ?? { only: { summary: "", value: undefined } });
  return examples.map(({ summary, value }) => element("div", { class: "sample" },
    summary ? element("h4", {}, summary) : null,
    tabs("Language", Object.fromEntries(Object.entries(languages).map(([name, write]) =>
      [name, () => codeBlock(write({ method, url: address, example: value, files, open }))])))));
}

/** The fields of a schema; of one that is one of several, the fields of each. */
function schemaTables(document, node) {
  const schema = resolve(document, node);
  if (schema.oneOf) {
    return schema.oneOf.flatMap((one) => [
      element("h5", {}, one.$ref?.split("/").at(-1) ?? ""),
      element("p", {}, inline(resolve(document, one).description ?? "")), ...schemaTables(document, one)]);
  }
  const fields = properties(document, schema);
  return fields.length ? [fieldTable(document, fields)] : [];
}

/** What links lead to: the tool's name, or the operation's. */
function nameOf({ path, operation }) {
  return operation.tags.includes("Tools") ? path.split("/").at(-1) : operation.operationId;
}

/** All dry runs in one: they differ in their form, which is the tool's. */
function dryRuns(document, operations) {
  const [{ operation }] = operations;
  return element("section", { class: "operation" },
    element("p", {}, operations.flatMap(({ method, path }, i) => [i ? ", " : "", element("code", {}, `${method} ${path}`)])),
    element("h4", {}, "Answers"),
    Object.entries(operation.responses).map(([status, response]) => answerPanel(document, status, response)));
}

function answerPanel(document, status, node) {
  const response = resolve(document, node);
  const media = Object.entries(response.content ?? {});
  const headers = Object.entries(response.headers ?? {}).map(([name, value]) =>
    ({ name, schema: resolve(document, value).schema, description: resolve(document, value).description }));
  return folded({ class: `answer s${status[0]}` }, element("summary", {}, element("code", {}, status), " ", inline(response.description)), () => [
    media.map(([type, { schema, examples, example }]) => [
      element("p", { class: "media" }, element("code", {}, type)),
      schema ? schemaTables(document, schema) : null,
      Object.entries(examples ?? (example ? { example: { value: example } } : {}))
        .map(([name, one]) => [name, resolve(document, one)]).map(([name, one]) => [
        element("h5", {}, one.summary ?? name),
        codeBlock(typeof one.value === "string" ? one.value : JSON.stringify(one.value, null, 2)),
      ]),
    ]),
    headers.length ? [element("h5", {}, "Headers"), fieldTable(document, headers)] : null]);
}

function section(document, found) {
  const { path, method, operation, parameters } = found;
  const schema = bodyOf(document, operation)?.schema;
  const isTool = operation.tags.includes("Tools") && schema;
  const groups = [["path", "In the path"], ["query", "In the query"], ["header", "Headers"]]
    .map(([where, title]) => [title, parameters.filter((one) => one.in === where)]);
  const name = nameOf(found);
  return element("section", { id: name, class: "operation" },
    element("h3", {}, element("a", { href: `#${name}` }, name)),
    element("p", { class: "address" }, element("span", { class: `method ${method.toLowerCase()}` }, method), element("code", {}, path)),
    element("p", { class: "lead" }, inline(operation.summary)),
    element("div", { class: "columns" },
      element("div", {},
        operation.description ? markdown(operation.description, 4) : null,
        schema ? [element("h4", {}, "Form"), fieldTable(document, properties(document, schema))] : null,
        groups.map(([title, fields]) => (fields.length ? [element("h4", {}, title), fieldTable(document, fields)] : null)),
        element("h4", {}, "Answers"),
        Object.entries(operation.responses).map(([status, response]) => answerPanel(document, status, response))),
      element("div", { class: "beside" }, samples(document, found), isTool ? tryIt(document, path, schema) : null)));
}

const isDry = (tag) => tag.name === "Dry runs";

function contents(document, groups, guide) {
  const link = (id, text) => element("li", {}, element("a", { href: `#${id}` }, text));
  const headings = guide.filter((part) => part.tagName === "H2");
  return [
    element("h2", {}, "Guide"), element("ul", {}, headings.map((part) => link(part.id, part.textContent))),
    groups.map(({ tag, operations }) => [element("h2", {}, tag.name),
      element("ul", {}, isDry(tag) ? link(anchor(tag.name), tag.name) : operations.map((found) => link(nameOf(found), nameOf(found))))]),
  ].flat(3);
}

/** Hides what does not hold the words. */
function filter(words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  for (const box of document.querySelectorAll("details")) box.dispatchEvent(new Event("fill"));
  for (const part of document.querySelectorAll("section")) {
    const text = part.textContent.toLowerCase();
    part.hidden = !wanted.every((word) => text.includes(word));
  }
  for (const entry of document.querySelectorAll("#contents li")) {
    const target = document.getElementById(entry.firstChild.getAttribute("href").slice(1));
    entry.hidden = Boolean(target?.closest("section")?.hidden);
  }
}

/** The guide, each heading with what follows in a section. */
function guideSections(parts) {
  const sections = [element("section", {})];
  for (const part of parts) {
    if (part.tagName === "H2") sections.push(element("section", {}));
    sections.at(-1).append(part);
  }
  return sections;
}

async function main() {
  const reference = document.getElementById("reference");
  const description = await (await fetch("/openapi.json")).json();
  const operations = operationsOf(description);
  const groups = description.tags.map((tag) =>
    ({ tag, operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)) }));
  const guide = markdown(description.info.description);
  document.getElementById("contents").append(...contents(description, groups, guide));
  reference.replaceChildren(
    element("h1", {}, `${description.info.title} `, element("small", {}, description.info.version)),
    ...guideSections(guide),
    ...groups.flatMap(({ tag, operations: own }) => [
      element("h2", { id: anchor(tag.name), class: "group" }, tag.name),
      element("p", {}, inline(tag.description)),
      ...(isDry(tag) ? [dryRuns(description, own)] : own.map((found) => section(description, found)))]));
  reference.removeAttribute("aria-busy");
  document.getElementById("filter").addEventListener("input", (event) => filter(event.target.value));
  // The address's fragment named something that was not there yet.
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

main().catch((error) => {
  document.getElementById("reference").replaceChildren(
    element("p", { role: "alert" }, `The reference could not be loaded: ${error.message}`));
});
