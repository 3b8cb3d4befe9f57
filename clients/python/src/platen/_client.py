"""The clients of a platen server: one that waits, and one for asyncio."""

from __future__ import annotations

import asyncio
import json
import os
import re
import urllib.parse
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, AsyncIterator, Callable, Iterator, Sequence, TypeVar, cast

from ._errors import PlatenError
from ._files import FileInput, open_file, reference_of
from ._form import Form
from ._http import Http, Stop
from ._job import Job, job_of
from ._task import AsyncTask, Progress, Task
from ._ticket import Ticket
from ._tools import FILE_OPTIONS, SEVERAL, VERSION, AsyncToolMethods, ToolMethods
from ._upload import forget_upload, send_in_pieces

# Small files of one request together, in pieces; what is beyond is sent in pieces.
INLINE_PIECES = 4
# Threads of an AsyncPlaten: as many jobs are waited for at the same time.
THREADS = 64
T = TypeVar("T")


def _camel(name: str) -> str:
    return re.sub("_([a-z0-9])", lambda found: found[1].upper(), name.rstrip("_"))


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list, tuple)):
        return json.dumps(value)
    return str(value)


class Platen(ToolMethods):
    """A platen server.

    url: its address, such as https://pdf.example.com; the environment's PLATEN_URL if left out.
    key: the API key; the environment's PLATEN_KEY if left out.
    retries: how often a request is repeated after a broken connection or an overloaded server.
    request_timeout: seconds without an answer after which a connection counts as broken.
    piece_size: files larger than this number of bytes are sent in pieces of this size, so that an upload can go on.
    """

    version = VERSION

    def __init__(self, url: str | None = None, key: str | None = None, *, retries: int = 4, request_timeout: float = 60.0,
                 piece_size: int = 8 << 20) -> None:
        url, key = url or os.environ.get("PLATEN_URL"), key or os.environ.get("PLATEN_KEY")
        if not url:
            raise PlatenError("missing_url", "Give the server's address: Platen(url, key), or set PLATEN_URL.")
        if not key:
            raise PlatenError("missing_api_key", "Give an API key: Platen(url, key), or set PLATEN_KEY.")
        self._http = Http(url, key, retries, request_timeout)
        self._piece_size = piece_size

    def run(self, tool: str, files: FileInput | Sequence[FileInput], *, timeout: float | None = None,
            on_progress: Progress | None = None, stop: Stop | None = None, **options: Any) -> Task:
        """Submits files to a tool by its name. The methods of the tools are this with types. `timeout`: seconds until the
        job must have ended."""
        return self._submit(tool, _parts(files, tool in SEVERAL), options, timeout, on_progress, stop or Stop())

    def pipeline(self, files: FileInput | Sequence[FileInput], steps: Sequence[tuple[str, dict[str, Any]] | str], *,
                 timeout: float | None = None, on_progress: Progress | None = None, stop: Stop | None = None, **options: Any) -> Task:
        """Runs several tools one after another as one job. A step is a tool's name, or its name and its options."""
        extra: list[tuple[str, FileInput]] = []
        plain = []
        for number, step in enumerate(steps, 1):
            tool, given = (step, {}) if isinstance(step, str) else step
            params = {}
            for name, value in given.items():
                if value is not None and name in FILE_OPTIONS.get(tool, ()):
                    field = f"step{number}-{name}"
                    extra.append((field, value))
                    value = field  # the name of the part that has the file
                if value is not None:
                    params[_camel(name)] = value
            plain.append({"tool": tool, "params": params})
        return self._submit("pipeline", [*_parts(files, True), *extra], {**options, "steps": json.dumps(plain)}, timeout,
                            on_progress, stop or Stop())

    def workflow(self, files: FileInput | Sequence[FileInput], workflow: str, values: dict[str, Any] | None = None, *,
                 timeout: float | None = None, on_progress: Progress | None = None, stop: Stop | None = None, **options: Any) -> Task:
        """Runs a workflow that the account has saved, by its id. `values` sets parameters of its steps for this run
        ("steps[1].password": the first step has the number 0), and has the files that its steps name."""
        given = {name: value for name, value in (values or {}).items() if value is not None}
        extra: list[tuple[str, FileInput]] = [(name, value) for name, value in given.items() if not name.startswith("steps[")]
        texts = {name: value for name, value in given.items() if name.startswith("steps[")}
        return self._submit("pipeline", [*_parts(files, True), *extra], {**options, "workflow": workflow, **texts}, timeout,
                            on_progress, stop or Stop())

    def dry_run(self, tool: str, files: FileInput | Sequence[FileInput], **options: Any) -> dict[str, Any]:
        """Checks a submission and opens its files without a job and without using quota; gives the report."""
        form, uploads = self._form(tool, _parts(files, tool in SEVERAL), options, Stop(), None)
        try:
            report: dict[str, Any] = self._http.json(f"/api/v1/tools/pdf/{tool}/dry-run", method="POST", body=form.body(),
                                                     headers={"Content-Type": form.content_type})
            return report
        finally:
            self._forget(uploads)

    def upload(self, file: FileInput, *, on_progress: Progress | None = None, stop: Stop | None = None) -> str:
        """Sends a file in pieces and keeps it on the server for several jobs; gives the reference to it."""
        source = open_file(file)
        try:
            return "upload:" + send_in_pieces(self._http, source, self._piece_size, stop or Stop(), _sent(source.size, on_progress))
        finally:
            source.close()

    def ticket(self, *, max_bytes: int | None = None, name: str | None = None) -> Ticket:
        """Makes an address that takes one file without a key for 15 minutes, by PUT or by a browser's form. `ref` then names
        the file as an upload; `delete_upload(ref)` revokes the address. `max_bytes` is 100 MiB if left out."""
        given = {"maxBytes": max_bytes, "name": name}
        # If the answer is lost, the request is repeated, and a ticket that nobody knows is left, which expires.
        return Ticket(self._http.json("/api/v1/uploads/tickets", method="POST", headers={"Content-Type": "application/json"},
                                      body=json.dumps({key: value for key, value in given.items() if value is not None}).encode()))

    def tickets(self) -> list[Ticket]:
        """The tickets that wait for their files, without their addresses."""
        return [Ticket(one) for one in self._http.json("/api/v1/uploads/tickets")["tickets"]]

    def delete_upload(self, reference: str) -> None:
        """Removes an upload from the server at once."""
        self._http.send(f"/api/v1/uploads/{reference.removeprefix('upload:')}", method="DELETE").close()

    def job(self, job_id: str, *, wait: int = 0) -> Job:
        """One job as it is now, or at its end if `wait` is given, in seconds up to 30."""
        return job_of(self._http.json(f"/api/v1/jobs/{urllib.parse.quote(job_id, safe='')}?wait={wait}", patience=wait))

    def resume(self, job_id: str, *, timeout: float | None = None, on_progress: Progress | None = None) -> Task:
        """Goes on with a job that was submitted before, for example by another process."""
        return Task(self._http, self.job(job_id).id, timeout=timeout, on_progress=on_progress)

    def jobs(self, *, status: str | None = None, tool: str | None = None, client_ref: str | None = None,
             created_after: datetime | str | None = None, created_before: datetime | str | None = None) -> Iterator[Job]:
        """The account's jobs, the newest first; more are asked for as they are needed. Times need a time zone."""
        given = {"status": status, "tool": tool, "clientRef": client_ref, "createdAfter": created_after, "createdBefore": created_before}
        query = {name: _time(value) for name, value in given.items() if value is not None}
        while True:
            page = self._http.json("/api/v1/jobs?" + urllib.parse.urlencode(query))
            yield from map(job_of, page["jobs"])
            if not page["nextCursor"]:
                return
            query["cursor"] = page["nextCursor"]

    def delete_job(self, job_id: str) -> None:
        """Deletes a job and its files at once."""
        self._http.send(f"/api/v1/jobs/{urllib.parse.quote(job_id, safe='')}", method="DELETE").close()

    def usage(self) -> dict[str, Any]:
        """What the account has used of its plan this month."""
        used: dict[str, Any] = self._http.json("/api/v1/usage")
        return used

    def _submit(self, tool: str, files: list[tuple[str, FileInput]], options: dict[str, Any], timeout: float | None,
                on_progress: Progress | None, stop: Stop) -> Task:
        form, uploads = self._form(tool, files, options, stop, on_progress)
        try:
            # The same key for every repetition: whatever happens on the way, the job is made once.
            accepted = self._http.json(f"/api/v1/tools/pdf/{tool}", method="POST", body=form.body(), stop=stop,
                                       headers={"Content-Type": form.content_type, "Idempotency-Key": str(uuid.uuid4())})
        finally:
            self._forget(uploads)  # they were for one request only: the job has its own copy
        return Task(self._http, accepted["jobId"], timeout=timeout, on_progress=on_progress, stop=stop)

    def _form(self, tool: str, files: list[tuple[str, FileInput]], options: dict[str, Any], stop: Stop,
              on_progress: Progress | None) -> tuple[Form, list[str]]:
        """Reads small files, and sends large ones in pieces."""
        form, uploads, inline = Form(), [], 0
        given = {name: value for name, value in options.items() if value is not None}
        own = [name for name in given if name in FILE_OPTIONS.get(tool, ())]
        try:
            for field, file in [*files, *((_camel(name), given.pop(name)) for name in own)]:
                reference = reference_of(file)
                if reference is not None:
                    form.field(field, reference)
                    continue
                source = open_file(file)
                try:
                    if source.size <= self._piece_size and inline + source.size <= INLINE_PIECES * self._piece_size:
                        inline += source.size
                        form.file(field, source.name, source.read(0, source.size))
                        continue
                    uploads.append(send_in_pieces(self._http, source, self._piece_size, stop, _sent(source.size, on_progress)))
                    form.field(field, f"upload:{uploads[-1]}")
                finally:
                    source.close()
        except BaseException:
            self._forget(uploads)
            raise
        for name, value in given.items():
            form.field(_camel(name), _text(value))
        return form, uploads

    def _forget(self, uploads: list[str]) -> None:
        for upload in uploads:
            forget_upload(self._http, upload)


