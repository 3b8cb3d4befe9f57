// Workflows: several tools one after another as one job, kept by a name.

import { ask, finished, submit } from "./app_api.js";
import { at, button, el, icon, iconButton, put, say } from "./app_dom.js";
import { files, refOf } from "./app_files.js";
import { drawForm, isValid, pairsOf, putValues, valuesOf } from "./app_form.js";
import { paramsOf, shelf, stepOf, valuesOfParams } from "./app_flow_shelf.js";
import { errorWords, t, toolTitle } from "./app_i18n.js";
import { closeScreen, heldBack, lookAtScreen, openScreen, PREVIEW, start } from "./app_jobs.js";
import { usualName } from "./app_names.js";
import { describe, isMany, isOfPage, toolNames } from "./app_tools.js";
import { allOpen, chooser, tray } from "./app_tray.js";

const MOST = 10;
/** What workflows are often for: tools of which none needs a value. */
const TEMPLATES = [["merge", "page-numbers", "compress"], ["repair", "compress"], ["jpg-to-pdf", "compress"]];
/** What a step that is added is likely to be. */
const NEXT = ["compress", "page-numbers", "watermark", "add-password", "repair"];
let serial = 0;

/** @param {HTMLElement} main @param {string} _argument @param {{visitor?: boolean}} session */
export async function flowView(main, _argument, session) {
  const list = el("ul", { id: "files", className: "files" });
  const steps = el("ol", { id: "steps", className: "steps" });
  const problem = el("p", { className: "error", id: "form-error", role: "alert" });
  const flows = shelf(!session.visitor);
  const saved = el("ul", { id: "saved-flows", className: "tools-grid saved-flows" });
  const toMove = el("div", { id: "flows-here", className: "flows-here" });
  const savedError = el("p", { className: "error", id: "flows-error", role: "alert" });
  const savedPart = el("section", { className: "flow-templates", "aria-labelledby": "saved-title", hidden: true }, el("h2", { id: "saved-title", tabIndex: -1 }, t("savedFlows")), toMove, savedError, saved);
  const name = el("input", { id: "flow-name", type: "text", maxLength: 60, dir: "auto" });
  const names = () => toolNames().filter((one) => one !== "sign" && !isOfPage(one));

  /** @type {{id: number, tool: string, node: HTMLElement, fields: HTMLElement, about: any, more: Record<string, string>}[]} */
  let shown = [];

  /** @param {import("./app_flow_shelf.js").Step} is */
  async function add({ tool, values, params }) {
    if (shown.length >= MOST) return;
    const fields = el("div");
    const id = ++serial;
    const select = el("select", {
      "aria-label": t("stepTool"),
      onchange: async () => {
        step.tool = select.value;
        step.more = {};
        step.about = await stepOf(step.tool);
        drawForm(fields, step.about, `step-${id}-`);
      },
    }, ...[...names(), ...(names().includes(tool) ? [] : [tool])].map((one) => el("option", { value: one, selected: one === tool }, toolTitle(one))));
    const into = shown;
    const step = { id, tool, fields, about: await stepOf(tool), node: null, more: {} };
    if (into !== shown) return; // Other steps took their place meanwhile.
    const move = (by) => {
      const from = shown.indexOf(step);
      const to = from + by;
      if (to < 0 || to >= shown.length) return;
      shown.splice(to, 0, ...shown.splice(from, 1));
      put(steps, shown.map((one) => one.node));
      ends();
      /** @type {HTMLElement} */ (step.node.querySelector(`.step-${by < 0 ? "up" : "down"}:not(:disabled)`) || step.node.querySelector(".icon-button:not(:disabled)")).focus();
      say(t("movedTo", { name: toolTitle(step.tool), n: to + 1 }));
    };
    step.node = el("li", null, el("div", { className: "step-head" }, select,
      iconButton("eye", t("stepLook"), (event) => look(step, event.currentTarget), { className: "icon-button step-look", title: `${t("stepLook")}. ${t("countsStep")}` }),
      iconButton("up", t("stepUp"), () => move(-1), { className: "icon-button step-up" }), iconButton("down", t("stepDown"), () => move(1), { className: "icon-button step-down" }),
      iconButton("trash", t("stepRemove"), () => {
        shown = shown.filter((one) => one !== step);
        step.node.remove();
        ends();
        at("add-step").focus();
      })), fields);
    drawForm(fields, step.about, `step-${id}-`);
    const known = params ? valuesOfParams(params, step.about) : { values, more: {} };
    step.more = known.more;
    putValues(fields, known.values);
    shown.push(step);
    steps.append(step.node);
    ends();
  }

  /** The first step cannot be moved up, nor the last down. */
  function ends() {
    shown.forEach((step, i) => {
      /** @type {HTMLButtonElement} */ (step.node.querySelector(".step-up")).disabled = i === 0;
      /** @type {HTMLButtonElement} */ (step.node.querySelector(".step-down")).disabled = i + 1 === shown.length;
    });
    at("add-step")?.toggleAttribute("disabled", shown.length >= MOST);
  }

  /** Steps as the server takes them, with the password of the files where the first takes one, and the files of their forms as parts that they name. */
  function planOf(some, items) {
    /** @type {[string, any][]} */
    const parts = [];
    const plan = some.map((step, i) => ({
      tool: step.tool,
      params: Object.fromEntries([...Object.entries(step.more), ...pairsOf(step.fields, step.about).map(([name, is]) => {
        if (typeof is === "string") return [name, is];
        parts.push([`step${i}-${name}`, is]);
        return [name, `step${i}-${name}`];
      })]),
    }));
    const password = items.find((one) => one.password)?.password;
    const secret = plan[0]?.tool === "remove-password" ? "password" : "inputPassword";
    if (password && !plan[0]?.params[secret] && some[0].about.fields.some((field) => field.name === secret)) plan[0].params[secret] = password;
    return [["steps", JSON.stringify(plan)], ...parts];
  }

  /** Whether there are files, whose transfer has ended and which are open, and steps that can be sent. */
  async function isReady(some) {
    problem.textContent = "";
    if (!files.items.length) {
      problem.textContent = t("chooseFirst");
      at("choose").focus();
      return false;
    }
    if (!some.every((step) => isValid(step.fields, problem))) return false;
    await files.settled(files.items);
    if (await allOpen(files.items)) return true;
    problem.textContent = t("openFirst", { name: files.items.find((one) => one.locked).name });
    return false;
  }

  const wrong = (error) => {
    const found = /^steps\[(\d+)\]/.exec(error.field || "");
    problem.textContent = (found ? `${Number(found[1]) + 1}. ` : "") + error.message;
  };

  /** The result after a step, of the first file, or of all that the first step makes one of; it is in no list. */
  async function look(step, pressed) {
    const some = shown.slice(0, shown.indexOf(step) + 1);
    pressed.disabled = true;
    pressed.setAttribute("aria-busy", "true");
    let job = null;
    try {
      if (!(await isReady(some))) return;
      const items = isMany(some[0].tool) ? files.items : files.items.slice(0, 1);
      say(t("working"));
      job = await submit("pipeline", [...items.map((one) => ["files", refOf(one)]), ...planOf(some, items), ["clientRef", PREVIEW]]);
      const done = await finished(job.jobId);
      if (!steps.isConnected) return;
      const { lookAtResult } = await import("./app_viewer.js");
      await lookAtResult(done);
      await new Promise((resolve) => document.querySelector("dialog[open]")?.addEventListener("close", resolve) ?? resolve(null));
    } catch (error) {
      wrong(error);
    } finally {
      pressed.disabled = false;
      pressed.removeAttribute("aria-busy");
      if (job) ask("DELETE", `/api/v1/jobs/${job.jobId}`).catch(() => null);
      document.dispatchEvent(new Event("jobended"));
    }
  }

  let filling = 0;
  /** These steps take the place of those that are there; of two that come at the same time the later ones stay. */
  async function fill(list) {
    const mine = ++filling;
    await Promise.all(list.map((step) => describe(step.tool))); // From here on nothing is waited for that takes time.
    if (mine !== filling) return;
    shown = [];
    put(steps);
    for (const step of list) if (mine === filling) await add(step);
  }

  /** Does something with the saved workflows, shows them anew, and says what went wrong. */
  async function withSaved(act) {
    savedError.textContent = "";
    try {
      return await act();
    } catch (error) {
      savedError.textContent = error.message;
      return undefined;
    } finally {
      drawSaved();
    }
  }
  async function open(flow) {
    const gone = flow.steps.find((step) => !toolNames().includes(step.tool));
    savedError.textContent = flow.problem || gone ? `${flow.name}: ${flow.problem ? errorWords(flow.problem.code, flow.problem.message) : errorWords("unknown_tool", gone.tool)}` : "";
    if (gone) return;
    name.value = flow.name;
    await fill(flow.steps);
    say(flow.name);
  }
  const remove = async (flow) => {
    if (!confirm(t("flowRemoveSure", { name: flow.name }))) return;
    await withSaved(() => flows.remove(flow));
    at(savedPart.hidden ? "flow-name" : "saved-title").focus();
  };
  const cardOf = (flow) => el("li", { className: "saved-flow" },
    el("button", { type: "button", className: "quiet flow-template", onclick: () => open(flow) },
      el("span", { className: "flow-icons", "aria-hidden": "true" }, ...flow.steps.map((step) => icon(toolNames().includes(step.tool) ? step.tool : "flow"))),
      el("span", null, el("bdi", { className: "saved-name" }, flow.name), " ",
        el("span", { className: "hint" }, flow.steps.map((step) => toolTitle(step.tool)).join(" → ")), " ",
        flows.account && !flow.id && el("span", { className: "hint flow-here" }, t("flowHere")))),
    iconButton("trash", `${t("flowRemove")}: ${flow.name}`, () => remove(flow)));
  const moving = button("save", "", async () => {
    moving.disabled = true;
    const n = await withSaved(() => flows.moveAll());
    moving.disabled = false;
    if (n) say(t("flowMoved", { n }));
    at(savedPart.hidden ? "flow-name" : "saved-title").focus();
  }, { className: "quiet", id: "move-flows" });
  function drawSaved() {
    const local = flows.account ? flows.here().length : 0;
    put(saved, flows.all().map(cardOf));
    put(toMove, local > 0 && el("p", { className: "hint" }, t("flowMoveWhat", { n: local })), local > 0 && moving);
    moving.querySelector("span").textContent = t("flowMove");
    savedPart.hidden = !saved.children.length && !savedError.textContent;
  }
  const save = async () => {
    const named = name.value.trim();
    if (!named) return name.focus();
    problem.textContent = "";
    try {
      await flows.save(named, () => shown.map((step) => (flows.account
        ? { tool: step.tool, params: { ...step.more, ...paramsOf(step.fields, step.about) } }
        : { tool: step.tool, values: valuesOf(step.fields) })));
      say(t("presetSaved", { name: named }));
    } catch (error) {
      wrong(error);
    }
    drawSaved();
  };
  /** What another device saved meanwhile. */
  const follow = () => document.visibilityState === "visible" && flows.account && withSaved(() => flows.load());

  async function run() {
    try {
      if (!(await isReady(shown))) return;
      const title = (name.value || t("flow")) + ` · ${files.items[0].name}` + (files.items.length > 1 ? ` + ${files.items.length - 1}` : "");
      openScreen(() => at("submit").focus(), 1);
      await start("pipeline", title, [...files.items.map((one) => ["files", refOf(one)]), ...planOf(shown, files.items),
        ["outputName", usualName(files.items[0].name, shown[shown.length - 1]?.tool)]]);
      lookAtScreen();
      say(t("sent"));
    } catch (error) {
      closeScreen();
      wrong(error);
    }
  }

  const begin = async (tools) => {
    name.value = "";
    await fill(tools.map((tool) => ({ tool, values: {} })));
    say(tools.map(toolTitle).join(", "));
  };
  const templates = el("section", { className: "flow-templates", "aria-labelledby": "templates-title" }, el("h2", { id: "templates-title" }, t("flowTemplates")),
    el("div", { className: "tools-grid" }, ...TEMPLATES.filter((tools) => tools.every((one) => names().includes(one))).map((tools) =>
      el("button", { type: "button", className: "quiet flow-template", onclick: () => begin(tools) },
        el("span", { className: "flow-icons", "aria-hidden": "true" }, ...tools.map((one) => icon(one))),
        el("span", null, tools.map(toolTitle).join(" → "))))));

  put(main, el("div", { className: "title" }, el("div", null, el("h1", { tabIndex: -1 }, t("flows")), el("p", { className: "lead" }, t("flowsLead")))), savedPart, templates,
    el("div", { className: "columns" },
      el("div", null, el("section", { className: "card", "aria-labelledby": "files-title" }, el("h2", { id: "files-title" }, t("yourFiles")), list, el("div", { className: "add" }, chooser("choose", t("chooseFiles")))),
        el("section", { className: "card", "aria-labelledby": "steps-title" }, el("h2", { id: "steps-title" }, t("steps")), steps,
          button("add", t("addStep"), async () => {
            await add({ tool: NEXT.find((one) => names().includes(one) && !shown.some((step) => step.tool === one)) || "compress", values: {} });
            /** @type {HTMLElement} */ (steps.lastElementChild.querySelector("select")).focus();
          }, { className: "quiet", id: "add-step" }))),
      el("section", { className: "card", "aria-labelledby": "flow-title" }, el("h2", { id: "flow-title" }, t("flow")),
        el("div", { className: "field" }, el("label", { for: "flow-name" }, t("flowName")), el("div", { className: "with-button" }, name,
          button("save", t("save"), save, { className: "quiet", id: "save-flow" }))),
        problem, el("div", { className: "actions" }, button("flow", t("run"), run, { className: "primary", id: "submit" })))));
  drawSaved();
  document.addEventListener("visibilitychange", follow);
  const held = heldBack(at("submit"), () => false);
  const stop = tray(list, { order: true });
  await Promise.all([withSaved(() => flows.load()), fill([{ tool: "merge", values: {} }, { tool: "compress", values: {} }])]);
  return { title: t("flows"), leave: () => (held.stop(), stop(), document.removeEventListener("visibilitychange", follow)) };
}
