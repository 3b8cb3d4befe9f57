/** The client of platen, a server that works on PDF files. */
export { Platen, type JobQuery, type PlatenOptions, type Ticket } from "./client.js";
export * from "./errors.js";
export type { FileInput, NamedFile } from "./files.js";
export type * as Api from "./schemas.js";
export type { Progress, Task, TaskOptions } from "./task.js";
export type * from "./tools.js";
export { verifyWebhook, type WebhookHeaders } from "./webhook.js";
