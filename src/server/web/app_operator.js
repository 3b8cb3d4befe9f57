// The operator's page: how the server is, as its own API tells those who run it.

import { ask as askPlainly } from "./app_api.js";
import { button, el, put } from "./app_dom.js";
import { formWords, number, sizeText, spanText, spoken, t } from "./app_i18n.js";

const EVERY_MS = 5000;

/** admin_key, where the address alone does not open the view; for this page's life only. */
let key = "";
const ask = (path) => askPlainly("GET", path, undefined, key ? { Authorization: `Bearer ${key}` } : {});

/** Asks for admin_key, after an answer that refused. */
function keyForm(again, problem) {
  const field = el("input", { id: "admin-key", type: "password", autocomplete: "off", required: true, dir: "ltr", "aria-describedby": "admin-problem" });
  return el("form", {
    className: "card field", id: "admin-form",
    onsubmit: (event) => {
      event.preventDefault();
      key = field.value;
      again();
    },
  }, el("label", { for: "admin-key" }, t("adminKey")), el("p", { className: "hint" }, t("adminKeyHint")),
  el("div", { className: "with-button" }, field, button("eye", t("show"), null, { type: "submit" })),
  el("p", { className: "error", id: "admin-problem", role: "alert" }, problem));
}

/** A figure by its name: of bytes, of seconds, or as it is. */
const text = (value, name = "") => (typeof value === "number" && /bytes/i.test(name) ? sizeText(value) : typeof value === "number" && /seconds$/i.test(name) ? (value || !/retention/i.test(name) ? spanText(value) : "–") : typeof value === "number" ? number(value) : typeof value === "boolean" ? t(value ? "yes" : "no") : String(value ?? "–"));

/** A JSON value as tables: lists of objects by rows, objects by their members. */
function shown(value) {
  if (Array.isArray(value)) {
    if (!value.length) return el("p", { className: "hint" }, "–");
    if (typeof value[0] !== "object") return el("p", null, el("bdi", null, value.map((one) => text(one)).join(", ")));
    const columns = [...new Set(value.flatMap((one) => Object.keys(one)))];
    return el("div", { className: "table", tabIndex: 0, role: "region", "aria-label": columns.map(spoken).join(", ") }, el("table", null, el("thead", null, el("tr", null, ...columns.map((one) => el("th", { scope: "col" }, spoken(one))))),
      el("tbody", null, ...value.map((one) => el("tr", null, ...columns.map((column) => el("td", null, typeof one[column] === "object" && one[column] ? shown(one[column]) : el("bdi", null, text(one[column], column)))))))));
  }
  if (value && typeof value === "object")
    return el("table", null, el("tbody", null, ...Object.entries(value).map(([name, inner]) =>
      el("tr", null, el("th", { scope: "row" }, spoken(name)), el("td", null, inner && typeof inner === "object" ? shown(inner) : el("bdi", null, text(inner, name)))))));
  return el("bdi", null, text(value));
}

function section(title, value) {
  return el("section", { className: "card table", tabIndex: 0, "aria-label": title }, el("h2", null, title), shown(value));
}

/** One figure that counts: its name, how much, of how much if there is a bound, and what belongs to it. */
function tile(title, figure, share, notes) {
  return el("li", { className: "card tile" }, el("p", { className: "hint" }, title), el("p", { className: "figure" }, el("bdi", null, figure)),
    share === undefined ? null : el("meter", { min: 0, max: 1, high: 0.9, value: share, "aria-label": title }),
    ...notes.filter(Boolean).map((note) => el("p", { className: "hint" }, note)));
}
const named = (name, value) => `${spoken(name)}: ${value}`;

function tiles({ server, queue, workers, rates, disk, process }) {
  const bad = rates.failed["15m"];
  return el("ul", { className: "tiles", role: "list" },
    tile(spoken("state"), server.state, undefined, [`platen ${server.version}`, named("uptimeSeconds", spanText(server.uptimeSeconds)), server.note]),
    tile(spoken("pending"), number(queue.pending), undefined, [queue.pending > 0 && named("oldestSeconds", spanText(queue.oldestSeconds))]),
    tile(spoken("running"), number(queue.running), workers.busy / Math.max(1, workers.total), [named("workers", `${number(workers.busy)} / ${number(workers.total)}`)]),
    tile(`${spoken("completed")}, ${spoken("15m")}`, number(rates.completed["15m"]), undefined, [el("span", { className: bad ? "bad" : "" }, named("failed", number(bad)))]),
    tile(`${spoken("disk")}, ${spoken("freeBytes")}`, sizeText(disk.freeBytes), disk.sizeBytes ? 1 - disk.freeBytes / disk.sizeBytes : undefined, [named("sizeBytes", sizeText(disk.sizeBytes))]),
    tile(spoken("residentBytes"), sizeText(process.residentBytes), process.openFiles / Math.max(1, process.maxFiles), [named("openFiles", `${number(process.openFiles)} / ${number(process.maxFiles)}`)]));
}

