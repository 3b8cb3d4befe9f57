// Writes platen.d.ts from openapi.json. openapi-typescript has no type for files of its own: that
// they are Blobs is what its manual recommends to say here.
import { writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const blob = ts.factory.createTypeReferenceNode("Blob");
const types = await openapiTS(new URL("./openapi.json", import.meta.url), {
  transform: (schema) => (schema.format === "binary" ? blob : undefined),
});
writeFileSync("platen.d.ts", astToString(types));
