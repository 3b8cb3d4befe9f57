"""A job and its result, as the server tells of them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Output:
    """One file of a result."""

    name: str
    bytes: int
    sha256: str | None
    """In hexadecimal digits; None: not known, of a ZIP of several results."""
    download_url: str
    pages: int | None = None


@dataclass(frozen=True)
class Warning:  # noqa: A001 - the API's word
    """Something that a caller should know about a result."""

    code: str
    message: str
    step: int | None = None
    """The step of a pipeline that gave the warning, counted from 1."""


@dataclass(frozen=True)
class Job:
    """A job. `raw` has all that the server said."""

    id: str
    status: str
    """pending, completed or failed."""
    tool: str
    progress: float
    outputs: tuple[Output, ...]
    """Every file of the result."""
    whole: Output | None
    """The result as one file: of several a ZIP."""
    warnings: tuple[Warning, ...]
    report: dict[str, Any]
    """What some tools say about their work."""
    error: str | None
    message: str | None
    field: str | None
    delivery: str | None
    """Of a job with an `output_url`: pending, done or failed."""
    delivery_message: str | None
    """Why the last attempt to send the result failed."""
    raw: dict[str, Any] = dataclasses.field(repr=False)

    @property
    def ref(self) -> str:
        """The reference by which later jobs can use this result as a file."""
        return f"job:{self.id}"


def job_of(raw: dict[str, Any]) -> Job:
    outputs = tuple(Output(one["name"], one["bytes"], one["sha256"], one["downloadUrl"], one.get("pages"))
                    for one in raw.get("outputs", ()))
    whole = None
    if len(outputs) == 1 and outputs[0].name == raw.get("outputFile"):
        whole = outputs[0]
    elif raw["status"] == "completed":
        whole = Output(raw["outputFile"], raw["outputBytes"], None, raw["downloadUrl"])
    return Job(id=raw["jobId"], status=raw["status"], tool=raw["tool"], progress=raw.get("progress", 0.0), outputs=outputs,
               whole=whole, warnings=tuple(Warning(one["code"], one["message"], one.get("step")) for one in raw.get("warnings", ())),
               report=raw.get("report", {}), error=raw.get("error"), message=raw.get("message"), field=raw.get("field"),
               delivery=raw.get("delivery"), delivery_message=raw.get("deliveryMessage"), raw=raw)
