// Every language of the page says everything: each name of the English file, each title, parameter
// and choice of the tools, each code of an error or a warning, each form that a number takes.
// Usage: languages.mjs SOURCE OPENAPI.json

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [source, described] = process.argv.slice(2);
const openapi = JSON.parse(readFileSync(described, "utf8"));
const web = join(source, "src/server/web");
const code = readdirSync(web).filter((name) => /^app.*\.js$/.test(name)).map((name) => readFileSync(join(web, name), "utf8")).join("\n");
const names = [.../LANGUAGES = \{([^}]*)\}/.exec(code)[1].matchAll(/(\w+):/g)].map((found) => found[1]);
const read = (name) => JSON.parse(readFileSync(join(web, `${name}.json`), "utf8"));
const english = read("en");
const wrong = [];
/** Fields that the page does not show, and choices that it leaves out, as app_tools.js says. */
const set = (name) => new Set([...new RegExp(`${name} = new Set\\(\\[([^\\]]*)\\]`).exec(code)[1].matchAll(/"([^"]+)"/g)].map((one) => one[1]));
const hidden = new Set([...set("HIDDEN"), "file", "files", "steps"]);
const synonyms = Object.fromEntries([.../SYNONYMS = \{(.*)\};/.exec(code)[1].matchAll(/(\w+): \[([^\]]*)\]/g)].map(([, name, all]) => [name, new Set([...all.matchAll(/"([^"]+)"/g)].map((one) => one[1]))]));

const holes = (text) => [...String(text).matchAll(/\{\w+\}/g)].map(String).sort().join();

/** What plural rules choose for the numbers that a page counts. */
function forms(language) {
  const rules = new Intl.PluralRules(language);
  return new Set(Array.from({ length: 1000 }, (_, n) => rules.select(n)));
}

for (const [path, item] of Object.entries(openapi.paths)) {
  const tool = /^\/api\/v1\/tools\/pdf\/([^/]+)$/.exec(path)?.[1];
  if (!tool) continue;
  if (!english.tools[tool]) wrong.push(`en: the tool ${tool} has no title`);
  const schema = item.post.requestBody.content["multipart/form-data"].schema;
  for (const [name, is] of Object.entries(schema.properties)) {
    if (hidden.has(name)) continue;
    if (!english.params[`${tool}.${name}`] && !english.params[name]) wrong.push(`en: the parameter ${tool}.${name} has no words`);
    const choices = is.multipleOf ? ["90", "180", "270"] : is.enum || is["x-options"] || [];
    for (const one of choices)
      if (!synonyms[name]?.has(one) && !english.choices[`${tool}.${name}.${one}`] && !english.choices[`${name}.${one}`] && !english.choices[one])
        wrong.push(`en: the choice ${tool}.${name}.${one} has no words`);
  }
}
const schemas = openapi.components.schemas;
for (const one of [...schemas.ErrorCode.enum, ...schemas.JobErrorCode.enum]) if (!english.errors[one]) wrong.push(`en: the error ${one} has no words`);
for (const one of schemas.WarningCode.enum) if (!english.warnings[one]) wrong.push(`en: the warning ${one} has no words`);
for (const [, one] of code.matchAll(/\bt\("(\w+)"/g)) if (english.ui[one] === undefined) wrong.push(`en: ${one} is used and has no words`);

let texts = 0;
for (const language of names) {
  const words = read(language);
  for (const [section, all] of Object.entries(english)) {
    for (const [name, value] of Object.entries(all)) {
      const said = words[section]?.[name];
      texts++;
      if (said === undefined) {
        wrong.push(`${language}: ${section}.${name} is missing`);
        continue;
      }
      if (Array.isArray(value)) {
        if (said.length !== value.length || said.some((one) => !one)) wrong.push(`${language}: ${section}.${name} lacks a text`);
      } else if (typeof value === "object") {
        for (const form of forms(language)) if (!said[form]) wrong.push(`${language}: ${section}.${name} lacks the form ${form}`);
      } else if (!said || holes(said) !== holes(value)) {
        wrong.push(`${language}: ${section}.${name} has other blanks than in English`);
      } else if (language !== "en" && said === value && (value.match(/(?<!\{)\b\p{L}{2,}\b(?!\})/gu) || []).length > 3) {
        wrong.push(`${language}: ${section}.${name} is not translated`);
      }
    }
    for (const name of Object.keys(words[section] || {})) if (!(name in all)) wrong.push(`${language}: ${section}.${name} is not in English`);
  }
}
for (const line of wrong) console.log(line);
if (wrong.length) process.exit(1);
console.log(`languages: ${names.length} languages have all of ${texts / names.length} texts`);
