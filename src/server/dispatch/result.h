/*
 * result: names and records a finished job's outputs. A result is one blob; its outputs are the
 * whole of it, or the parts of a ZIP, each a range of its bytes.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "base/err.h"
#include "data/job/job.h"
#include "sandbox/worker/worker.h"

#define RESULT_NAME 201 /* room for outputFile: at most 200 bytes of UTF-8, and a NUL */

/* Makes a name: "report" + "rotate" + "pdf" -> "report-rotate.pdf". A name that the client chose
 * (outputName) has no tool. The stem is cut if necessary. */
void result_name(const char *stem, const char *tool, const char *extension,
                 char out[static RESULT_NAME]);

/* The stem of a result: outputName without the extension of the result's kind (`gives`), or the
 * first upload's name without its extension, sanitised; "document" if nothing is left. */
void result_stem(const char *output_name, const char *gives, const char *first_upload,
                 char out[static RESULT_NAME]);

/* The outputs as stored in job.outputs_json, and the warnings with the report's figures as
 * stored in job.warnings_json: {"warnings": [...], "report": {...}}, or the array alone. NULL
 * without memory; the caller frees it. `name` is used for an output without a name of its own. */
char *result_outputs_json(const struct worker_result *result, const char *name);
char *result_warnings_json(const struct worker_result *result);

/* One output of a job. */
struct result_output {
    const char *name; /* borrowed from the JSON that it was read from */
    int64_t offset, bytes, pages;
    const char *sha256; /* "" if not known */
};
/* Reads entry i of a parsed outputs_json. False past the end. */
bool result_output_at(const json_t *outputs, size_t i, struct result_output *output);
