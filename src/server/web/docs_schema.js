// JSON Schema as tables people read.
import { element, inline } from "./docs_markdown.js";

/** What a {"$ref"} stands for; others as they are. */
export function resolve(document, node) {
  let at = node;
  while (at && at.$ref) {
    at = at.$ref.slice(2).split("/").reduce((value, part) => value[part], document);
  }
  return at;
}

/** The alternative that is a file's bytes. */
const bytesOf = (schema) => [schema, ...(schema.anyOf ?? [])].find((one) => one.format === "binary");
export const isFile = (schema) => bytesOf(schema) !== undefined;
const SHOWN = 20; // words of an enumeration

/** "integer", "array of string", "number or auto" */
export function typeOf(document, node) {
  const schema = resolve(document, node) ?? {};
  if (isFile(schema)) return "file";
  if (schema.type === "array") return `${typeOf(document, schema.items)}, repeated`;
  const any = schema.anyOf ?? schema.oneOf;
  if (any) return any.map((one) => typeOf(document, one)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return "one of";
  if (schema.allOf) return "object";
  const type = [schema.type ?? "any"].flat().join(" or ");
  return schema.format && schema.format !== "password" ? `${type} (${schema.format})` : type;
}

function bounds(schema) {
  const said = [];
  if (schema.enum?.length > SHOWN) said.push(`${schema.enum.length} codes, listed in /openapi.json`);
  else if (schema.enum) said.push(schema.enum.map((word) => `\`${word}\``).join(", "));
  for (const one of schema.anyOf ?? []) if (one.minimum !== undefined) said.push(`${one.minimum} to ${one.maximum}`);
  if (schema.minimum !== undefined && schema.maximum !== undefined) said.push(`${schema.minimum} to ${schema.maximum}`);
  else if (schema.minimum !== undefined) said.push(`at least ${schema.minimum}`);
  if (schema.multipleOf) said.push(`a multiple of ${schema.multipleOf}`);
  if (bytesOf(schema)?.maxLength) said.push(`at most ${bytesOf(schema).maxLength} bytes`);
  else if (schema.maxLength) said.push(`${schema.minLength ?? 0} to ${schema.maxLength} characters`);
  if (schema.minItems) said.push(`${schema.minItems} to ${schema.maxItems} files`);
  if (schema.default !== undefined) said.push(`default \`${schema.default}\``);
  const example = schema.examples?.[0];
  if (example !== undefined && !schema.enum) said.push(`like \`${example}\``);
  return said.join("; ");
}

/** Rows: name, type, what it is. `fields`: [{name, required, schema, description}] */
export function fieldTable(document, fields) {
  return element("div", { class: "wide" }, element("table", { class: "fields" }, element("tbody", {},
    fields.map(({ name, required, schema: node, description }) => {
      const schema = resolve(document, node) ?? {};
      const more = bounds(schema);
      return element("tr", {},
        element("th", { scope: "row" }, element("code", {}, name),
          required ? element("span", { class: "required" }, "required") : null),
        element("td", {}, element("span", { class: "type" }, typeOf(document, node)),
          more ? element("span", { class: "bounds" }, inline(more)) : null,
          element("div", {}, inline(description ?? schema.description ?? ""))));
    }))));
}

/** The properties of an object's schema, those of allOf too. */
export function properties(document, node) {
  const schema = resolve(document, node) ?? {};
  const inherited = (schema.allOf ?? []).flatMap((one) => properties(document, one));
  const required = new Set(schema.required ?? []);
  const own = Object.entries(schema.properties ?? {}).map(([name, value]) =>
    ({ name, required: required.has(name), schema: value }));
  // What stands later says more.
  return [...new Map([...inherited, ...own].map((field) => [field.name, field])).values()];
}
