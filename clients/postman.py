#!/usr/bin/python3
"""Writes the API's description as a Postman collection (format 2.1.0), with a folder for each group, the
examples of the description as bodies, and the variables baseUrl and apiKey:

    platen tools --openapi | clients/postman.py > platen.postman_collection.json
"""

import json
import re
import sys

FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
METHODS = ("get", "post", "put", "patch", "delete")


def resolve(document, node):
    """What a $ref stands for."""
    while "$ref" in node:
        target = document
        for part in node["$ref"].lstrip("#/").split("/"):
            target = target[part]
        node = target
    return node


def example_of(document, schema):
    """A value for a field: its example, default, first choice, or one by its type."""
    schema = resolve(document, schema)
    for option in schema.get("anyOf", []):
        if resolve(document, option).get("format") != "binary":
            return example_of(document, option)
    for value in (*schema.get("examples", []), schema.get("default"), *schema.get("enum", [])):
        if value is not None:
            return value
    return {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}.get(schema.get("type"), "")


def is_file(document, schema):
    schema = resolve(document, schema)
    schema = resolve(document, schema.get("items", schema))
    return any(resolve(document, option).get("format") == "binary" for option in [schema, *schema.get("anyOf", [])])


def text(value):
    return value if isinstance(value, str) else json.dumps(value)


def form(document, content):
    """multipart/form-data: needed fields are on, the others are there to be switched on."""
    schema = resolve(document, content["schema"])
    needed = schema.get("required", [])
    given = next(iter(content.get("examples", {}).values()), {}).get("value", {})
    fields = []
    for name, field in schema["properties"].items():
        about = {"key": name, "description": resolve(document, field).get("description", ""),
                 "disabled": name not in needed and name not in given}
        if is_file(document, field):
            fields.append({**about, "type": "file", "src": []})
        else:
            value = given[name] if name in given else example_of(document, field)
            fields.append({**about, "type": "text", "value": text(value)})
    return {"mode": "formdata", "formdata": fields}


def body_of(document, operation):
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        if kind == "multipart/form-data":
            return kind, form(document, content)
        if kind.endswith("json"):
            given = next(iter(content.get("examples", {}).values()), {}).get("value", {})
            return kind, {"mode": "raw", "raw": json.dumps(given, indent=2), "options": {"raw": {"language": "json"}}}
        return kind, {"mode": "file", "file": {}}
    return None, None


def url_of(document, path, parameters):
    at = [part for part in re.sub(r"\{(\w+)\}", r":\1", path).split("/") if part]
    url = {"raw": "{{baseUrl}}/" + "/".join(at), "host": ["{{baseUrl}}"], "path": at}
    named = {p["name"]: p for p in parameters if p["in"] == "path"}
    variables = [{"key": name, "value": text(example_of(document, named.get(name, {}).get("schema", {}))),
                  "description": named.get(name, {}).get("description", "")} for name in re.findall(r"\{(\w+)\}", path)]
    query = [{"key": p["name"], "value": text(example_of(document, p.get("schema", {}))),
              "description": p.get("description", ""), "disabled": not p.get("required", False)}
             for p in parameters if p["in"] == "query"]
    return {**url, **({"variable": variables} if variables else {}), **({"query": query} if query else {})}


def item(document, path, method, operation, shared):
    parameters = [resolve(document, p) for p in [*shared, *operation.get("parameters", [])]]
    kind, body = body_of(document, operation)
    headers = [{"key": p["name"], "value": text(example_of(document, p.get("schema", {}))),
                "description": p.get("description", ""), "disabled": not p.get("required", False)}
               for p in parameters if p["in"] == "header"]
    if kind and kind != "multipart/form-data":
        headers.append({"key": "Content-Type", "value": kind})
    request = {"method": method.upper(), "header": headers, "url": url_of(document, path, parameters),
               "description": operation.get("description", "")}
    if body:
        request["body"] = body
    if operation.get("security") == []:
        request["auth"] = {"type": "noauth"}
    return {"name": operation["summary"], "request": request, "response": []}


def collection(document):
    folders = {tag["name"]: {"name": tag["name"], "description": tag.get("description", ""), "item": []}
               for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method in METHODS:
            if method in methods:
                operation = methods[method]
                folders[operation["tags"][0]]["item"].append(
                    item(document, path, method, operation, methods.get("parameters", [])))
    return {
        "info": {"name": document["info"]["title"], "version": document["info"]["version"], "schema": FORMAT,
                 "description": document["info"].get("summary", "")},
        "auth": {"type": "apikey", "apikey": [
            {"key": "key", "value": "X-API-Key", "type": "string"},
            {"key": "value", "value": "{{apiKey}}", "type": "string"},
            {"key": "in", "value": "header", "type": "string"}]},
        "variable": [{"key": "baseUrl", "value": "http://localhost:8080"}, {"key": "apiKey", "value": ""}],
        "item": [folder for folder in folders.values() if folder["item"]],
    }


if __name__ == "__main__":
    json.dump(collection(json.load(sys.stdin)), sys.stdout, indent=1)
    print()
