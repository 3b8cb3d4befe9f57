// A client as its authors would write it: openapi-typescript makes its types from /openapi.json,
// openapi-fetch makes its calls. That it compiles without a cast says that the description has what
// a program needs; that it runs, that the description is true.
//
//     node openapi_fetch.js URL KEY: TAP
import createClient from "openapi-fetch";
import type { components, paths } from "./platen.js";
import { document, done, download, ok, server } from "./steps.js";

type Ended = components["schemas"]["EndedJob"];

const { url, key } = server();
const client = createClient<paths>({ baseUrl: url, headers: { "X-API-Key": key } });
const file = document();

/** The form of any operation: files as they are, lists repeated. */
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

async function finished(jobId: string): Promise<Ended> {
  for (;;) {
    const { data, error } = await client.GET("/api/v1/jobs/{jobId}", { params: { path: { jobId }, query: { wait: 20 } } });
    if (error) throw new Error(`${error.error}: ${error.message}`);
    if (data.status !== "pending") return data;
  }
}

async function main(): Promise<void> {
  const rotated = await client.POST("/api/v1/tools/pdf/rotate", {
    body: { file, degrees: 90 }, bodySerializer: form,
    params: { header: { "Idempotency-Key": crypto.randomUUID() } },
  });
  ok("a submission is accepted", rotated.response.status === 202, rotated.error);
  if (!rotated.data) return;
  const job = await finished(rotated.data.jobId);
  ok("its job completes", job.status === "completed", job);
  if (job.status !== "completed") return;
  ok("and has one output of one page", job.outputs.length === 1 && job.outputs[0]?.pages === 1, job);
  await download("which can be downloaded", job.downloadUrl);

  const again = await client.POST("/api/v1/tools/pdf/rotate", {
    body: { file: `job:${job.jobId}`, degrees: 90 }, bodySerializer: form, params: { query: { wait: 20 } },
  });
  ok("an earlier result is taken as a file, and the answer is the ended job",
    again.data?.status === "completed" && again.data.outputFile.endsWith(".pdf"), again);

  const merged = await client.POST("/api/v1/tools/pdf/merge", { body: { files: [file, file] }, bodySerializer: form });
  ok("several files are sent as a list", merged.response.status === 202, merged.error);

  const failing = await client.POST("/api/v1/tools/pdf/rotate", { body: { file, degrees: 90, pages: "9" }, bodySerializer: form });
  const failed = failing.data && await finished(failing.data.jobId);
  ok("a job that fails says why", failed?.status === "failed" && failed.error === "page_out_of_range", failed);

  const tried = await client.POST("/api/v1/tools/pdf/rotate/dry-run", { body: { file, degrees: 90 }, bodySerializer: form });
  ok("a dry run reports", tried.data?.ok === true && tried.data.pages === 1, tried);

  const wrong = await client.POST("/api/v1/tools/pdf/rotate", { body: { file, degrees: 45 }, bodySerializer: form });
  ok("a refusal has a code and the field", wrong.error?.error === "invalid_parameter" && wrong.error.field === "degrees", wrong.error);

  const jobs = await client.GET("/api/v1/jobs", { params: { query: { limit: 1, status: "completed" } } });
  ok("jobs are listed by pages", jobs.data?.jobs.length === 1, jobs.error);
  const usage = await client.GET("/api/v1/usage");
  ok("the usage is told", (usage.data?.requests.used ?? 0) >= 2, usage);
  const gone = await client.DELETE("/api/v1/jobs/{jobId}", { params: { path: { jobId: job.jobId } } });
  ok("a job is deleted", gone.response.status === 204, gone.error);
  const none = await client.GET("/api/v1/jobs/{jobId}", { params: { path: { jobId: job.jobId } } });
  ok("and then unknown", none.response.status === 404 && none.error?.error === "job_not_found", none);
}

await main();
done();
