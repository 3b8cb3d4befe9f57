"""One run of a tool by `platen run`, and what it said."""

import glob
import os
import re
import shutil

from commands import run

JOB_SECONDS = 60


class Job:
    """How a job ended: "result", an error code, or "time"; its warnings; its results, in a folder of their own."""

    def __init__(self, platen, tool, paths, words, folder, name):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        out = os.path.join(folder, name) if name else folder + "/"
        ended = run([platen, "run", tool, *paths, *words, "-o", out], JOB_SECONDS + 20,
                    {**os.environ, "PLATEN_JOB_TIMEOUT": f"{JOB_SECONDS}s"}, limit_memory=False)
        failed = re.search(r"^platen: ([a-z_]+):", ended.said, re.M)
        self.end = "result" if ended.status == 0 else "time" if ended.status is None else failed[1] if failed else \
            f"status {ended.status}"
        self.warnings = sorted(set(re.findall(r"^warning: ([A-Za-z_]+):", ended.said, re.M)))
        self.said = ended.said
        self.outputs = sorted((path for path in glob.glob(glob.escape(folder) + "/**", recursive=True) if os.path.isfile(path)),
                              key=lambda path: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path)])
        self.done = self.end == "result" and bool(self.outputs)
