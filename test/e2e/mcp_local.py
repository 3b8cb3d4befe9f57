"""platen mcp: an agent on this machine works with the files of allowed folders, by this machine or by a
server. A recorded walk of ten tasks: no bytes of a file are in any message."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

from mcp_client import LEGACY, META, MODERN, links, words
from platen import DRAWS, PLATEN, Server, done, ok, pdf, same, until, without_office

without_office()
HOME = os.path.realpath(tempfile.mkdtemp(prefix="platen-mcp-test-"))


class Agent:
    """Speaks the protocol with `platen mcp`, and keeps what an agent would have in its context."""

    def __init__(self, *options, env=None):
        self.process = subprocess.Popen([PLATEN, "mcp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, **(env or {})})
        self.context, self.last = [], 0

    def send(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, params=None, revision=MODERN):
        params = dict(params or {})
        if revision == MODERN:
            params["_meta"] = {META + "protocolVersion": MODERN, META + "clientCapabilities": {}}
        self.last += 1
        message = json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        self.send(message)
        line = self.process.stdout.readline().decode()
        self.context += [message, line]
        answer = json.loads(line)
        if answer["id"] != self.last:
            raise RuntimeError(answer)
        return answer

    def call(self, tool, /, **arguments):
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    def close(self):
        self.process.stdin.close()
        errors = self.process.stderr.read().decode()
        return self.process.wait(120), errors


def write(name, data):
    path = os.path.join(HOME, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    return path


def saved(result):
    return [line.partition("Saved: ")[2] for line in words(result).split("\n") if line.startswith("Saved: ")]


def tell(path, *command):
    """What another program says of a file."""
    return subprocess.run([*command, path], capture_output=True, text=True, timeout=60, check=False).stdout


def pages(path, *options):
    return tell(path, "pdfinfo", *options).partition("Pages:")[2].split()[0:1]


def check_usage():
    none = subprocess.run([PLATEN, "mcp"], capture_output=True, text=True, timeout=60, check=False)
    ok("a folder is needed", none.returncode == 2 and "--folder" in none.stderr, none)
    gone = subprocess.run([PLATEN, "mcp", "--folder", HOME + "/gone"], capture_output=True, text=True, timeout=60, check=False)
    ok("a folder that is not there is an error", gone.returncode == 2 and "gone" in gone.stderr, gone)
    keyless = subprocess.run([PLATEN, "mcp", "--folder", HOME, "--server", "https://pdf.example"], capture_output=True,
                             text=True, timeout=60, check=False)
    ok("a server needs a key", keyless.returncode == 1 and "PLATEN_KEY" in keyless.stderr, keyless)


def refused(agent, what, text, **arguments):
    result = agent.call("run", **{"steps": [{"tool": "rotate", "params": {"degrees": 90}}], **arguments})
    ok(what, result.get("isError") is True and text in words(result), result)


def check_folders(agent):
    write("out/secret.pdf", pdf(1, "Secret"))
    os.symlink(os.path.join(HOME, "out/secret.pdf"), os.path.join(HOME, "docs/link.pdf"))
    os.symlink(os.path.join(HOME, "out"), os.path.join(HOME, "docs/way"))
    os.mkfifo(os.path.join(HOME, "docs/pipe"))
    for path in ("out/secret.pdf", "docs/link.pdf", "docs/way/secret.pdf", "docs/../out/secret.pdf"):
        refused(agent, f"{path} is not in an allowed folder", "not in an allowed folder", files=[os.path.join(HOME, path)])
    refused(agent, "nor is a path that goes up", "not in an allowed folder", files=["../out/secret.pdf"])
    refused(agent, "nor is /proc", "not in an allowed folder", files=["/proc/self/environ"])
    refused(agent, "a folder is no file", "not a file", files=[os.path.join(HOME, "docs")])
    refused(agent, "a FIFO is no file", "not a file", files=["pipe"])
    refused(agent, "a file that is not there", "does not exist", files=["gone.pdf"])
    before = os.listdir(os.path.join(HOME, "out"))
    for where in ("out", "docs/way", "docs/../out/x.pdf", "docs/way/x.pdf"):
        refused(agent, f"results are not saved in {where}", "not in an allowed folder", files=["a.pdf"],
                save_to=os.path.join(HOME, where))
    same("nothing was written there", os.listdir(os.path.join(HOME, "out")), before)


def check_saving(agent):
    steps = [{"tool": "rotate", "params": {"degrees": 90}}]
    first = saved(agent.call("run", steps=steps, files=["a.pdf"]))
    second = saved(agent.call("run", steps=steps, files=["a.pdf"]))
    same("results are saved next to the file, and replace none", [os.path.relpath(path, HOME) for path in first + second],
         ["docs/a-rotate.pdf", "docs/a-rotate-2.pdf"])
    os.makedirs(os.path.join(HOME, "docs/sub"), exist_ok=True)
    into = agent.call("run", steps=steps, files=["a.pdf"], save_to="sub")
    ok("save_to is a folder", saved(into) == [os.path.join(HOME, "docs/sub/a-rotate.pdf")] and
       links(into)[0]["uri"] == f"file://{HOME}/docs/sub/a-rotate.pdf", into)
    same("or a file", saved(agent.call("run", steps=steps, files=["a.pdf"], save_to="sub/turned.pdf")),
         [os.path.join(HOME, "docs/sub/turned.pdf")])
    many = agent.call("run", steps=[{"tool": "split", "params": {"mode": "each", "pages": "all"}}],
                      files=[write("docs/many.pdf", pdf(30))], save_to="sub", wait=50)
    ok("many results are saved as a ZIP", [path[-4:] for path in saved(many)] == [".zip"] and
       "30 files" in tell(saved(many)[0], "zipinfo", "-t"), many)


TASKS = []  # those that an agent did, each with the result that another program looked at


def task(agent, what, steps, files, check, **more):
    result = agent.call("run", steps=steps, files=files, wait=50, **more)
    paths = saved(result)
    ok(f"task: {what}", paths and check(paths), result)
    TASKS.append(what)
    return result


def walk(agent):
    """Ten tasks, as an agent does them: it looks for the tool, runs it, and corrects itself."""
    secret = os.urandom(30000)
    write("docs/report.pdf", pdf(4, "Report", note="x" * 1000, pad=30000))
    write("docs/annex.pdf", pdf(2, "Annex", pad=20000))
    write("docs/photo.bin", secret)
    find = words(agent.call("find_tool", query="combine two documents"))
    ok("the agent finds the tool", '"tool":"merge"' in find, find)
    merged = task(agent, "merge two files", [{"tool": "merge"}], ["report.pdf", "annex.pdf"],
                  lambda paths: pages(paths[0]) == ["6"])
    both = f"job:{merged['structuredContent']['jobId']}"
    task(agent, "turn the pages of an earlier result", [{"tool": "rotate", "params": {"degrees": 90}}], [both],
         lambda paths: "Page rot:        90" in tell(paths[0], "pdfinfo"), save_to=".")
    task(agent, "keep two pages", [{"tool": "split", "params": {"pages": "1-2"}}], ["report.pdf"],
         lambda paths: pages(paths[0]) == ["2"])
    task(agent, "split into single pages", [{"tool": "split", "params": {"mode": "each", "pages": "all"}}], ["annex.pdf"],
         lambda paths: [pages(path) for path in paths] == [["1"], ["1"]])
    wrong = agent.call("run", steps=[{"tool": "watermark", "params": {"text": "DRAFT", "opaciti": 0.5}}], files=["report.pdf"])
    ok("the agent reads what is wrong", wrong["isError"] and "opacity" in words(wrong), wrong)
    task(agent, "a watermark", [{"tool": "watermark", "params": {"text": "DRAFT", "opacity": 0.5, "rotation": 0}}], ["report.pdf"],
         lambda paths: "DRAFT" in tell(paths[0], "sh", "-c", 'pdftotext "$0" -'))
    task(agent, "page numbers", [{"tool": "page-numbers", "params": {"position": "bottom-center"}}], ["report.pdf"],
         lambda paths: pages(paths[0]) == ["4"])
    locked = task(agent, "a password", [{"tool": "add-password", "params": {"password": "s3cret"}}], ["report.pdf"],
                  lambda paths: "Encrypted:       yes" in tell(paths[0], "pdfinfo", "-upw", "s3cret"))
    closed = f"job:{locked['structuredContent']['jobId']}"
    blocked = agent.call("run", steps=[{"tool": "compress"}], files=[closed])
    ok("the agent learns that a password is needed", blocked["isError"] and "inputPassword" in words(blocked), blocked)
    task(agent, "no password", [{"tool": "remove-password", "params": {"password": "s3cret"}}], [closed],
         lambda paths: "Encrypted:       no" in tell(paths[0], "pdfinfo"), save_to=".")
    text = task(agent, "read the text", [{"tool": "to-text"}], ["annex.pdf"], lambda paths: True)
    ok("a short text is in the answer", "Annex 2" in words(text), text)
    task(agent, "two steps as one job", [{"tool": "rotate", "params": {"degrees": 180}}, {"tool": "compress"}],
         ["report.pdf", "annex.pdf"], lambda paths: len(paths) == 2)


def leaks_of(data, context):
    """Where 24 bytes of a file are in a text, as they are, as JSON has them, or in base64. The steps are those of base64's groups, so that
    it is found wherever it begins in the text."""
    found = []
    for at in range(0, len(data) - 24, 12):
        part = data[at:at + 24]
        raw, coded = part.decode("latin-1"), base64.b64encode(part).decode()
        if raw in context or json.dumps(raw)[1:-1] in context or coded in context:
            found.append(at)
    return found


def check_context(agent):
    """No 24 bytes of any file, sent or saved, are in what the agent sent and read."""
    same("the agent did ten tasks", len(set(TASKS)), 10)
    context = "\n".join(agent.context)
    leaks, total, files = [], 0, 0
    for folder, _, names in os.walk(os.path.join(HOME, "docs")):
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.isfile(path) or name.endswith(".txt"):  # a short text is shown
                continue
            with open(path, "rb") as file:
                data = file.read()
            total += len(data)
            files += 1
            leaks += [(name, at) for at in leaks_of(data, context)]
    ok("no bytes of a file are in the agent's context", not leaks and "%PDF" not in context and "JVBER" not in context, leaks[:9])
    with open(os.path.join(HOME, "docs/report.pdf"), "rb") as file:
        data = file.read()
    for what, text in (("as they are", data[5000:5200].decode("latin-1")), ("in JSON", json.dumps(data[5000:5200].decode("latin-1"))),
                       ("in base64", base64.b64encode(data).decode()[7000:7200])):
        ok(f"200 bytes {what} would be seen", leaks_of(data, context + text))
    print(f"# context of {len(context)} bytes for {total} bytes of {files} files in {len(agent.context) // 2} messages")
    ok("the context is small, next to the files", len(context) < 60000 and 5 * len(context) < total, (len(context), total))


def check_protocol(agent):
    agent.send("{")
    same("what is not JSON is a parse error", json.loads(agent.process.stdout.readline())["error"]["code"], -32700)
    agent.send("[]")
    same("a list is refused", json.loads(agent.process.stdout.readline())["error"]["code"], -32600)
    agent.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    begun = agent.ask("initialize", {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {}}, LEGACY)["result"]
    ok("a notification has no answer; initialize has", begun["protocolVersion"] == LEGACY and
       "by their paths" in begun["instructions"], begun)
    tools = {tool["name"]: tool for tool in agent.ask("tools/list")["result"]["tools"]}
    ok("the tools say that files are paths", "paths of local files" in
       tools["run"]["inputSchema"]["properties"]["files"]["description"] and
       "save_to" in tools["run"]["inputSchema"]["properties"], tools["run"])
    same("an unknown tool is an error of the protocol", agent.ask("tools/call", {"name": "é"})["error"]["code"], -32602)
    same("an unknown method, too", agent.ask("nix")["error"]["code"], -32601)


def check_local():
    write("docs/a.pdf", pdf(2, "Alpha"))
    temporary = os.path.join(HOME, "tmp")
    os.mkdir(temporary)
    agent = Agent("--folder", os.path.join(HOME, "docs"), f"--folder={HOME}/more", env={
        "TMPDIR": temporary, "PLATEN_STORE": "postgresql://nobody@nowhere.invalid/x"})
    check_protocol(agent)
    check_folders(agent)
    check_saving(agent)
    walker = Agent("--folder", os.path.join(HOME, "docs"))
    if DRAWS:
        walk(walker)
        check_context(walker)
    same("it ends with its input", walker.close(), (0, ""))
    ok("its server has a folder of its own", os.listdir(temporary) != [])
    agent.process.terminate()
    same("SIGTERM ends it, too", agent.process.wait(120), 0)
    same("and nothing is left", os.listdir(temporary), [])


def check_killed():
    """The server of its own does not outlive it, however it ends."""
    agent = Agent("--folder", os.path.join(HOME, "docs"))
    agent.ask("server/discover")
    with open(f"/proc/{agent.process.pid}/task/{agent.process.pid}/children", encoding="ascii") as file:
        children = file.read().split()
    ok("there is a server", len(children) == 1, children)
    agent.process.kill()
    agent.process.wait()

    def over():
        try:
            with open(f"/proc/{children[0]}/stat", encoding="ascii", errors="replace") as file:
                return file.read().rpartition(")")[2].split()[0] in "ZX"
        except OSError:
            return True

    ok("it ends when the agent's process is killed", until(over))


def check_server():
    server = Server("--mcp", "true")
    key = server.key()
    agent = Agent("--folder", os.path.join(HOME, "docs"), "--server", f"http://127.0.0.1:{server.port}/",
                  env={"PLATEN_KEY": key})
    result = agent.call("run", steps=[{"tool": "rotate", "params": {"degrees": 270}}], files=["a.pdf"])
    ok("a server does the work", "Page rot:        270" in tell(saved(result)[0], "pdfinfo"), result)
    ok("and counts it", '"used":1' in words(agent.call("usage")))
    same("the process ends well", agent.close(), (0, ""))
    with open(os.path.join(HOME, "key"), "w", encoding="ascii") as file:
        file.write("pk_wrong\n")
    agent = Agent("--folder", os.path.join(HOME, "docs"), "--server", f"http://127.0.0.1:{server.port}",
                  "--key-file", os.path.join(HOME, "key"))
    answer = agent.ask("tools/list")
    ok("a wrong key is an error", "API key" in answer["error"]["message"], answer)
    agent.close()
    server.close()
    agent = Agent("--folder", HOME, "--server", f"http://127.0.0.1:{server.port}", env={"PLATEN_KEY": key})
    answer = agent.ask("tools/list")
    ok("a server that is away is an error", "cannot be reached" in answer["error"]["message"], answer)
    agent.close()


for part in ("docs", "more"):
    os.mkdir(os.path.join(HOME, part))
check_usage()
check_local()
check_killed()
check_server()
shutil.rmtree(HOME)
done()
