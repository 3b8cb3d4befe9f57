/*
 * ways: the ways to make a damaged document whole: our own salvage, qpdf's recovery and MuPDF's
 * repair, the two of others also on the file as it was received. None is the best for every kind of
 * damage. They are in the order in which they are preferred when a reader sees no difference: the
 * first also mends what no reader shows.
 */
#pragma once

#include "declare/tool_run/run.h"
#include "engine/repair/salvaged.h"

#define WAYS 5

struct ways {
    struct tool_run *run;
    struct salvaged *salvaged;
    const char *password;
    const char *received; /* path of the file as it was received */
    const char *undone; /* path of the file with conversions undone; `received` if there are none */
    const char *candidate; /* path of the file that ways_write makes */
};

/* Whether the i-th way can make something else than those before it. `found`: salvage's document
 * could be read. */
bool ways_differs(const struct ways *ways, size_t i, bool found);
bool ways_is_salvage(size_t i);
/* Writes the document as the i-th way makes it. Errors as pdf_doc_open_whole, rescue_save and
 * recovery_salvage. */
int ways_write(const struct ways *ways, size_t i, struct err *err);
/* Opens it independently of the candidate's file, which the caller may overwrite. */
int ways_open(const struct ways *ways, size_t i, struct pdf_doc *doc, struct err *err);
