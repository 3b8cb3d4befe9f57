// The result of a tool as a screen of its own: a page of it, the name, what was saved, download, and
// what comes next.

import { here, OWN } from "./app_api.js";
import { firstOf } from "./app_changed.js";
import { button, el, icon, kept, put, say } from "./app_dom.js";
import { documentOf, hasPages, showPage } from "./app_files.js";
import { moment, percent, sizeText, t, toolTitle } from "./app_i18n.js";
import { kindOf, PICTURE, takes, toolNames } from "./app_tools.js";

const WIDTH = 900;
/** Bytes that are downloaded without being asked for. */
const MOST_BY_ITSELF = 100e6;
/** What people do next, in this order. */
const NEXT = ["compress", "sign", "add-password", "merge", "to-word", "page-numbers"];
const MOST_NEXT = 4;
/** Tools whose pages the user sees first in the result, and how many of these are shown at once. */
const PRINTED = ["html-to-pdf", "markdown-to-pdf", "url-to-pdf"];
const MOST_PRINTED = 3;

/** @param {string} name @returns {[string, string]} its stem and its ending */
const partsOf = (name) => /** @type {[string, string]} */ (/^(.*?)((?:\.[^.]{1,5})?)$/s.exec(name).slice(1));

/** A download of a result that has another name than the server gives it. @param {Event} event @param {any} job */
export function saveNamed(event, job) {
  if (job.given === job.outputFile) return;
  event.preventDefault();
  saveAs(here(job.downloadUrl), job.outputFile).catch((error) => say(error.message));
}

