// The start: what this is, a place for files, and the tools; once there are files, the tools that take them.

import { at, button, eachFrame, el, icon, iconButton, put, say } from "./app_dom.js";
import { favourites, found, recent, toggleFavourite } from "./app_find.js";
import { documentOf, files, hasPages, lookForScan } from "./app_files.js";
import { leftOut } from "./app_left.js";
import { byFinger, number, spanText, t, toolSummary, toolTitle } from "./app_i18n.js";
import { countsOf, fitting, GROUPS, isUsable, keepingTimes, takes, toolNames } from "./app_tools.js";
import { chooser, sorter, tray } from "./app_tray.js";

const IN_PAGES = new Set(["merge", "split", "extract-pages", "delete", "rotate"]);
/** What most people come for. */
const FIRST = ["merge", "compress", "split", "to-word", "sign", "jpg-to-pdf"];

export const toolAddress = (name) => (IN_PAGES.has(name) ? `#/pages/${name}` : `#/tool/${name}`);

/** The group of a tool, which has a colour. @param {string} name */
const groupOf = (name) => Object.keys(GROUPS).find((group) => GROUPS[group].includes(name)) || "organise";

/** What conversions turn a PDF into, or make one of. */
const LETTERS = { "to-word": "W", "to-excel": "X", "to-text": "TXT", "to-markdown": "MD", "to-html": "</>", extract: "{ }", "form-fields": "{ }", "redact-find": "{ }", "to-jpg": "JPG", "to-png": "PNG", "to-webp": "WEBP", "to-tiff": "TIFF", "to-svg": "SVG", "word-to-pdf": "W", "excel-to-pdf": "X", "ppt-to-pdf": "P" };

/** The picture of a tool in the colour of its group: of a conversion the other kind, and which way it goes. @param {string} name */
export const toolIcon = (name) => el("span", { className: `tool-icon hue-${groupOf(name)}`, "aria-hidden": "true" }, LETTERS[name]
  ? [name.endsWith("-to-pdf") ? null : el("i", null, "→"), el("b", { className: LETTERS[name].length > 2 ? "long" : null }, LETTERS[name]), name.endsWith("-to-pdf") ? el("i", null, "→") : null]
  : icon(name));

/** @param {string} name @param {string} [note] what else is to be said of it */
function card(name, note) {
  const star = iconButton("star", "", () => {
    toggleFavourite(name);
    mark();
    document.dispatchEvent(new Event("favourites"));
  }, { className: "icon-button star" });
  const mark = () => {
    const is = favourites().includes(name);
    star.setAttribute("aria-pressed", String(is));
    star.title = t(is ? "favouriteNot" : "favourite", { name: toolTitle(name) });
    star.setAttribute("aria-label", star.title);
  };
  mark();
  return el("div", { className: "tool-place" }, el("a", { className: "tool", href: toolAddress(name), "data-tool": name }, toolIcon(name),
    el("span", null, el("strong", null, toolTitle(name)), el("span", { className: "hint" }, note || toolSummary(name)))), star);
}

const grid = (names, note) => el("div", { className: "tools-grid" }, ...names.map((name) => card(name, note?.(name))));

/** All tools: those that were marked or used, or else that most people come for, then the groups; or those that were looked for. */
function drawAll(place, wanted) {
  if (wanted.trim()) {
    const names = found(wanted);
    return put(place, el("section", { "aria-labelledby": "found" }, el("h2", { id: "found" }, names.length ? t("toolsFound", { n: names.length }) : t("noToolFound")), grid(names)));
  }
  toolNames();
  const mine = [...new Set([...favourites(), ...recent()])];
  const first = mine.length ? mine.slice(0, 8) : FIRST.filter((name) => toolNames().includes(name));
  return put(place, el("section", { "aria-labelledby": "group-first" }, el("h2", { id: "group-first" }, t(mine.length ? "yourTools" : "mostUsed")), grid(first)),
    ...Object.entries(GROUPS).map(([group, names]) => {
      const here = names.filter((name) => toolNames().includes(name) && !first.includes(name));
      return here.length > 0 && el("section", { "aria-labelledby": `group-${group}` }, el("h2", { id: `group-${group}` }, t(`group_${group}`)), grid(here));
    }));
}

