// make.mjs ADDRESS WORK PICTURES: drives the web page of a server with web = open, and puts page.png and
// to-word.png into the folder PICTURES. Run by make.sh.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [address, work, pictures] = process.argv.slice(2);
const puppeteer = createRequire(join(process.env.NODE_FOLDER, "x.js"))("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});
const page = await browser.newPage();
await page.setViewport({ width: 1180, height: 720 });
await page.goto(address, { waitUntil: "networkidle0" });
const input = await page.waitForSelector("#choose");
await input.uploadFile(join(work, "Water levels.pdf"), join(work, "Drafts.pdf"));
await page.waitForSelector('#tools a[data-tool="merge"]');
await page.click('#tools a[data-tool="merge"]');
await page.waitForFunction(() => {
  const drawn = [...document.querySelectorAll("#board .leaf img")].filter((one) => one.complete && one.naturalWidth);
  return drawn.length >= 6;
});
await page.mouse.move(2, 400);
// What a pointer or a file has just changed has its last colours.
await page.evaluate(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)));
await page.screenshot({ path: join(pictures, "page.png") });

const embed = (name) => `data:image/png;base64,${readFileSync(join(work, name)).toString("base64")}`;
const pair = await browser.newPage();
await pair.setViewport({ width: 1180, height: 730 });
await pair.setContent(`<style>
  body { margin: 0; padding: 16px; background: #e9ecf1; font: 16px Carlito, sans-serif; display: flex; gap: 16px }
  figure { margin: 0; flex: 1 } img { width: 100%; box-shadow: 0 1px 4px #0006; display: block }
  figcaption { padding-bottom: 8px; line-height: 24px }
</style>
<figure><figcaption>A page of a PDF</figcaption><img src="${embed("before.png")}"></figure>
<figure><figcaption>The Word document of <code>to-word</code>: headings, a table, two columns, a list</figcaption><img src="${embed("after.png")}"></figure>`);
await pair.evaluate(() => Promise.all([...document.images].map((one) => one.decode())));
const { height } = await (await pair.$("body")).boundingBox();
await pair.screenshot({ path: join(pictures, "to-word.png"), clip: { x: 0, y: 0, width: 1180, height } });
await browser.close();