/** "platen-pages: 10 tools, sandbox: user,seccomp" as a row; what reads otherwise stays as it is. */
function programRow(line) {
  const [, program, tools, sandbox] = /^(\S+): (\d+) \w+, sandbox: (\S*)$/.exec(line) || ["", line];
  return sandbox ? { programs: program, tools: Number(tools), sandbox: sandbox.split(",").join(", ") } : { programs: program };
}

/** {"requests": {"1m": 3}} as rows: one a figure, with a column for each span. */
const rateRows = (rates) => Object.entries(rates).map(([name, spans]) => ({ rates: spoken(name), ...spans }));

/** What went wrong since the server started, and a sentence if nothing did. */
function wrongs(overview) {
  const kinds = ["failures", "refusals", "storeErrors"].filter((kind) => overview[kind]?.length);
  return el("section", { className: "card", "aria-label": spoken("failures") }, el("h2", null, spoken("failures")),
    ...(kinds.length ? kinds.flatMap((kind) => [el("h3", null, spoken(kind)), shown(overview[kind])]) : [el("p", { className: "hint" }, t("opNothing"))]));
}

/** The settings; at first those that differ from the default. */
function settingsOf(list) {
  const table = shown(list);
  const only = el("input", { id: "op-changed", type: "checkbox", checked: true });
  const choose = () => list.forEach((one, i) => (/** @type {HTMLElement} */ (table.querySelectorAll("tbody > tr")[i]).hidden = only.checked && one.preset));
  only.addEventListener("change", choose);
  choose();
  return el("section", { className: "card", "aria-label": t("settings") }, el("h2", null, t("settings")), el("div", { className: "field check" }, only, el("label", { for: "op-changed" }, t("opChanged"))), table);
}

/** Sections that have a form of their own; all others are shown as they are. */
const FORMED = ["server", "queue", "workers", "rates", "disk", "tools", "failures", "refusals", "storeErrors"];

/** @param {HTMLDetailsElement} more  what is folded, which stays as the reader left it */
function overviewOf(overview, more) {
  put(more, el("summary", null, t("showMore")), el("div", { className: "stack" }, section(spoken("programs"), overview.workers.programs.map(programRow)),
    ...Object.entries(overview).filter(([name]) => !FORMED.includes(name)).map(([name, value]) => section(spoken(name), value))));
  return [tiles(overview), el("div", { className: "op-pair" }, section(spoken("rates"), rateRows(overview.rates)), wrongs(overview)), ...(overview.tools.length ? [section(spoken("tools"), overview.tools)] : []), more];
}

export async function operatorView(main) {
  await formWords();
  const stack = el("div", { className: "stack" });
  put(main, el("div", { className: "title" }, el("div", null, el("h1", { tabIndex: -1 }, t("operator")), el("p", { className: "lead" }, t("operatorLead")))), stack);
  const now = el("div", { className: "stack" });
  const still = el("div", { className: "stack" });
  put(stack, now, still);
  const more = /** @type {HTMLDetailsElement} */ (el("details", { id: "op-more" }));
  let timer = 0;
  const look = async () => {
    try {
      const overview = await ask("/api/v1/operator/overview");
      put(now, overviewOf(overview, more));
      return true;
    } catch (error) {
      const asks = error.status === 403;
      clearInterval(timer);
      put(still);
      put(now, asks ? keyForm(begin, key ? error.message : "") : el("p", { className: "error", role: "alert" }, error.message));
      if (asks) now.querySelector("input").focus();
      return false;
    }
  };
  const begin = async () => {
    clearInterval(timer);
    if (!(await look())) return;
    put(still);
    const keys = await ask("/api/v1/operator/keys").catch(() => null);
    if (keys) still.append(section(t("apiKeys"), keys.keys), section(t("plan"), keys.plans));
    const settings = await ask("/api/v1/operator/settings").catch(() => null);
    if (settings) still.append(settingsOf(settings.settings));
    timer = setInterval(() => document.hidden || look(), EVERY_MS);
  };
  await begin();
  return { title: t("operator"), leave: () => clearInterval(timer) };
}
