// Job queues of others on PostgreSQL: jobs put and done, each durable, by one process.
// Usage: queues.mjs pg-boss|graphile-worker ADDRESS CLIENTS SECONDS; prints JSON as bench/cycle does.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_FOLDER, "x.js"));
const [which, address, clients, seconds] = process.argv.slice(2);
const payload = { tool: "rotate", params: { angle: "90", pages: "1-3,5" }, inputs: [{ name: "quarterly report.pdf", bytes: 81234 }] };
let done = 0;
let over = false;

async function pgBoss() {
  const module = require("pg-boss");
  const PgBoss = module.PgBoss || module.default || module;
  const boss = new PgBoss({ connectionString: address, max: Number(clients) });
  boss.on("error", (error) => console.error(error));
  await boss.start();
  await boss.createQueue("jobs");
  const put = async () => {
    while (!over) await boss.send("jobs", payload);
  };
  // What its own worker does, without its pause between two looks.
  const work = async () => {
    while (!over) {
      const jobs = await boss.fetch("jobs", { batchSize: 1 });
      for (const job of jobs || []) {
        await boss.complete("jobs", job.id);
        done++;
      }
    }
  };
  return [put, work, () => boss.stop({ graceful: false })];
}

async function graphileWorker() {
  const { makeWorkerUtils, run } = require("graphile-worker");
  const utils = await makeWorkerUtils({ connectionString: address });
  await utils.migrate();
  const put = async () => {
    while (!over) {
      // Not so far ahead that the queue is the measurement.
      if (sent - done > 500) await new Promise((next) => setTimeout(next, 2));
      else {
        sent++;
        await utils.addJob("rotate", payload);
      }
    }
  };
  let sent = 0;
  const runner = await run({
    connectionString: address, concurrency: Math.ceil(clients / 2), pollInterval: 50, noHandleSignals: true,
    logger: new (require("graphile-worker").Logger)(() => () => {}),
    taskList: { rotate: async () => void done++ },
  });
  return [put, null, () => runner.stop()];
}

const [put, work, stop] = await (which === "pg-boss" ? pgBoss() : graphileWorker());
// As bench/cycle: a quarter of the time to warm up, and at the end a wait for who measures the database.
const half = Math.max(1, Math.floor(clients / 2));
setTimeout(() => (over = true), seconds * 1250);
const all = Promise.all([...Array(half)].flatMap(() => (work ? [put(), work()] : [put()])));
await new Promise((next) => setTimeout(next, seconds * 250));
const before = process.cpuUsage();
const first = done;
console.log("warm");
await all;
const used = process.cpuUsage(before);
done -= first;
console.log(JSON.stringify({ rate: done / seconds, cpu: (used.user + used.system) / 1e3 / done }));
await new Promise((next) => process.stdin.once("data", next).once("end", next));
await Promise.race([stop(), new Promise((next) => setTimeout(next, 2000))]);
process.exit(0);
