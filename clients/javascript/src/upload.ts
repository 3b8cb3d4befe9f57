/** Sends files in pieces, and goes on where a broken connection has ended. */
import { ApiError, ConnectionError, NotFoundError, TimeoutError } from "./errors.js";
import type { Source } from "./files.js";
import { pause, type Http } from "./http.js";
import type { Upload } from "./schemas.js";

export interface SendOptions {
  /** Bytes of a piece. */
  pieceSize: number;
  retries: number;
  signal?: AbortSignal;
  /** Called with the number of bytes that are safe on the server. */
  onSent?: (bytes: number) => void;
}

/** Sends the whole file; gives the upload's id. */
export async function sendInPieces(http: Http, source: Source, options: SendOptions): Promise<string> {
  const { signal } = options;
  // If the answer is lost, the request is repeated and an empty upload is left, which expires.
  const { uploadId } = await http.json<Upload>("/api/v1/uploads", {
    method: "POST", signal, headers: { "Content-Type": "application/json" },
    body: () => JSON.stringify({ name: source.name, size: source.size }),
  });
  try {
    for (let offset = 0, lost = 0; offset < source.size;) {
      const piece = await source.read(offset, Math.min(options.pieceSize, source.size - offset));
      try {
        offset = await sendPiece(http, uploadId, offset, piece, signal);
        lost = 0;
      } catch (error) {
        if (!isLost(error) || signal?.aborted || ++lost > options.retries) throw error;
        await pause(250 * 2 ** lost, signal);
        offset = (await http.json<Upload>(`/api/v1/uploads/${uploadId}`, { signal })).offset;
      }
      options.onSent?.(offset);
    }
  } catch (error) {
    await forgetUpload(http, uploadId);
    throw error;
  }
  return uploadId;
}

/** Whether the piece may have arrived in part or whole, so that the server must be asked. */
function isLost(error: unknown): boolean {
  return error instanceof ConnectionError || error instanceof TimeoutError ||
    (error instanceof ApiError && (error.status >= 500 || error.code === "upload_busy" || error.code === "upload_offset_mismatch"));
}

async function sendPiece(http: Http, id: string, offset: number, piece: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<number> {
  const response = await http.send(`/api/v1/uploads/${id}`, {
    method: "PATCH", signal, body: () => piece, accept: [409],
    headers: { "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset) },
  });
  const body = await response.json() as Upload & { error?: string; message?: string };
  if (response.status === 409 && body.error !== "upload_offset_mismatch")
    throw new ApiError(body.error ?? "http_409", body.message ?? "The upload is busy.", 409);
  return body.offset; // after a repeated piece it is the offset that the server has
}

/** Removes an upload; that it is gone already is no error, nor that it cannot be removed now: it expires. */
export async function forgetUpload(http: Http, id: string): Promise<void> {
  await http.send(`/api/v1/uploads/${id}`, { method: "DELETE" }).catch((error: unknown) => {
    if (!(error instanceof NotFoundError || error instanceof ApiError || error instanceof ConnectionError || error instanceof TimeoutError))
      throw error;
  });
}
