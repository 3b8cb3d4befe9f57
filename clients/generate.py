#!/usr/bin/python3
"""Writes what the two clients know of the tools, from the API's description:

    platen tools --openapi | clients/generate.py typescript > tools.ts
    platen tools --openapi | clients/generate.py schemas > schemas.ts
    platen tools --openapi | clients/generate.py python > _tools.py

A tool becomes one method, a parameter one option with its type, and a schema of an answer one type.
The rest of the clients is written by hand and does not name a tool.
"""

import json
import keyword
import re
import sys
import textwrap

FORM = "multipart/form-data"
PREFIX = "/api/v1/tools/pdf/"
# Fields of every submission, which have a type of their own in the clients.
COMMON = ("outputName", "clientRef", "callbackUrl", "ttl", "outputUrl", "outputUrls", "outputHeaders")
WIDTH = 96


def main():
    write = {"typescript": typescript, "schemas": schemas, "python": python}.get((sys.argv[1:] or [""])[0])
    if write is None:
        sys.exit("usage: generate.py typescript|schemas|python < openapi.json")
    sys.stdout.write(write(json.load(sys.stdin)))


class Tool:
    """One tool as the clients offer it."""

    def __init__(self, name, operation):
        schema = operation["requestBody"]["content"][FORM]["schema"]
        self.name = name
        self.summary = operation["summary"]
        self.several = "files" in schema["properties"]
        self.without = not self.several and "file" not in schema["properties"]
        self.required = set(schema.get("required", []))
        self.parameters = {key: value for key, value in schema["properties"].items()
                           if key not in ("file", "files")}

    @property
    def files(self):
        """Names of the options that are files."""
        return [key for key, value in self.parameters.items() if is_file(value)]

    @property
    def own(self):
        return {key: value for key, value in self.parameters.items() if key not in COMMON}


def tools_of(document):
    for path, item in document["paths"].items():
        name = path.removeprefix(PREFIX)
        if path.startswith(PREFIX) and "/" not in name and name != "pipeline":
            yield Tool(name, item["post"])


def is_headers(schema):
    """A JSON object of header names and values as one text; the clients write the text."""
    return schema.get("format") == "password" and "JSON object" in schema.get("description", "")


def is_file(schema):
    return any(one.get("format") == "binary" for one in schema.get("anyOf", [schema]))