class AsyncPlaten(AsyncToolMethods):
    """The same for asyncio, with the same names. Use it as `async with AsyncPlaten(...) as platen`, or call `close` at the
    end. Requests run in threads of its own."""

    version = VERSION

    def __init__(self, url: str | None = None, key: str | None = None, *, retries: int = 4, request_timeout: float = 60.0,
                 piece_size: int = 8 << 20) -> None:
        self._platen = Platen(url, key, retries=retries, request_timeout=request_timeout, piece_size=piece_size)
        self._executor = ThreadPoolExecutor(THREADS, "platen")

    async def __aenter__(self) -> AsyncPlaten:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the threads, after the requests that they are in."""
        await asyncio.to_thread(self._executor.shutdown)

    def run(self, tool: str, files: FileInput | Sequence[FileInput], **options: Any) -> AsyncTask:
        """Submits files to a tool by its name."""
        stop = Stop()
        return AsyncTask(self._executor, stop, lambda: self._platen.run(tool, files, stop=stop, **options))

    def pipeline(self, files: FileInput | Sequence[FileInput], steps: Sequence[tuple[str, dict[str, Any]] | str],
                 **options: Any) -> AsyncTask:
        """Runs several tools one after another as one job. A step is a tool's name, or its name and its options."""
        stop = Stop()
        return AsyncTask(self._executor, stop, lambda: self._platen.pipeline(files, steps, stop=stop, **options))

    def workflow(self, files: FileInput | Sequence[FileInput], workflow: str, values: dict[str, Any] | None = None,
                 **options: Any) -> AsyncTask:
        """Runs a workflow that the account has saved, by its id; see `Platen.workflow`."""
        stop = Stop()
        return AsyncTask(self._executor, stop, lambda: self._platen.workflow(files, workflow, values, stop=stop, **options))

    async def dry_run(self, tool: str, files: FileInput | Sequence[FileInput], **options: Any) -> dict[str, Any]:
        """Checks a submission and opens its files without a job and without using quota; gives the report."""
        return await self._call(lambda: self._platen.dry_run(tool, files, **options))

    async def upload(self, file: FileInput, *, on_progress: Progress | None = None) -> str:
        """Sends a file in pieces and keeps it on the server for several jobs; gives the reference to it."""
        stop = Stop()
        try:
            return await self._call(lambda: self._platen.upload(file, on_progress=on_progress, stop=stop))
        except asyncio.CancelledError:
            stop.set()
            raise

    async def ticket(self, *, max_bytes: int | None = None, name: str | None = None) -> Ticket:
        """Makes an address that takes one file without a key for 15 minutes; see `Platen.ticket`."""
        return await self._call(lambda: self._platen.ticket(max_bytes=max_bytes, name=name))

    async def tickets(self) -> list[Ticket]:
        """The tickets that wait for their files, without their addresses."""
        return await self._call(self._platen.tickets)

    async def delete_upload(self, reference: str) -> None:
        """Removes an upload from the server at once."""
        await self._call(lambda: self._platen.delete_upload(reference))

    async def job(self, job_id: str, *, wait: int = 0) -> Job:
        """One job as it is now, or at its end if `wait` is given, in seconds up to 30."""
        return await self._call(lambda: self._platen.job(job_id, wait=wait))

    def resume(self, job_id: str, *, timeout: float | None = None, on_progress: Progress | None = None) -> AsyncTask:
        """Goes on with a job that was submitted before, for example by another process."""
        return AsyncTask(self._executor, Stop(), lambda: self._platen.resume(job_id, timeout=timeout, on_progress=on_progress))

    async def jobs(self, **query: Any) -> AsyncIterator[Job]:
        """The account's jobs, the newest first; the same options as those of `Platen.jobs`."""
        source = self._platen.jobs(**query)
        while (job := await self._call(lambda: next(source, None))) is not None:
            yield job

    async def delete_job(self, job_id: str) -> None:
        """Deletes a job and its files at once."""
        await self._call(lambda: self._platen.delete_job(job_id))

    async def usage(self) -> dict[str, Any]:
        """What the account has used of its plan this month."""
        return await self._call(self._platen.usage)

    async def _call(self, what: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._executor, what)


def _time(value: object) -> str:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise PlatenError("invalid_time", "A time needs a time zone, such as datetime.now(timezone.utc).")
        return value.isoformat()
    return str(value)


def _parts(files: FileInput | Sequence[FileInput], several: bool) -> list[tuple[str, FileInput]]:
    listed = cast("list[FileInput]", files if isinstance(files, list) else [files])
    if not several and len(listed) != 1:
        raise PlatenError("too_many_files", "This tool takes one file.")
    return [("files" if several else "file", file) for file in listed]


def _sent(size: int, on_progress: Progress | None) -> Callable[[int], None]:
    def report(sent: int) -> None:
        if on_progress:
            on_progress("uploading", sent / size if size else 1.0)
    return report