/** A file under another name than the server gives it. */
async function saveAs(url, name) {
  const answer = await fetch(url, { headers: OWN });
  if (!answer.ok) throw new Error(t("serverSaid", { status: String(answer.status) }));
  const address = URL.createObjectURL(await answer.blob());
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** The pages after the first one, below it. @param {HTMLElement} place @param {any} item @param {number} last */
function showFurther(place, item, last) {
  const row = el("div", { className: "further" });
  for (let n = 2; n <= last; n++) {
    const image = el("img", { alt: `${t("pageN", { n })} · ${item.name}` });
    row.append(image);
    showPage(image, item, n, WIDTH / 2);
  }
  place.append(row);
}

/** The first page that was changed, or the first picture of a result, which can be dragged out of the window as a file. */
function pictureOf(job, nameNow) {
  const place = el("div", { className: "result-picture" }, el("span", { className: "result-kind", "aria-hidden": "true" }, icon("file"), el("span", null, kindOf(job.outputFile))));
  const image = el("img", { alt: t("firstPageOf", { name: job.outputFile }) });
  image.addEventListener("load", () => put(place, image), { once: true });
  const found = job.tool === "ocr" && kindOf(job.outputFile) === "pdf";
  const shown = (job.outputs || []).find((one) => PICTURE.test(one.name) && one.bytes < 8e6);
  if (shown || PICTURE.test(job.outputFile)) image.src = here(shown ? shown.downloadUrl : job.downloadUrl);
  else if (kindOf(job.outputFile) === "pdf") {
    /** @type {import("./app_files.js").Item} */
    const item = { id: `result-${job.jobId}`, name: job.outputFile, size: job.outputBytes, kind: "pdf", state: "ready", offset: job.outputBytes, job: job.jobId };
    if (found) import("./app_found.js").then(({ showFound }) => showFound(place, item, job.report?.pages || [])).catch(() => null);
    else if (hasPages(item)) documentOf(item).then(({ count }) => {
      const page = firstOf(job.pages || "1", count);
      if (page > 1) image.alt = `${t("pageN", { n: page })} · ${job.outputFile}`;
      if (PRINTED.includes(job.tool) && count > 1) image.addEventListener("load", () => showFurther(place, item, Math.min(count, MOST_PRINTED)), { once: true });
      showPage(image, item, page, WIDTH);
    }, () => null);
  }
  if (found) return place; // Words are selected where else the picture is dragged out.
  place.draggable = true;
  place.title = t("dragOut");
  place.addEventListener("dragstart", (event) => {
    const type = kindOf(job.outputFile) === "pdf" ? "application/pdf" : "application/octet-stream";
    event.dataTransfer.setData("DownloadURL", `${type}:${nameNow().replaceAll(":", "_")}:${new URL(here(job.downloadUrl), location.href).href}`);
    event.dataTransfer.effectAllowed = "copy";
  });
  return place;
}

/** Two bars: how large it was, and how large it is. */
function barsOf(job) {
  if (job.tool !== "compress" || !job.inputBytes || !job.outputBytes) return null;
  const row = (words, bytes, className) => {
    const bar = el("span", { className: `size-bar ${className}` });
    bar.style.inlineSize = `${Math.max(2, (100 * bytes) / Math.max(job.inputBytes, job.outputBytes))}%`;
    return el("div", { className: "size-row" }, el("span", { className: "hint" }, words), el("span", { className: "size-track" }, bar), el("strong", null, sizeText(bytes)));
  };
  const saved = (job.inputBytes - job.outputBytes) / job.inputBytes;
  return el("div", { className: "sizes" }, row(t("before"), job.inputBytes, "was"), row(t("after"), job.outputBytes, "is"),
    saved > 0.005 && el("p", { className: "saved" }, t("savedSize", { part: percent(saved) })));
}

/** The signed address, for whoever is to have the file without a key, and its code for a phone. */
function sharing(job) {
  const box = el("div", { className: "share", hidden: true });
  const made = button("link", t("copyLink"), async () => {
    const address = new URL(here(job.downloadUrl), location.href).href;
    box.hidden = !box.hidden;
    made.setAttribute("aria-expanded", String(!box.hidden));
    if (box.hidden) return;
    const field = el("input", { type: "text", readOnly: true, value: address, dir: "ltr", "aria-label": t("linkOf", { name: job.outputFile }), onfocus: () => field.select() });
    const { qrPicture } = await import("./app_qr.js");
    const code = qrPicture(address);
    if (code) Object.assign(code, { className: "qr", role: "img", ariaLabel: t("qrCode") });
    put(box, el("p", null, t("linkWhat", { time: moment(job.expiresAt) })), field, code);
    await navigator.clipboard?.writeText(address).then(() => say(t("copied")), () => null);
    field.select();
  }, { className: "quiet", "aria-expanded": "false" });
  return { made, box };
}

function nextTools(job, away, all) {
  const kind = kindOf(job.outputFile);
  const found = NEXT.filter((name) => name !== job.tool && toolNames().includes(name) && takes(name, kind)).slice(0, MOST_NEXT);
  if (!found.length && !all) return null;
  return el("div", { className: "next-tools" }, el("h3", null, t("useInTool")),
    el("div", { className: "row" }, ...found.map((name) => button(name, toolTitle(name), () => away(name), { className: "quiet chip" })), all));
}

/**
 * What the screen shows of a job that has completed.
 * @param {any} job
 * @param {{look: any, remove: any, next: any, notes: any, more: any[], begun: boolean, rename: (name: string) => void}} parts  what its row has, too; begun: whether its download begins by itself
 */
export function resultScreen(job, { look, remove, next, notes, more, begun, rename }) {
  const [stem, ending] = partsOf(job.outputFile);
  const name = el("input", { type: "text", value: stem, dir: "auto", maxLength: 200, autocomplete: "off", spellcheck: false, "aria-label": t("resultName") });
  const nameNow = () => `${name.value.trim().replace(/[\\/\u0000-\u001f]/g, "_") || stem}${ending}`;
  const problem = el("p", { className: "error", role: "alert" });
  const load = el("a", {
    className: "button primary", href: job.downloadUrl, download: job.outputFile, "aria-label": t("downloadNamed", { name: job.outputFile }),
    onclick: (event) => {
      if (nameNow() === job.given) return;
      event.preventDefault();
      saveAs(here(job.downloadUrl), nameNow()).catch((error) => (problem.textContent = error.message));
    },
  }, icon("jobs"), el("span", null, t("download")));
  name.addEventListener("input", () => {
    load.download = nameNow();
    load.setAttribute("aria-label", t("downloadNamed", { name: nameNow() }));
  });
  name.addEventListener("change", () => rename(nameNow()));
  const { made, box } = sharing(job);
  const away = (next) => document.dispatchEvent(new CustomEvent("continue", { detail: { ...job, outputFile: nameNow(), next } }));
  const byItself = begun && job.outputBytes <= MOST_BY_ITSELF && kept.read("downloads", true);
  if (byItself) setTimeout(() => load.isConnected && document.visibilityState === "visible" && load.click(), 50);
  const facts = [job.doneBy, sizeText(job.outputBytes || 0), job.expiresAt && t("keptUntil", { time: moment(job.expiresAt) })].filter(Boolean);
  return el("div", { className: "result" }, pictureOf(job, nameNow),
    el("div", { className: "result-what" },
      el("div", { className: "result-name" }, name, el("span", { className: "hint", dir: "ltr" }, ending)),
      el("p", { className: "hint" }, ...facts.flatMap((one, i) => [i ? " · " : "", el("bdi", null, one)])), barsOf(job), notes,
      el("div", { className: "job-actions" }, load, look, made, remove), byItself && el("p", { className: "hint" }, t("downloadBegun")), problem, box,
      nextTools(job, away, next), ...more));
}
