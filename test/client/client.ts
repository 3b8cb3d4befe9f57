// A client as its authors would write it: its types are made by openapi-typescript from
// /openapi.json, its calls are made by openapi-fetch. That it compiles says that the description
// has what a program needs; that it runs, that it is true.
//
//     node client.js URL KEY: TAP
import createClient from "openapi-fetch";
import type { components, paths } from "./platen.js";

const [url, key] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl: url, headers: { "X-API-Key": key } });

let count = 0;
function ok(what: string, passed: boolean, ...details: unknown[]): void {
  count += 1;
  console.log(`${passed ? "ok" : "not ok"} ${count} - ${what}`);
  if (!passed) {
    process.exitCode = 1;
    for (const detail of details) console.log(`#   ${JSON.stringify(detail)}`);
  }
}

/** The form of any operation: files as Blobs, lists repeated. */
function form(body: Record<string, unknown>): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const one of [value].flat()) {
      if (one instanceof Blob) made.append(name, one, `${name}.pdf`);
      else made.append(name, String(one));
    }
  }
  return made;
}

/** A small document: one page that says nothing. */
function page(): string {
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const at = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = text.length;
  text += `xref\n0 4\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  return `${text}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
}

// The type of a file in a generated client is a string: what stands there is sent as it is.
const file = new Blob([page()], { type: "application/pdf" }) as unknown as string;

async function finished(jobId: string): Promise<components["schemas"]["Job"]> {
  for (;;) {
    const { data, error } = await client.GET("/api/v1/jobs/{jobId}", { params: { path: { jobId }, query: { wait: 20 } } });
    if (!data) throw new Error(JSON.stringify(error));
    if (data.status !== "pending") return data;
  }
}

async function main(): Promise<void> {
  const rotated = await client.POST("/api/v1/tools/pdf/rotate", {
    body: { file, degrees: 90 }, bodySerializer: form,
    params: { header: { "Idempotency-Key": crypto.randomUUID() } },
  });
  ok("a submission is accepted", rotated.response.status === 202, rotated.error);
  if (!rotated.data || "dryRun" in rotated.data) return;
  const job = await finished(rotated.data.jobId);
  ok("its job completes", job.status === "completed", job);
  ok("and has one output of one page", job.outputs?.length === 1 && job.outputs[0]?.pages === 1, job);
  const result = await fetch(job.downloadUrl ?? "");
  ok("which can be fetched", result.ok && (await result.text()).startsWith("%PDF-"));

  const merged = await client.POST("/api/v1/tools/pdf/merge", { body: { files: [file, file] } as never, bodySerializer: form });
  ok("several files are sent as a list", merged.response.status === 202, merged.error);

  const tried = await client.POST("/api/v1/tools/pdf/rotate", {
    body: { file, degrees: 90 }, bodySerializer: form, params: { query: { dryRun: true } },
  });
  ok("a dry run reports", tried.data !== undefined && "dryRun" in tried.data && tried.data.ok && tried.data.pages === 1, tried);

  const wrong = await client.POST("/api/v1/tools/pdf/rotate", { body: { file, degrees: 45 }, bodySerializer: form });
  ok("a refusal has a code and the field", wrong.error?.error === "invalid_parameter" && wrong.error.field === "degrees", wrong.error);

  const jobs = await client.GET("/api/v1/jobs", { params: { query: { limit: 1, status: "completed" } } });
  ok("jobs are listed by pages", jobs.data?.jobs.length === 1, jobs.error);
  const usage = await client.GET("/api/v1/usage");
  ok("what was used is told", (usage.data?.requests.used ?? 0) >= 2, usage);
  const gone = await client.DELETE("/api/v1/jobs/{jobId}", { params: { path: { jobId: job.jobId } } });
  ok("a job is deleted", gone.response.status === 204, gone.error);
  const none = await client.GET("/api/v1/jobs/{jobId}", { params: { path: { jobId: job.jobId } } });
  ok("and then unknown", none.response.status === 404 && none.error?.error === "job_not_found", none);
  console.log(`1..${count}`);
}

await main();
