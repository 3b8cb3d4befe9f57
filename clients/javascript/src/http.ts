/** Requests to the server: the key, waiting before a repetition, and what may be repeated. */
import { ApiError, ConnectionError, TimeoutError, errorOf } from "./errors.js";

export interface HttpOptions {
  url: string;
  key: string;
  /** How often a request is repeated after the first attempt. */
  retries: number;
  /** Milliseconds without an answer after which a connection counts as broken. */
  requestTimeout: number;
  fetch: typeof fetch;
}

export interface Call {
  method?: string;
  headers?: Record<string, string>;
  /** Made anew for each attempt. */
  body?: () => BodyInit;
  signal?: AbortSignal;
  /** Milliseconds that the server may wait before it answers, in addition to `requestTimeout`. */
  patience?: number;
  /** No key: of signed addresses, which may lead to other servers. */
  open?: boolean;
  /** Statuses besides 2xx that the caller handles. */
  accept?: readonly number[];
}

const REPEATED = new Set([408, 425, 429, 500, 502, 503, 504, 507]);
const FIRST_PAUSE = 250, LONGEST_PAUSE = 20_000;

/** Waits, or rejects with the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); resolve(); }, ms);
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

function pauseBefore(attempt: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  const own = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt);
  return asked ?? own * (0.75 + Math.random() / 2);
}

function mayRepeat(error: unknown): boolean {
  if (error instanceof ApiError) return REPEATED.has(error.status) && error.code !== "quota_exceeded";
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

export class Http {
  constructor(private readonly options: HttpOptions) {}

  /** Sends a request, repeats it as often as is sensible, and gives the response. Each request must be harmless to repeat. */
  async send(path: string, call: Call = {}): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.once(path, call);
      } catch (error) {
        if (call.signal?.aborted) throw call.signal.reason;
        const wait = pauseBefore(attempt, error);
        // A limit that lasts longer than a minute is for the caller to decide about.
        if (attempt >= this.options.retries || !mayRepeat(error) || wait > 60_000) throw error;
        await pause(wait, call.signal);
      }
    }
  }

  /** The same for an answer in JSON. */
  async json<T>(path: string, call: Call = {}): Promise<T> {
    return (await this.send(path, call)).json() as Promise<T>;
  }

  private async once(path: string, call: Call): Promise<Response> {
    const control = new AbortController();
    const stop = (): void => control.abort(call.signal?.reason);
    const limit = this.options.requestTimeout + (call.patience ?? 0);
    const timer = setTimeout(() => control.abort(new TimeoutError(`The server did not answer within ${limit} ms.`)), limit);
    if (call.signal?.aborted) stop();
    else call.signal?.addEventListener("abort", stop, { once: true });
    try {
      const response = await this.options.fetch(new URL(path, this.options.url), {
        method: call.method ?? "GET",
        headers: call.open ? call.headers : { "X-API-Key": this.options.key, ...call.headers },
        body: call.body?.(),
        signal: control.signal,
        redirect: "error",
      });
      if (response.ok || call.accept?.includes(response.status)) return response;
      throw await errorOf(response);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (control.signal.aborted) throw control.signal.reason;
      throw new ConnectionError(`The server at ${this.options.url} cannot be reached: ${reason(error)}`, error);
    } finally {
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", stop);
    }
  }
}

/** fetch says why only in the causes of its error. */
function reason(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return inner instanceof Error ? inner.message || inner.name : String(inner);
}