/** The tools that take the files that are there: what mends one comes first, and a tool that takes only some says so. */
function drawFitting(place) {
  const usable = files.items.filter((one) => isUsable(one.kind));
  if (!usable.length) return put(place); // What is above says so.
  const mends = [files.items.some((one) => one.broken || one.cut) && "repair", files.items.some((one) => one.locked) && "remove-password"].filter((name) => name && toolNames().includes(name));
  const scanned = files.items.some((one) => one.scan) && toolNames().includes("ocr") && "ocr";
  const names = [...new Set([...mends, ...(scanned ? [scanned] : []), ...fitting(usable.map((one) => one.kind))])];
  const counts = countsOf(files.items.map((one) => one.kind));
  const count = (name) => counts.get(name) || 0;
  const note = (name) => (name === mends[0] && name === "repair" ? t("mendsDamaged") : name === "remove-password" && mends.includes(name) ? t("mendsLocked")
    : name === scanned ? t("readsScan")
    : count(name) < files.items.length ? t("takesSome", { n: count(name), of: number(files.items.length) }) : undefined);
  const state = JSON.stringify(names.map((name) => [name, note(name)]));
  // What is there already stays, and so does the focus in it.
  if (place.dataset.state === state && place.querySelector("#offered")) return place;
  place.dataset.state = state;
  return put(place, el("section", { "aria-labelledby": "offered" }, el("h2", { id: "offered" }, t("whatNow")), grid(names, note)));
}

const MOST_LOOKED = 5; // documents of which it is found out whether they are scans

/** Asks whether the first documents are scans, where their text can be recognised. */
function lookForScans() {
  if (!toolNames().includes("ocr")) return;
  for (const item of files.items.filter(hasPages).slice(0, MOST_LOOKED)) if (item.doc) lookForScan(item);
}

/** Asks for the address of a file, which only whoever has a key may name. */
function fromAddress() {
  const place = el("span", { className: "from-address" });
  const offer = (focused) => {
    const made = button("drop", t("fromAddress"), async () => {
      const { askAddress } = await import("./app_address.js");
      askAddress(place, () => offer(true));
    }, { className: "quiet", id: "from-address" });
    put(place, made);
    if (focused) made.focus();
  };
  offer(false);
  return place;
}

