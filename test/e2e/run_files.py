"""platen run: standard input and output, links, devices, what is replaced, passwords typed, and
--each, which runs a tool on many files."""

import os
import pty
import select
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import termios
import time

from platen import DRAWS, PLATEN, done, ok, pdf, same

SHIM = sys.argv[2]  # a file system without O_TMPFILE
folder = tempfile.mkdtemp(prefix="platen-run-")
TURN = ("--degrees", "90")


def at(name):
    return os.path.join(folder, name)


def put(name, data=None, mode=0o644):
    with open(at(name), "wb") as file:
        file.write(pdf() if data is None else data)
    os.chmod(at(name), mode)


def read(name):
    with open(at(name), "rb") as file:
        return file.read()


def is_pdf(data):
    return data.startswith(b"%PDF-") and b"%%EOF" in data[-10:]


def run(*words, stdin=b"", **more):
    return subprocess.run([PLATEN, "run", *words], cwd=folder, capture_output=True, input=stdin,
                          timeout=60, **more)


def check_streams():
    answer = run("rotate", "a.pdf", *TURN, "-o", "-")
    ok("-o - writes to standard output", answer.returncode == 0 and is_pdf(answer.stdout), answer)
    ok("-o - makes no file named -", not os.path.exists(at("-")))
    answer = run("rotate", "-", *TURN, "-o", "in.pdf", stdin=pdf())
    ok("the file name - is standard input",
       answer.returncode == 0 and is_pdf(read("in.pdf")), answer)
    answer = run("rotate", "/dev/stdin", *TURN, "-o", "/dev/stdout", stdin=pdf())
    ok("/dev/stdin of a pipe and /dev/stdout are pipes", is_pdf(answer.stdout), answer)
    before = os.lstat("/dev/stdout")
    with open(at("shell.pdf"), "wb") as out:
        subprocess.run([PLATEN, "run", "rotate", "a.pdf", *TURN, "-o", "/dev/stdout"], cwd=folder,
                       stdout=out, timeout=60, check=False)
    ok("-o /dev/stdout writes to the file that standard output is", is_pdf(read("shell.pdf")))
    same("-o /dev/stdout does not replace the link /dev/stdout",
         os.lstat("/dev/stdout").st_ino, before.st_ino)
    answer = run("rotate", "a.pdf", *TURN, "-o", "/dev/null")
    ok("-o /dev/null succeeds and leaves the device", answer.returncode == 0 and stat.S_ISCHR(
        os.stat("/dev/null").st_mode), answer)
    os.mkfifo(at("fifo"))
    with subprocess.Popen(["cat", at("fifo")], stdout=subprocess.PIPE) as cat:
        answer = run("rotate", "a.pdf", *TURN, "-o", "fifo")
        ok("-o with a named pipe writes to the pipe",
           answer.returncode == 0 and is_pdf(cat.stdout.read()),
           answer)
    answer = run("rotate", ".", *TURN, "-o", "x.pdf")
    ok("a folder as input is reported as a folder", answer.returncode == 2 and b"is a folder" in
       answer.stderr, answer)
    both = run("add-password", "-", "--password", "-", "-o", "both.pdf", stdin=pdf())
    ok("a document and a password cannot both come from standard input", both.returncode == 2 and
       b"standard input" in both.stderr and not os.path.exists(at("both.pdf")), both)
    line = run("add-password", "a.pdf", "--password", "-", "-o", "line.pdf", stdin=b"pass\n")
    same("a password is read from the first line of standard input",
         (line.returncode, subprocess.run(
        ["qpdf", "--password=pass", "--check", at("line.pdf")], capture_output=True,
        check=False).returncode), (0, 0))


