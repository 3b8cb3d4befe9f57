/** Verifies webhooks, which are signed as Standard Webhooks 1.0 says. */
import { WebhookError } from "./errors.js";
import type { EndedNotice } from "./schemas.js";

/** Headers of a request, of fetch or of Node.js. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

function header(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  for (const [key, value] of Object.entries(headers))
    if (key.toLowerCase() === name) return (Array.isArray(value) ? value[0] : value) ?? "";
  return "";
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}

/**
 * Gives the job that a webhook is about, or throws a `WebhookError`. `body` is the body as it was received, not parsed;
 * `secret` is the account's (`whsec_...`), or several while one is being replaced.
 */
export async function verifyWebhook(
  body: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[],
  options: { toleranceSeconds?: number; now?: Date } = {},
): Promise<EndedNotice> {
  const id = header(headers, "webhook-id"), at = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature").split(" ").filter((one) => one.startsWith("v1,"));
  if (!id || !/^\d+$/.test(at) || signatures.length === 0)
    throw new WebhookError("The request has no webhook-id, webhook-timestamp or webhook-signature.");
  const age = Math.abs((options.now ?? new Date()).getTime() / 1000 - Number(at));
  if (age > (options.toleranceSeconds ?? 300))
    throw new WebhookError(`The webhook is ${Math.round(age)} seconds away from this machine's time.`);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${at}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const key = await crypto.subtle.importKey("raw", decode(one.replace(/^whsec_/, "")),
      { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const signature of signatures) {
      let mac: Uint8Array<ArrayBuffer>;
      try {
        mac = decode(signature.slice(3));
      } catch {
        continue;
      }
      if (await crypto.subtle.verify("HMAC", key, mac, signed))
        return JSON.parse(new TextDecoder().decode(bytes)) as EndedNotice;
    }
  }
  throw new WebhookError("The webhook is not signed with this secret, or its body was changed.");
}
