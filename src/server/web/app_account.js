// The account: what was used, keys, and the deliveries of webhooks.

import { ask } from "./app_api.js";
import { button, el, put, say } from "./app_dom.js";
import { date, day, language, number, sizeText, t } from "./app_i18n.js";
import { inEnglish } from "./app_jobs.js";

function usageCard(title, figure, text) {
  return el("section", { className: "card" }, el("h2", null, title), el("p", { className: "figure" }, text(figure.used)),
    el("meter", { min: 0, max: Math.max(1, figure.limit), high: figure.limit * 0.8, value: figure.used, "aria-label": title }),
    el("p", { className: "hint" }, t("ofLimit", { limit: text(figure.limit) })));
}

const monthName = (month, how) => new Intl.DateTimeFormat(language(), { month: how, year: how === "long" ? "numeric" : undefined, timeZone: "UTC" }).format(new Date(`${month}-01T00:00:00Z`));

/** The months as bars, and as a table for whoever does not see them. */
function history(months) {
  if (!months?.length) return null;
  const most = Math.max(1, ...months.map((one) => one.requests));
  const bars = months.map((one) => {
    const bar = el("span", { title: `${monthName(one.month, "long")}: ${number(one.requests)}` }, one.requests > 0 && el("b", null, number(one.requests)));
    bar.style.height = `${(one.requests / most) * 100}%`;
    return bar;
  });
  return el("section", { className: "card", "aria-labelledby": "history-title" }, el("h2", { id: "history-title" }, t("history")),
    el("div", { className: "bars", "aria-hidden": "true" }, ...bars),
    el("div", { className: "bar-names", "aria-hidden": "true" }, ...months.map((one) => el("span", null, monthName(one.month, "short")))),
    el("details", null, el("summary", null, t("asTable")), el("div", { className: "table" }, el("table", null,
      el("thead", null, el("tr", null, el("th", { scope: "col" }, t("month")), el("th", { scope: "col" }, t("jobsWord")), el("th", { scope: "col" }, t("data")))),
      el("tbody", null, ...months.map((one) => el("tr", null, el("th", { scope: "row" }, monthName(one.month, "long")), el("td", null, number(one.requests)), el("td", null, sizeText(one.bytes)))))))));
}

/** A key that is shown once. */
function showKey(place, key) {
  const field = el("input", { type: "text", readOnly: true, value: key, dir: "ltr", id: "new-key", "aria-label": t("newKey") });
  put(place, el("div", { className: "new-key" }, el("strong", null, t("newKey")), el("p", null, t("keyOnce")), el("div", { className: "with-button" }, field,
    button("copy", t("copy"), async () => {
      field.select();
      await navigator.clipboard?.writeText(key).catch(() => null);
      say(t("copied"));
    }, { className: "quiet" }))));
  field.focus();
}

const words = (input) => input.value.split(/[\s,]+/).filter(Boolean);

