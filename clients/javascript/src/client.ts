/** The client of a platen server. */
import { PlatenError } from "./errors.js";
import { openFile, referenceOf, type FileInput, type Source } from "./files.js";
import { Http } from "./http.js";
import type { Accepted, DryRun, Job, JobList, UploadTicket, Usage } from "./schemas.js";
import { Task, type TaskOptions } from "./task.js";
import { FILE_OPTIONS, SEVERAL, ToolMethods, VERSION, type JobOptions, type PipelineStep, type ToolOptions } from "./tools.js";
import { forgetUpload, sendInPieces } from "./upload.js";

export interface PlatenOptions {
  /** The server's address, such as https://pdf.example.com; the environment's PLATEN_URL if left out. */
  url?: string;
  /** The API key; the environment's PLATEN_KEY if left out. */
  key?: string;
  /** How often a request is repeated after a broken connection or an overloaded server. Default: 4. */
  retries?: number;
  /** Milliseconds without an answer after which a connection counts as broken. Default: 60,000. */
  requestTimeout?: number;
  /** Files larger than this are sent in pieces of this size, so that an upload can go on. Bytes; default: 8 MiB. */
  pieceSize?: number;
  /** Instead of the global fetch. */
  fetch?: typeof fetch;
}

/** Which jobs are listed. */
export interface JobQuery {
  status?: "pending" | "completed" | "failed";
  tool?: string;
  clientRef?: string;
  createdAfter?: string | Date;
  createdBefore?: string | Date;
}

/** An address that takes one file without a key. */
export interface Ticket extends UploadTicket {
  /** The address, a secret of whoever may send the file. */
  url: string;
  /** The file that will come, for jobs. */
  ref: string;
}

/** Small files of one request together; what is beyond is sent in pieces. */
const INLINE_PIECES = 4;
const OWN = new Set(["signal", "timeout", "onProgress"]);

interface Part {
  field: string;
  file: FileInput;
}

/** What is ready to be sent as a form. */
interface Prepared {
  fields: Array<[string, string]>;
  files: Array<{ field: string; name: string; blob: Blob }>;
  uploads: string[];
}

function environment(name: string): string | undefined {
  const scope = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return scope.process?.env?.[name];
}

export class Platen extends ToolMethods {
  /** The version of the API that this client was made for. */
  static readonly version = VERSION;
  private readonly http: Http;
  private readonly retries: number;
  private readonly pieceSize: number;

  constructor(options: PlatenOptions = {}) {
    super();
    const url = options.url ?? environment("PLATEN_URL"), key = options.key ?? environment("PLATEN_KEY");
    if (!url) throw new PlatenError("missing_url", "Give the server's address: new Platen({ url, key }), or set PLATEN_URL.");
    if (!key) throw new PlatenError("missing_api_key", "Give an API key: new Platen({ url, key }), or set PLATEN_KEY.");
    this.retries = options.retries ?? 4;
    this.pieceSize = options.pieceSize ?? 8 << 20;
    this.http = new Http({
      url, key, retries: this.retries, requestTimeout: options.requestTimeout ?? 60_000,
      fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    });
  }

  /** Submits files to a tool by its name. The methods of the tools are this with types. */
  run<Name extends keyof ToolOptions>(
    tool: Name, files: FileInput | readonly FileInput[], options: Partial<ToolOptions[Name]> & TaskOptions = {},
  ): Task {
    return this.submit(tool, parts(files, SEVERAL.has(tool)), options);
  }

  /** Runs several tools one after another as one job. */
  pipeline(files: FileInput | readonly FileInput[], steps: readonly PipelineStep[], options: JobOptions & TaskOptions = {}): Task {
    const extra: Part[] = [];
    const plain = steps.map((step, i) => ({
      tool: step.tool,
      params: Object.fromEntries(Object.entries(step.params ?? {}).filter(([, value]) => value !== undefined).map(([name, value]) => {
        if (!isFileOption(step.tool, name)) return [name, value];
        const field = `step${i + 1}-${name}`;
        extra.push({ field, file: value as FileInput });
        return [name, field]; // the name of the part that has the file
      })),
    }));
    return this.submit("pipeline", [...parts(files, true), ...extra],
      Object.assign({}, options, { steps: JSON.stringify(plain) }));
  }

