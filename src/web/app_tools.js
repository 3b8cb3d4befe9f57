// The tools of this server, as /openapi.json declares them.

const PREFIX = "/api/v1/tools/pdf/";
/** Fields of every tool that a person at a page has no use for. */
const HIDDEN = new Set(["clientRef", "callbackUrl"]);
/** Fields that are folded away, whatever the tool. */
const FOLDED = new Set(["inputPassword", "outputName", "ttl"]);
/** The most that is shown before the rest is folded. */
const SHOWN = 4;

/** What people call them, in the order they are offered. */
const NAMES = {
  merge: "Merge", split: "Split", compress: "Compress", "to-word": "PDF to Word", "to-jpg": "PDF to JPG",
  "to-png": "PDF to PNG", "word-to-pdf": "Word to PDF", "excel-to-pdf": "Excel to PDF",
  "ppt-to-pdf": "PowerPoint to PDF", "jpg-to-pdf": "Pictures to PDF", rotate: "Rotate",
  watermark: "Watermark", "page-numbers": "Page numbers", sign: "Sign", "add-password": "Add password",
  "remove-password": "Remove password", repair: "Repair",
};

/** What people call a tool. */
export function titleOf(name) {
  return NAMES[name] || name;
}

/** "fontSize" as a label: "Font size". */
export function labelOf(name) {
  const words = name.replace(/([A-Z])/g, (c) => " " + c.toLowerCase());
  return words[0].toUpperCase() + words.slice(1);
}

/** The extensions that a tool takes, from "The file (docx, doc or txt)."; empty: any. */
function kindsOf(schema) {
  const found = /\(([^)]*)\)/.exec(schema.description || "");
  if (!found || found[1] === "of any kind") return [];
  return found[1].split(/, | or /).flatMap((kind) => (kind === "jpg" ? ["jpg", "jpeg"] : kind === "tiff" ? ["tif", "tiff"] : [kind]));
}

function toolOf(name, operation) {
  const schema = operation.requestBody.content["multipart/form-data"].schema;
  const upload = schema.properties.files || schema.properties.file;
  const required = new Set(schema.required || []);
  const fields = Object.entries(schema.properties)
    .filter(([field]) => field !== "file" && field !== "files" && !HIDDEN.has(field))
    .map(([field, is]) => ({ name: field, schema: is, required: required.has(field), label: labelOf(field) }));
  const plain = fields.filter((field) => !FOLDED.has(field.name));
  plain.sort((a, b) => Number(b.required) - Number(a.required));
  return {
    name, title: NAMES[name], summary: operation.summary, kinds: kindsOf(upload),
    many: Boolean(schema.properties.files), least: upload.minItems || 1,
    shown: plain.slice(0, SHOWN),
    folded: [...plain.slice(SHOWN), ...fields.filter((field) => FOLDED.has(field.name))],
  };
}

/** Every tool, in the order of NAMES. */
export async function loadTools() {
  const answer = await fetch("/openapi.json");
  const paths = (await answer.json()).paths;
  return Object.keys(NAMES)
    .filter((name) => paths[PREFIX + name])
    .map((name) => toolOf(name, paths[PREFIX + name].post));
}

/** Whether a tool takes a file of this name. */
export function takes(tool, name) {
  const extension = name.includes(".") ? name.split(".").pop().toLowerCase() : "";
  return tool.kinds.length === 0 || tool.kinds.includes(extension);
}

export function addressOf(tool) {
  return PREFIX + tool.name;
}
