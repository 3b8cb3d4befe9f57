// What the clients share: TAP, and a small document to send.

import { readFileSync } from "node:fs";

let count = 0;

export function ok(what: string, passed: boolean, ...details: unknown[]): void {
  count += 1;
  console.log(`${passed ? "ok" : "not ok"} ${count} - ${what}`);
  if (!passed) {
    process.exitCode = 1;
    for (const detail of details) console.log(`#   ${JSON.stringify(detail)}`);
  }
}

export function done(): void {
  console.log(`1..${count}`);
}

/** The server's address and an API key, from the command line. */
export function server(): { url: string; key: string } {
  const [url, key] = process.argv.slice(2);
  if (!url || !key) throw new Error("usage: CLIENT URL KEY");
  return { url, key };
}

/** A document of one empty page as a file of a form. A form makes it, because Node.js 18 has no global File. */
export function document(name = "page.pdf"): File {
  const form = new FormData();
  form.append("file", new Blob([readFileSync("page.pdf")], { type: "application/pdf" }), name);
  const file = form.get("file");
  if (file === null || typeof file === "string") throw new Error("a form gives no file");
  return file;
}

/** Downloads a result. Its address is signed and needs no key. */
export async function download(what: string, downloadUrl: string): Promise<void> {
  const result = await fetch(downloadUrl);
  ok(what, result.ok && (await result.text()).startsWith("%PDF-"), result.status);
}
