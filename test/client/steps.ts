// What the clients share: TAP, and a small document to send.

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

/** One empty page. */
function page(): string {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  text += `xref\n0 4\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  return `${text}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
}

/** The document as a file of a form. A form makes it, because Node.js 18 has no global File. */
export function document(name = "page.pdf"): File {
  const form = new FormData();
  form.append("file", new Blob([page()], { type: "application/pdf" }), name);
  const file = form.get("file");
  if (file === null || typeof file === "string") throw new Error("a form gives no file");
  return file;
}

/** Downloads a result. Its address is signed and needs no key. */
export async function download(what: string, downloadUrl: string): Promise<void> {
  const result = await fetch(downloadUrl);
  ok(what, result.ok && (await result.text()).startsWith("%PDF-"), result.status);
}