  /**
   * Runs a workflow that the account has saved, by its id. `values` sets parameters of its steps for this run
   * ("steps[1].password": the first step has the number 0), and has the files that its steps name.
   */
  workflow(files: FileInput | readonly FileInput[], id: string, values: Readonly<Record<string, unknown>> = {},
    options: JobOptions & TaskOptions = {}): Task {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const extra = given.filter(([name]) => !name.startsWith("steps[")).map(([field, file]): Part => ({ field, file: file as FileInput }));
    return this.submit("pipeline", [...parts(files, true), ...extra],
      Object.assign({}, options, { workflow: id }, Object.fromEntries(given.filter(([name]) => name.startsWith("steps[")))));
  }

  /** Checks a submission and opens its files without a job and without using quota. */
  async dryRun<Name extends keyof ToolOptions>(
    tool: Name, files: FileInput | readonly FileInput[], options: Partial<ToolOptions[Name]> & { signal?: AbortSignal } = {},
  ): Promise<DryRun> {
    const prepared = await this.prepare(tool, parts(files, SEVERAL.has(tool)), options, options);
    try {
      return await this.http.json<DryRun>(`/api/v1/tools/pdf/${tool}/dry-run`, {
        method: "POST", body: () => formOf(prepared), signal: options.signal,
      });
    } finally {
      await this.forget(prepared);
    }
  }

  /** Sends a file in pieces and keeps it on the server for several jobs; gives the reference to it. */
  async upload(file: FileInput, options: TaskOptions = {}): Promise<string> {
    const source = await openFile(file);
    try {
      return `upload:${await this.send(source, options, (fraction) => options.onProgress?.({ stage: "uploading", fraction }))}`;
    } finally {
      await source.close();
    }
  }

  /**
   * Makes an address that takes one file without a key for 15 minutes, by PUT or by a browser's form. `ref` then names the
   * file as an upload; `deleteUpload(ref)` revokes the address. `maxBytes` is 100 MiB if left out.
   */
  async ticket(options: { maxBytes?: number; name?: string; signal?: AbortSignal } = {}): Promise<Ticket> {
    const { maxBytes, name, signal } = options;
    // If the answer is lost, the request is repeated, and a ticket that nobody knows is left, which expires.
    const made = await this.http.json<UploadTicket & { url: string }>("/api/v1/uploads/tickets", {
      method: "POST", signal, headers: { "Content-Type": "application/json" }, body: () => JSON.stringify({ maxBytes, name }),
    });
    return { ...made, ref: `upload:${made.uploadId}` };
  }

  /** The tickets that wait for their files, without their addresses. */
  async tickets(): Promise<UploadTicket[]> {
    return (await this.http.json<{ tickets: UploadTicket[] }>("/api/v1/uploads/tickets")).tickets;
  }

  /** Removes an upload from the server at once. */
  async deleteUpload(reference: string): Promise<void> {
    await this.http.send(`/api/v1/uploads/${reference.replace(/^upload:/, "")}`, { method: "DELETE" });
  }

  /** One job as it is now, or at its end if `wait` is given, in seconds up to 30. */
  job(id: string, options: { wait?: number; signal?: AbortSignal } = {}): Promise<Job> {
    const { wait = 0, signal } = options;
    return this.http.json<Job>(`/api/v1/jobs/${encodeURIComponent(id)}?wait=${wait}`, { signal, patience: wait * 1000 });
  }

  /** Goes on with a job that was submitted before, for example by another process. */
  resume(id: string, options: TaskOptions = {}): Task {
    return new Task({ ...options, http: this.http, retries: this.retries }, (signal) => this.job(id, { signal }));
  }

