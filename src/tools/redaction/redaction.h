/*
 * redaction: the course of redact: searches, removes, writes, and proves that what was removed is
 * gone. Two programs have it as a tool: platen-render, and, where it reads pictures, platen-ocr
 * (docs/decisions/0021-redact-reads-its-result.md).
 */
#pragma once

#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "engine/page_search/presets.h"
#include "tools/redaction/picture_reader.h"

struct redaction_params {
    const char *text;
    const char *pattern;
    uint64_t preset;
    const char *regions;
    const char *hits;
    const char *pages;
    bool matchCase;
    bool wholeWords;
    const char *fill;
    const char *label;
    const char *width;
    int64_t expect;
    const char *unreadable;
    const char *ifNone;
    const char *metadata;
    const char *scope;
    const char *signatures;
    const char *ocr;
    const char *language;
    const char *inputPassword;
};

/* The choices of the parameters, of which redaction_params.def makes a tool's table. */
extern const char *const redaction_fills[],
    *const redaction_widths[], *const redaction_unreadable[],
                                   *const redaction_if_none[],
                                       *const redaction_metadata[],
                                           *const redaction_scopes[], *const redaction_signatures[],
                                                                          *const redaction_ocr[];

/* Does the work of a tool with these parameters. `reader`: NULL where pictures cannot be read. */
int redaction_run(struct tool_run *run, const struct redaction_params *p,
                  const struct picture_reader *reader, struct err *err);