def check_replacing():
    put("real.pdf", b"old")
    os.symlink("real.pdf", at("link.pdf"))
    answer = run("rotate", "a.pdf", *TURN, "-o", "link.pdf")
    ok("-o with a symbolic link replaces the link's target",
       answer.returncode == 0 and is_pdf(read("real.pdf")),
       answer)
    ok("-o with a symbolic link keeps the link", os.path.islink(at("link.pdf")))
    os.symlink("nowhere.pdf", at("dangling.pdf"))
    answer = run("rotate", "a.pdf", *TURN, "-o", "dangling.pdf")
    ok("-o with a dangling link is refused", answer.returncode == 2 and b"target does not exist" in
       answer.stderr, answer)
    put("mine.pdf", b"old", 0o640)
    if os.geteuid() == 0:
        os.chown(at("mine.pdf"), 1234, 1234)
    run("rotate", "a.pdf", *TURN, "-o", "mine.pdf")
    kept = os.stat(at("mine.pdf"))
    same("a replaced file keeps its mode", stat.S_IMODE(kept.st_mode), 0o640)
    if os.geteuid() == 0:
        same("a replaced file keeps its owner", (kept.st_uid, kept.st_gid), (1234, 1234))
    put("fixed.pdf", b"old", 0o444)
    answer = run("rotate", "a.pdf", *TURN, "-o", "fixed.pdf")
    ok("a read-only file is not replaced without --force",
       answer.returncode == 2 and b"--force" in answer.stderr, answer)
    same("a read-only file that was not replaced is unchanged", read("fixed.pdf"), b"old")
    answer = run("rotate", "a.pdf", *TURN, "-o", "fixed.pdf", "--force")
    ok("--force replaces a read-only file",
       answer.returncode == 0 and is_pdf(read("fixed.pdf")), answer)
    put("same.pdf")
    before = read("same.pdf")
    answer = run("rotate", "same.pdf", *TURN, "-o", "./same.pdf")
    ok("an input is not replaced without --force",
       answer.returncode == 2 and read("same.pdf") == before, answer)
    ok("--force replaces an input",
       run("rotate", "same.pdf", *TURN, "-o", "same.pdf", "--force").returncode
       == 0 and read("same.pdf") != before)
    answer = run("rotate", "a.pdf", *TURN, "-o", "x.pdf", "-o", "y.pdf")
    same("-o given twice is refused", answer.returncode, 2)


def check_folder():
    """What is in a folder already follows the rules of a file that is given as the output."""
    os.mkdir(at("kept"))
    put("kept/a-rotate.pdf", b"old", 0o444)
    answer = run("rotate", "a.pdf", *TURN, "-o", "kept")
    ok("a read-only file in the output folder is not replaced without --force",
       b"--force" in answer.stderr and
       read("kept/a-rotate.pdf") == b"old", answer)
    ok("--force replaces a read-only file in the output folder",
       run("rotate", "a.pdf", *TURN, "-o", "kept", "--force").returncode == 0 and
       is_pdf(read("kept/a-rotate.pdf")))
    os.unlink(at("kept/a-rotate.pdf"))
    put("aside.pdf", b"old", 0o640)
    os.symlink("../aside.pdf", at("kept/a-rotate.pdf"))
    run("rotate", "a.pdf", *TURN, "-o", "kept")
    ok("a link in the output folder is followed", os.path.islink(at("kept/a-rotate.pdf")) and
       is_pdf(read("aside.pdf")) and stat.S_IMODE(os.stat(at("aside.pdf")).st_mode) == 0o640)
    put("kept/same.pdf")
    before = read("kept/same.pdf")
    answer = run("rotate", "kept/same.pdf", *TURN, "--outputName", "same.pdf", "-o", "kept")
    ok("an input in the output folder is not replaced", b"also an input" in answer.stderr and
       read("kept/same.pdf") == before, answer)


