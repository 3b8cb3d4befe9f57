"""Validates answers against the API's own description: status, headers and body as /openapi.json has them."""

import json
import re

import jsonschema

# Of HTTP itself, on any answer.
PLAIN = {"date", "content-length", "content-type", "connection", "transfer-encoding",
         "x-content-type-options", "referrer-policy", "keep-alive"}
# Of the Fetch standard, on any answer to a page that cors_origins names.
FETCH = {"vary", "access-control-allow-origin", "access-control-expose-headers",
         "access-control-allow-methods", "access-control-allow-headers", "access-control-max-age"}
# Described once for all operations, as `default`.
ANYWHERE = {404, 405, 408, 431, 500}


class Contract:
    def __init__(self, document):
        self.document = document
        self.resolver = jsonschema.RefResolver("", document)
        # "/a/b" before "/a/{x}": what is said is meant before what is captured.
        paths = sorted(document["paths"], key=lambda path: path.count("{"))
        self.paths = [(re.compile(re.sub(r"\\{[^/]*\\}", "[^/]+", re.escape(path)) + "$"), path)
                      for path in paths]

    def resolve(self, node):
        while "$ref" in node:
            node = self.resolver.resolve(node["$ref"])[1]
        return node

    def schema_faults(self, schema, value):
        validator = jsonschema.Draft202012Validator(schema, resolver=self.resolver)
        return [f"{'/'.join(map(str, fault.path))}: {fault.message}"
                for fault in validator.iter_errors(value)]

    def response_of(self, method, path, status):
        """Its description, or a sentence that there is none."""
        path, _, query = path.partition("?")
        if method == "POST" and re.search(r"(^|&)dryRun=(true|1)(&|$)", query):
            path += "/dry-run"  # the other address of the same operation
        found = next((name for pattern, name in self.paths if pattern.match(path)), None)
        item = self.document["paths"].get(found, {})
        if method == "OPTIONS" and status == 204:
            headers = self.document["components"]["headers"]
            return {"headers": {"Allow": {"schema": {"type": "string"}},
                                "X-Request-Id": headers["RequestId"]}}
        operation = item.get("get" if method == "HEAD" else method.lower())
        if not operation:
            if status in ANYWHERE | {400, 401}:
                return self.document["components"]["responses"]["Error"]
            return f"{method} {path} is not described"
        node = operation["responses"].get(str(status))
        if not node and status in ANYWHERE:
            node = operation["responses"]["default"]
        return self.resolve(node) if node else f"{method} {found} has no answer {status}"

    def header_faults(self, response, headers):
        described = {name.lower(): self.resolve(node)
                     for name, node in response.get("headers", {}).items()}
        for name, text in headers.items():
            header = described.get(name.lower())
            if not header:
                if name.lower() not in PLAIN | FETCH:
                    yield f"the header {name} is not described"
                continue
            schema = header["schema"]
            whole = schema.get("type") == "integer" and re.fullmatch(r"-?\d+", text)
            value = int(text) if whole else text
            yield from (f"{name}: {fault}" for fault in self.schema_faults(schema, value))

    def body_faults(self, response, headers, body):
        content = response.get("content", {})
        kind = headers.get("Content-Type", "").split(";")[0]
        if not content:
            if body:
                yield "a body is not described"
            return
        # The kinds of results are many: they are described as bytes.
        media = content.get(kind) or content.get("application/octet-stream")
        if media is None:
            yield f"a body of {kind} is not described"
        elif kind == "application/json" and "schema" in media:
            yield from self.schema_faults(media["schema"], json.loads(body))

    def faults(self, method, path, status, headers, body):
        response = self.response_of(method, path, status)
        if isinstance(response, str):
            return [response]
        found = list(self.header_faults(response, headers))
        if method != "HEAD" and status != 304:
            found += self.body_faults(response, headers, body)
        return found
