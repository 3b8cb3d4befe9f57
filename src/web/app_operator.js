// The operator's page: how the server is, as its own API tells those who run it.

import { ask } from "./app_api.js";
import { el, put } from "./app_dom.js";
import { number, t } from "./app_i18n.js";

const EVERY_MS = 5000;

const text = (value) => (typeof value === "number" ? number(value) : typeof value === "boolean" ? t(value ? "yes" : "no") : String(value ?? "–"));

/** A JSON value as tables: lists of objects by rows, objects by their members. */
function shown(value) {
  if (Array.isArray(value)) {
    if (!value.length) return el("p", { className: "hint" }, "–");
    if (typeof value[0] !== "object") return el("p", null, el("bdi", null, value.map(text).join(", ")));
    const columns = [...new Set(value.flatMap((one) => Object.keys(one)))];
    return el("div", { className: "table", tabIndex: 0, role: "region", "aria-label": columns.join(", ") }, el("table", null, el("thead", null, el("tr", null, ...columns.map((one) => el("th", { scope: "col" }, el("code", null, one))))),
      el("tbody", null, ...value.map((one) => el("tr", null, ...columns.map((column) => el("td", null, typeof one[column] === "object" && one[column] ? shown(one[column]) : el("bdi", null, text(one[column])))))))));
  }
  if (value && typeof value === "object")
    return el("table", null, el("tbody", null, ...Object.entries(value).map(([name, inner]) =>
      el("tr", null, el("th", { scope: "row" }, el("code", null, name)), el("td", null, inner && typeof inner === "object" ? shown(inner) : el("bdi", null, text(inner)))))));
  return el("bdi", null, text(value));
}

function section(title, value) {
  return el("section", { className: "card table" }, el("h2", null, title), shown(value));
}

export async function operatorView(main) {
  const stack = el("div", { className: "stack" });
  put(main, el("div", { className: "title" }, el("div", null, el("h1", { tabIndex: -1 }, t("operator")), el("p", { className: "lead" }, t("operatorLead")))), stack);
  const now = el("div", { className: "stack" });
  const still = el("div", { className: "stack" });
  put(stack, now, still);
  const look = async () => {
    try {
      const overview = await ask("GET", "/api/v1/operator/overview");
      put(now, Object.entries(overview).map(([name, value]) => section(name, value)));
    } catch (error) {
      put(now, el("p", { className: "error", role: "alert" }, error.message));
    }
  };
  await look();
  for (const [name, words] of [["keys", "apiKeys"], ["settings", "settings"]]) {
    const found = await ask("GET", `/api/v1/operator/${name}`).catch(() => null);
    if (found) still.append(section(t(words), found[name] || found));
  }
  const timer = setInterval(() => document.hidden || look(), EVERY_MS);
  return { title: t("operator"), leave: () => clearInterval(timer) };
}
