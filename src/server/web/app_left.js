// Files that are in the list and take no part as they are: which, why, and what mends it: a password,
// a PDF made of them, or their leaving.

import { finished, submit } from "./app_api.js";
import { button, eachFrame, el, put, say } from "./app_dom.js";
import { files, refOf } from "./app_files.js";
import { t } from "./app_i18n.js";
import { PREVIEW } from "./app_jobs.js";
import { isMany, isUsable, pdfBy } from "./app_tools.js";
import { passwordForm } from "./app_tray.js";

/** @typedef {import("./app_files.js").Item} Item */
/** @typedef {"" | "sending" | "failed" | "convert" | "mix" | "kind" | "useless" | "locked" | "broken"} Lack */

const SAID = { sending: "leftSending", failed: "leftBecause", broken: "leftBecause", convert: "leftNoPdf", mix: "leftMix", kind: "leftKind", useless: "leftUseless", locked: "leftLocked" };

/** Why a file of this kind takes no part where PDFs do. @returns {Lack} */
export const lackOfKind = (kind) => (pdfBy(kind) ? "convert" : isUsable(kind) ? "kind" : "useless");

/** Why the pages of a file are not there; "" if they are. @param {Item} item @returns {Lack} */
export function lackOfPages(item) {
  if (item.state === "failed" || item.state === "lost") return "failed";
  if (item.state !== "ready") return "sending";
  if (item.kind !== "pdf") return lackOfKind(item.kind);
  return item.locked ? "locked" : item.broken ? "broken" : "";
}

const wordsOf = (item, lack) => t(SAID[lack], { name: item.name, why: item.state === "lost" ? t("lostFile", { name: item.name }) : item.error || item.broken });

/** Pictures become one PDF, each document one of its own. @param {Item[]} items @returns {Item[][]} */
function groupsOf(items) {
  const isPicture = (one) => pdfBy(one.kind) === "jpg-to-pdf";
  const pictures = items.filter(isPicture);
  return [...(pictures.length ? [pictures] : []), ...items.filter((one) => !isPicture(one)).map((one) => [one])];
}

/** Makes PDFs of files, which then stand in their places. Throws a Problem. @param {Item[][]} groups */
async function makePdfs(groups) {
  for (const group of groups) {
    const tool = pdfBy(group[0].kind);
    const { jobId } = await submit(tool, [...group.map((one) => [isMany(tool) ? "files" : "file", refOf(one)]), ["clientRef", PREVIEW]]);
    files.replace(group, await finished(jobId));
    document.dispatchEvent(new Event("jobended"));
  }
}

/** What makes PDFs of files, and what it costs. @param {Item[]} items */
function converter(items) {
  const groups = groupsOf(items);
  const problem = el("p", { className: "error", role: "alert" });
  const make = button("jpg-to-pdf", t("makePdfs", { n: items.length }), async () => {
    make.disabled = true;
    problem.textContent = "";
    say(t("working"));
    try {
      await makePdfs(groups);
      say(t("filesAdded", { n: groups.length }));
    } catch (error) {
      problem.textContent = error.message;
    }
    make.disabled = false;
  }, { className: "make-pdfs" });
  return el("div", { className: "row" }, make, el("span", { className: "hint" }, t("countsJobs", { n: groups.length })), problem);
}

function remover(item) {
  return button("close", t("remove"), () => {
    files.remove(item);
    say(t("removed", { name: item.name }));
  }, { className: "quiet", "aria-label": t("removeNamed", { name: item.name }) });
}

/**
 * Tells in `place` of the files that take no part, for as long as it is on the page.
 * @param {HTMLElement} place @param {() => (item: Item) => Lack} lacks  gives what says it of each, for the list as it is now
 * @returns {() => void} stops it
 */
export function leftOut(place, lacks) {
  let shown = "";
  const draw = () => {
    const lackOf = lacks();
    const out = files.items.map((item) => ({ item, lack: lackOf(item) })).filter(({ lack }) => lack && lack !== "sending");
    const state = JSON.stringify(out.map(({ item, lack }) => [item.id, lack, item.state, item.tries]));
    if (state === shown) return;
    shown = state;
    const focused = place.contains(document.activeElement);
    const others = out.filter(({ item, lack }) => (lack === "convert" || lack === "mix") && pdfBy(item.kind)).map(({ item }) => item);
    place.hidden = out.length === 0;
    put(place, el("ul", null, ...out.map(({ item, lack }) => el("li", null, el("p", null, wordsOf(item, lack)),
      lack === "locked" ? passwordForm(item) : !others.includes(item) && remover(item)))),
    others.length > 0 && others.every((one) => one.state === "ready") && converter(others));
    if (focused) /** @type {HTMLElement} */ (place.querySelector("input, button") || document.querySelector("main h1")).focus();
  };
  const later = eachFrame(draw);
  for (const event of ["list", "change", "known"]) files.addEventListener(event, later.ask);
  draw();
  return () => {
    for (const event of ["list", "change", "known"]) files.removeEventListener(event, later.ask);
    later.stop();
  };
}

/**
 * Whether to go on without some files, which is asked.
 * @param {(item: Item) => Lack} lackOf @returns {Promise<boolean>}
 */
export async function goesOn(lackOf) {
  const out = files.items.filter(lackOf);
  if (!out.length) return true;
  const { asks } = await import("./app_viewer.js");
  return asks(t("leftTitle"), el("ul", null, ...out.map((item) => el("li", null, wordsOf(item, lackOf(item))))),
    button("before", t("goBack"), null, { id: "go-back" }), button("", t("without"), null, { className: "quiet", id: "without" }));
}
