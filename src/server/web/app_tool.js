// One tool: its files, its form, and what can be seen before it is done.

import { at, button, el, icon, put, say } from "./app_dom.js";
import { used } from "./app_find.js";
import { files, hasPages, knowPassword, refOf } from "./app_files.js";
import { clearErrors, countPages, drawForm, isValid, keepPresets, keepValues, lastValues, pairsOf, presetsOf, putValues, showError, valuesOf } from "./app_form.js";
import { byFinger, errorDetail, errorWords, goWords, t, toolSummary, toolTitle } from "./app_i18n.js";
import { adopt, closeScreen, heldBack, inEnglish, lookAtScreen, openScreen, start } from "./app_jobs.js";
import { goesOn, lackOfKind, leftOut } from "./app_left.js";
import { usualName, zipName } from "./app_names.js";
import { sheet } from "./app_sheet.js";
import { signedNote } from "./app_signed.js";
import { toolIcon } from "./app_start.js";
import { describe, has, isAtAddress, isMany, isUsable, PICTURES, takes, toolNames } from "./app_tools.js";
import { allOpen, chooser, sorter, tray } from "./app_tray.js";

const PREVIEWS = {
  watermark: async () => (await import("./app_place.js")).placement,
  "page-numbers": async () => (await import("./app_place.js")).placement,
  "fill-form": async () => (await import("./app_fill.js")).filling,
  outline: async () => (await import("./app_outline.js")).outlining,
  pages: async () => (await import("./app_operated.js")).operated,
  redact: async () => (await import("./app_redact.js")).redacting,
  sign: async () => (await import("./app_sign.js")).signing,
  compress: async () => (await import("./app_compare.js")).comparison,
  ...Object.fromEntries(["to-word", "to-excel", "to-jpg", "to-png", "to-text", "to-markdown"].map((name) => [name, async () => {
    const { firstPages, hasSample } = await import("./app_sample.js");
    return hasSample(name) ? firstPages : async () => null;
  }])),
};

/** Tools of texts, which can be typed, too. */
const OF_TEXT = new Set(["html-to-pdf", "html-to-png", "markdown-to-pdf"]);

/** Offers to type or paste what a file would have. @param {string} name of the tool */
function fromText(name) {
  const place = el("span", { className: "from-text" });
  const offer = (focused) => {
    const made = button("pages", t("pasteText"), async () => {
      const { askText } = await import("./app_paste.js");
      askText(place, name, () => offer(true));
    }, { className: "quiet", id: "from-text" });
    put(place, made);
    if (focused) made.focus();
  };
  offer(false);
  return place;
}

/** On a narrow window the form shows after the preview, unless that takes longer. */
const LONGEST_FILLING_MS = 1500;

/** Of kinds by name, so that a phone converts what it keeps in another form (HEIC), which is less to send then. */
const PHOTOS = "image/jpeg,image/png,image/webp,image/tiff,image/gif,image/bmp,image/svg+xml";
const ALL_PHOTOS = `${PHOTOS},image/heic,image/heif,image/avif,.heic,.heif,.avif`;

/** Named settings of a tool. @param {() => void} drawn  draws its fields anew */
function presetRow(name, form, drawn) {
  const select = el("select", { id: "presets", "aria-label": t("presets") });
  const draw = (chosen) => {
    put(select, new Option(t("presets"), ""), ...Object.keys(presetsOf(name)).map((one) => new Option(one, one, false, one === chosen)));
    remove.hidden = !select.value;
    select.hidden = select.options.length < 2;
  };
  select.addEventListener("change", () => {
    putValues(form, presetsOf(name)[select.value]);
    form.dispatchEvent(new Event("input", { bubbles: true }));
    remove.hidden = !select.value;
  });
  const remove = button("trash", t("presetRemove"), () => {
    const all = presetsOf(name);
    delete all[select.value];
    keepPresets(name, all);
    draw("");
  }, { className: "quiet", hidden: true });
  const input = el("input", { id: "preset-name", type: "text", maxLength: 60, dir: "auto" });
  const save = el("details", { className: "preset-save" }, el("summary", null, t("presetSave")),
    el("div", { className: "with-button" }, el("label", { className: "unseen", for: "preset-name" }, t("presetName")), input,
      button("save", t("save"), () => {
        const named = input.value.trim();
        if (!named) return input.focus();
        keepPresets(name, { ...presetsOf(name), [named]: valuesOf(form) });
        input.value = "";
        save.open = false;
        draw(named);
        say(t("presetSaved", { name: named }));
      }, { className: "quiet" })));
  draw("");
  return el("div", { className: "presets" }, select, remove, save,
    button("undo", t("defaults"), () => {
      drawn();
      keepValues(name, {});
      form.dispatchEvent(new Event("input", { bubbles: true }));
    }, { className: "quiet" }));
}

