#!/usr/bin/python3
"""Writes the reference of the API as one text, from its description:

    platen tools --openapi | docs/api.py               the reference, as Markdown
    platen tools --openapi | docs/api.py --addresses   the addresses, as docs/api.md lists them
    docs/api.py PLATEN                                 the reference, as of this program
"""

import json
import shlex
import subprocess
import sys

METHODS = ("get", "post", "put", "patch", "delete")
FORM = "multipart/form-data"
SHOWN = 8  # words of an enumeration; longer ones are listed once


def main():
    words = sys.argv[1:]
    if words == ["--addresses"]:
        print("\n".join(addresses(json.load(sys.stdin))))
        return
    document = json.loads(subprocess.check_output([*words, "tools", "--openapi"])) if words else json.load(sys.stdin)
    out = [f"# Reference of the API of platen {document['info']['version']}\n\nMade by docs/api.py from what "
           "`platen tools --openapi` says (`/openapi.json` of a running server, which also shows it as a page at "
           "`/docs`).\n\n", document["info"]["description"].strip(), "\n"]
    for tag in document["tags"]:
        out.append(f"\n## {tag['name']}\n\n{tag['description']}\n")
        found = [(path, method, item) for path, item in document["paths"].items()
                 for method in METHODS if tag["name"] in item.get(method, {}).get("tags", [])]
        # Those of the tools have the same headers and answers.
        alike = [(path, method, item) for path, method, item in found if FORM in form_of(document, item[method])]
        if alike:
            path, method, item = alike[0]
            out += ["\nAll of them take and answer:\n", *parameters(document, item, item[method]),
                    *answers(document, item[method])]
        if tag["name"] == "Dry runs":
            out += ["\n", ", ".join(f"`{method.upper()} {path}`" for path, method, _ in found), "\n"]
            continue
        for path, method, item in found:
            out += operation(document, path, method, item)
    out += schemas(document)
    sys.stdout.write("".join(out).replace("http://127.0.0.1:8080", "http://localhost:8080"))


def addresses(document):
    """The tools have the same ones, which are listed once."""
    found = set()
    for path, item in document["paths"].items():
        tags = [tag for method in METHODS for tag in item.get(method, {}).get("tags", [])]
        if "Tools" in tags:
            path = path.rpartition("/")[0] + "/{tool}"
        elif "Dry runs" in tags:
            path = path.rsplit("/", 2)[0] + "/{tool}/dry-run"
        found |= {f"{method.upper()} {path}" for method in METHODS if method in item}
    return sorted(found)


def form_of(document, it):
    return resolve(document, it.get("requestBody", {})).get("content", {})


def resolve(document, node):
    while "$ref" in node:
        at = document
        for part in node["$ref"][2:].split("/"):
            at = at[part]
        node = at
    return node


def operation(document, path, method, item):
    it = item[method]
    name = path.rsplit("/", 1)[1] if "Tools" in it["tags"] else it["operationId"]
    yield f"\n### {name}\n\n`{method.upper()} {path}`\n\n{it['summary']}\n"
    if it.get("description"):
        yield f"\n{it['description'].strip()}\n"
    content = form_of(document, it).get(FORM)
    if content:
        yield "\n" + fields(document, properties(document, content["schema"]), "Field")
        for example in content.get("examples", {}).values():
            yield f"\n{example['summary']}\n\n```sh\n{curl(document, path, content, example)}\n```\n"
    else:
        yield from parameters(document, item, it)
        yield from bodies(document, it)
        yield from answers(document, it)


def bodies(document, it):
    """Those that are no forms: JSON, by its members, or bytes."""
    for kind, content in form_of(document, it).items():
        yield f"\nThe body is `{kind}`.\n"
        if "schema" in content:
            yield "\n" + fields(document, properties(document, content["schema"]), "Field")
        for example in content.get("examples", {}).values():
            yield f"\n```json\n{json.dumps(example['value'])}\n```\n"