def check_parts():
    put("three.pdf", pdf(3))
    answer = run("split", "three.pdf", "--pages", "1,2", "--mode", "each", "-o", "parts.pdf")
    ok("several results under a name that ends in .pdf are refused", answer.returncode == 1 and
       b"NAME.zip" in answer.stderr and not os.path.exists(at("parts.pdf")), answer)
    answer = run("rotate", "three.pdf", *TURN, "-o", "turned.PNG")
    ok("a PDF under a name that ends in .png is refused", answer.returncode == 2 and
       b"give -o NAME.pdf" in answer.stderr and not os.path.exists(at("turned.PNG")), answer)
    if DRAWS:
        answer = run("to-png", "three.pdf", "--pages", "1", "-o", "one.pdf")
        ok("a picture under a name that ends in .pdf is refused", answer.returncode == 2 and
           b"give -o NAME.png" in answer.stderr and not os.path.exists(at("one.pdf")), answer)
    for name in ("turned.PDF", "turned", "turned.bak", "a.folder.name"):
        answer = run("rotate", "three.pdf", *TURN, "-o", name)
        ok(f"an output's name with the right extension or with none is accepted: {name}",
           answer.returncode == 0 and
           is_pdf(read(name)), answer)
    for name, wanted in (("n%d.png", ["n1.png", "n2.png", "n3.png"]),
                         ("n%03d.PNG", ["n001.PNG", "n002.PNG", "n003.PNG"]),
                         ("100%-%2d-%d.png", ["100%- 1-%d.png", "100%- 2-%d.png",
                                              "100%- 3-%d.png"])) if DRAWS else ():
        os.mkdir(at("numbered"))
        answer = run("to-png", "three.pdf", "--dpi", "20", "-o", f"numbered/{name}")
        same(f"{name} numbers the parts", (answer.returncode, sorted(os.listdir(at("numbered")))),
             (0, wanted))
        ok("each numbered part is a PNG",
           all(read(f"numbered/{part}").startswith(b"\x89PNG") for part in wanted))
        shutil.rmtree(at("numbered"))
    put("of%d.pdf")
    same("%d in the stem of an input does not number the outputs", (run(
        "rotate", "of%d.pdf", *TURN, "-o", "percent/").returncode,
        is_pdf(read("percent/of%d-rotate.pdf"))), (0, True))
    if DRAWS:
        answer = run("to-png", "three.pdf", "-o", "n%d.pdf")
        ok("the extension of a numbered name is checked",
           answer.returncode == 2 and b"NAME.png" in answer.stderr, answer)
    put("n2.pdf", b"old", 0o444)
    answer = run("split", "three.pdf", "--mode", "each", "--pages", "1-3", "-o", "n%d.pdf")
    ok("if one of the numbered files is read-only, none is written",
       answer.returncode == 1 and b"--force" in answer.stderr and read("n2.pdf") == b"old" and
       not os.path.exists(at("n1.pdf")), answer)
    same("a single result under a numbered name has the number 1",
         (run("rotate", "a.pdf", *TURN, "-o", "r%d.pdf").returncode,
                                         is_pdf(read("r1.pdf"))), (0, True))
    same("a ZIP of parts under a name without %d is written",
         run("split", "three.pdf", "--pages", "1,2", "--mode", "each", "-o",
                             "parts.zip").returncode, 0)
    answer = run("split", "three.pdf", "--pages", "1,2", "--mode", "each", "-o", "new/")
    ok("-o NAME/ makes the folder", answer.returncode == 0 and
       len(os.listdir(at("new"))) == 2, answer)
    same("no temporary file is left", [name for name in os.listdir(folder) if ".tmp" in name or
                                  name.startswith(".platen")], [])


def check_other_file_systems():
    """Where files cannot be without a name (vfat, NFS)."""
    env = {**os.environ, "LD_PRELOAD": SHIM}
    os.mkdir(at("vfat"))
    put("vfat/kept.pdf", b"old", 0o640)
    for words, wanted in ((["rotate", "a.pdf", *TURN, "-o", "vfat/new.pdf"], ["new.pdf"]),
                          (["rotate", "a.pdf", *TURN, "-o", "vfat/kept.pdf"], ["kept.pdf"]),
                          (["split", "three.pdf", "--mode", "each", "--pages", "1-3", "-o", "vfat"],
                           ["three_1.pdf", "three_2.pdf", "three_3.pdf"]),
                          (["rotate", "a.pdf", "three.pdf", *TURN, "--each", "-o", "vfat"],
                           ["a-rotate.pdf", "three-rotate.pdf"])):
        answer = run(*words, env=env)
        ok(f"on a file system without O_TMPFILE: {' '.join(words)}", answer.returncode == 0 and
           all(is_pdf(read(f"vfat/{name}")) for name in wanted), answer)
    same("on a file system without O_TMPFILE no temporary file is left",
         sorted(os.listdir(at("vfat"))),
         ["a-rotate.pdf", "kept.pdf", "new.pdf", "three-rotate.pdf", "three_1.pdf", "three_2.pdf",
          "three_3.pdf"])
    same("on a file system without O_TMPFILE a replaced file keeps its mode",
         stat.S_IMODE(os.stat(at("vfat/kept.pdf")).st_mode), 0o640)
    failed = run("rotate", "a.pdf", "--degrees", "90", "--pages", "9", "-o", "vfat/none.pdf",
                 env=env)
    same("on a file system without O_TMPFILE a failed job leaves no file",
         (failed.returncode, len(os.listdir(at("vfat")))), (1, 7))


def check_private():
    put("private.pdf", mode=0o600)
    answer = run("rotate", "private.pdf", *TURN, "-o", "of-private.pdf")
    ok("an input that only its owner may read is read", answer.returncode == 0 and
       is_pdf(read("of-private.pdf")), answer)


