/** What can be sent as a file, and how its bytes are read. */
import { PlatenError } from "./errors.js";

/** A file with a name of its own. `data` may be a stream if `size`, its number of bytes, is given. */
export interface NamedFile {
  name: string;
  data: Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>;
  size?: number;
}

/**
 * A file: bytes, a `Blob` or `File`, bytes with a name, an earlier result (`job:{jobId}`) or an upload
 * (`upload:{uploadId}`) as a text, an address (`https://...`, as a text or a `URL`) from which the server fetches it, and in
 * Node.js, Deno and Bun the path of a file. A `URL` with `file:` is a path.
 */
export type FileInput = string | URL | Blob | ArrayBuffer | Uint8Array | NamedFile;

/** A file whose bytes can be read in order. */
export interface Source {
  name: string;
  size: number;
  /** Whether bytes can be read again from any offset; of a stream they cannot. */
  again: boolean;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** The text by which the server finds a file itself: a reference to one that it has, or an address; or undefined. */
export function referenceOf(file: FileInput): string | undefined {
  if (file instanceof URL) return /^https?:$/.test(file.protocol) ? file.href : undefined;
  return typeof file === "string" && /^(job:|upload:|https?:\/\/)/.test(file) ? file : undefined;
}

/** The last part of a path, as a name of a file. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).filter((part) => part !== "" && part !== "." && part !== "..").pop() ?? "file";
}

const nothing = async (): Promise<void> => undefined;

function sourceOfBlob(name: string, blob: Blob): Source {
  return {
    name, size: blob.size, again: true, close: nothing,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  };
}

function sourceOfBytes(name: string, data: ArrayBuffer | Uint8Array): Source {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  return {
    name, size: bytes.length, again: true, close: nothing,
    read: async (offset, length) => new Uint8Array(bytes.subarray(offset, offset + length)),
  };
}

/** Reads a stream piece by piece; a piece that was read last can be read once more. */
function sourceOfStream(name: string, stream: ReadableStream<Uint8Array>, size: number): Source {
  const reader = stream.getReader();
  let kept: Uint8Array = new Uint8Array(0), begin = 0;
  let rest: Uint8Array = new Uint8Array(0);
  return {
    name, size, again: false,
    close: async () => { await reader.cancel().catch(() => undefined); },
    async read(offset, length) {
      if (offset >= begin && offset + length <= begin + kept.length)
        return new Uint8Array(kept.subarray(offset - begin, offset - begin + length));
      if (offset !== begin + kept.length)
        throw new PlatenError("stream_not_repeatable", "A stream cannot be read again from an earlier byte: send the file as a Blob or a path.");
      const piece = new Uint8Array(length);
      let n = 0;
      while (n < length) {
        if (rest.length === 0) {
          const { done, value } = await reader.read();
          if (done) throw new PlatenError("stream_too_short", `The stream ended before the ${size} bytes that were announced.`);
          rest = value;
        }
        const taken = rest.subarray(0, length - n);
        piece.set(taken, n);
        n += taken.length;
        rest = rest.subarray(taken.length);
      }
      begin = offset;
      kept = piece;
      return new Uint8Array(piece);
    },
  };
}

async function sourceOfPath(path: string | URL): Promise<Source> {
  const { open } = await fileSystem();
  const handle = await open(path, "r");
  const { size } = await handle.stat();
  return {
    name: baseName(path instanceof URL ? decodeURIComponent(path.pathname) : path), size, again: true,
    close: () => handle.close(),
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      let n = 0;
      while (n < length) {
        const { bytesRead } = await handle.read(bytes, n, length - n, offset + n);
        if (bytesRead === 0)
          throw new PlatenError("file_changed", `The file ${String(path)} became shorter while it was sent.`);
        n += bytesRead;
      }
      return bytes;
    },
  };
}

/** Node's file system, which Deno and Bun have too. */
export async function fileSystem(): Promise<typeof import("node:fs/promises")> {
  try {
    return await import("node:fs/promises");
  } catch (cause) {
    throw new PlatenError("no_file_system", "There are no paths in a browser: pass a File or a Blob.", { cause });
  }
}

/** Opens a file that is not a reference. The caller closes it. */
export async function openFile(file: FileInput): Promise<Source> {
  if (typeof file === "string") return sourceOfPath(file);
  if (file instanceof URL) {
    if (file.protocol !== "file:")
      throw new PlatenError("invalid_file", `A file cannot be fetched from ${file.protocol} here: pass its bytes.`);
    return sourceOfPath(file);
  }
  if (file instanceof Blob) return sourceOfBlob("name" in file && typeof file.name === "string" ? file.name : "file", file);
  if (file instanceof ArrayBuffer || file instanceof Uint8Array) return sourceOfBytes("file", file);
  const { name, data } = file;
  if (data instanceof Blob) return sourceOfBlob(name, data);
  if (data instanceof ArrayBuffer || data instanceof Uint8Array) return sourceOfBytes(name, data);
  if (file.size === undefined)
    throw new PlatenError("invalid_file", `Give the size of the stream ${name}: the server must know how long a file is.`);
  return sourceOfStream(name, data, file.size);
}
