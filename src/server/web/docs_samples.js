// The same call in the words of several clients.

const quote = (text) => (/^[\w@%+=:,./{}-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A form's fields in order: [name, value, whether it is a file, and not the text of one]. */
function fieldsOf(example, files) {
  return Object.entries(example ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one), files.has(name) && !/^[{[]/.test(String(one))]));
}

/** call: {method, url, example, files, headers, open} */
export function curl({ method, url, example, files, headers = {}, open }) {
  const words = ["curl"];
  if (method !== "GET" && !example) words.push(`-X ${method}`);
  if (!open) words.push('-H "X-API-Key: $KEY"');
  for (const [name, value] of Object.entries(headers)) words.push(`-H ${quote(`${name}: ${value}`)}`);
  for (const [name, value, isFile] of fieldsOf(example, files)) {
    words.push(`-F ${quote(`${name}=${isFile ? "@" : ""}${value}`)}`);
  }
  words.push(quote(url).replace(/^'(.*)'$/, '"$1"'));
  const [first, second, ...rest] = words;
  return [`${first} ${second}`, ...rest].join(" \\\n  ");
}

export function javascript({ method, url, example, files, headers = {}, open }) {
  const lines = [];
  const shown = { ...(open ? {} : { "X-API-Key": "process.env.KEY" }), ...headers };
  if (example) {
    lines.push('import { openAsBlob } from "node:fs";', "", "const form = new FormData();");
    for (const [name, value, isFile] of fieldsOf(example, files)) {
      lines.push(isFile ? `form.append("${name}", await openAsBlob(${JSON.stringify(value)}), ${JSON.stringify(value)});`
        : `form.append("${name}", ${JSON.stringify(value)});`);
    }
  }
  lines.push(`const answer = await fetch(${JSON.stringify(url)}, {`);
  if (method !== "GET") lines.push(`  method: "${method}",`);
  if (Object.keys(shown).length) {
    lines.push(`  headers: { ${Object.entries(shown).map(([name, value]) =>
      `"${name}": ${value.startsWith("process.") ? value : JSON.stringify(value)}`).join(", ")} },`);
  }
  if (example) lines.push("  body: form,");
  lines.push("});", "console.log(answer.status, await answer.text());");
  return lines.join("\n");
}

export function python({ method, url, example, files, headers = {}, open }) {
  const fields = fieldsOf(example, files);
  const lines = ["import os", "import requests", "", "answer = requests.request("];
  const shown = [...(open ? [] : ['"X-API-Key": os.environ["KEY"]']),
    ...Object.entries(headers).map(([name, value]) => `"${name}": ${JSON.stringify(value)}`)];
  lines.push(`    "${method}", ${JSON.stringify(url)},`);
  if (shown.length) lines.push(`    headers={${shown.join(", ")}},`);
  if (example) {
    lines.push(`    files=[${fields.filter((field) => field[2]).map(([name, value]) =>
      `("${name}", open(${JSON.stringify(value)}, "rb"))`).join(", ")}],`);
    const plain = fields.filter((field) => !field[2]);
    if (plain.length) {
      lines.push(`    data={${plain.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(", ")}},`);
    }
  }
  lines.push(")", "print(answer.status_code, answer.text)");
  return lines.join("\n");
}

export const languages = { curl, "Node.js": javascript, Python: python };
