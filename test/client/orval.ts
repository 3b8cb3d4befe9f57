// The same with the client that orval makes.
//
//     node orval.js URL KEY: TAP
import { deleteJob, dryRunRotate, getJob, merge, rotate } from "./orval_client.js";
import type { EndedJob } from "./orval_client.js";
import { document, done, download, ok, server } from "./steps.js";

const headers = { "X-API-Key": server().key };
const file = document();

async function finished(jobId: string): Promise<EndedJob> {
  for (;;) {
    const { data, status } = await getJob(jobId, { wait: 20 }, { headers });
    if (status !== 200) throw new Error(`${data.error}: ${data.message}`);
    if (data.status !== "pending") return data;
  }
}

async function main(): Promise<void> {
  const rotated = await rotate({ file, degrees: 90 }, undefined, { headers });
  ok("a submission is accepted", rotated.status === 202, rotated);
  if (rotated.status !== 202) return;
  const job = await finished(rotated.data.jobId);
  ok("its job completes", job.status === "completed", job);
  if (job.status !== "completed") return;
  ok("and has one output of one page", job.outputs.length === 1 && job.outputs[0]?.pages === 1, job);
  await download("which can be downloaded", job.downloadUrl);

  const both = await merge({ files: [file, `job:${job.jobId}`] }, { wait: 20 }, { headers });
  ok("files and earlier results are sent as a list, and the answer is the ended job",
    both.status === 200 && both.data.status === "completed" && both.data.outputs[0]?.pages === 2, both);

  const tried = await dryRunRotate({ file, degrees: 90, pages: "9" }, { headers });
  ok("a dry run reports", tried.status === 200 && tried.data.problems[0]?.code === "page_out_of_range", tried);
  const wrong = await rotate({ file, degrees: 45 }, undefined, { headers });
  ok("a refusal has a code and the field",
    wrong.status === 400 && wrong.data.error === "invalid_parameter" && wrong.data.field === "degrees", wrong);
  const gone = await deleteJob(job.jobId, { headers });
  ok("a job is deleted", gone.status === 204, gone);
}

await main();
done();
