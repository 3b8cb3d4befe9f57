/** Errors of this client. Each has a code that programs may rely on, and a sentence for people. */
import type { FailedJob, JobErrorCode, ErrorCode } from "./schemas.js";

/** The base of all errors of this client. */
export class PlatenError extends Error {
  override name = "PlatenError";
  constructor(
    /** The code, as the API documents it; `connection_failed` and others are the client's own. */
    readonly code: ErrorCode | JobErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** The server could not be reached, or the connection broke more often than the client tries again. */
export class ConnectionError extends PlatenError {
  override name = "ConnectionError";
  constructor(message: string, cause?: unknown) {
    super("connection_failed", message, { cause });
  }
}

/** The `timeout` of a job or a request has passed. */
export class TimeoutError extends PlatenError {
  override name = "TimeoutError";
  constructor(message: string) {
    super("timeout", message);
  }
}

/** What was downloaded is not what the server has said that it is. */
export class ChecksumError extends PlatenError {
  override name = "ChecksumError";
  constructor(message: string) {
    super("checksum_mismatch", message);
  }
}

/** A webhook is not signed with the secret, or is too old. */
export class WebhookError extends PlatenError {
  override name = "WebhookError";
  constructor(message: string) {
    super("invalid_webhook", message);
  }
}

/** The server has refused a request. */
export class ApiError extends PlatenError {
  override name = "ApiError";
  constructor(
    code: ErrorCode,
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** The field or parameter at fault, where there is one. */
    readonly field?: string,
    /** Identifies the request in the server's log. */
    readonly requestId?: string,
    /** After how many milliseconds the request can be repeated, if the server says so. */
    readonly retryAfterMs?: number,
  ) {
    super(code, message);
  }
}

/** The key is missing, unknown or ended, or may not do this. */
export class AuthenticationError extends ApiError {
  override name = "AuthenticationError";
}

/** What was asked for does not exist, or no longer. */
export class NotFoundError extends ApiError {
  override name = "NotFoundError";
}

/** Too many requests, jobs, uploads or streams at this moment. */
export class RateLimitError extends ApiError {
  override name = "RateLimitError";
}

/** The plan's requests or bytes of this month are used up. */
export class QuotaError extends ApiError {
  override name = "QuotaError";
  /** Where a larger plan can be had. */
  upgradeUrl?: string;
  /** Which of the plan's two limits the request would exceed. */
  limit?: "requests" | "data";
}

/** The job was accepted, and has failed. */
export class JobError extends PlatenError {
  override name = "JobError";
  constructor(readonly job: FailedJob) {
    super(job.error, job.message);
  }
  /** The parameter or form field at fault, where one is known. */
  get field(): string | undefined {
    return this.job.field;
  }
}

interface ErrorBody {
  error?: string;
  message?: string;
  field?: string;
  requestId?: string;
  upgradeUrl?: string;
  limit?: "requests" | "data";
}

function seconds(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** The error that a refusal is. Reads the response's body. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => "");
  let body: ErrorBody = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) body = parsed;
  } catch {
    // A proxy has answered with a page of its own.
  }
  const { status } = response;
  const code = body.error ?? `http_${status}`;
  const message = body.message ?? `The server answered ${status} ${response.statusText}`.trim();
  const of: typeof ApiError =
    status === 401 || ["forbidden", "outside_scope", "outside_addresses"].includes(code) ? AuthenticationError
    : status === 404 || status === 410 ? NotFoundError
    : code === "quota_exceeded" ? QuotaError
    : status === 429 ? RateLimitError
    : ApiError;
  const error = new of(code, message, status, body.field, body.requestId,
    seconds(response.headers.get("Retry-After")));
  if (error instanceof QuotaError) {
    error.upgradeUrl = body.upgradeUrl;
    error.limit = body.limit;
  }
  return error;
}