def words(name):
    """The parts of a name: page-numbers and pageNumbers are both page, numbers."""
    return [one.lower() for one in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


def camel(name):
    first, *rest = words(name)
    return first + "".join(one.capitalize() for one in rest)


def pascal(name):
    return "".join(one.capitalize() for one in words(name))


def snake(name):
    return "_".join(words(name))


def option(name):
    """The name of a parameter in Python, from which the client makes the API's name again: with_ for with,
    which Python has for itself."""
    if camel(snake(name)) != name:
        sys.exit(f"generate.py: {name} cannot be made from {snake(name)}")
    return snake(name) + "_" * keyword.iskeyword(snake(name))


def said(schema):
    text = " ".join(schema.get("description", "").split())
    if "default" in schema:
        text += f" Default: {json.dumps(schema['default'], ensure_ascii=False)}."
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        text += f" From {low} to {high}."
    return text.strip()


# TypeScript

TS_HEAD = "// Made by clients/generate.py from the API's description; changes here are lost.\n"


def schemas(document):
    out = [TS_HEAD]
    for name, schema in document["components"]["schemas"].items():
        out.append(f"\n{ts_comment(said(schema))}export type {name} = {ts_type(schema)};\n")
    return "".join(out)


def typescript(document):
    tools = list(tools_of(document))
    out = [TS_HEAD, 'import type { FileInput } from "./files.js";\n',
           'import type { Task } from "./task.js";\n\n',
           f"/** The version of the API that these types describe. */\n"
           f"export const VERSION = {json.dumps(document['info']['version'])};\n"]
    common = next(iter(tools)).parameters
    out.append("\n/** Options of every job. */\nexport interface JobOptions {\n")
    out += [ts_option(key, common[key], False) for key in COMMON]
    out.append("}\n")
    for tool in tools:
        out.append(f"\n/** Options of {tool.name}. */\nexport interface {pascal(tool.name)}Options extends JobOptions {{\n")
        out += [ts_option(key, value, key in tool.required) for key, value in tool.own.items()]
        out.append("}\n")
    out.append("\n/** One step of a pipeline. */\nexport type PipelineStep =\n")
    out += [f'  | {{ tool: "{tool.name}"; params?: Omit<{pascal(tool.name)}Options, keyof JobOptions> }}\n' for tool in tools]
    out[-1] = out[-1].rstrip() + ";\n"
    out.append("\n/** Options of the tools by name. */\nexport interface ToolOptions {\n")
    out += [f'  "{tool.name}": {pascal(tool.name)}Options;\n' for tool in tools]
    out.append("}\n\n/** The tools that take several files. */\nexport const SEVERAL: ReadonlySet<string> = new Set([")
    out.append(", ".join(json.dumps(tool.name) for tool in tools if tool.several or tool.without))
    out.append("]);\n\n/** The options that are files, by tool. */\n"
               "export const FILE_OPTIONS: Readonly<Record<string, readonly string[]>> = {\n")
    out += [f'  "{tool.name}": {json.dumps(tool.files)},\n' for tool in tools if tool.files]
    out.append("};\n\n/** One method a tool. */\nexport abstract class ToolMethods {\n"
               "  /** Submits files to a tool. */\n"
               "  abstract run(tool: keyof ToolOptions, files: FileInput | readonly FileInput[], options?: object): Task;\n")
    for tool in tools:
        out.append(ts_method(tool))
    out.append("}\n")
    return "".join(out)


def ts_comment(text, indent=""):
    if not text:
        return ""
    lines = textwrap.wrap(text.replace("*/", "* /"), WIDTH - len(indent))
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


def ts_option(name, schema, required):
    return f"{ts_comment(said(schema), '  ')}  {name}{'' if required else '?'}: {ts_type(schema)};\n"


def ts_method(tool):
    options = f"options{'' if tool.required - {'file', 'files'} else '?'}: {pascal(tool.name)}Options"
    files = "" if tool.without else "files: readonly FileInput[], " if tool.several else "file: FileInput, "
    return (f"\n{ts_comment(tool.summary, '  ')}  {camel(tool.name)}({files}{options}): Task {{\n"
            f'    return this.run("{tool.name}", {"[]" if tool.without else "files" if tool.several else "file"}, options);\n  }}\n')


def ts_type(schema):
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if is_file(schema):
        return "FileInput"
    if is_headers(schema):
        return "Record<string, string> | string"
    if "allOf" in schema:
        parts = [ts_type(one) for one in schema["allOf"]]
        return " & ".join(parts + ([ts_object(schema)] if "properties" in schema else []))
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " | ".join(ts_type(one) for one in schema[key])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        listed = " | ".join(json.dumps(one) for one in schema["enum"])
        # Later versions may add codes: every text is possible, and the known ones are completed by editors.
        return f"{listed} | (string & {{}})" if len(schema["enum"]) > 12 else listed
    kinds = schema.get("type", "object")
    return " | ".join(ts_kind(one, schema) for one in (kinds if isinstance(kinds, list) else [kinds]))


def ts_kind(kind, schema):
    if kind == "array":
        return f"Array<{ts_type(schema['items'])}>"
    if kind == "object":
        return ts_object(schema)
    return {"integer": "number", "number": "number", "boolean": "boolean", "null": "null"}.get(kind, "string")


def ts_object(schema):
    required = schema.get("required", [])
    extra = schema.get("additionalProperties")
    if "properties" not in schema:
        return f"Record<string, {ts_type(extra) if isinstance(extra, dict) and extra else 'unknown'}>"
    rows = [f"{'' if key in required else '?'}: ".join([json.dumps(key), ts_type(value)])
            for key, value in schema["properties"].items()]
    return "{ " + "; ".join(rows) + " }"


# Python


def python(document):
    tools = list(tools_of(document))
    out = ['"""What the tools take. Made by clients/generate.py from the API\'s description; changes here are lost."""\n\n',
           "from __future__ import annotations\n\n",
           "from typing import Any, Literal, Sequence\n\n",
           "from ._files import FileInput\n",
           "from ._task import AsyncTask, Task\n\n",
           f"VERSION = {json.dumps(document['info']['version'])}\n"]
    several = ", ".join(json.dumps(tool.name) for tool in tools if tool.several or tool.without)
    out.append(f"# The tools that take several files.\nSEVERAL = frozenset(({several},))\n"
               "# The options that are files, by tool.\nFILE_OPTIONS: dict[str, tuple[str, ...]] = {\n")
    out += [f'    "{tool.name}": ({", ".join(json.dumps(option(key)) for key in tool.files)},),\n' for tool in tools if tool.files]
    out.append("}\n")
    for is_async in (False, True):
        out += py_class(tools, is_async)
    return "".join(out)


def py_class(tools, is_async):
    task = "AsyncTask" if is_async else "Task"
    yield (f"\n\nclass {'Async' if is_async else ''}ToolMethods:\n"
           f'    """One method a tool."""\n\n'
           f"    def run(self, tool: str, files: FileInput | Sequence[FileInput], **options: Any) -> {task}:\n"
           f'        """Submits files to a tool."""\n'
           f"        raise NotImplementedError\n")
    for tool in tools:
        yield py_method(tool, task)


def py_method(tool, task):
    rows = sorted(tool.parameters.items(), key=lambda one: one[0] not in tool.required)
    arguments = [f"{option(key)}: {py_type(value)}" + ("" if key in tool.required else f" | None = None") for key, value in rows]
    files = "" if tool.without else "        files: Sequence[FileInput],\n" if tool.several else "        file: FileInput,\n"
    out = f"\n    def {snake(tool.name)}(\n        self,\n{files}        *,\n"
    out += "".join(f"        {one},\n" for one in arguments)
    text = tool.summary + "\n\n" + "\n".join(
        textwrap.fill(f"{option(key)}: {said(value)}", WIDTH - 8, subsequent_indent="    ", break_on_hyphens=False)
        for key, value in rows)
    text = textwrap.indent(text.replace("\\", "\\\\"), " " * 8).lstrip()
    given = ", ".join(f"{option(key)}={option(key)}" for key, _ in rows)
    call = "\n".join(textwrap.wrap(given, 100, initial_indent=" " * 12, subsequent_indent=" " * 12))
    return (f'{out}    ) -> {task}:\n        """{text}\n        """\n'
            f'        return self.run(\n            "{tool.name}", {"[]" if tool.without else "files" if tool.several else "file"},\n{call},\n        )\n')


def py_type(schema):
    if is_headers(schema):
        return "dict[str, str] | str"
    if is_file(schema):
        return "FileInput"
    if "anyOf" in schema:
        return " | ".join(py_type(one) for one in schema["anyOf"])
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
    if schema.get("type") == "array":
        return f"Sequence[{py_type(schema['items'])}]"
    return {"integer": "int", "number": "float", "boolean": "bool"}.get(schema.get("type"), "str")


main()
