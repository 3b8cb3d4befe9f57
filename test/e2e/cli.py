"""The command line, as `platen --help` says: words, exit statuses, folders, a bar on a terminal."""

import contextlib
import os
import pty
import re
import shutil
import signal
import subprocess
import tempfile

from platen import PLATEN, children_of, done, name_of, ok, pdf, same, until

folder = tempfile.mkdtemp(prefix="platen-cli-")


def platen(*words, stdin=""):
    return subprocess.run([PLATEN, *words], cwd=folder, capture_output=True, text=True, input=stdin,
                          timeout=60)


def put(name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def there(name):
    return os.path.exists(os.path.join(folder, name))


def on_terminal(*words):
    """What a person sees."""
    main_end, other_end = pty.openpty()
    child = subprocess.Popen([PLATEN, *words], cwd=folder, stderr=other_end, stdout=other_end)
    os.close(other_end)
    seen = b""
    while True:
        try:
            got = os.read(main_end, 4096)
        except OSError:
            break
        if not got:
            break
        seen += got
    os.close(main_end)
    return child.wait(60), seen.decode()


def check_words():
    same("--version", platen("--version").stdout.split()[0], "platen")
    for words in (["--help"], ["serve", "--help"], ["key", "--help"], ["run", "--help"],
                  ["tools", "--help"]):
        answer = platen(*words)
        ok(f"platen {' '.join(words)} prints help, with status 0",
           answer.returncode == 0 and len(answer.stdout) > 60)
    for words in ([], ["dance"], ["key"], ["key", "dance"], ["run"], ["run", "shred", "a.pdf"],
                  ["serve", "--colour", "red"], ["tools", "shred"], ["serve", "--listen", "nowhere"],
                  ["run", "rotate", "a.pdf", "-o", "x.pdf"],
                  ["run", "rotate", "a.pdf", "--degrees", "45", "-o", "x.pdf"],
                  ["run", "rotate", "a.pdf", "--degrees", "90"],
                  ["run", "rotate", "missing.pdf", "--degrees", "90", "-o", "x.pdf"],
                  ["run", "rotate", "text.pdf", "--degrees", "90", "-o", "x.pdf"],
                  ["run", "add-password", "a.pdf", "--password", "漢", "--encryption", "aes128", "-o",
                   "x.pdf"],
                  ["run", "sign", "a.pdf", "--signerName", "A", "--page", "1,2", "-o", "x.pdf"],
                  ["run", "merge", "a.pdf", "-o", "x.pdf"]):
        answer = platen(*words)
        ok(f"wrong use is reported with status 2: platen {' '.join(words)}",
           answer.returncode == 2 and answer.stderr.startswith("platen: "), answer)
    names = [line.split()[0] for line in platen("tools").stdout.splitlines()]
    programs = ("platen_pages", "platen_worker", "platen_render", "platen_ocr", "platen_office", "platen_browser")
    built = [program for program in programs
             if os.path.exists(os.path.join(os.path.dirname(PLATEN), program.replace("_", "-")))]
    with open(os.path.join(os.path.dirname(__file__), "../../src/tools/tools.def")) as file:
        declared = re.findall(r"TOOL\((\w+), (\w+)\)", file.read())
    own = ("inspect", "page_sizes", "page_pictures", "page_words", "split_blank", "transcribe",
           "redact_read", "redact_find_read")  # the server's
    ok("platen tools lists the tools of the installed programs", names == [
        tool.replace("_", "-") for program in built for tool, of in declared
        if of == program and tool not in own] + ["pipeline"], names)
    os.mkdir(os.path.join(folder, "programs"))
    os.symlink(os.path.join(os.path.dirname(PLATEN), "platen-pages"),
               os.path.join(folder, "programs", "platen-pages"))
    fewer = platen("tools", "--programs", "programs")
    ok("without a worker program platen tools omits its tools and says so",
       fewer.returncode == 0 and
       "rotate" in fewer.stdout and "to-png" not in fewer.stdout, fewer)
    shutil.rmtree(os.path.join(folder, "programs"))
    if len(built) == len(programs):
        same("platen tools prints no warning if all programs are installed",
             platen("tools").stderr, "")
    ok("platen tools split lists the parameters of split",
       all(word in platen("tools", "split").stdout for word in (
        "--pages", "--mode", "ranges, extract, each, remove", "--maxSize", "--outputName")))


def check_help():
    same("-V and version print what --version prints",
         (platen("-V").stdout, platen("version").stdout),
         (platen("--version").stdout,) * 2)
    same("help prints what --help prints", platen("help").stdout, platen("--help").stdout)
    same("platen help key prints what platen key --help prints", platen("help", "key").stdout,
         platen("key", "--help").stdout)
    helped = platen("run", "rotate", "--help")
    ok("platen run TOOL --help shows the tool's parameters", helped.returncode == 0 and
       "--degrees" in helped.stdout and "--outputName" in helped.stdout and
       helped.stdout == platen("tools", "rotate").stdout, helped)
    for words, wanted in (
            (["rnu"], "did you mean run?"), (["help", "doctr"], "did you mean doctor?"),
            (["xyzzy"], "platen --help lists them"),
            (["run", "rotat", "a.pdf", "-o", "x.pdf"], "did you mean rotate?"),
            (["tools", "rotat"], "did you mean rotate?"),
            (["tools", "shred"], "platen tools lists them"),
            (["run", "-o", "x.pdf", "rotate", "a.pdf"], "the tool comes first"),
            (["run", "pipeline", "a.pdf", "--steps", '[{"tool": "rotat"}]', "-o", "x.pdf"],
             "did you mean rotate?"),
            (["run", "rotate", "a.pdf", "--degree", "90", "-o", "x.pdf"],
             "did you mean --degrees?"),
            (["run", "rotate", "a.pdf", "--degrees", "90", "--forc", "-o", "x.pdf"],
             "did you mean --force?"),
            (["run", "rotate", "a.pdf", "--degrees", "90", "-v", "-o", "x.pdf"],
             "rotate has no option -v; platen run rotate --help"),
            (["run", "rotate", "a.pdf", "-degrees", "90", "-o", "x.pdf"],
             "did you mean --degrees?"),
            (["run", "rotate", "a.pdf", "--degrees", "-o", "x.pdf"],
             "--degrees needs a value, and -o is another option"),
            (["run", "rotate", "a.pdf", "--degrees"], "--degrees needs a value"),
            (["run", "rotate", "a.pdf", "-o", "--degrees", "90"],
             "-o needs a file or a folder, and --degrees is another option"),
            (["run", "rotate", "a.pdf", "--degrees", "90", "-ox.pdf"], "two words: -o x.pdf"),
            (["run", "rotate", "a.pdf", "--degrees", "90", "-o=x.pdf"], "two words: -o x.pdf"),
            (["run", "rotate", "a.pdf", "--degrees", "90", "--degrees=90", "-o", "x.pdf"],
             "degrees is given twice"),
            (["run", "split", "a.pdf", "--maxSize", "5x", "-o", "x.zip"], "maxSize must be"),
            (["run", "rotate", "a.pdf", "--degrees", "1k", "-o", "x.pdf"], "degrees must be"),
            (["run", "rotate", "a.pdf", "--outputUrl", "https://example.com/x", "-o", "x.pdf"],
             "--outputUrl is for a server"),
            (["run", "rotate", "https://example.com/a.pdf", "--degrees", "90", "-o", "x.pdf"],
             "fetch it first, such as with curl -O"),
            (["run", "rotate", "a.pdf", "--degrees", "90", "-o", "https://example.com/x"],
             "such as with curl -T FILE ADDRESS")):
        answer = platen(*words)
        ok(f"platen {' '.join(words)}: {wanted}", answer.returncode == 2 and
           wanted in answer.stderr and answer.stdout == "", answer)
    commands = re.findall(r"^  platen ([a-z]+) ", platen("--help").stdout, re.M)
    for command in commands:
        told = platen(command, "--help").stdout
        ok(f"platen {command} --help shows usage and options, each entry on one line",
           told.startswith(f"Usage:\n  platen {command}") and "\n\nOptions:\n" in told and all(
               re.match(r"  \S.*\S  +\S", line) for line in re.search(
                   r"^Options:\n((?:  .*\n)+)", told, re.M)[1].splitlines()), told)
        wrong = platen(command, *(["rotate"] if command == "run" else
                                  re.findall(rf"^  platen {command} ([a-z]+)", told, re.M)[:1]),
                       "--colour", "red")
        ok(f"platen {command} refuses an option that it does not have, with status 2",
           wrong.returncode == 2 and "has no option --colour" in wrong.stderr, wrong)
    ok("platen --help lists all commands", len(commands) > 10, commands)
    for words, wanted in ((["status", "--jsno"], "did you mean --json?"),
                          (["doctor", "--lisen", "x"], "did you mean --listen?"),
                          (["status", "--json=yes"], "--json has no value"),
                          (["backup"], "backup needs TARGET"), (["backup", "a", "b"], "no argument b"),
                          (["webhook", "sow", "pk_1"], "did you mean show?"),
                          (["webhook", "show"], "webhook show needs PREFIX"),
                          (["config", "chek"], "did you mean check?"),
                          (["move", "--to-store", "--to-blobs", "x"],
                           "--to-store needs a value, and --to-blobs is another option"),
                          (["move", "--to-blobs", "x", "--to-blobs", "y"], "given twice"),
                          (["key", "list", "--data"], "--data needs a value")):
        answer = platen(*words)
        ok(f"platen {' '.join(words)}: {wanted}", answer.returncode == 2 and
           wanted in answer.stderr and answer.stdout == "", answer)
    for words in (["rotate", "a.pdf", "--degrees", "-90", "-o", "minus.pdf"],
                  ["rotate", "a.pdf", "--degrees", "90", "--absolute", "-o", "absolute.pdf"],
                  ["rotate", "--absolute", "false", "a.pdf", "--degrees", "90", "--output=o.pdf"],
                  ["rotate", "--degrees", "90", "-o", "dashes.pdf", "--", "a.pdf"],
                  ["watermark", "a.pdf", "--text", "A", "--font-size", "9", "-o", "kebab.pdf"],
                  ["split", "a.pdf", "--maxSize", "5k", "-o", "sized.pdf"]):
        answer = platen("run", *words)
        ok(f"platen run {' '.join(words)} has status 0", answer.returncode == 0, answer)
    for name in ("minus.pdf", "absolute.pdf", "o.pdf", "dashes.pdf", "kebab.pdf", "sized.pdf"):
        os.unlink(os.path.join(folder, name))


def check_run():
    same("run: success is status 0 without any output",
         (lambda a: (a.returncode, a.stdout, a.stderr))(
        platen("run", "rotate", "a.pdf", "--degrees=90", "-o", "turned.pdf")), (0, "", ""))
    ok("run: the result is in the file that -o names", there("turned.pdf"))
    failed = platen("run", "rotate", "a.pdf", "--degrees", "90", "--pages", "9", "-o", "none.pdf")
    ok("run: a failed job is status 1, with code and message on standard error",
       failed.returncode == 1 and failed.stderr.startswith("platen: page_out_of_range: "), failed)
    ok("run: a failed job leaves no result", not there("none.pdf"))
    same("run: without -o the error names the three forms of it",
         platen("run", "rotate", "a.pdf", "--degrees", "90").stderr, "platen: missing_field: no "
         "output: add -o FILE, -o FOLDER or -o - for standard output\n")
    os.mkdir(os.path.join(folder, "out"))
    platen("run", "split", "a.pdf", "--pages", "1,2-3", "-o", "out")
    platen("run", "rotate", "a.pdf", "--degrees", "90", "-o", "out")
    same("run: a folder as -o gets each result under its own name",
         sorted(os.listdir(os.path.join(folder, "out"))),
         ["a-rotate.pdf", "a_1.pdf", "a_2-3.pdf"])
    platen("run", "add-password", "a.pdf", "--password", "-", "-o", "locked.pdf", stdin="hush\n")
    opened = subprocess.run(["qpdf", "--password=hush", "--is-encrypted",
                             os.path.join(folder, "locked.pdf")], capture_output=True)
    same("run: a password is read from standard input", opened.returncode, 0)
    many = subprocess.run(["sh", "-c", 'ulimit -Sn 1024 && exec "$@"', "sh", PLATEN, "run", "merge",
                           *["a.pdf"] * 700, "-o", "same.pdf"], cwd=folder, capture_output=True)
    ok("700 files can be merged where 1,024 may be open by default", many.returncode == 0, many)
    warned = platen("run", "remove-password", "a.pdf", "--password", "", "-o", "same.pdf")
    ok("run: a warning is printed, and the status stays 0",
       warned.returncode == 0 and "warning: not_encrypted: " in warned.stderr, warned)
    same("run: no temporary file is left in the folder", sorted(os.listdir(folder)),
         ["a.pdf", "big.pdf", "locked.pdf", "out", "same.pdf", "text.pdf", "turned.pdf"])


def check_libraries():
    """Loading libraries that only the server needs takes longer than a small file."""
    loaded = subprocess.run(["ldd", PLATEN], capture_output=True, text=True, check=True).stdout
    ok("platen run loads no library of the server", "libjansson" in loaded and not any(
        name in loaded for name in ("libcurl", "libpq", "libgnutls", "libmicrohttpd", "libsqlite3")), loaded)
    server = os.path.join(os.path.dirname(PLATEN), "platen-server")
    alone = subprocess.run([server, "run"], capture_output=True, text=True, check=False)
    ok("platen-server is refused if it is started by hand",
       alone.returncode == 2 and "started by platen" in alone.stderr, alone)


def check_terminal():
    status, seen = on_terminal("run", "split", "big.pdf", "--pages", "all", "--mode", "each", "-o",
                               "parts.zip")
    ok("run: a progress bar is drawn on a terminal and erased at the end",
       status == 0 and seen.count("\rsplit [") >= 2 and "#" in seen and seen.endswith("\r\x1b[K"),
       status, seen[-300:])


def children(process):
    """Those of all its threads, as long as it runs."""
    with contextlib.suppress(OSError):
        return [child for task in os.listdir(f"/proc/{process}/task") for child in children_of(process, task)]
    return []


def works(process):
    """Whether a process has used 20 ms of processor time, which a job has soon. A worker that starts has children that only try the sandbox."""
    with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as stat:
        state, *rest = stat.read().rpartition(") ")[2].split()
    return state != "Z" and (int(rest[10]) + int(rest[11])) * 1000 >= 20 * os.sysconf("SC_CLK_TCK")


def run_and_kill(times, name):
    """Runs a job whose process is killed up to `times` times. Returns how many were killed, and what the command did."""
    killed = set()
    with subprocess.Popen([PLATEN, "run", "split", "big.pdf", "--pages", "all", "--mode", "each", "-o", name],
                          cwd=folder, stderr=subprocess.PIPE, text=True) as command:
        def kill_next():
            for worker in children(command.pid):
                for job in set(children(worker)) - killed:
                    with contextlib.suppress(OSError):
                        if name_of(job) == name_of(worker) and works(job) and len(killed) < times:
                            os.kill(job, signal.SIGKILL)
                            killed.add(job)
            return command.poll() is not None

        until(kill_next)
        said = command.stderr.read()
    return len(killed), command.returncode, said


def run_and_catch(times, least, name):
    """The same, until at least `least` were killed: on a busy machine a job may end before it is seen."""
    for _ in range(6):
        killed, status, said = run_and_kill(times, name)
        if killed >= least:
            break
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(folder, name))
    return killed, status, said


