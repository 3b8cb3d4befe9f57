// The tools of this server: known by name at once, their parameters from /openapi.json when wanted.

import { ask, told } from "./app_api.js";

import { formWords } from "./app_i18n.js";

/** Names in the order they are offered, in groups. */
export const GROUPS = {
  organise: [
    "merge",
    "split",
    "extract-pages",
    "delete",
    "rotate",
    "pages",
    "page-numbers",
    "watermark",
    "fill-form",
    "flatten",
    "ocr",
    "compare",
  ],
  shrink: [
    "compress",
    "repair",
  ],
  from: [
    "to-word",
    "to-excel",
    "to-jpg",
    "to-png",
    "to-webp",
    "to-tiff",
    "to-svg",
    "to-text",
    "to-markdown",
    "to-html",
    "extract",
    "form-fields",
    "info",
    "metadata",
    "attachments",
    "outline",
  ],
  to: [
    "word-to-pdf",
    "excel-to-pdf",
    "ppt-to-pdf",
    "jpg-to-pdf",
    "html-to-pdf",
    "html-to-png",
    "markdown-to-pdf",
    "url-to-pdf",
    "url-to-png",
  ],
  protect: [
    "sign",
    "add-password",
    "remove-password",
    "redact",
    "redact-find",
    "sanitize",
  ],
};

/** Tools without files, which show the page at an address. */
const AT_ADDRESS = new Set(["url-to-pdf", "url-to-png"]);
/** @param {string} name */
export const isAtAddress = (name) => AT_ADDRESS.has(name);

/** Tools of the page alone, by the server's tool that does their work. */
const OF_PAGE = { "extract-pages": "split", delete: "split" };
export const isOfPage = (name) => name in OF_PAGE;

/** Fields that a person at a page has no use for. */
const HIDDEN = new Set(["clientRef", "callbackUrl", "workflow", "arrange", "fileUrl", "fileDigest", "fileHeaders", "outputUrl", "outputUrls", "outputHeaders", "seal", "placements", "initials"]);
/** Fields that are folded away, whatever the tool. */
const FOLDED = new Set(["inputPassword", "inputPassword2", "ttl"]);
/** Shown after the tool's own simple fields, whatever the tool: what the result is called. */
const LAST = "outputName";

/** What is shown at first; the rest is folded. */
const SIMPLE = {
  merge: [],
  split: ["mode", "pages", "every"],
  rotate: ["degrees", "pages"],
  compress: ["quality", "targetSize"],
  "page-numbers": ["position", "format", "start"],
  watermark: ["text", "image", "opacity", "position", "color"],
  repair: [],
  ocr: ["language", "pages"],
  "to-word": ["layout", "ocr", "uncertain"],
  "to-excel": ["sheets", "ocr"],
  "to-text": ["layout", "ocr"],
  "to-markdown": ["images", "ocr"],
  "to-html": ["images"],
  pages: ["operations", "with"],
  "fill-form": ["data", "rows", "flatten"],
  flatten: ["what"],
  compare: ["outputFormat", "appearance"],
  "form-fields": ["outputFormat"],
  "redact-find": ["text", "preset", "pattern"],
  info: [],
  sanitize: ["remove"],
  outline: ["action", "outline"],
  attachments: ["action", "attachment", "name"],
  metadata: ["action", "title", "author", "subject", "keywords"],
  extract: ["what", "outputFormat"],
  "to-jpg": ["dpi", "quality"],
  "to-png": ["dpi"],
  "to-webp": ["dpi", "quality"],
  "to-tiff": ["dpi", "color"],
  "to-svg": ["text"],
  "word-to-pdf": [],
  "excel-to-pdf": ["fit"],
  redact: ["text", "wholeWords", "fill", "label", "width", "metadata"],
  "ppt-to-pdf": ["notes"],
  "jpg-to-pdf": ["pageSize", "margin"],
  sign: ["signerName", "reason", "visible"],
  "html-to-pdf": ["paper", "landscape", "margin"],
  "html-to-png": ["fullPage", "selector"],
  "markdown-to-pdf": ["toc", "paper", "margin"],
  "url-to-pdf": ["url", "paper", "landscape", "margin"],
  "url-to-png": ["url", "fullPage", "viewport"],
  "add-password": ["password"],
  "remove-password": ["password"],
};

