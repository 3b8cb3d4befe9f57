/* finding: the course of redact-find, a tool of platen-render, and, where it reads pictures, of
 * platen-ocr. */
#pragma once

#include "declare/tool/tool.h"
#include "engine/page_search/presets.h"
#include "tools/redaction/picture_reader.h"
#include "tools/redaction/redaction.h"

struct finding_params {
    const char *text;
    const char *pattern;
    uint64_t preset;
    const char *regions;
    const char *pages;
    bool matchCase;
    bool wholeWords;
    const char *ocr;
    const char *language;
    const char *inputPassword;
};

/* Does the work of a tool with these parameters. `reader`: NULL where pictures cannot be read. */
int finding_run(struct tool_run *run, const struct finding_params *p,
                const struct picture_reader *reader, struct err *err);