def parameters(document, item, it):
    given = [resolve(document, one)
             for one in [*item.get("parameters", []), *it.get("parameters", [])]]
    if given:
        yield "\n" + fields(document, [(f"{one['name']} ({one['in']})", one.get("required"),
                                        {**one["schema"], "description": one["description"]})
                                       for one in given], "Parameter")


def answers(document, it):
    yield "\n| Answer | |\n|---|---|\n"
    for status, node in it["responses"].items():
        response = resolve(document, node)
        examples = [resolve(document, one)["value"] for media in response.get("content", {}).values()
                    for one in media.get("examples", {}).values()]
        errors = [value["error"] for value in examples if "requestId" in value]
        codes = f" `{'`, `'.join(errors)}`" if errors else ""
        yield f"| {status} | {response['description']}{codes} |\n"


def properties(document, node):
    schema = resolve(document, node)
    inherited = [row for one in schema.get("allOf", []) for row in properties(document, one)]
    rows = inherited + [(name, name in schema.get("required", []), one)
                        for name, one in schema.get("properties", {}).items()]
    return list({row[0]: row for row in rows}.values())  # what stands later says more


def is_file(schema):
    return any(one.get("format") == "binary" for one in [schema, *schema.get("anyOf", [])])


def type_of(document, node):
    schema = resolve(document, node)
    if is_file(schema):
        return "file"
    if "$ref" in node and len(schema.get("enum", [])) > SHOWN:
        name = node["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if schema.get("type") == "array":
        return f"{type_of(document, schema['items'])}, repeated"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(type_of(document, one) for one in schema["anyOf"])
    kinds = schema.get("type", "object")
    text = " or ".join(kinds) if isinstance(kinds, list) else kinds
    if "minimum" in schema and "maximum" in schema:
        text += f", {schema['minimum']} to {schema['maximum']}"
    if "multipleOf" in schema:
        text += f", a multiple of {schema['multipleOf']}"
    return text


def fields(document, rows, title):
    lines = [f"| {title} | Type | |\n|---|---|---|\n"]
    for name, required, node in rows:
        schema = resolve(document, node)
        said = schema.get("description", "")
        if "default" in schema:
            preset = schema["default"]
            said += f" Default: `{json.dumps(preset) if not isinstance(preset, str) else preset}`."
        if required:
            said += " Required."
        lines.append(f"| `{name}` | {type_of(document, node)} | {said.strip()} |\n")
    return "".join(lines)


def curl(document, path, content, example):
    files = {name for name, _, schema in properties(document, content["schema"])
             if is_file(resolve(document, schema.get("items", schema)))}
    words = ['curl -H "X-API-Key: $KEY"']
    for name, value in example["value"].items():
        for one in value if isinstance(value, list) else [value]:
            text = one if isinstance(one, str) else json.dumps(one)
            is_name = name in files and text[0] not in "{[" and "\n" not in text  # and not the bytes themselves
            words.append("-F " + shlex.quote(f"{name}={'@' if is_name else ''}{text}"))
    words.append(document["servers"][0]["url"] + path)
    return " \\\n  ".join(words)


def schemas(document):
    yield "\n## What answers are made of\n"
    for name, schema in document["components"]["schemas"].items():
        if "oneOf" in schema:
            yield f"\n### {name}\n\n{schema['description']} It is one of: " + ", ".join(
                f"[{one}](#{one.lower()})" for one in
                (node["$ref"].rsplit("/", 1)[1] for node in schema["oneOf"])) + ".\n"
        elif len(schema.get("enum", [])) > SHOWN:
            yield f"\n### {name}\n\n{schema['description']}\n\n" + ", ".join(f"`{word}`" for word in schema["enum"]) + "\n"
        elif properties(document, schema):
            yield f"\n### {name}\n\n{schema['description']}\n\n" + fields(document, properties(document, schema), "Field")


main()
