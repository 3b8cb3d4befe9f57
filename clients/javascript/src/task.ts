/** One job from the files to its result. */
import { JobError, NotFoundError, PlatenError, TimeoutError } from "./errors.js";
import { hasFiles, offer, read, readAll, saveTo, type Download } from "./download.js";
import type { Http } from "./http.js";
import type { Accepted, CompletedJob, Job, Output } from "./schemas.js";

/** How far a job is. */
export interface Progress {
  stage: "uploading" | "running" | "completed";
  /** From 0 to 1, of the stage. */
  fraction: number;
}

/** What a task needs besides the files. */
export interface TaskOptions {
  signal?: AbortSignal;
  /** Milliseconds from the call to the end of the job; 0: no limit. */
  timeout?: number;
  onProgress?: (progress: Progress) => void;
}

export interface TaskContext extends TaskOptions {
  http: Http;
  retries: number;
}

/** The longest time in seconds that one request waits for a job: proxies close connections that are silent for longer. */
const SLICE = 25;

/** Submits, and gives the job as the server answered it. */
export type Submit = (signal: AbortSignal) => Promise<Job | Accepted>;

/**
 * A job. It begins at once. `await task` gives the completed job, or throws a `JobError`; `save`, `bytes` and the others wait
 * for it themselves.
 */
export class Task implements PromiseLike<CompletedJob> {
  private readonly control = new AbortController();
  private readonly first: Promise<Job | Accepted>;
  private readonly done: Promise<CompletedJob>;

  constructor(private readonly context: TaskContext, submit: Submit) {
    const { signal, timeout } = context;
    const stop = (): void => this.control.abort(signal?.reason);
    const timer = timeout
      ? setTimeout(() => this.control.abort(new TimeoutError(`The job did not end within ${timeout} ms.`)), timeout)
      : undefined;
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
    this.first = submit(this.control.signal);
    this.done = this.run().finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
    // An error is thrown to whoever waits; if nobody does, that is not a fault of the program.
    this.first.catch(() => undefined);
    this.done.catch(() => undefined);
  }

  then<A = CompletedJob, B = never>(
    resolved?: ((job: CompletedJob) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.done.then(resolved, rejected);
  }

  catch<B = never>(rejected?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<CompletedJob | B> {
    return this.done.catch(rejected);
  }

  finally(always?: (() => void) | null): Promise<CompletedJob> {
    return this.done.finally(always);
  }

  /** The job's id, as soon as the server has accepted the job. */
  async id(): Promise<string> {
    return (await this.first).jobId;
  }

  /** The reference by which later jobs can use this result as a file. Waits for the result. */
  async ref(): Promise<string> {
    return `job:${(await this.done).jobId}`;
  }

  /**
   * Writes the result to a file, or into a folder under its own name; gives its path. In a browser it is offered as a
   * download of this name.
   */
  async save(path: string): Promise<string> {
    const job = await this.done;
    if (!hasFiles()) {
      offer(job.downloadUrl, path);
      return path;
    }
    return saveTo(path, this.context.http, whole(job), this.context.retries, this.context.signal);
  }

  /** Writes each file of the result into a folder, which is made if need be; gives their paths. */
  async saveAll(folder: string): Promise<string[]> {
    const { outputs } = await this.done;
    const { mkdir } = await import("node:fs/promises");
    await mkdir(folder, { recursive: true });
    const paths: string[] = [];
    for (const output of outputs)
      paths.push(await saveTo(`${folder.replace(/[\\/]+$/, "")}/`, this.context.http, single(output), this.context.retries, this.context.signal));
    return paths;
  }

  /** The result in memory: of several files a ZIP. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return readAll(this.context.http, whole(await this.done), this.context.retries, this.context.signal);
  }

  /** The result as a Blob. */
  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: typeOf((await this.done).outputFile) });
  }

  /** The result as text: of to-text, to-markdown and to-html. */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  /** The bytes of the result as they come. They are not checked against a digest. */
  async *stream(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield* read(this.context.http, whole(await this.done), this.context.retries, this.context.signal);
  }

  /**
   * The job once its result was sent to `outputUrl`, or that was given up: its `delivery` is "done" or "failed", and
   * `deliveryMessage` says why. A job without `outputUrl` is given at once.
   */
  async delivered(): Promise<CompletedJob> {
    let job = await this.done;
    for (let pause = 200; job.delivery === "pending"; pause = Math.min(pause * 2, 5000)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      const now = await this.context.http.json<Job>(`/api/v1/jobs/${job.jobId}`, { signal: this.context.signal });
      if (now.status !== "completed") break;
      job = now;
    }
    return job;
  }

  /** Stops waiting, and deletes the job and its files on the server. */
  async cancel(): Promise<void> {
    this.control.abort(new PlatenError("cancelled", "The job was cancelled."));
    const job = await this.first.catch(() => undefined);
    if (job) await this.delete(job.jobId);
  }

  private async delete(id: string): Promise<void> {
    await this.context.http.send(`/api/v1/jobs/${id}`, { method: "DELETE" }).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
    });
  }

  private async run(): Promise<CompletedJob> {
    const { signal } = this.control;
    const accepted = await this.first;
    let job: Job = "tool" in accepted ? accepted : await this.ask(accepted.jobId, 0);
    try {
      while (job.status === "pending") {
        this.context.onProgress?.({ stage: "running", fraction: job.progress ?? 0 });
        job = await this.ask(job.jobId, this.context.onProgress ? 1 : SLICE);
      }
    } catch (error) {
      if (signal.aborted) await this.delete(accepted.jobId).catch(() => undefined);
      throw error;
    }
    if (job.status === "failed") throw new JobError(job);
    this.context.onProgress?.({ stage: "completed", fraction: 1 });
    return job;
  }

  private ask(id: string, seconds: number): Promise<Job> {
    return this.context.http.json<Job>(`/api/v1/jobs/${id}?wait=${seconds}`, {
      signal: this.control.signal, patience: seconds * 1000,
    });
  }
}

function single(output: Output): Download {
  return { url: output.downloadUrl, name: output.name, bytes: output.bytes, sha256: output.sha256 };
}

function whole(job: CompletedJob): Download {
  const [only, ...more] = job.outputs;
  if (only && more.length === 0 && only.name === job.outputFile) return single(only);
  return { url: job.downloadUrl, name: job.outputFile, bytes: job.outputBytes };
}

function typeOf(name: string): string {
  const types: Record<string, string> = {
    pdf: "application/pdf", zip: "application/zip", png: "image/png", jpg: "image/jpeg", txt: "text/plain",
    md: "text/markdown", html: "text/html", json: "application/json",
    docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  };
  return types[name.split(".").pop()?.toLowerCase() ?? ""] ?? "application/octet-stream";
}