export function startView(main) {
  // A finger drops nothing.
  const touch = byFinger();
  const first = touch ? "chooseFiles" : "dropHere";
  const list = el("ul", { id: "files", className: "files" });
  const left = el("div", { className: "left-out", id: "left-out", role: "status", hidden: true });
  const tools = el("div", { id: "tools" });
  const long = el("span", null, t("startLead"));
  keepingTimes().then(({ usual }) => usual && (long.textContent = `${t("startLead")} ${t("startKept", { time: spanText(usual) })}`));
  const fact = (name, words) => el("li", null, icon(name), el("span", null, words));
  const intro = el("section", { className: "intro" }, el("h1", { tabIndex: -1 }, t("startTitle")), el("p", { className: "lead" }, long),
    el("ul", { className: "facts" }, fact("add-password", t("factPrivate")), fact("clock", t("factDeleted")), fact("check", t("factFree"))));
  const hero = el("section", { className: "hero", id: "drop", "aria-labelledby": "drop-title" },
    el("span", { className: "hero-icon" }, icon("drop")),
    el("h2", { id: "drop-title", tabIndex: -1 }, t(first)), el("p", { className: "lead" }, t("dropLead")),
    el("div", { className: "hero-actions" }, chooser("choose", t("chooseFiles")),
      touch && chooser("camera", t("takePhoto"), { accept: "image/*", capture: true }), at("app").dataset.addresses ? fromAddress() : null));
  const sorting = sorter();
  const chosen = el("section", { className: "card", "aria-labelledby": "files-title", hidden: true },
    el("div", { className: "card-head" }, el("h2", { id: "files-title" }, t("yourFiles")), el("div", { className: "row" }, sorting.made,
      button("close", t("removeAll"), () => {
        files.clear();
        at("undo-clear")?.focus();
      }, { className: "quiet", id: "remove-all" }))), list, left);
  const cleared = el("div", { className: "cleared", id: "cleared", role: "status" });
  const search = el("input", { id: "tool-search", type: "search", autocomplete: "off", placeholder: t("findTool"), "aria-label": t("findTool"), oninput: () => draw() });
  const finding = el("div", { className: "find", role: "search" }, icon("zoom"), search, el("kbd", { "aria-hidden": "true" }, "Ctrl K"));
  /** The list was emptied: it can be had back. */
  const drawCleared = () => {
    const n = files.cleared.length;
    put(cleared, n > 0 && el("p", null, t("removedFiles", { n })), n > 0 && button("undo", t("undo"), () => {
      files.unclear();
      say(t("undone"));
      intro.querySelector("h1").focus({ preventScroll: true });
    }, { className: "quiet", id: "undo-clear" }));
  };
  put(main, intro, hero, cleared, chosen, finding, tools);
  /** Files of no use; those that can become PDFs, where some are PDFs. */
  const lacks = () => {
    const kinds = [...new Set(files.items.map((one) => one.kind))].filter(isUsable);
    const together = toolNames().some((name) => name !== "ocr" && kinds.every((kind) => takes(name, kind))); // ocr makes a result of each
    return (item) => (!kinds.includes(item.kind) ? "useless" : item.kind === "pdf" || together ? "" : "mix");
  };
  const stops = [tray(list, { order: true }), leftOut(left, lacks), sorting.stop];
  const draw = () => {
    const some = files.items.length > 0;
    chosen.hidden = !some;
    finding.hidden = some;
    intro.classList.toggle("with-files", some);
    hero.classList.toggle("small", some);
    hero.querySelector("h2").textContent = t(some ? "addMore" : first);
    drawCleared();
    if (some) {
      drawFitting(tools);
      lookForScans();
    } else drawAll(tools, search.value);
  };
  const changed = (event) => {
    const { detail } = event;
    if (detail.state !== "ready") return;
    later.ask();
    // Whether it is damaged or locked is known then.
    if (hasPages(detail)) documentOf(detail).then(lookForScans, () => null);
  };
  /** What mends a file comes first once that is known, but not from under the pointer. */
  const mend = () => {
    if (!files.items.length) return;
    if (tools.matches(":hover")) tools.addEventListener("pointerleave", mend, { once: true });
    else drawFitting(tools);
  };
  const marked = () => {
    if (files.items.length) return;
    const focused = document.activeElement?.closest(".tool-place")?.querySelector("a")?.dataset.tool;
    draw();
    /** @type {HTMLElement | null} */ (tools.querySelector(`[data-tool="${focused}"] + .star`))?.focus();
  };
  const later = eachFrame(draw);
  const mending = eachFrame(mend);
  /** Of many files each changes the list more than once; an empty list, and the first file, are another page. */
  const listed = () => (intro.classList.contains("with-files") && files.items.length ? later.ask() : draw());
  files.addEventListener("list", listed);
  files.addEventListener("change", changed);
  files.addEventListener("known", mending.ask);
  document.addEventListener("favourites", marked);
  draw();
  return {
    leave() {
      for (const stop of stops) stop();
      later.stop();
      mending.stop();
      files.removeEventListener("list", listed);
      files.removeEventListener("change", changed);
      files.removeEventListener("known", mending.ask);
      document.removeEventListener("favourites", marked);
    },
  };
}
