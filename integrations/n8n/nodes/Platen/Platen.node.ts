import type {
  IDataObject,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeExecutionData,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  JsonObject,
} from "n8n-workflow";
import { NodeApiError, NodeOperationError } from "n8n-workflow";
import { ask, run, upload, wait } from "./client";
import type { Job, Output } from "./client";
import { properties } from "./properties";

/** The fields of a form for values as a person or an expression gives them. */
function toFields(params: IDataObject): Array<[string, string]> {
  return Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
}

function toObject(value: unknown): IDataObject {
  return typeof value === "string" ? JSON.parse(value || "{}") : ((value ?? {}) as IDataObject);
}

/** The handles of an item's files: of its binary data, which is uploaded, or as they are given. */
async function handlesOf(context: IExecuteFunctions, i: number): Promise<string[]> {
  if (context.getNodeParameter("source", i) === "handle") {
    return String(context.getNodeParameter("handles", i)).split(/[\n,]+/).map((text) => text.trim()).filter(Boolean);
  }
  const names = String(context.getNodeParameter("binary", i)).split(",").map((text) => text.trim()).filter(Boolean);
  const handles: string[] = [];
  for (const name of names) {
    const data = context.helpers.assertBinaryData(i, name);
    if (data.id) {
      const { fileSize } = await context.helpers.getBinaryMetadata(data.id);
      handles.push(await upload(context, data.fileName ?? "document", fileSize, await context.helpers.getBinaryStream(data.id)));
    } else {
      const bytes = await context.helpers.getBinaryDataBuffer(i, name);
      handles.push(await upload(context, data.fileName ?? "document", bytes.length, bytes));
    }
  }
  return handles;
}

/** An item with the job, or one with a file for each output. */
async function itemsOf(context: IExecuteFunctions, i: number, job: Job): Promise<INodeExecutionData[]> {
  const outputs = (job.outputs ?? []) as unknown as Output[];
  if (context.getNodeParameter("answer", i, "link") !== "file" || job.status !== "completed") {
    return [{ json: job, pairedItem: { item: i } }];
  }
  const items: INodeExecutionData[] = [];
  for (const output of outputs) {
    const stream = await context.helpers.httpRequest({ method: "GET", url: output.downloadUrl, encoding: "stream" });
    const data = await context.helpers.prepareBinaryData(stream, output.name);
    items.push({ json: { ...job, output: output as unknown as IDataObject }, binary: { data }, pairedItem: { item: i } });
  }
  return items;
}

async function runTool(context: IExecuteFunctions, i: number): Promise<Job> {
  const operation = String(context.getNodeParameter("operation", i));
  const several = operation !== "tool";
  const tool = several ? "pipeline" : String(context.getNodeParameter("tool", i));
  const handles = several || (await takesFiles(context, tool)) ? await handlesOf(context, i) : [];
  const fields: Array<[string, string]> = handles.map((handle) => [handles.length > 1 || several ? "files" : "file", handle]);
  const name = String(context.getNodeParameter("outputName", i, ""));

  if (operation === "workflow") {
    fields.push(["workflow", String(context.getNodeParameter("workflow", i))], ...toFields(toObject(context.getNodeParameter("values", i))));
  } else if (several) {
    const steps = context.getNodeParameter("steps", i);
    fields.push(["steps", typeof steps === "string" ? steps : JSON.stringify(steps)]);
  } else {
    fields.push(...toFields(toObject(context.getNodeParameter("params", i))));
  }
  if (name) fields.push(["outputName", name]);
  if (handles.length === 1 && !several && (await takesSeveral(context, tool))) fields[0]![0] = "files";
  return run(context, tool, fields, Number(context.getNodeParameter("wait", i)) * 60);
}

interface Described {
  paths: Record<string, { post?: { summary: string; requestBody?: { content: Record<string, { schema: { properties: IDataObject } }> } } }>;
}

const described = new WeakMap<object, Promise<Described>>();

/** The description of the API, once for each run of the node. */
function describe(context: IExecuteFunctions | ILoadOptionsFunctions): Promise<Described> {
  let found = described.get(context);
  if (!found) {
    found = ask(context, { method: "GET", path: "/openapi.json" }) as unknown as Promise<Described>;
    described.set(context, found);
  }
  return found;
}

async function fieldsOf(context: IExecuteFunctions, tool: string): Promise<IDataObject> {
  const content = (await describe(context)).paths[`/api/v1/tools/pdf/${tool}`]?.post?.requestBody?.content;
  return content?.["multipart/form-data"]?.schema.properties ?? {};
}

async function takesSeveral(context: IExecuteFunctions, tool: string): Promise<boolean> {
  return (await fieldsOf(context, tool)).files !== undefined;
}

/** A tool that shows a page at an address has none. Of a tool that is not known the server says so. */
async function takesFiles(context: IExecuteFunctions, tool: string): Promise<boolean> {
  const fields = await fieldsOf(context, tool);
  return fields.url === undefined || fields.file !== undefined || fields.files !== undefined;
}

async function runOperation(context: IExecuteFunctions, i: number): Promise<INodeExecutionData[]> {
  switch (context.getNodeParameter("operation", i)) {
    case "usage":
      return [{ json: await ask(context, { method: "GET", path: "/api/v1/usage" }), pairedItem: { item: i } }];
    case "job": {
      const id = String(context.getNodeParameter("job", i)).replace(/^job:/, "");
      const job = (await ask(context, { method: "GET", path: `/api/v1/jobs/${encodeURIComponent(id)}` })) as Job;
      return itemsOf(context, i, await wait(context, job, Number(context.getNodeParameter("wait", i)) * 60));
    }
    default:
      return itemsOf(context, i, await runTool(context, i));
  }
}

export class Platen implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Platen",
    name: "platen",
    icon: "file:platen.svg",
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] === "tool" ? $parameter["tool"] : $parameter["operation"]}}',
    description: "Merge, split, compress, convert, OCR, sign and protect PDF files",
    defaults: { name: "Platen" },
    inputs: ["main"],
    outputs: ["main"],
    usableAsTool: true,
    credentials: [{ name: "platenApi", required: true }],
    properties,
  };

  methods = {
    loadOptions: {
      /** The tools of the server, for the list in the editor. */
      async tools(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { paths } = await describe(this);
        return Object.entries(paths).flatMap(([path, methods]) => {
          const name = /^\/api\/v1\/tools\/pdf\/([^/]+)$/.exec(path)?.[1];
          return name && name !== "pipeline" && methods.post ? [{ name, value: name, description: methods.post.summary }] : [];
        });
      },
      /** The saved workflows of the account, for the list in the editor. */
      async workflows(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const { workflows } = (await ask(this, { method: "GET", path: "/api/v1/workflows" })) as unknown as
          { workflows: Array<{ workflowId: string; name: string; steps: Array<{ tool: string }> }> };
        return workflows.map(({ workflowId, name, steps }) => ({ name, value: workflowId, description: steps.map(({ tool }) => tool).join(", ") }));
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items: INodeExecutionData[] = [];
    for (let i = 0; i < this.getInputData().length; i++) {
      try {
        items.push(...(await runOperation(this, i)));
      } catch (error) {
        const { message, code, field } = error as { message: string; code?: string; field?: string };
        if (this.continueOnFail()) {
          items.push({ json: { error: message, code, field }, pairedItem: { item: i } });
        } else if (code) {
          throw new NodeApiError(this.getNode(), { code, field } as JsonObject, { message, description: code, itemIndex: i });
        } else {
          throw new NodeOperationError(this.getNode(), error as Error, { itemIndex: i });
        }
      }
    }
    return [items];
  }
}
