"""A small client of the Model Context Protocol over HTTP. It keeps every message, as the context of an
agent would."""

import base64
import json

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
META = "io.modelcontextprotocol/"


class Client:
    def __init__(self, server, key, revision=MODERN):
        self.server, self.key, self.revision = server, key, revision
        self.context = []  # the messages as text, in both directions
        self.last = 0

    def headers(self, method, params):
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}",
                   "Accept": "application/json, text/event-stream",
                   "MCP-Protocol-Version": self.revision}
        if self.revision == MODERN:
            headers["Mcp-Method"] = method
            name = params.get("uri" if method == "resources/read" else "name")
            if name is not None:
                headers["Mcp-Name"] = name if name.isascii() else f"=?base64?{base64.b64encode(name.encode()).decode()}?="
        return headers

    def post(self, message, headers):
        """Any text or object; the answer of HTTP."""
        text = message if isinstance(message, (str, bytes)) else json.dumps(message)
        return self.server.ask("POST", "/mcp", headers, text)

    def ask(self, method, params=None, change=None):
        """One request; its answer. change: headers that are sent in addition, or, as None, not."""
        params = dict(params or {})
        if self.revision == MODERN:
            params["_meta"] = {META + "protocolVersion": MODERN, META + "clientCapabilities": {},
                               META + "clientInfo": {"name": "test", "version": "1"}, **params.get("_meta", {})}
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        headers = {**self.headers(method, params), **(change or {})}
        self.context.append(json.dumps(message))
        answer = self.post(message, {name: value for name, value in headers.items() if value is not None})
        self.context.append(answer.body.decode())
        return answer

    def call(self, tool, /, **arguments):
        """The result of a tool."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        if answer.status != 200 or answer.json["id"] != self.last or "result" not in answer.json:
            raise RuntimeError(answer)
        return answer.json["result"]

    def stream(self, tool, meta, /, **arguments):
        """The notifications for a call, and its result."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments, "_meta": meta})
        if answer.status != 200 or answer.headers["Content-Type"] != "text/event-stream":
            raise RuntimeError(answer)
        blocks = answer.body.decode().split("\n\n")
        if blocks.pop() or not all(block.startswith("event: message\ndata: ") for block in blocks):
            raise RuntimeError(answer)
        *notes, last = [json.loads(block.partition("data: ")[2]) for block in blocks]
        if last["id"] != self.last or any("id" in note for note in notes):
            raise RuntimeError(answer)
        return notes, last["result"]


def words(result):
    return result["content"][0]["text"]


def links(result):
    return [part for part in result["content"] if part["type"] == "resource_link"]
