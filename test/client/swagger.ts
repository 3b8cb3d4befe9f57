// The same with the client that swagger-typescript-api makes. It sends no lists of files (its form
// has one text for a list), so only tools that take one file are called.
//
//     node swagger.js URL KEY: TAP
import { Api } from "./swagger_client.js";
import type { EndedJob } from "./swagger_client.js";
import { document, done, download, ok, server } from "./steps.js";

const { url, key } = server();
const { api } = new Api({ baseUrl: url, baseApiParams: { headers: { "X-API-Key": key } } });
const file = document();

async function finished(jobId: string): Promise<EndedJob> {
  for (;;) {
    const { data } = await api.getJob(jobId, { wait: 20 });
    if (data.status !== "pending") return data;
  }
}

async function main(): Promise<void> {
  const rotated = await api.rotate({ file, degrees: 90 });
  ok("a submission is accepted", rotated.status === 202, rotated);
  const job = await finished(rotated.data.jobId);
  ok("its job completes", job.status === "completed", job);
  if (job.status !== "completed") return;
  ok("and has one output of one page", job.outputs.length === 1 && job.outputs[0]?.pages === 1, job);
  await download("which can be downloaded", job.downloadUrl);

  const again = await api.compress({ file: `job:${job.jobId}` }, { wait: 20 });
  ok("an earlier result is taken as a file, and the answer is the ended job",
    again.data.status === "completed" && again.data.outputFile.endsWith(".pdf"), again);
  const tried = await api.dryRunRotate({ file, degrees: 90, pages: "9" });
  ok("a dry run reports", tried.data.problems[0]?.code === "page_out_of_range", tried);
  const gone = await api.deleteJob(job.jobId);
  ok("a job is deleted", gone.status === 204, gone);
}

await main();
done();
