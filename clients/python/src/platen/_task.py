"""One job from its submission to its result."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Generator, Iterator, TypeVar

from ._download import pieces, read_all, save_to
from ._errors import JobError, NotFoundError, TimedOut
from ._http import Http, Stop
from ._job import Job, Output, job_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

# The longest time in seconds that one request waits for a job: proxies close connections that are silent for longer.
SLICE = 25

# Gets the stage (uploading, running, completed) and how far it is, from 0 to 1.
Progress = Callable[[str, float], None]
T = TypeVar("T")


class Task:
    """A job that the server has accepted. All methods wait for its end first; a job that failed raises `JobError`."""

    def __init__(self, http: Http, job_id: str, *, timeout: float | None = None, on_progress: Progress | None = None,
                 stop: Stop | None = None, job: Job | None = None) -> None:
        self._http = http
        self._id = job_id
        self._until = None if timeout is None else time.monotonic() + timeout
        self._on_progress = on_progress
        self._stop = stop or Stop()
        self._job = job

    @property
    def id(self) -> str:
        """The job's id."""
        return self._id

    @property
    def ref(self) -> str:
        """The reference by which later jobs can use this result as a file, once it is completed."""
        return f"job:{self._id}"

    def wait(self) -> Job:
        """The completed job. Raises `JobError`, or `TimedOut`, in which case the job is deleted."""
        while self._job is None or self._job.status == "pending":
            left = SLICE if self._until is None else self._until - time.monotonic()
            if left <= 0:
                self.cancel()
                raise TimedOut("The job did not end within its timeout.")
            seconds = 1 if self._on_progress else max(1, min(SLICE, int(left)))
            raw = self._http.json(f"/api/v1/jobs/{self._id}?wait={seconds}", patience=seconds, stop=self._stop)
            self._job = job_of(raw)
            if self._on_progress and self._job.status == "pending":
                self._on_progress("running", self._job.progress)
        if self._job.status == "failed":
            raise JobError(self._job)
        if self._on_progress:
            self._on_progress("completed", 1.0)
            self._on_progress = None
        return self._job

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the result to a file, or into a folder under its own name; gives its path. Several results are one ZIP."""
        return save_to(path, self._http, self._whole(), self._stop)

    def save_all(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes each file of the result into a folder; gives their paths."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        return [save_to(folder, self._http, output, self._stop) for output in self.wait().outputs]

    def bytes(self) -> bytes:
        """The result in memory."""
        return read_all(self._http, self._whole(), self._stop)

    def text(self) -> str:
        """The result as text: of to-text, to-markdown and to-html."""
        return self.bytes().decode()

    def stream(self) -> Iterator[Any]:
        """The bytes of the result in pieces as they come. They are not checked against a digest."""
        return pieces(self._http, self._whole(), self._stop)

    def delivered(self) -> Job:
        """The job once its result was sent to `output_url`, or that was given up: its `delivery` is done or failed, and
        `delivery_message` says why. A job without `output_url` is given at once."""
        job, pause = self.wait(), 0.2
        while job.delivery == "pending":
            if self._until is not None and time.monotonic() > self._until:
                raise TimedOut("The result was not sent within the timeout.")
            self._stop.pause(pause)
            pause = min(pause * 2, 5)
            job = job_of(self._http.json(f"/api/v1/jobs/{self._id}", stop=self._stop))
        return job

    def cancel(self) -> None:
        """Deletes the job and its files on the server."""
        try:
            self._http.send(f"/api/v1/jobs/{self._id}", method="DELETE").close()
        except NotFoundError:
            pass

    def _whole(self) -> Output:
        whole = self.wait().whole
        assert whole is not None  # of a completed job
        return whole


class AsyncTask:
    """A job of an `AsyncPlaten`, which begins at once. `await task` gives the completed job."""

    def __init__(self, executor: Executor, stop: Stop, submit: Callable[[], Task]) -> None:
        self._executor = executor
        self._stop = stop
        self._task: asyncio.Future[Task] = asyncio.get_running_loop().run_in_executor(executor, submit)
        # That nobody waits for a job whose submission failed is not a fault of the program.
        self._task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def __await__(self) -> Generator[Any, None, Job]:
        return self._do(lambda task: task.wait()).__await__()

    async def id(self) -> str:
        """The job's id, as soon as the server has accepted the job."""
        return (await asyncio.shield(self._task)).id

    async def ref(self) -> str:
        """The reference by which later jobs can use this result as a file. Waits for the result."""
        return (await self).ref

    async def delivered(self) -> Job:
        """The job once its result was sent to `output_url`, or that was given up: its `delivery` is done or failed."""
        return await self._do(lambda task: task.delivered())

    async def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the result to a file, or into a folder under its own name; gives its path. Several results are one ZIP."""
        return await self._do(lambda task: task.save(path))

    async def save_all(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes each file of the result into a folder; gives their paths."""
        return await self._do(lambda task: task.save_all(folder))

    async def bytes(self) -> bytes:
        """The result in memory."""
        return await self._do(lambda task: task.bytes())

    async def text(self) -> str:
        """The result as text: of to-text, to-markdown and to-html."""
        return await self._do(lambda task: task.text())

    async def stream(self) -> AsyncIterator[Any]:
        """The bytes of the result in pieces as they come. They are not checked against a digest."""
        source = await self._do(lambda task: task.stream())
        while (piece := await self._in_thread(lambda: next(source, None))) is not None:
            yield piece

    async def cancel(self) -> None:
        """Stops waiting, and deletes the job and its files on the server."""
        self._stop.set()
        try:
            task = await asyncio.shield(self._task)
        except Exception:  # it was not submitted
            return
        await self._in_thread(task.cancel)

    async def _do(self, what: Callable[[Task], T]) -> T:
        try:
            task = await asyncio.shield(self._task)
            return await self._in_thread(lambda: what(task))
        except asyncio.CancelledError:
            await asyncio.shield(self.cancel())
            raise

    def _in_thread(self, what: Callable[[], T]) -> Awaitable[T]:
        return asyncio.get_running_loop().run_in_executor(self._executor, what)