/** Choices that are other names of ones that are there, by parameters. */
const SYNONYMS = { quality: ["low", "medium", "high", "recommended", "extreme", "default"], position: ["1", "2", "3", "4", "5", "6", "7", "8", "9"] };

/** What each tool takes, by kinds as uploads name them, and by extension. */
const KINDS = {
  "jpg-to-pdf": ["jpg", "jpeg", "png", "tif", "tiff", "webp", "gif", "bmp", "heic", "heif", "avif", "svg"],
  "word-to-pdf": ["docx", "doc", "odt", "rtf", "txt"],
  "excel-to-pdf": ["xlsx", "xls", "ods", "csv"],
  "ppt-to-pdf": ["pptx", "ppt", "odp"],
  "html-to-pdf": ["html", "htm", "zip"],
  "html-to-png": ["html", "htm", "zip"],
  "markdown-to-pdf": ["md", "markdown", "zip"],
  ocr: ["pdf", "jpg", "jpeg", "png", "tif", "tiff"],
  repair: [],
};

/** @typedef {{name: string, schema: any, required: boolean, simple: boolean, options: string[] | null, kept?: {usual?: number, longest?: number}}} Field
 * kept: of the field that says how long a result is kept, in seconds */
/** @typedef {{name: string, many: boolean, least: number, fields: Field[]}} Tool */

const ALIKE = { jpeg: "jpg", tiff: "tif", heif: "heic" };
const same = (kind) => ALIKE[kind] || kind;

/** The kind of a file by its name. */
export function kindOf(name) {
  return name.includes(".") ? same(name.split(".").pop().toLowerCase()) : "";
}

const KNOWN = new Set(["pdf", ...Object.values(KINDS).flat().map(same)]);

/** What the server found a file to be, if that is a kind that tools name; else what its name says. Documents of Office are ZIP
 * archives, too. @param {unknown} found @param {string} name */
export function foundKind(found, name) {
  const kind = same(String(found));
  if (kind === "zip" && KNOWN.has(kindOf(name))) return kindOf(name);
  return KNOWN.has(kind) ? kind : kindOf(name);
}

/** By tools, the kinds that each takes: of hundreds of files it is asked again and again. @type {Map<string, Set<string>>} */
const taken = new Map();

/** Whether a tool takes a file of this kind. @param {string} tool @param {string} kind */
export function takes(tool, kind) {
  if (isAtAddress(tool)) return false;
  if (!taken.has(tool)) {
    const kinds = KINDS[tool] || ["pdf"];
    taken.set(tool, new Set(kinds.length ? kinds.map(same) : ["pdf", ""]));
  }
  return taken.get(tool).has(kind);
}

/** Names of pictures that a browser shows. */
export const PICTURE = /\.(png|jpe?g|webp|gif)$/i;

/** Results that are shown as text, and a web page as what it says. */
export const TEXTS = new Set(["txt", "md", "csv", "json", "ndjson", "hocr", "xml", "xfdf", "fdf"]);

/** The tool of this server that makes pages of an Office document, if it has one. */
export function pagesBy(kind) {
  return ["word-to-pdf", "excel-to-pdf", "ppt-to-pdf"].find((name) => toolNames().includes(name) && takes(name, kind));
}

/** The tool of this server that makes a PDF of pictures or of an Office document, if it has one. */
export function pdfBy(kind) {
  return toolNames().includes("jpg-to-pdf") && takes("jpg-to-pdf", kind) ? "jpg-to-pdf" : pagesBy(kind);
}

/** Whether any tool of this server takes files of this kind. */
export const isUsable = (kind) => toolNames().some((name) => takes(name, kind));

/** Whether a result can be looked at as pages or as text. */
export function canLook(kind) {
  return kind === "pdf" || kind === "html" || TEXTS.has(kind) || Boolean(pagesBy(kind));
}

export const PICTURES = KINDS["jpg-to-pdf"].map(same);

let offered = null;

/** The names the page was given: what this server has. */
export function toolNames() {
  if (!offered) {
    const listed = [...document.querySelectorAll("#tool-names dt")].map((one) => one.textContent);
    // A tool that this table does not know yet has a place all the same.
    const known = Object.values(GROUPS).flat();
    for (const name of listed)
      if (name !== "pipeline" && !known.includes(name)) GROUPS[name.startsWith("to-") ? "from" : name.endsWith("-to-pdf") ? "to" : "organise"].push(name);
    offered = Object.values(GROUPS).flat().filter((name) => listed.length === 0 || listed.includes(OF_PAGE[name] || name));
  }
  // For visitors nothing is fetched.
  return document.getElementById("app")?.dataset.addresses ? offered : offered.filter((name) => !isAtAddress(name));
}