def check_prompt_interrupted():
    """Ctrl-C at the prompt ends the program, and the terminal shows again what is typed."""
    main_end, other_end = pty.openpty()
    before = termios.tcgetattr(other_end)
    child = subprocess.Popen([PLATEN, "run", "add-password", "a.pdf", "--password", "-", "-o",
                              "never.pdf"], cwd=folder, stdin=other_end, stdout=other_end,
                             stderr=other_end)
    seen = b""
    while b"password: " not in seen and select.select([main_end], [], [], 30)[0]:
        seen += os.read(main_end, 1000)
    os.write(main_end, b"hun\x03")
    same("Ctrl-C at the prompt ends the program", child.wait(60), -signal.SIGINT)
    same("after Ctrl-C at the prompt the terminal has its earlier settings",
         termios.tcgetattr(other_end), before)
    ok("after Ctrl-C at the prompt no file is written", not os.path.exists(at("never.pdf")))
    os.close(main_end)
    os.close(other_end)


def check_terminal():
    main_end, other_end = pty.openpty()
    child = subprocess.Popen([PLATEN, "run", "add-password", "a.pdf", "--password", "-", "-o",
                              "locked.pdf"], cwd=folder, stdin=other_end, stdout=other_end,
                             stderr=other_end)
    seen = b""
    while b"password: " not in seen and select.select([main_end], [], [], 30)[0]:
        seen += os.read(main_end, 1000)
    ok("--password - asks for the password on a terminal", b"password: " in seen, seen)
    os.write(main_end, b"hunter2\n")
    status = child.wait(60)
    os.close(other_end)
    try:
        while select.select([main_end], [], [], 1)[0]:
            got = os.read(main_end, 1000)
            if not got:
                break
            seen += got
    except OSError:
        pass
    os.close(main_end)
    ok("a password typed on the terminal is used", status == 0 and subprocess.run(
        ["qpdf", "--password=hunter2", "--check", at("locked.pdf")], capture_output=True,
        check=False).returncode == 0, seen)
    ok("a password typed on the terminal is not echoed", b"hunter2" not in seen, seen)
    check_prompt_interrupted()
    main_end, other_end = pty.openpty()
    answer = subprocess.run([PLATEN, "run", "rotate", "a.pdf", *TURN, "-o", "-"], cwd=folder,
                            stdout=other_end, stderr=subprocess.PIPE, timeout=60, check=False)
    ok("-o - to a terminal is refused", answer.returncode == 2 and
       b"redirect" in answer.stderr, answer)
    os.close(main_end)
    os.close(other_end)


