// How a result was made, as its row tells it, with a way back to the tool with the same files and settings.

import { button, el, put } from "./app_dom.js";
import { files } from "./app_files.js";
import { IN_MEGABYTES, keepValues } from "./app_form.js";
import { choiceWords, formWords, paramWords, sizeText, t, toolTitle } from "./app_i18n.js";
import { makingOf } from "./app_jobs.js";
import { isOfPage, kindOf } from "./app_tools.js";

/** What says nothing of how it was made: its files, and its name. */
const NOT_TOLD = new Set(["file", "files", "outputName", "clientRef", "steps"]);
const isTold = ([name, value]) => !NOT_TOLD.has(name) && !/^[[{]/.test(value);

/** A setting in words. */
function wordsOf(tool, name, value) {
  if (value === "true" || value === "false") return t(value === "true" ? "yes" : "no");
  return IN_MEGABYTES.has(name) ? sizeText(Number(value)) : choiceWords(tool, name, value);
}

/** @param {string} tool @param {any[][]} pairs */
function listOf(tool, pairs) {
  const told = pairs.filter(isTold);
  return told.length ? el("dl", null, ...told.flatMap(([name, value]) => [el("dt", null, paramWords(tool, name)[0]), el("dd", null, el("bdi", null, wordsOf(tool, name, value)))]))
    : el("p", { className: "hint" }, t("usualSettings"));
}

/** The files of a submission as they are in the list of files; of those that the server has no more none. */
async function filesOf(pairs, title) {
  const refs = pairs.filter(([name]) => name === "file" || name === "files").map(([, value]) => value.split(":"));
  const first = title.replace(/ \+ \d+$/, "");
  const found = await Promise.all(refs.map(([kind, id], i) => files.items.find((one) => one[kind] === id)
    || files.recalled({ name: i ? `${i + 1}.${kindOf(first)}` : first, size: 0, [kind]: id })));
  return found.filter(Boolean);
}

/** The settings of a result, folded; null where this browser does not know them. @param {any} job */
export function settingsOf(job) {
  const making = makingOf(job.jobId);
  if (!making) return null;
  const [tool, title, pairs] = making;
  const problem = el("p", { className: "error", role: "alert" });
  const isForm = tool !== "pipeline" && tool !== "sign" && tool !== "merge" && !isOfPage(tool) && tool !== "split" && tool !== "rotate";
  const change = isForm && button("operator", t("changeSettings"), async () => {
    const found = await filesOf(pairs, title);
    problem.textContent = found.length ? "" : t("againGone");
    if (!found.length) return;
    keepValues(tool, Object.fromEntries(pairs.filter(isTold).map(([name, value]) =>
      [name, value === "true" || value === "false" ? value === "true" : IN_MEGABYTES.has(name) ? String(Number(value) / 1e6) : value])));
    files.items = found;
    files.listed();
    location.hash = `#/tool/${tool}`;
  }, { className: "quiet change-settings" });
  const place = el("div");
  const draw = async () => {
    await formWords().catch(() => null);
    const steps = tool === "pipeline" ? JSON.parse(pairs.find(([name]) => name === "steps")?.[1] || "[]") : [];
    put(place, ...(steps.length ? steps.map((one) => el("section", null, el("h4", null, toolTitle(one.tool)), listOf(one.tool, Object.entries(one.params || {}).map(([name, value]) => [name, String(value)]))))
      : [listOf(tool, pairs)]), change, problem);
  };
  const made = el("details", { className: "making report", ontoggle: () => made.open && !place.firstChild && draw() }, el("summary", null, t("settings")), place);
  return made;
}