/** Several files become one result, at least so many are needed. */
const MANY = { merge: 1, "jpg-to-pdf": 1, compare: 1 };
export const isMany = (tool) => tool in MANY;

let described = null;
let api = null;

/** What the server's description has, loaded once. */
async function description() {
  api ||= fetch("/openapi.json").then((answer) => answer.json());
  return api;
}

/** Whether the API has a path. */
export async function has(path) {
  return Boolean((await description()).paths[path]);
}

/** The languages of which text can be recognised: tools that leave that to another one list none. */
function languages(paths) {
  return paths["/api/v1/tools/pdf/ocr"]?.post.requestBody.content["multipart/form-data"].schema.properties.language.examples;
}

function fieldOf(paths, tool, name, schema, required) {
  const options = schema.enum || schema.anyOf?.find((one) => one.enum && !schema.anyOf.some((other) => other.type === "number"))?.enum
    || (name === "language" && (schema.examples || languages(paths))) || null; // of languages, lists of several may be sent too
  const steps = schema.multipleOf && schema.maximum / schema.multipleOf <= 10
    ? [90, 180, 270].filter((value) => value <= schema.maximum).map(String) : null;
  return {
    name, schema, required: required.has(name), simple: required.has(name) || name === LAST || (SIMPLE[tool] || []).includes(name),
    options: steps || (options && options.filter((value) => !SYNONYMS[name]?.includes(value))),
  };
}

let keeping = null;

/** How long results are kept, and how long at most, in seconds; empty where the server does not tell. */
export function keepingTimes() {
  const known = told();
  keeping ||= (known?.retentionSeconds ? Promise.resolve(known) : ask("GET", "/api/v1/usage"))
    .then((used) => ({ usual: used.retentionSeconds, longest: used.maxRetentionSeconds }), () => ({}));
  return keeping;
}

/** @returns {Promise<Tool>} */
export async function describe(tool) {
  await formWords();
  described ||= new Map();
  if (described.has(tool)) return described.get(tool);
  const paths = (await description()).paths;
  const schema = paths[`/api/v1/tools/pdf/${tool}`].post.requestBody.content["multipart/form-data"].schema;
  const required = new Set(schema.required || []);
  const order = SIMPLE[tool] || [];
  const fields = Object.entries(schema.properties)
    .filter(([name]) => name !== "file" && name !== "files" && !HIDDEN.has(name) &&
      !(tool === "remove-password" && name === "inputPassword"))
    .map(([name, is]) => fieldOf(paths, tool, name, is, required));
  const last = fields.find((field) => field.name === "ttl");
  if (last) last.kept = await keepingTimes();
  const rank = (field) => (order.includes(field.name) ? order.indexOf(field.name)
    : field.required ? -1 : field.name === LAST ? 99 : FOLDED.has(field.name) ? 200 : 100);
  fields.sort((a, b) => rank(a) - rank(b));
  const made = { name: tool, many: Boolean(schema.properties.files), least: isAtAddress(tool) ? 0 : tool === "merge" || tool === "compare" ? 2 : 1, fields };
  described.set(tool, made);
  return made;
}

/** How many of these files each tool takes. @param {string[]} kinds @returns {Map<string, number>} */
export function countsOf(kinds) {
  const each = new Map();
  for (const kind of kinds) each.set(kind, (each.get(kind) || 0) + 1);
  return new Map(toolNames().map((name) => [name, [...each].reduce((sum, [kind, n]) => sum + (takes(name, kind) ? n : 0), 0)]));
}

/** Tools that take files of these kinds, those that take all of them first, and of those the likeliest; without files all. @param {string[]} kinds */
export function fitting(kinds) {
  const names = toolNames();
  const counts = countsOf(kinds);
  const count = (name) => counts.get(name) || 0;
  const likely = kinds.length > 1 ? ["merge", "jpg-to-pdf", "compress"] : ["jpg-to-pdf", "compress", "split", "sign", "to-word"];
  const weight = (name) => (likely.includes(name) ? likely.indexOf(name) : 50 + names.indexOf(name)) + 1000 * (kinds.length - count(name));
  return kinds.length ? names.filter(count).sort((a, b) => weight(a) - weight(b)) : names;
}
