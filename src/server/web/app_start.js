// The start: a place for files, and the tools; once there are files, the tools that take them.

import { at, button, el, icon, put, say } from "./app_dom.js";
import { files } from "./app_files.js";
import { leftOut } from "./app_left.js";
import { byFinger, t, toolSummary, toolTitle } from "./app_i18n.js";
import { fitting, GROUPS, isUsable, toolNames } from "./app_tools.js";
import { chooser, tray } from "./app_tray.js";

const IN_PAGES = new Set(["merge", "split", "rotate"]);

export const toolAddress = (name) => (IN_PAGES.has(name) ? `#/pages/${name}` : `#/tool/${name}`);

/** The group of a tool, which has a colour. @param {string} name */
const groupOf = (name) => Object.keys(GROUPS).find((group) => GROUPS[group].includes(name)) || "organise";

/** The picture of a tool in the colour of its group. @param {string} name */
export const toolIcon = (name) => el("span", { className: `tool-icon hue-${groupOf(name)}` }, icon(name));

function card(name) {
  return el("a", { className: "tool", href: toolAddress(name), "data-tool": name }, toolIcon(name),
    el("span", null, el("strong", null, toolTitle(name)), el("span", { className: "hint" }, toolSummary(name))));
}

function drawTools(place) {
  const kinds = files.items.map((one) => one.kind).filter(isUsable);
  if (files.items.length && !kinds.length) return put(place); // What is above says so.
  if (!kinds.length) {
    toolNames();
    put(place, ...Object.entries(GROUPS).map(([group, names]) => {
      const here = names.filter((name) => toolNames().includes(name));
      return here.length > 0 && el("section", { "aria-labelledby": `group-${group}` }, el("h2", { id: `group-${group}` }, t(`group_${group}`)),
        el("div", { className: "tools-grid" }, ...here.map(card)));
    }));
    return;
  }
  const found = fitting(kinds);
  // What is there already stays, and so does the focus in it.
  if ([...place.querySelectorAll("a.tool")].map((one) => one.dataset.tool).join() === found.join() && place.querySelector("#offered")) return;
  put(place, el("section", { "aria-labelledby": "offered" }, el("h2", { id: "offered" }, t(found.length ? "whatNow" : "noTool")),
    el("div", { className: "tools-grid" }, ...found.map(card))));
}

export function startView(main) {
  // A finger drops nothing.
  const touch = byFinger();
  const first = touch ? "chooseFiles" : "dropHere";
  const list = el("ul", { id: "files", className: "files" });
  const left = el("div", { className: "left-out", id: "left-out", role: "status", hidden: true });
  const tools = el("div", { id: "tools" });
  const hero = el("section", { className: "hero", id: "drop" },
    el("span", { className: "hero-icon" }, icon("drop")),
    el("h1", { tabIndex: -1 }, t(first)), el("p", { className: "lead" }, t("dropLead")),
    el("div", { className: "hero-actions" }, chooser("choose", t("chooseFiles")),
      touch && chooser("camera", t("takePhoto"), { accept: "image/*", capture: true })));
  const chosen = el("section", { className: "card", "aria-labelledby": "files-title", hidden: true },
    el("div", { className: "card-head" }, el("h2", { id: "files-title" }, t("yourFiles")),
      button("close", t("removeAll"), () => {
        files.clear();
        at("undo-clear")?.focus();
      }, { className: "quiet" })), list, left);
  const cleared = el("div", { className: "cleared", id: "cleared", role: "status" });
  /** The list was emptied: it can be had back. */
  const drawCleared = () => {
    const n = files.cleared.length;
    put(cleared, n > 0 && el("p", null, t("removedFiles", { n })), n > 0 && button("undo", t("undo"), () => {
      files.unclear();
      say(t("undone"));
      hero.querySelector("h1").focus({ preventScroll: true });
    }, { className: "quiet", id: "undo-clear" }));
  };
  put(main, hero, cleared, chosen, tools);
  /** Files of no use; where no tool takes all the others, those that can become PDFs, so that one does. */
  const lackOf = (item) => {
    if (!isUsable(item.kind)) return "useless";
    const kinds = files.items.map((one) => one.kind).filter(isUsable);
    return item.kind === "pdf" || fitting(kinds).length ? "" : "mix";
  };
  const stops = [tray(list, { order: true }), leftOut(left, lackOf)];
  const draw = () => {
    chosen.hidden = files.items.length === 0;
    hero.classList.toggle("small", files.items.length > 0);
    hero.querySelector("h1").textContent = t(files.items.length ? "addMore" : first);
    drawCleared();
    drawTools(tools);
  };
  const changed = (event) => event.detail.state === "ready" && drawTools(tools);
  files.addEventListener("list", draw);
  files.addEventListener("change", changed);
  draw();
  return {
    leave() {
      for (const stop of stops) stop();
      files.removeEventListener("list", draw);
      files.removeEventListener("change", changed);
    },
  };
}