  /** The account's jobs, the newest first; more are asked for as they are needed. */
  async *jobs(query: JobQuery = {}): AsyncGenerator<Job> {
    let cursor: string | undefined;
    do {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...query, cursor }))
        if (value !== undefined) search.set(name, value instanceof Date ? value.toISOString() : String(value));
      const page = await this.http.json<JobList>(`/api/v1/jobs?${search.toString()}`);
      yield* page.jobs;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Deletes a job and its files at once. */
  async deleteJob(id: string): Promise<void> {
    await this.http.send(`/api/v1/jobs/${encodeURIComponent(id)}`, { method: "DELETE" });
  }

  /** What the account has used of its plan this month. */
  usage(): Promise<Usage> {
    return this.http.json<Usage>("/api/v1/usage");
  }

  private submit(tool: string, files: Part[], options: object & TaskOptions): Task {
    const { signal, timeout, onProgress } = options;
    // The same key for every repetition: whatever happens on the way, the job is made once.
    const idempotencyKey = crypto.randomUUID();
    const wait = onProgress ? 0 : 10;
    return new Task({ signal, timeout, onProgress, http: this.http, retries: this.retries }, async (until) => {
      const prepared = await this.prepare(tool, files, options, { signal: until, onProgress });
      try {
        return await this.http.json<Job | Accepted>(`/api/v1/tools/pdf/${tool}`, {
          method: "POST", signal: until, patience: wait * 1000, body: () => formOf(prepared),
          headers: { "Idempotency-Key": idempotencyKey, ...(wait ? { Prefer: `wait=${wait}` } : {}) },
        });
      } finally {
        await this.forget(prepared);
      }
    });
  }

  /** Reads small files, and sends large ones in pieces. */
  private async prepare(tool: string, files: Part[], options: object, task: TaskOptions): Promise<Prepared> {
    const prepared: Prepared = { fields: [], files: [], uploads: [] };
    let inline = 0;
    try {
      for (const { field, file } of [...files, ...optionFiles(tool, options)]) {
        const reference = referenceOf(file);
        if (reference !== undefined) {
          prepared.fields.push([field, reference]);
          continue;
        }
        const source = await openFile(file);
        try {
          if (source.size <= this.pieceSize && inline + source.size <= INLINE_PIECES * this.pieceSize) {
            inline += source.size;
            prepared.files.push({ field, name: source.name, blob: new Blob([await source.read(0, source.size)]) });
            prepared.fields.push([field, ""]); // keeps the order of files and references
            continue;
          }
          const id = await this.send(source, task, (fraction) => task.onProgress?.({ stage: "uploading", fraction }));
          prepared.uploads.push(id);
          prepared.fields.push([field, `upload:${id}`]);
        } finally {
          await source.close();
        }
      }
    } catch (error) {
      await this.forget(prepared);
      throw error;
    }
    for (const [name, value] of Object.entries(options))
      if (value !== undefined && value !== null && !OWN.has(name) && !isFileOption(tool, name))
        prepared.fields.push([name, typeof value === "object" ? JSON.stringify(value) : String(value)]);
    return prepared;
  }

  private send(source: Source, options: TaskOptions, onFraction: (fraction: number) => void): Promise<string> {
    return sendInPieces(this.http, source, {
      pieceSize: this.pieceSize, retries: this.retries, signal: options.signal,
      onSent: (bytes) => onFraction(source.size ? bytes / source.size : 1),
    });
  }

  /** The uploads were for one request only: the job has its own copy. */
  private async forget(prepared: Prepared): Promise<void> {
    await Promise.all(prepared.uploads.map((id) => forgetUpload(this.http, id)));
  }
}

function parts(files: FileInput | readonly FileInput[], several: boolean): Part[] {
  if (!several) {
    if (Array.isArray(files)) {
      if (files.length !== 1) throw new PlatenError("too_many_files", "This tool takes one file.");
      return [{ field: "file", file: files[0] }];
    }
    return [{ field: "file", file: files as FileInput }];
  }
  const list: readonly FileInput[] = Array.isArray(files) ? files : [files as FileInput];
  return list.map((file) => ({ field: "files", file }));
}

function isFileOption(tool: string, name: string): boolean {
  return FILE_OPTIONS[tool]?.includes(name) ?? false;
}

function optionFiles(tool: string, options: object): Part[] {
  return Object.entries(options)
    .filter(([name, value]) => value !== undefined && value !== null && isFileOption(tool, name))
    .map(([field, file]) => ({ field, file: file as FileInput }));
}

/** A new form for each attempt: a form's stream can be read once. */
function formOf(prepared: Prepared): FormData {
  const form = new FormData(), files = [...prepared.files];
  for (const [name, value] of prepared.fields) {
    const next = files[0];
    if (value === "" && next?.field === name) {
      files.shift();
      form.append(name, next.blob, next.name);
    } else {
      form.append(name, value);
    }
  }
  return form;
}
