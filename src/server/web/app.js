// The web page: who is signed in, what stands around every view, and which view is shown.
// The views are loaded when they are first wanted; the address's part after "#/" names one.

import { ask, session as access, told } from "./app_api.js";
import { at, button, el, icon, iconButton, kept, put, say } from "./app_dom.js";
import { day, keepLanguage, LANGUAGES, language, preferred, t, useLanguage } from "./app_i18n.js";
import { files } from "./app_files.js";
import { closeScreen, drawEmpty, emptyJobs, loadJobs } from "./app_jobs.js";
import { openFinder } from "./app_find.js";
import { startView, toolAddress, toolIcon } from "./app_start.js";

/** @type {{signedIn: boolean, mode: string, visitor?: boolean, operator?: boolean, plan?: string}} */
let session = { signedIn: false, mode: "key" };
let shown = null;

const VIEWS = {
  "": async () => startView,
  tool: async () => (await import("./app_tool.js")).toolView,
  pages: async () => (await import("./app_pages.js")).pagesView,
  flow: async () => (await import("./app_flow.js")).flowView,
  results: async () => resultsView,
  account: async () => (await import("./app_account.js")).accountView,
  operator: async () => (await import("./app_operator.js")).operatorView,
};

const TOOLS_OF_PAGES = new Set(["merge", "split", "extract-pages", "delete", "rotate"]);

/** The results, which stand below every view, as a library. */
async function resultsView(main) {
  const { library } = await import("./app_library.js"); // What was there stays meanwhile.
  put(main, el("h1", { tabIndex: -1 }, t("results")));
  return { title: t("results"), leave: library(main) };
}