async function drawKeys(place) {
  const fresh = el("div");
  const problem = el("p", { className: "error", role: "alert" });
  const body = el("tbody");
  const name = el("input", { id: "key-name", type: "text", maxLength: 100, dir: "auto", required: true });
  const scope = el("select", { id: "key-scope" }, ...["manage", "read", "submit"].map((one) => new Option(t(`scope_${one}`), one)));
  const test = el("input", { id: "key-test", type: "checkbox" });
  const tools = el("input", { id: "key-tools", type: "text", maxLength: 511, dir: "ltr", spellcheck: false });
  const addresses = el("input", { id: "key-addresses", type: "text", maxLength: 511, dir: "ltr", spellcheck: false });
  const load = async () => {
    const { keys } = await ask("GET", "/api/v1/account/keys");
    put(body, keys.map((key) => el("tr", null, el("th", { scope: "row" }, el("bdi", null, key.name || key.keyId), key.scope && el("div", { className: "hint" }, t(`scope_${key.scope}`)), key.test && el("div", { className: "hint" }, t("keyIsTest")), key.tools && el("div", { className: "hint", dir: "ltr" }, key.tools.join(" ")),
      key.addresses && el("div", { className: "hint", dir: "ltr" }, key.addresses.join(" ")), key.current && el("div", { className: "hint" }, t("keyCurrent")),
      key.state === "ending" && el("div", { className: "hint" }, t("keyEnds", { day: date(key.validUntil) }))), el("td", null, key.createdAt ? day(key.createdAt) : ""),
      el("td", null, el("div", { className: "row" },
        button("redo", t("roll"), () => act("POST", `/api/v1/account/keys/${key.keyId}/roll`, t("rollSure", { name: key.name })), { className: "quiet", "aria-label": t("rollNamed", { name: key.name }) }),
        button("trash", t("revoke"), () => act("DELETE", `/api/v1/account/keys/${key.keyId}`, t("revokeSure", { name: key.name })), { className: "quiet", "aria-label": t("revokeNamed", { name: key.name }) }))))));
  };
  const act = async (method, path, sure, what) => {
    if (sure && !confirm(sure)) return;
    problem.textContent = "";
    try {
      const made = await ask(method, path, what);
      const key = made?.key || made?.apiKey;
      if (key) showKey(fresh, key);
      else put(fresh);
      await load();
    } catch (error) {
      put(problem, error.message, inEnglish(error.detail));
    }
  };
  await load();
  put(place, el("h2", { id: "keys-title" }, t("apiKeys")), el("p", { className: "hint" }, t("keysLead")), fresh, problem,
    el("div", { className: "table" }, el("table", null, el("thead", null, el("tr", null, el("th", { scope: "col" }, t("name")), el("th", { scope: "col" }, t("made")), el("th", { scope: "col" }, t("actions")))), body)),
    el("form", {
      className: "field",
      onsubmit: async (event) => {
        event.preventDefault();
        await act("POST", "/api/v1/account/keys", "", { name: name.value.trim(), scope: scope.value, test: test.checked, tools: words(tools), addresses: words(addresses) });
        if (problem.textContent) return;
        test.checked = false;
        for (const input of [name, tools, addresses]) input.value = "";
      },
    }, el("label", { for: "key-name" }, t("keyName")), el("div", { className: "with-button" }, name, button("add", t("newKeyMake"), null, { type: "submit" })),
    el("label", { for: "key-scope" }, t("keyScope")), scope,
    el("label", { className: "check" }, test, " ", t("keyTest")),
    el("label", { for: "key-tools" }, t("keyTools")), tools, el("label", { for: "key-addresses" }, t("keyAddresses")), addresses));
}

/** The secret that signs webhooks: seen only when that is wanted. */
async function drawSecret(place) {
  const shown = el("div", { id: "hook-secret" });
  const problem = el("p", { className: "error", role: "alert" });
  const act = async (method, path) => {
    problem.textContent = "";
    try {
      const found = await ask(method, path);
      const field = el("input", { type: "text", readOnly: true, value: found.secret, dir: "ltr", id: "hook-secret-text", "aria-label": t("hookSecret") });
      put(shown, el("div", { className: "new-key" }, el("div", { className: "with-button" }, field, button("copy", t("copy"), async () => {
        field.select();
        await navigator.clipboard?.writeText(found.secret).catch(() => null);
        say(t("copied"));
      })), ...found.replaced.slice(0, 1).map((old) => el("p", { className: "hint" }, t("hookSecretOld", { day: date(old.validUntil) })))));
      field.focus();
      field.select();
    } catch (error) {
      put(problem, error.message, inEnglish(error.detail));
    }
  };
  put(place, el("h2", { id: "hook-secret-title" }, t("hookSecret")), el("p", { className: "hint" }, t("hookSecretLead")), shown, problem,
    el("div", { className: "row" }, button("eye", t("hookSecretShow"), () => act("GET", "/api/v1/account/webhook-secret"), { className: "quiet", id: "hook-secret-show" }),
      button("redo", t("roll"), () => confirm(t("hookSecretSure")) && act("POST", "/api/v1/account/webhook-secret/roll"), { className: "quiet", id: "hook-secret-roll", "aria-label": t("rollNamed", { name: t("hookSecret") }) })));
}

const STATES = ["pending", "delivered", "failed"];
const stateWords = (state) => t({ pending: "hookPending", delivered: "hookDelivered", failed: "hookFailed" }[state] || state);

