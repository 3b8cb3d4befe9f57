// The results as a library: a picture of each, found by a word, several at once, and done again.

import { button, el, iconButton, put, say } from "./app_dom.js";
import { files } from "./app_files.js";
import { t } from "./app_i18n.js";
import { jobOf, makingOf, rename, start } from "./app_jobs.js";
import { settingsOf } from "./app_making.js";
import { kindOf, PICTURE } from "./app_tools.js";

const WIDTH = 160;
const BETWEEN_MS = 400; // downloads that begin at the same time are taken for one by browsers

/** The first page or picture of a result; its kind where there is none. */
function thumbOf(job) {
  const kind = kindOf(job.outputFile || "");
  const made = el("span", { className: "row-thumb", "aria-hidden": "true" }, el("span", null, kind));
  const small = (job.outputs || []).find((one) => PICTURE.test(one.name) && one.bytes < 1e6);
  const address = kind === "pdf" ? `/api/v1/jobs/${job.jobId}/pages/1.webp?width=${WIDTH}`
    : small ? new URL(small.downloadUrl, location.href).pathname + new URL(small.downloadUrl, location.href).search : "";
  if (!address || job.status !== "completed") return made;
  const image = el("img", { alt: "", loading: "lazy", width: 48, height: 60, src: address });
  image.addEventListener("load", () => put(made, image), { once: true });
  image.addEventListener("error", () => image.remove(), { once: true });
  made.append(image);
  return made;
}

/** The same once more: with the files and settings that this browser remembers. */
function againButton(job) {
  const making = makingOf(job.jobId);
  if (!making) return null;
  const [tool, title, pairs, done] = making;
  const problem = el("span", { className: "error", role: "alert" });
  const made = iconButton("redo", t("doAgainNamed", { name: job.outputFile || title }), async () => {
    made.disabled = true;
    problem.textContent = "";
    try {
      await start(tool, title, pairs, done);
      scrollTo(0, 0);
      say(t("sent"));
    } catch (error) {
      problem.textContent = error.code === "not_found" || error.status === 404 || error.status === 410 || /^files?\b/.test(error.field || "") ? t("againGone") : error.message;
    }
    made.disabled = false;
  }, { className: "icon-button again", title: t("doAgain") });
  return el("span", { className: "again-place" }, made, problem);
}

/** Its name, to be typed anew, with the ending as it is. @param {Element} place */
function renameButton(place, job) {
  return iconButton("pen", t("renameNamed", { name: job.outputFile }), () => {
    const shown = /** @type {HTMLElement} */ (place.querySelector(".job-head .name"));
    const [, stem, ending] = /^(.*?)((?:\.[^.]{1,5})?)$/s.exec(job.outputFile);
    const input = el("input", { type: "text", value: stem, dir: "auto", maxLength: 200, autocomplete: "off", spellcheck: false, "aria-label": t("renameNamed", { name: job.outputFile }) });
    let over = false;
    const end = (name) => {
      if (over) return;
      over = true;
      rename(place, name);
      requestAnimationFrame(() => /** @type {HTMLElement | null} */ (place.querySelector(".rename"))?.focus());
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") end(job.outputFile);
      else if (event.key === "Enter") end(`${input.value.trim().replace(/[\\/\u0000-\u001f]/g, "_") || stem}${ending}`);
    });
    input.addEventListener("blur", () => end(`${input.value.trim().replace(/[\\/\u0000-\u001f]/g, "_") || stem}${ending}`));
    put(shown, input, el("span", { className: "hint", dir: "ltr" }, ending));
    shown.classList.add("renaming");
    input.select();
  }, { className: "icon-button rename", title: t("rename") });
}

/** @param {HTMLElement} main @returns {() => void} stops it */
export function library(main) {
  const list = document.getElementById("jobs");
  const search = el("input", { id: "find-result", type: "search", autocomplete: "off", placeholder: t("findResult"), "aria-label": t("findResult"), oninput: () => draw() });
  const every = el("input", { id: "pick-all", type: "checkbox", onchange: () => {
    for (const one of picks()) if (!one.closest("li").hidden) one.checked = every.checked;
    draw();
  } });
  const count = el("output", { className: "hint", id: "picked" });
  const rows = () => /** @type {HTMLElement[]} */ ([...list.children]);
  const picks = () => /** @type {HTMLInputElement[]} */ ([...list.querySelectorAll(".pick input")]);
  const chosen = () => picks().filter((one) => one.checked && !one.closest("li").hidden).map((one) => one.closest("li"));
  const download = button("jobs", t("download"), async () => {
    for (const one of chosen()) {
      /** @type {HTMLElement | null} */ (one.querySelector(".job-actions a[download]"))?.click();
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    }
  }, { className: "quiet", id: "download-picked" });
  const use = button("after", t("useInTool"), () => {
    const jobs = chosen().map(jobOf).filter((job) => job?.status === "completed");
    files.items = [];
    for (const job of jobs) files.addResult(job);
    files.listed();
    location.hash = "#/";
  }, { className: "quiet", id: "use-picked" });
  const remove = button("trash", t("deletePicked"), () => {
    for (const one of chosen()) /** @type {HTMLElement | null} */ (one.querySelector(".remove"))?.click();
    draw();
  }, { className: "quiet", id: "delete-picked" });
  const none = el("p", { className: "hint", role: "status", id: "no-result" });
  const bar = el("div", { className: "library-bar" }, el("label", { className: "pick-all" }, every, el("span", null, t("selectAll"))), search, count,
    el("div", { className: "row" }, download, use, remove));

  const decorate = (place) => {
    const job = jobOf(place);
    if (!job || place.querySelector(".pick") || !place.querySelector(".job-head")) return;
    const box = el("input", { type: "checkbox", "aria-label": t("selectNamed", { name: job.outputFile || place.querySelector(".name")?.textContent || "" }), onchange: () => draw() });
    place.querySelector(".job-head").prepend(el("label", { className: "pick" }, box), thumbOf(job));
    const again = againButton(job);
    const actions = place.querySelector(".job-actions");
    actions?.querySelector(".remove")?.before(again || "", job.status === "completed" ? renameButton(place, job) : "");
    const settings = settingsOf(job);
    if (settings) place.append(settings);
  };
  function draw() {
    const wanted = search.value.trim().toLowerCase();
    for (const place of rows()) place.hidden = Boolean(wanted) && !place.textContent.toLowerCase().includes(wanted);
    const n = chosen().length;
    count.textContent = n ? t("filesCount", { n }) : "";
    for (const one of [download, use, remove]) one.disabled = n === 0;
    every.checked = n > 0 && n === picks().filter((one) => !one.closest("li").hidden).length;
    none.textContent = wanted && rows().every((one) => one.hidden) ? t("noneFound") : "";
    bar.hidden = rows().length === 0;
  }
  const look = () => {
    watch.disconnect(); // What is added here is no news.
    rows().forEach(decorate);
    draw();
    watch.observe(list, { childList: true, subtree: true });
  };
  const watch = new MutationObserver(look);
  main.append(bar, none);
  document.getElementById("results").classList.add("library");
  look();
  return () => {
    watch.disconnect();
    document.getElementById("results")?.classList.remove("library");
    for (const one of list.querySelectorAll(".pick, .row-thumb, .again-place, .rename, .making")) one.remove();
    for (const one of rows()) one.hidden = false;
  };
}
