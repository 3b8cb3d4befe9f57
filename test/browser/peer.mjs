// peer: prints pages with puppeteer-core and the same Chromium, as services do: one browser, a tab for each page. Reads lines of
// JSON {folder, page, out, params} and writes the PDFs. Node finds puppeteer-core by NODE_PATH or in the folder above.
import { createRequire } from "node:module";
import { readFileSync, existsSync } from "node:fs";
import { join, extname } from "node:path";
import { createInterface } from "node:readline";

const require = createRequire(process.env.PUPPETEER_FROM ?? import.meta.url);
const puppeteer = require("puppeteer-core");
const ORIGIN = "https://files.invalid/";
const TYPES = {
    ".html": "text/html", ".htm": "text/html", ".xhtml": "application/xhtml+xml", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript",
    ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
    ".avif": "image/avif", ".json": "application/json", ".woff2": "font/woff2", ".woff": "font/woff", ".ttf": "font/ttf", ".otf": "font/otf",
    ".xml": "application/xml", ".txt": "text/plain",
};

const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/lib/chromium/chromium-headless-shell", headless: "shell", args: ["--no-sandbox", ...(process.env.CHROMIUM_FLAGS ?? "").split(" ").filter(Boolean)],
});
for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line);
    const tab = await browser.newPage();
    try {
        await tab.setViewport({ width: 1280, height: 800 });
        await tab.setJavaScriptEnabled(job.javascript);
        await tab.setRequestInterception(true);
        tab.on("request", (request) => {
            const path = request.url().startsWith(ORIGIN) ? join(job.folder, decodeURIComponent(new URL(request.url()).pathname)) : "";
            if (request.url().startsWith("data:") || request.url().startsWith("blob:"))
                request.continue();
            else if (path && existsSync(path) && extname(path))
                request.respond({ status: 200, contentType: TYPES[extname(path).toLowerCase()] ?? "application/octet-stream", body: readFileSync(path) });
            else
                request.abort();
        });
        await tab.goto(ORIGIN + job.page, { waitUntil: "load", timeout: 60000 });
        await tab.pdf({ path: job.out, format: "A4", margin: { top: "10mm", right: "10mm", bottom: "10mm", left: "10mm" }, printBackground: true, tagged: true, outline: true,
            preferCSSPageSize: job.css, waitForFonts: true });
        console.log(JSON.stringify({ page: job.page }));
    } catch (error) {
        console.log(JSON.stringify({ page: job.page, error: String(error).slice(0, 200) }));
    }
    await tab.close();
}
await browser.close();