async function drawDeliveries(place) {
  const body = el("tbody");
  const none = el("p", { hidden: true }, t("noDeliveries"));
  const table = el("div", { className: "table" }, el("table", null,
    el("thead", null, el("tr", null, ...["when", "event", "address", "state", "actions"].map((one) => el("th", { scope: "col" }, t(one))))), body));
  const only = el("select", { id: "hooks-status", onchange: () => load("") }, new Option(t("allStates"), ""), ...STATES.map((one) => new Option(stateWords(one), one)));
  const more = button("down", t("showMore"), () => load(next), { className: "quiet", hidden: true });
  let next = "";
  const row = (one) => {
    const again = button("redo", t("redeliver"), async () => {
      again.disabled = true;
      await ask("POST", `/api/v1/jobs/${one.jobId}/deliveries/${one.deliveryId}/redeliver`).then(() => say(t("sent")), (error) => say(error.message));
      await load("");
    }, { className: "quiet" });
    return el("tr", null, el("td", null, date(one.createdAt)), el("td", null, el("code", null, one.event)), el("td", null, el("bdi", { dir: "ltr" }, one.url)),
      el("td", null, stateWords(one.status), one.responseStatus ? ` (${one.responseStatus})` : "", one.message && one.status !== "delivered" ? el("div", { className: "hint", lang: "en", dir: "ltr" }, one.message) : null), el("td", null, again));
  };
  const load = async (cursor) => {
    const query = new URLSearchParams({ ...(cursor && { cursor }), ...(only.value && { status: only.value }) });
    const found = await ask("GET", `/api/v1/deliveries?${query}`);
    if (!cursor) put(body);
    body.append(...found.deliveries.map(row));
    next = found.nextCursor;
    more.hidden = !next;
    none.hidden = body.children.length > 0;
    table.hidden = !none.hidden;
  };
  await load("");
  put(place, el("h2", { id: "hooks-title" }, t("deliveries")), el("p", { className: "hint" }, t("deliveriesLead")),
    el("div", { className: "field" }, el("label", { for: "hooks-status" }, t("state")), only), none, table, more);
}

/** A part that a server may not have, or that this account may not see, is left out. */
async function part(main, id, make) {
  const place = el("section", { className: "card", "aria-labelledby": id });
  try {
    await make(place);
    main.append(place);
  } catch {
    // 403 or 404.
  }
}

export async function accountView(main, argument, session) {
  put(main, el("div", { className: "title" }, el("div", null, el("h1", { tabIndex: -1 }, t("account")), el("p", { className: "lead" }, session.visitor ? t("visitorLead") : t("accountLead")))));
  const stack = el("div", { className: "stack" });
  main.append(stack);
  try {
    const used = await ask("GET", "/api/v1/usage?months=12").catch(() => ask("GET", "/api/v1/usage"));
    put(stack, el("div", { className: "grid-2" }, usageCard(t("jobsMonth"), used.requests, (n) => number(n)), usageCard(t("dataMonth"), used.data, sizeText),
      el("section", { className: "card" }, el("h2", null, t("plan")), el("p", { className: "figure" }, el("bdi", null, used.plan)), el("p", { className: "hint" }, t("resets", { day: day(used.resetAt) })),
        !session.visitor && el("p", null, el("a", { href: "/docs" }, t("docs"))))), history(used.history));
  } catch (error) {
    put(stack, el("p", { className: "error", role: "alert" }, error.message));
  }
  if (!session.visitor) await part(stack, "keys-title", drawKeys);
  if (!session.visitor) await part(stack, "hook-secret-title", drawSecret);
  if (!session.visitor) await part(stack, "hooks-title", drawDeliveries);
  // Who runs the server may be a visitor of its page, too, but of visitors few run it.
  if (session.visitor && session.operator) stack.append(el("p", null, el("a", { href: "#/operator" }, t("operator"))));
  stack.append(el("div", null, button("close", t(session.visitor ? "forgetVisitor" : "forgetKey"), () => document.dispatchEvent(new Event("signout")), { className: "quiet", id: "leave" })));
  return { title: t("account") };
}

