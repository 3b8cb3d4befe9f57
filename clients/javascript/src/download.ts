/** Results on their way: read as a stream that goes on after a broken connection, checked, and written to files. */
import { ChecksumError, PlatenError } from "./errors.js";
import { baseName, fileSystem } from "./files.js";
import { pause, type Http } from "./http.js";

/** One file of a result, as it is downloaded. */
export interface Download {
  url: string;
  name: string;
  bytes: number;
  /** In hexadecimal digits; undefined: not known, of a ZIP of several results. */
  sha256?: string;
}

/** Yields the bytes of a result. After a broken connection the rest is asked for, at most `retries` times in a row. */
export async function* read(http: Http, file: Download, retries: number, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let offset = 0, lost = 0; ;) {
    const headers: Record<string, string> = offset ? { Range: `bytes=${offset}-` } : {};
    const response = await http.send(file.url, { open: true, signal, headers });
    if (offset && response.status !== 206)
      throw new PlatenError("range_ignored", "The connection broke, and what lies between ignores ranges: download it again.");
    const before = offset;
    try {
      if (response.body) {
        for await (const piece of pieces(response.body, signal)) {
          offset += piece.length;
          yield piece;
        }
      }
      if (offset >= file.bytes) return;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof PlatenError) throw error;
    }
    lost = offset > before ? 0 : lost + 1;
    if (lost > retries)
      throw new PlatenError("connection_failed", `The download ended after ${offset} of ${file.bytes} bytes.`);
    await pause(250 * 2 ** lost, signal);
  }
}

/** Browsers' streams cannot be iterated everywhere. */
async function* pieces(stream: ReadableStream<Uint8Array<ArrayBuffer>>, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const stop = (): void => { reader.cancel(signal?.reason).catch(() => undefined); };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (signal?.aborted) throw signal.reason;
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

/** The bytes of a result in memory. */
export async function readAll(http: Http, file: Download, retries: number, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const out = new Uint8Array(file.bytes);
  let n = 0;
  for await (const piece of read(http, file, retries, signal)) {
    if (n + piece.length > out.length) throw new ChecksumError(`${file.name} has more than its ${file.bytes} bytes.`);
    out.set(piece, n);
    n += piece.length;
  }
  if (file.sha256 !== undefined && globalThis.crypto?.subtle) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", out));
    check(file, Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  return out;
}

function check(file: Download, digest: string): void {
  if (file.sha256 !== undefined && digest !== file.sha256)
    throw new ChecksumError(`${file.name} came with another SHA-256 than the server said: download it again.`);
}

/** Whether there are files here; else this is a browser. */
export function hasFiles(): boolean {
  return typeof document === "undefined";
}

/** Writes a result to a file, which exists only once it is whole. An existing file is replaced. */
export async function saveTo(path: string, http: Http, file: Download, retries: number, signal?: AbortSignal): Promise<string> {
  const { open, rename, unlink, stat } = await fileSystem();
  const { createHash } = await import("node:crypto");
  const folder = await stat(path).then((found) => found.isDirectory(), () => /[\\/]$/.test(path));
  const target = folder ? `${path.replace(/[\\/]+$/, "")}/${baseName(file.name)}` : path;
  const part = `${target}.${Math.random().toString(36).slice(2, 10)}.part`;
  const hash = createHash("sha256");
  const handle = await open(part, "wx");
  try {
    try {
      for await (const piece of read(http, file, retries, signal)) {
        hash.update(piece);
        await handle.write(piece);
      }
      check(file, hash.digest("hex"));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(part, target);
  } catch (error) {
    await unlink(part).catch(() => undefined);
    throw error;
  }
  return target;
}

/** In a browser: lets the visitor keep the file, as a link to it would. */
export function offer(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