/** What the view of signing asks for on the page itself. */
const ON_PAGE = new Set(["image", "page", "position", "box"]);

/** Names and values of a submission, without secrets, as steps of a pipeline. */
const isPlain = (pairs) => pairs.every(([, value]) => typeof value === "string");

export async function toolView(main, name) {
  if (!toolNames().includes(name)) {
    location.hash = "#/";
    return {};
  }
  const list = el("ul", { id: "files", className: "files" });
  const fields = el("div", { id: "fields", "aria-busy": "true" }, el("p", { className: "hint" }, t("loading")));
  const problem = el("div", { className: "error", id: "form-error", role: "alert" });
  const go = el("button", { id: "submit", type: "submit", className: "primary" });
  let busy = false;
  const held = heldBack(go, () => busy);
  const zip = el("input", { id: "one-zip", type: "checkbox", checked: true });
  const zipRow = el("div", { className: "field check", hidden: true }, zip, el("div", null, el("label", { for: "one-zip" }, t("oneZip"))));
  // ocr makes one document of its files, or one of each.
  const joins = name === "ocr";
  const ordered = isMany(name) || joins;
  const join = el("input", { id: "one-pdf", type: "checkbox" });
  const joinRow = el("div", { className: "field check", hidden: true }, join, el("div", null, el("label", { for: "one-pdf" }, t("onePdf"))));
  const preview = el("section", { className: "preview", id: "preview", hidden: true, "aria-labelledby": "preview-title" });
  const form = el("form", { id: "form", className: "card options", noValidate: true, "aria-labelledby": "options-title" },
    el("div", { className: "inner" }, el("h2", { id: "options-title" }, t("options")), name === "add-password" && el("p", { className: "hint" }, t("protectFirst")), fields, zipRow, joinRow), el("div", { className: "actions" }, problem, go));
  const left = el("div", { className: "left-out", id: "left-out", role: "status", hidden: true });
  const signed = el("div", { className: "left-out", id: "signed", role: "status", hidden: true });
  const sorting = ordered ? sorter() : null;
  const empty = el("div", { className: "desk-empty" }, el("span", { className: "hero-icon" }, icon(name)), el("p", { className: "lead" }, t("dropOn", { tool: toolTitle(name) })));
  const drop = el("section", { className: "desk-files", "aria-labelledby": "files-title" },
    el("h2", { id: "files-title", className: "unseen" }, t("yourFiles")), empty, list, left, signed,
    el("div", { className: "add" }, chooser("choose", t("chooseFiles"), { accept: name === "jpg-to-pdf" ? (byFinger() ? PHOTOS : ALL_PHOTOS) : undefined }), OF_TEXT.has(name) && fromText(name), el("span", { className: "hint" }, t("orDrop")), sorting?.made));
  const addressed = isAtAddress(name);
  const desk = el("div", { className: addressed ? "desk addressed" : "desk" }, !addressed && el("div", { className: "card desk-main" }, drop, preview), form);
  used(name);
  if (ordered) desk.classList.add("ordered");
  if (files.items.some(hasPages)) desk.classList.add("filling");
  put(main, el("div", { className: `title tool-head head-${name}` }, el("a", { className: "back", href: "#/", title: t("allTools") }, icon("before"), el("span", null, t("allTools"))), toolIcon(name),
    el("h1", { tabIndex: -1 }, toolTitle(name)), el("p", { className: "lead" }, toolSummary(name))), desk);

  /** Why a file takes no part: what is not taken can become a PDF where PDFs are. */
  const lackOf = (item) => (takes(name, item.kind) ? "" : takes(name, "pdf") ? lackOfKind(item.kind) : isUsable(item.kind) ? "kind" : "useless");
  const fit = () => files.items.filter((one) => takes(name, one.kind));
  let asked = false; // whether there is to be one document
  const listed = () => {
    const n = addressed ? 1 : fit().length;
    put(go, icon(name), el("span", null, goWords(name, n)));
    desk.classList.toggle("empty", files.items.length === 0 && !addressed);
    if (!asked) join.checked = fit().every((one) => PICTURES.includes(one.kind));
    joinRow.hidden = !joins || n < 2 || new Set(fit().map((one) => one.password).filter(Boolean)).size > 1;
    zipRow.hidden = ordered || n < 2 || name === "sign" || name === "fill-form" || name === "remove-password" || name === "add-password";
    problem.textContent = "";
    nameIt();
  };
  const inOneZip = () => fit().length > 1 && !zipRow.hidden && zip.checked && fit().every((one) => !one.password);
  /** Whether the tool makes one result of all files. */
  const asOne = () => isMany(name) || (!joinRow.hidden && join.checked);
  /** What the result will be called stands in its field; results of several files have names of their own. */
  const nameIt = () => {
    const input = fields.querySelector('[name="outputName"]');
    if (!input) return;
    const several = fit().length > 1 && !asOne();
    input.disabled = input.closest(".field").hidden = several && !inOneZip();
    input.placeholder = several ? zipName(name) : fit().length ? usualName(fit()[0].name, name) : "";
  };
  zip.addEventListener("change", nameIt);
  join.addEventListener("change", () => {
    asked = true;
    nameIt();
  });
  const stops = [held.stop, tray(list, { order: ordered }), leftOut(left, () => lackOf), signedNote(signed, name), () => sorting?.stop()];
  files.addEventListener("list", listed);
  document.addEventListener("jobended", nameIt);
  listed();

  // Unlock takes the password of each file's row, where rows ask for it.
  const inRows = name === "remove-password" && (await has("/api/v1/uploads/{uploadId}/document"));
  const all = await describe(name);
  const tool = { ...all, fields: all.fields.filter((field) => !(inRows && field.name === "password") && !(name === "sign" && ON_PAGE.has(field.name))) };
  fields.removeAttribute("aria-busy");
  const drawFields = () => {
    drawForm(fields, tool);
    if (inRows) fields.prepend(el("p", { className: "hint" }, t("askedInRow")));
    nameIt();
  };
  drawFields();
  putValues(fields, lastValues(name));
  if (tool.fields.length && !["sign", "fill-form", "outline", "redact"].includes(name)) zipRow.after(presetRow(name, fields, drawFields));
  fields.addEventListener("input", () => keepValues(name, valuesOf(fields)));

  countPages(fields, () => context.item()?.doc?.count);
  const context = {
    tool, name, fields, preview,
    pairs: () => pairsOf(fields, tool),
    valid: () => isValid(fields, problem),
    item: () => fit().find(hasPages),
    items: () => fit().filter(hasPages),
    picture: () => fit().find((one) => one.file && PICTURES.includes(one.kind)),
    problem,
  };
  // It waits for the document's pages, and the form does not wait for it.
  const viewing = (PREVIEWS[name] ? PREVIEWS[name]() : Promise.resolve(sheet)).then((show) => show(context));
  Promise.race([viewing, new Promise((resolve) => setTimeout(resolve, LONGEST_FILLING_MS))]).catch(() => null)
    .then(() => requestAnimationFrame(() => requestAnimationFrame(() => desk.classList.remove("filling"))));

  const secretsOf = (item) => (inRows ? [["password", item.password ?? ""]] : item.password && !pairsOf(fields, tool).some(([field]) => field === "inputPassword") &&
    tool.fields.some((field) => field.name === "inputPassword") ? [["inputPassword", item.password]] : []);

  /** Of several files in one job: the second may have a password of its own. */
  const secretsOfAll = (chosen, pairs) => [...secretsOf(chosen.find((one) => one.password) || chosen[0]),
    ...(chosen[1]?.password && tool.fields.some((field) => field.name === "inputPassword2") && !pairs.some(([field]) => field === "inputPassword2") ?
      [["inputPassword2", chosen[1].password]] : [])];

  /** Unless one was typed. */
  const named = (pairs, one) => (pairs.some(([field]) => field === "outputName") ? [] : [["outputName", usualName(one.name, name)]]);

  async function run() {
    const chosen = fit();
    const ready = chosen.length === 1 && (await viewing)?.ready?.();
    if (ready) return adopt(ready, chosen[0].name, refOf(chosen[0]));
    const extra = (await viewing)?.extra;
    const pairs = pairsOf(fields, tool);
    if (addressed) {
      await start(name, new URL(pairs.find(([field]) => field === "url")[1]).host, pairs);
      return;
    }
    const title = chosen[0].name + (chosen.length > 1 ? ` + ${chosen.length - 1}` : "");
    if (asOne()) {
      await start(name, title, [...chosen.map((one) => ["files", refOf(one)]), ...pairs, ...secretsOfAll(chosen, pairs), ...named(pairs, chosen[0])]);
    } else if (inOneZip() && isPlain(pairs)) {
      const typed = pairs.find(([field]) => field === "outputName")?.[1];
      const params = Object.fromEntries(pairs.filter(([field]) => !["outputName", "ttl"].includes(field)));
      await start("pipeline", title, [...chosen.map((one) => ["files", refOf(one)]),
        ["steps", JSON.stringify([{ tool: name, params }])], ["outputName", typed || zipName(name)], ...pairs.filter(([field]) => field === "ttl")]);
    } else {
      for (const one of chosen) {
        const { ended } = await start(name, one.name, [["file", refOf(one)], ...pairs, ...(extra?.(one) || []), ...secretsOf(one), ...named(pairs, one)]);
        const added = name === "add-password" && pairs.find(([field]) => field === "password")?.[1];
        if (added) knowPassword(String(added));
        // What the tool found wrong with a field is told there, too.
        ended.then((job) => job?.status === "failed" && job.field && fields.isConnected &&
          showError(fields, errorWords(job.error, job.message), job.field, problem, { focus: false, detail: inEnglish(errorDetail(job.error, job.message)) }));
      }
    }
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    clearErrors(fields);
    problem.textContent = "";
    if (fit().length < tool.least) {
      problem.textContent = t(tool.least > 1 ? "chooseTwo" : "chooseFirst");
      at("choose").focus();
      return;
    }
    if (!isValid(fields, problem) || (await viewing)?.refused?.()) return;
    if (isMany(name) && !(await goesOn(lackOf))) return;
    busy = true;
    held.fit();
    const several = fit().length > 1 && !asOne() && !inOneZip();
    try {
      await files.settled(fit());
      if (!(await allOpen(fit()))) {
        problem.textContent = t("openFirst", { name: fit().find((one) => one.locked).name });
        return;
      }
      openScreen(() => go.focus(), several ? fit().length : 1);
      await run();
      lookAtScreen();
      say(t("sent"));
    } catch (error) {
      closeScreen();
      showError(fields, error.message, error.field, problem, { detail: inEnglish(error.detail) });
    } finally {
      busy = false;
      held.fit();
    }
  });

  return {
    title: toolTitle(name),
    leave() {
      for (const stop of stops) stop();
      viewing.then((one) => one?.leave?.());
      files.removeEventListener("list", listed);
      document.removeEventListener("jobended", nameIt);
    },
  };
}

