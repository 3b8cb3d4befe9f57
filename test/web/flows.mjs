// Saved workflows of an account, in a real Chromium with two devices: those of the browser move to the account,
// each device shows and changes the same ones, no password is kept, and a change of another device is not lost.
// Prints TAP. Run by check/pages.sh. Usage: flows.mjs ADDRESS KEY SAMPLE.pdf PICTURES

import { click, done, enter, go, judge, number, ok, open, put, run, sample, text, until } from "./browser.mjs";

const PATH = "/api/v1/workflows";
const SECRET = "a long pass phrase";

/** What the server has, by the page's own session. */
const saved = (page) => page.evaluate(async (path) => (await (await fetch(path)).json()).workflows, PATH);
const names = (page) => page.$$eval("#saved-flows .saved-name", (all) => all.map((one) => one.textContent));
const shows = (page, ...wanted) => until(async () => JSON.stringify(await names(page)) === JSON.stringify(wanted));
const tools = (page) => page.$$eval("#steps select[aria-label]", (all) => all.filter((one) => one.closest(".step-head")).map((one) => one.value));
const flow = async (page) => {
  await go(page, "");
  await go(page, "flow");
  await until(async () => (await tools(page)).length > 0);
};
const choose = (page, n, tool) => page.select(`#steps > li:nth-child(${n}) .step-head select`, tool);

const first = await open(1280, 900);
const second = await open(390, 844, { touch: true });
await enter(first.page);
await enter(second.page);
for (const one of await saved(first.page))
  await first.page.evaluate((path) => fetch(path, { method: "DELETE", headers: { "Platen-Page": "1" } }), `${PATH}/${one.workflowId}`);

// What the browser kept before it had an account.
await first.page.evaluate(() => localStorage.setItem("platen.flows", JSON.stringify({
  Turn: [{ tool: "rotate", values: { degrees: "90" } }], "<b>Small</b>": [{ tool: "compress", values: {} }, { tool: "page-numbers", values: {} }] })));
await flow(first.page);
ok("workflows of the browser are shown, and said to be only there", (await shows(first.page, "Turn", "<b>Small</b>")) && (await number(first.page, ".flow-here")) === 2);
ok("the account has none yet", (await saved(first.page)).length === 0);
await judge(first.page, "flows to move");
await click(first.page, "#move-flows");
ok("they move to the account when that is wanted", await until(async () => (await saved(first.page)).length === 2 && (await number(first.page, ".flow-here")) === 0), await text(first.page, "#flows-error"));
ok("with their values", JSON.stringify((await saved(first.page)).map((one) => one.steps.map(({ tool, params }) => [tool, params]))) ===
  JSON.stringify([[["rotate", { degrees: "90" }]], [["compress", {}], ["page-numbers", {}]]]), await saved(first.page));
ok("the browser has them no more, and the offer is gone", (await first.page.evaluate(() => localStorage.getItem("platen.flows"))) === "{}" && !(await first.page.$("#move-flows")));
await judge(first.page, "flows saved");

await flow(second.page);
ok("the other device shows them", await shows(second.page, "Turn", "<b>Small</b>"), await names(second.page));
await judge(second.page, "flows phone");
await click(second.page, "#saved-flows li:first-child .flow-template");
ok("and opens one", await until(async () => (await tools(second.page)).join() === "rotate"), await tools(second.page));
await click(second.page, "#add-step");
await until(async () => (await tools(second.page)).length === 2);
await choose(second.page, 2, "add-password");
await second.page.waitForSelector('#steps > li:nth-child(2) [name="password"]');
await second.page.type('#steps > li:nth-child(2) [name="password"]', SECRET);
await click(second.page, "#save-flow");
ok("it is changed there", await until(async () => (await saved(second.page))[0]?.version === 2), await text(second.page, "#form-error"));
const kept = (await saved(second.page))[0];
ok("without the password, which a run needs", !JSON.stringify(kept).includes(SECRET) && JSON.stringify(kept.needs) === '["steps[1].password"]', kept);

await put(second.page, sample);
await flow(second.page);
await click(second.page, "#saved-flows li:first-child .flow-template");
await until(async () => (await tools(second.page)).join() === "rotate,add-password");
await click(second.page, "#submit");
ok("a run without it is not sent", await until(async () => (await text(second.page, "#steps")).length > 0 && (await number(second.page, "#steps [aria-invalid=true]")) > 0));
await second.page.type('#steps > li:nth-child(2) [name="password"]', SECRET);
const ran = await run(second.page);
ok("a run with it is", /\.pdf/.test(ran) && !/refused/.test(ran), ran);

// The first device still has the version before.
await click(first.page, "#saved-flows li:first-child .flow-template");
await until(async () => (await tools(first.page)).join() === "rotate");
await click(first.page, "#save-flow");
ok("a change of another device is not overwritten unseen", await until(async () => (await text(first.page, "#form-error")).length > 0) &&
  (await saved(first.page))[0].steps.length === 2, await saved(first.page));
await judge(first.page, "flows changed elsewhere");
await click(first.page, "#saved-flows li:first-child .flow-template");
ok("opened anew it is as the other device left it", await until(async () => (await tools(first.page)).join() === "rotate,add-password"), await tools(first.page));

// What a program saved, with a value that the form does not show.
await first.page.evaluate((path) => fetch(path, { method: "POST", headers: { "Platen-Page": "1", "Content-Type": "application/json" },
  body: JSON.stringify({ name: "Program", steps: [{ tool: "merge", params: { arrange: "1:1,1:2@90" } }] }) }), PATH);
await put(first.page, sample);
await flow(first.page);
ok("a workflow of a program is shown", await until(async () => (await names(first.page)).includes("Program")), await names(first.page));
await click(first.page, "#saved-flows li:last-child .flow-template");
await until(async () => (await tools(first.page)).join() === "merge");
await click(first.page, "#save-flow");
ok("saved from the page it keeps what no form shows", await until(async () => (await saved(first.page))[2]?.version === 2) &&
  (await saved(first.page))[2].steps[0].params.arrange === "1:1,1:2@90", await saved(first.page));
await click(first.page, "#steps .step-look");
ok("the result after a step is shown", await until(() => first.page.$("dialog[open]")), await text(first.page, "#form-error"));
await first.page.keyboard.press("Escape");
await until(async () => !(await first.page.$("dialog[open]")));

await click(first.page, "#saved-flows li:first-child > .icon-button");
ok("a workflow is deleted by its button", await shows(first.page, "<b>Small</b>", "Program"), await names(first.page));
ok("the focus is not lost", await first.page.evaluate(() => document.activeElement?.id === "saved-title"));
await flow(second.page);
ok("and is gone on the other device", await shows(second.page, "<b>Small</b>", "Program"), await names(second.page));
ok("nothing went wrong in the pages", first.wrong.length + second.wrong.length === 0, first.wrong, second.wrong);
await done();
