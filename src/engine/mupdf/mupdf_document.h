/* mupdf_document: a PDF that MuPDF has opened for reading. Must be used by the thread that owns
 * engine_context. */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "engine/mupdf/page_count.h"
#include "pdf/document/update_state.h"

#define MUPDF_DOCUMENT_PAGES 100000 /* limit of pages */

struct mupdf_document {
    fz_context *ctx; /* engine_context */
    pdf_document *pdf;
    size_t n_pages;
    struct page_count count; /* the number of pages, corrected where the page tree is wrong */
    struct tool_run *run;    /* receives warnings, or NULL */
    bool mapped;             /* the page tree was read */
    char *memory;            /* the bytes it is read from, if not from a file */
    size_t memory_n;
    bool lent;         /* memory belongs to another document */
    bool recovered;    /* it is a document that salvage/ rebuilt */
    size_t lost_pages; /* number of pages that are known to have existed */
    enum update_state update;
    /* the file was checked before opening: it contains nothing that is known to harm MuPDF */
    bool looked_at;
};

/*
 * Opens an input. `password`: the client's, "" or NULL for none, tried in all forms of
 * declare/value/password.h. A damaged document is rebuilt (recovery/salvage/salvage.h) if MuPDF
 * cannot repair it, or finds fewer pages, or if an update at its end is cut. Errors:
 * ERR_PASSWORD_REQUIRED (none given, one needed), ERR_WRONG_PASSWORD, ERR_CORRUPT_FILE,
 * ERR_UNSUPPORTED_CONTENT (encryption by certificates), ERR_LIMIT_EXCEEDED (pages, memory).
 */
int mupdf_document_open(struct mupdf_document *doc, const char *path, const char *password,
                        struct tool_run *run, struct err *err);
/* The same with MuPDF's own repair alone, but for a cut update. */
int mupdf_document_open_as_is(struct mupdf_document *doc, const char *path, const char *password,
                              struct tool_run *run, struct err *err);
/* Opens the bytes that `other` was opened from, rebuilt or not, for `ctx`. Must be closed before
 * `other`. */
int mupdf_document_open_again(struct mupdf_document *doc, fz_context *ctx,
                              const struct mupdf_document *other, const char *path,
                              const char *password, struct err *err);
/* Writes the document with MuPDF's repairs, encrypted as it was. */
int mupdf_document_save(struct mupdf_document *doc, const char *path, struct err *err);
void mupdf_document_close(struct mupdf_document *doc);
#define AUTO_MUPDF_DOCUMENT __attribute__((cleanup(mupdf_document_close)))

/* Warns with `repaired`, `pages_lost` and those of update_state if the document had to be repaired
 * so far. */
void mupdf_document_warn(struct mupdf_document *doc);
/* Drops the objects that were read; they are read again when needed. Called now and then between
 * pages, so that memory does not grow with their number. */
void mupdf_document_trim(struct mupdf_document *doc);
/* The document's title (of its information dictionary) and natural language (of its catalog, ISO
 * 32000-2, 14.9.2): UTF-8, cut to their arrays; "" if not given. */
void mupdf_document_describe(struct mupdf_document *doc, char *title, size_t title_cap,
                             char *language, size_t language_cap);