def check_crashes():
    killed, status, said = run_and_catch(1, 1, "once.zip")
    ok("run: a job whose process crashes is run once more", (killed, status) == (1, 0) and there("once.zip"), killed, status, said)
    platen("run", "split", "big.pdf", "--pages", "all", "--mode", "each", "-o", "calm.zip")
    same("with the same result", *(os.path.getsize(os.path.join(folder, name)) for name in ("once.zip", "calm.zip")))
    killed, status, said = run_and_catch(3, 2, "twice.zip")
    ok("run: but not more often", killed == 2 and status != 0 and not there("twice.zip") and "crashed" in said, killed, status, said)


def check_help_on_terminal():
    """A terminal of pty has no size: its lines have 80 columns."""
    for words in (["serve", "--help"], ["run", "--help"], ["tools", "rotate"]):
        _, seen = on_terminal(*words)
        ok(f"on a terminal the lines of platen {' '.join(words)} fit into it, but for words that are longer",
           max(len(line) for line in seen.splitlines() if " " in line.strip()) <= 80, seen)


put("a.pdf", pdf(3))
put("big.pdf", pdf(3000))
put("text.pdf", b"not a PDF")
check_words()
check_help()
check_run()
check_libraries()
check_terminal()
check_crashes()
check_help_on_terminal()
shutil.rmtree(folder)
done()