/** [view, argument] of the address. */
function placeOf() {
  const [view, argument] = location.hash.replace(/^#\/?/, "").split("/");
  return view in VIEWS ? [view, decodeURIComponent(argument || "")] : ["", ""];
}

let turn = 0;

/** A view that could not be loaded: it is tried again at a press, and whenever its address is asked for. */
function notLoaded(main) {
  put(main, el("section", { className: "card" }, el("h1", { tabIndex: -1 }, t("notLoaded")), el("p", { className: "lead" }, t("unreachable")),
    button("redo", t("tryAgain"), () => route(true), { className: "primary", id: "load-again" })));
  return { title: t("notLoaded") };
}

async function route(focus) {
  const [view, argument] = placeOf();
  const mine = ++turn;
  const make = await VIEWS[view]().catch(() => notLoaded);
  const main = at("main");
  if (mine !== turn || !main) return;
  shown?.leave?.();
  closeScreen();
  main.className = `view view-${view || "start"}${focus ? " comes" : ""}`; // What is seen first does not wait to be moved.
  shown = (await make(main, argument, session)) || {};
  document.title = shown.title ? `${shown.title} · ${at("app").dataset.name}` : at("app").dataset.name;
  const current = TOOLS_OF_PAGES.has(argument) || view === "pages" ? "pages" : view === "tool" ? "" : view;
  for (const link of document.querySelectorAll("nav a[data-view]"))
    if (/** @type {HTMLElement} */ (link).dataset.view === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  drawEmpty();
  if (!focus) return;
  scrollTo(0, 0);
  /** @type {HTMLElement | null} */ (main.querySelector("h1"))?.focus({ preventScroll: true });
}

function languageChoice() {
  return el("label", { className: "language" }, icon("language"), el("span", { className: "unseen" }, t("language")),
    el("select", {
      id: "language",
      onchange: async (event) => {
        keepLanguage(event.target.value);
        lookChanged();
        await useLanguage(event.target.value);
        await frame();
        at("language").focus();
      },
    }, ...Object.entries(LANGUAGES).map(([name, own]) =>
      el("option", { value: name, lang: name, selected: name === language() }, own))));
}

/** Light, dark, or as the system is. @param {string} name */
function theme(name) {
  if (name === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}

function themeChoice() {
  const names = ["system", "light", "dark"];
  const words = () => t("theme", { name: t(`theme_${kept.read("theme", "system")}`) });
  const made = iconButton("theme", words(), () => {
    const next = names[(names.indexOf(kept.read("theme", "system")) + 1) % names.length];
    kept.write("theme", next);
    document.cookie = `platen_theme=${next}; Path=/; Max-Age=31536000; SameSite=Lax`; // The server begins with it the next time.
    lookChanged();
    theme(next);
    made.title = words();
    made.setAttribute("aria-label", words());
    say(words());
  }, { id: "theme", className: "icon-button" });
  return made;
}

function navigation(className) {
  const link = (view, name, words, ...more) =>
    el("a", { href: `#/${view}`, "data-view": view }, icon(name), el("span", null, words), ...more);
  return el("nav", { className, "aria-label": t("navigation") },
    link("", "tools", t("tools")), link("pages", "pages", t("arrange")), link("flow", "flow", t("flows")),
    link("account", "account", t("account")), session.operator && !session.visitor && link("operator", "operator", t("operator")));
}

/** Everything around the views, in the language that is set. @param {string} [refusal]  why there is no session */
async function frame(refusal = "") {
  const app = at("app");
  const brand = app.querySelector(".brand"); // As the server wrote it.
  app.dataset.addresses = session.signedIn && !session.visitor ? "yes" : "";
  brand.href = "#/";
  put(app,
    el("a", { className: "skip", href: "#main", onclick: (event) => (event.preventDefault(), at("main").querySelector("h1")?.focus()) }, t("skip")),
    el("header", { className: "bar" },
      brand,
      session.signedIn && navigation("main-nav"),
      el("div", { className: "bar-end" },
        el("a", { className: "to-results", href: "#/results", hidden: !session.signedIn }, icon("results"), el("span", null, t("results")),
          el("span", { id: "busy", className: "badge", hidden: true })),
        themeChoice(), languageChoice())),
    el("main", { id: "main" }),
    el("section", { id: "results", className: "results", hidden: true, "aria-labelledby": "results-title" },
      el("div", { id: "screen-bar", className: "screen-bar", hidden: true }),
      el("h2", { id: "results-title", tabIndex: -1 }, t("results")),
      el("p", { id: "no-jobs", className: "hint" }, t("noResults")),
      el("ul", { id: "jobs" }), el("div", { id: "more-jobs" })),
    el("footer", { className: "foot" },
      el("p", null, t("promise"), " ", el("bdi", null, at("app").dataset.line)),
      el("p", null, el("span", { id: "usage" }), " ", el("a", { href: "/docs" }, t("docs")))));
  if (session.signedIn) {
    await Promise.all([route(false), loadJobs().catch(() => null)]);
    showUsage();
  } else {
    signIn(refusal);
  }
}

let plans = "/pricing";

async function showUsage() {
  const used = await ask("GET", "/api/v1/usage").catch(() => null);
  if (used && at("usage"))
    at("usage").textContent = t("used", { used: used.requests.used, limit: used.requests.limit, day: day(used.resetAt) });
  const spent = Boolean(used && used.requests.used >= used.requests.limit);
  if (used) access.spent = spent;
  document.dispatchEvent(new Event("usage"));
  if (spent || at("quota-spent")) (await import("./app_quota.js")).showSpent(spent ? { limit: used.requests.limit, resetAt: used.resetAt } : null, plans);
}

/** The view for whoever has not said who they are. */
function signIn(message) {
  const key = el("input", { id: "key", type: "password", autocomplete: "current-password", required: true, dir: "ltr" });
  const error = el("p", { className: "error", id: "key-error", role: "alert" }, message);
  at("main").className = "view view-key";
  put(at("main"), el("form", {
    id: "key-form", className: "card",
    onsubmit: async (event) => {
      event.preventDefault();
      error.textContent = "";
      try {
        await ask("POST", "/api/v1/session", undefined, { "X-API-Key": key.value.trim() });
        await begin();
      } catch (problem) {
        error.textContent = problem.message;
        key.focus();
      }
    },
  }, el("h1", { tabIndex: -1 }, t("welcome")), el("p", { className: "lead" }, t("keyWanted")),
  el("div", { className: "field" }, el("label", { for: "key" }, t("key")), key, el("p", { className: "hint" }, t("keyHint")), error),
  button("", t("open"), null, { type: "submit", className: "primary" })));
  key.focus();
}

/** @type {Promise<boolean> | null} */
let renewing = null;

/** Asks for the key in a dialog, over the view that is there. @returns {Promise<boolean>} whether it was given */
async function askKey() {
  const { dialog } = await import("./app_viewer.js");
  return new Promise((resolve) => {
    const key = el("input", { id: "key-again", type: "password", autocomplete: "current-password", required: true, dir: "ltr" });
    const error = el("p", { className: "error", role: "alert" });
    const made = dialog(t("sessionOver"), el("form", {
      className: "asked",
      onsubmit: async (event) => {
        event.preventDefault();
        error.textContent = "";
        try {
          await ask("POST", "/api/v1/session", undefined, { "X-API-Key": key.value.trim() });
          resolve(true);
          made.close();
        } catch (problem) {
          error.textContent = problem.message;
          key.focus();
        }
      },
    }, el("p", null, t("sessionOverKey")), el("div", { className: "field" }, el("label", { for: "key-again" }, t("key")), key, error),
    el("div", { className: "row" }, button("", t("open"), null, { type: "submit", className: "primary" }))));
    made.addEventListener("close", () => resolve(false));
    key.focus();
  });
}

/** The session has ended: a visitor's begins anew, of which the server has no files; else the key is asked for. */
async function renew() {
  if (!session.signedIn) return false;
  if (!session.visitor) return askKey();
  try {
    await ask("POST", "/api/v1/session");
  } catch {
    return false;
  }
  files.again();
  loadJobs().catch(() => null);
  const note = el("div", { className: "toast", role: "status" }, el("p", null, t("visitRenewed")), button("close", t("close"), () => note.remove(), { className: "quiet" }));
  document.body.append(note);
  return true;
}
access.renew = () => (renewing ||= renew().finally(() => (renewing = null)));

/** Whether a visitor wants everything deleted. @returns {Promise<boolean>} */
async function isSure() {
  const { asks } = await import("./app_viewer.js");
  return asks(t("endSure"), el("p", null, t("endSureWhat", { files: files.items.length, results: at("jobs").children.length })),
    button("before", t("goBack"), null, { id: "stay" }), button("trash", t("endVisit"), null, { className: "danger", id: "end-visit" }));
}

async function signOut() {
  const { visitor } = session;
  if (visitor && !(await isSure())) return;
  try {
    await ask("DELETE", "/api/v1/session");
  } catch (problem) {
    say(problem.message);
    if (visitor) return; // nothing was deleted yet
  }
  files.forget();
  files.keepNow(); // Before all is removed, not after it.
  emptyJobs();
  if (visitor) kept.forget();
  session = { signedIn: false, mode: session.mode };
  location.hash = "#/";
  await frame();
  if (visitor) goodbye();
}

/** What a visitor sees who has ended the visit. */
function goodbye() {
  at("main").className = "view view-key";
  put(at("main"), el("section", { className: "card" }, el("h1", { tabIndex: -1 }, t("visitEnded")), el("p", { className: "lead" }, t("visitEndedLead")),
    button("", t("beginAgain"), begin, { className: "primary", id: "begin-again" })));
  at("main").querySelector("h1").focus();
}

/** The page is shown before a visitor's session is there: what is asked of the server meanwhile waits for it. */
function openSession(said) {
  access.opened = ask("POST", "/api/v1/session").then(() => ask("GET", "/api/v1/session")).then((found) => {
    // A key of this browser, which it does not send with a link of another site.
    const other = found.visitor !== true || found.operator !== said.operator;
    session = found;
    if (other) setTimeout(frame);
  }, (problem) => {
    session = { ...said, signedIn: false };
    setTimeout(() => frame(problem.message));
  });
  return { ...said, signedIn: true, visitor: true };
}

/** Who this is: as the server said with the page; else as the session says, or, where the server has no such question, as the usage shows. */
async function whoIs() {
  const said = told();
  at("app").dataset.session = JSON.stringify({ ...said, mode: undefined, signedIn: undefined }); // It is true once.
  if (said?.signedIn) return said;
  if (said?.mode === "open") return openSession(said);
  const found = await ask("GET", "/api/v1/session").catch((problem) => problem);
  if (found && "signedIn" in found) {
    if (!found.signedIn && found.mode === "open")
      return ask("POST", "/api/v1/session").then(() => ({ ...found, signedIn: true, visitor: true }), () => found);
    return found;
  }
  return ask("GET", "/api/v1/usage").then(() => ({ signedIn: true, mode: "key" }), () => ({ signedIn: false, mode: "key" }));
}

async function begin() {
  session = await whoIs();
  if (session.signedIn) await files.restore();
  await frame();
  if (session.signedIn) takeGiven();
}

/** Files that the system opens with the installed page, or that another program shares with it. */
async function takeGiven() {
  const launched = "launchQueue" in globalThis && matchMedia("(display-mode: standalone)").matches;
  const given = location.hash === "#/shared";
  if (!launched && !given) return;
  const { takeLaunched, takeShared } = await import("./app_install.js");
  if (given) history.replaceState(null, "", "#/");
  if (given) takeShared();
  if (launched) takeLaunched();
}

/** The views come once somebody does something: then they are there when the server is not. */
let prepared = false;
function prepare() {
  if (prepared) return;
  prepared = true;
  for (const one of Object.values(VIEWS)) one().catch(() => null);
  import("./app_install.js").then((one) => one.install(), () => null);
}
for (const event of ["pointermove", "keydown", "touchstart"])
  addEventListener(event, prepare, { once: true, passive: true });

/** The page for when the server cannot be reached is in the language and the appearance that were chosen. */
function lookChanged() {
  import("./app_install.js").then((one) => one.refresh(), () => null);
}

/** Another tab changed the list of files. */
addEventListener("storage", (event) => {
  if (event.key === "platen.files" && session.signedIn) files.follow();
});

/** Files come from anywhere: dropped on the page, or pasted. */
function takeFiles() {
  let depth = 0;
  let own = false; // A picture of the page that is dragged looks like a file, and is not one.
  addEventListener("dragstart", () => (own = true));
  addEventListener("dragend", () => (own = false));
  const over = (is) => document.body.classList.toggle("dropping", is);
  addEventListener("dragenter", (event) => {
    if (!own && event.dataTransfer?.types.includes("Files")) over(Boolean(++depth));
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) over(false);
  });
  let aimed = null;
  const aim = (card) => {
    if (card === aimed) return;
    aimed?.classList.remove("aimed");
    card?.classList.add("aimed");
    aimed = card;
  };
  addEventListener("dragover", (event) => {
    if (own || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    aim(/** @type {HTMLElement} */ (event.target).closest?.("[data-tool]"));
  });
  for (const name of ["drop", "dragleave", "dragend"]) addEventListener(name, () => aim(null));
  addEventListener("drop", (event) => {
    depth = 0;
    over(false);
    if (own || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    const card = /** @type {HTMLElement} */ (event.target).closest?.("[data-tool]");
    take(event.dataTransfer.files);
    // What is dropped on a tool is for that tool.
    if (card && session.signedIn) location.hash = toolAddress(/** @type {HTMLElement} */ (card).dataset.tool);
  });
  addEventListener("paste", (event) => {
    if (event.clipboardData?.files.length) return take(event.clipboardData.files);
    const words = event.clipboardData?.getData("text/plain").trim() || "";
    // An address is that of a file, unless it is pasted into a text.
    if (!session.signedIn || !/^https?:\/\/\S+$/i.test(words) || /** @type {HTMLElement} */ (event.target).closest?.("input, textarea, [contenteditable]")) return;
    const item = files.addAddress(words);
    say(t("filesAdded", { n: 1 }));
    document.dispatchEvent(new CustomEvent("added", { detail: [item] }));
  });
}

function take(list) {
  if (!session.signedIn) return;
  const made = files.add(list);
  say(t("filesAdded", { n: made.length }));
  document.dispatchEvent(new CustomEvent("added", { detail: made }));
}

document.addEventListener("take", (event) => take(/** @type {CustomEvent} */ (event).detail));
document.addEventListener("signout", signOut);
document.addEventListener("jobended", showUsage);
/** The month's jobs are used up: the server says where there are more. */
document.addEventListener("spent", (event) => {
  plans = /** @type {CustomEvent} */ (event).detail || plans;
  showUsage();
});
document.addEventListener("continue", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  const item = files.addResult(detail);
  files.items = [item];
  files.listed();
  say(t("isFile", { name: item.name }));
  const address = detail.next ? toolAddress(detail.next) : "#/";
  if (location.hash === address || (address === "#/" && placeOf()[0] === "")) route(true);
  else location.hash = address;
});
document.addEventListener("look", async (event) => {
  (await import("./app_viewer.js")).lookAtResult(/** @type {CustomEvent} */ (event).detail);
});
addEventListener("hashchange", () => session.signedIn && route(true));
addEventListener("beforeunload", (event) => {
  if (files.items.some((one) => one.state === "sending")) event.preventDefault();
});

addEventListener("keydown", (event) => {
  const writes = /** @type {HTMLElement} */ (event.target).closest?.("input, textarea, select");
  const wanted = ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") || (event.key === "/" && !writes && !event.ctrlKey && !event.metaKey && !event.altKey);
  if (!wanted || !session.signedIn || document.querySelector("dialog[open]")) return;
  event.preventDefault();
  openFinder(toolIcon, toolAddress);
});

takeFiles();
theme(kept.read("theme", "system"));
useLanguage(preferred()).then(begin);