def check_each():
    names = [f"e{i}.pdf" for i in range(7)]
    for name in names:
        put(name, pdf(2))
    put("bad.pdf", b"%PDF-1.4 and nothing else")
    put("text.txt", b"not a PDF")
    good = run("rotate", *names, *TURN, "--each", "--jobs", "3", "-o", "each/")
    ok("--each writes a result for every file", good.returncode == 0 and
       sorted(os.listdir(at("each"))) == [f"e{i}-rotate.pdf" for i in range(7)] and
       all(is_pdf(read(f"each/e{i}-rotate.pdf")) for i in range(7)), good)
    same("--each prints one line that counts the files", (good.stdout, good.stderr),
         (b"", b"platen: 7 of 7 files done\n"))
    same("each result of --each has the pages of its one file", subprocess.run(
        ["qpdf", "--show-npages", at("each/e3-rotate.pdf")], capture_output=True,
        check=False).stdout, b"2\n")
    some = run("rotate", "bad.pdf", "e0.pdf", "gone.pdf", "text.txt", "e1.pdf", *TURN, "--each",
               "-o", "some/")
    lines = some.stderr.decode().splitlines()
    ok("--each continues after failures, and has status 1", some.returncode == 1 and
       sorted(os.listdir(at("some"))) == ["e0-rotate.pdf", "e1-rotate.pdf"], some)
    ok("--each lists and counts the failures", len(lines) == 4 and
       lines[0].startswith("platen: bad.pdf: corrupt_file: ") and
       lines[1].startswith("platen: gone.pdf: invalid_request: ") and
       lines[2].startswith("platen: text.txt: unsupported_file_type: ") and
       lines[3] == "platen: 2 of 5 files done, 3 failed", lines)
    os.mkdir(at("sub"))
    put("sub/e0.pdf")
    for words, wanted in (
            (["rotate", "e0.pdf", "sub/e0.pdf", *TURN, "--each", "-o", "none/"], b"the same name"),
            (["rotate", "e0.pdf", *TURN, "--each", "-o", "none.pdf"], b"-o FOLDER/"),
            (["rotate", "e0.pdf", *TURN, "--each", "-o", "-"], b"-o FOLDER/"),
            (["rotate", "e0.pdf", *TURN, "--jobs", "2", "-o", "none/"], b"--each"),
            (["rotate", "e0.pdf", *TURN, "--each", "--jobs", "0", "-o", "none/"], b"from 1 to 64"),
            (["rotate", "e0.pdf", *TURN, "--each", "--outputName", "x", "-o", "none/"],
             b"--outputName"),
            (["pipeline", "--steps", '[{"tool": "rotate", "params": {"degrees": 90}}]', "--each",
              "-o", "none/"], b"at least 1 file"),
            (["merge", "e0.pdf", "e1.pdf", "--each", "-o", "none/"], b"at least 2 files"),
            (["rotate", "e0.pdf", "--degrees", "45", "--each", "-o", "none/"], b"degrees")):
        answer = run(*words)
        ok(f"wrong use of --each is refused: {' '.join(words)}", answer.returncode == 2 and
           wanted in answer.stderr and not os.path.exists(at("none.pdf")), answer)
    kept = read("e2.pdf")
    os.mkdir(at("in"))
    put("in/e2-rotate.pdf", kept)
    own = run("rotate", "e2.pdf", "in/e2-rotate.pdf", *TURN, "--each", "-o", "in")
    ok("--each never replaces an input", own.returncode == 1 and
       b"also an input" in own.stderr and read("in/e2-rotate.pdf") == kept, own)
    steps = '[{"tool": "rotate", "params": {"degrees": 90}}, {"tool": "rotate", "params": ' \
        '{"degrees": 90}}]'
    ok("--each works for pipelines", run("pipeline", "e0.pdf", "e1.pdf", "--steps", steps, "--each",
                                      "-o", "piped/").returncode == 0 and
       len(os.listdir(at("piped"))) == 2)


def check_each_interrupted():
    """An interrupt in the middle leaves whole results only."""
    os.mkdir(at("many"))
    for i in range(400):
        put(f"many/m{i}.pdf")
    names = [f"many/m{i}.pdf" for i in range(400)]
    for number in (signal.SIGINT, signal.SIGTERM):
        results = at(f"stopped{number}")
        child = subprocess.Popen([PLATEN, "run", "rotate", *names, *TURN, "--each", "-o",
                                  results + "/"], cwd=folder, stderr=subprocess.PIPE,
                                 start_new_session=True)
        limit = time.monotonic() + 60
        while time.monotonic() < limit and not (os.path.isdir(results) and os.listdir(results)):
            time.sleep(0.01)
        os.killpg(child.pid, number)
        told = child.communicate(timeout=60)[1]
        left = os.listdir(results)
        same("--each ends by the signal that it got", child.returncode, -number)
        ok("an interrupted --each leaves only complete results", 0 < len(left) < 400 and
           all(name.endswith("-rotate.pdf") and is_pdf(read(os.path.join(results, name)))
               for name in left), left)
        same("an interrupted --each prints how many files are done",
             told.decode(), f"platen: interrupted: {len(left)} of 400 files done\n")


def check_each_terminal():
    main_end, other_end = pty.openpty()
    child = subprocess.Popen([PLATEN, "run", "rotate", "e0.pdf", "e1.pdf", "e2.pdf", *TURN,
                              "--each", "-o", "shown/"], cwd=folder, stderr=other_end)
    os.close(other_end)
    seen = b""
    try:
        while got := os.read(main_end, 1000):
            seen += got
    except OSError:
        pass
    os.close(main_end)
    ok("--each counts the files on one line of a terminal", child.wait(60) == 0 and
       b"\r\x1b[Krotate: 3 of 3 files done" in seen and
       seen.endswith(b"\r\x1b[Kplaten: 3 of 3 files done\r\n") and seen.count(b"\n") == 1, seen)


put("a.pdf")
check_streams()
check_replacing()
check_folder()
check_parts()
check_other_file_systems()
check_private()
check_terminal()
check_each()
check_each_interrupted()
check_each_terminal()
done()
