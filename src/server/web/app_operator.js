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

export async function operatorView(main) {
  await formWords();
  const stack = el("div", { className: "stack" });
  put(main, el("div", { className: "title" }, el("div", null, el("h1", { tabIndex: -1 }, t("operator")), el("p", { className: "lead" }, t("operatorLead")))), stack);
  const now = el("div", { className: "stack" });
  const still = el("div", { className: "stack" });
  put(stack, now, still);
  let timer = 0;
  const look = async () => {
    try {
      const overview = await ask("/api/v1/operator/overview");
      put(now, Object.entries(overview).map(([name, value]) => section(spoken(name), value)));
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
    if (settings) still.append(section(t("settings"), settings.settings));
    timer = setInterval(() => document.hidden || look(), EVERY_MS);
  };
  await begin();
  return { title: t("operator"), leave: () => clearInterval(timer) };
}
