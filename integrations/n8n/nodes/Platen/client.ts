import type { Readable } from "node:stream";
import { randomUUID } from "node:crypto";
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, ILoadOptionsFunctions } from "n8n-workflow";

/** Bytes of a piece of an upload: no file is in memory as a whole. */
const PIECE = 8 * 1024 * 1024;
/** Seconds of a long poll, which proxies do not cut off. */
const WAIT = 25;

export interface Output {
  name: string;
  bytes: number;
  pages?: number;
  downloadUrl: string;
}

export interface Job extends IDataObject {
  jobId: string;
  status: "pending" | "completed" | "failed";
}

/** What the server says of an error. */
export class PlatenError extends Error {
  constructor(readonly code: string, message: string, readonly field?: string) {
    super(field ? `${message} (${field})` : message);
    this.name = "PlatenError";
  }
}

type Context = IExecuteFunctions | ILoadOptionsFunctions;

interface Answer {
  statusCode: number;
  body: unknown;
}

/** One request with the credentials. An error of the server is thrown with its own words. */
export async function ask(context: Context, options: Omit<IHttpRequestOptions, "url"> & { path: string }): Promise<IDataObject> {
  const { url } = await context.getCredentials<{ url: string }>("platenApi");
  const { path, ...rest } = options;
  const answer = (await context.helpers.httpRequestWithAuthentication.call(context, "platenApi", {
    ...rest,
    url: `${url.replace(/\/+$/, "")}${path}`,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as Answer;
  const body: IDataObject = typeof answer.body === "string" ? JSON.parse(answer.body) : ((answer.body ?? {}) as IDataObject);
  if (answer.statusCode >= 300) {
    throw new PlatenError(String(body.error ?? answer.statusCode), String(body.message ?? "the server refuses the request"),
      body.field as string | undefined);
  }
  return body;
}

/** Uploads a file in pieces and gives the handle upload:ID. */
export async function upload(context: IExecuteFunctions, name: string, size: number, source: Buffer | Readable): Promise<string> {
  const { uploadId } = await ask(context, { method: "POST", path: "/api/v1/uploads", body: { name, size }, json: true });
  let offset = 0;
  let kept: Buffer[] = [];
  let length = 0;
  const send = async () => {
    const body = Buffer.concat(kept);
    kept = [];
    length = 0;
    await ask(context, {
      method: "PATCH",
      path: `/api/v1/uploads/${uploadId}`,
      headers: { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) },
      body,
    });
    offset += body.length;
  };

  for await (const chunk of Buffer.isBuffer(source) ? [source] : source) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const part = chunk.subarray(at, at + PIECE) as Buffer;
      kept.push(part);
      length += part.length;
      if (length >= PIECE) await send();
    }
  }
  if (length > 0) await send();
  return `upload:${uploadId}`;
}

/** The body of a form whose values are texts. */
function form(fields: Array<[string, string]>): { body: Buffer; type: string } {
  const boundary = `platen-${randomUUID()}`;
  const parts = fields.map(([name, value]) => {
    if (!/^[\w.[\]-]+$/.test(name)) throw new PlatenError("unknown_field", `there is no field ${JSON.stringify(name)}`);
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  });
  return { body: Buffer.from(`${parts.join("")}--${boundary}--\r\n`), type: `multipart/form-data; boundary=${boundary}` };
}

/** Submits a job once, whatever happens to the answer, and waits for its end. */
export async function run(context: IExecuteFunctions, tool: string, fields: Array<[string, string]>, seconds: number): Promise<Job> {
  const { body, type } = form(fields);
  const headers = { "Content-Type": type, "Idempotency-Key": randomUUID(), Prefer: `wait=${WAIT}` };
  const job = (await ask(context, { method: "POST", path: `/api/v1/tools/pdf/${encodeURIComponent(tool)}`, headers, body })) as Job;
  return wait(context, job, seconds);
}

export async function wait(context: IExecuteFunctions, job: Job, seconds: number): Promise<Job> {
  const end = Date.now() + seconds * 1000;
  while (job.status === "pending" && Date.now() < end) {
    job = (await ask(context, { method: "GET", path: `/api/v1/jobs/${job.jobId}?wait=${WAIT}` })) as Job;
  }
  if (job.status === "failed") {
    throw new PlatenError(String(job.error), String(job.message), job.field as string | undefined);
  }
  return job;
}
