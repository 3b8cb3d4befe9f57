/* document: a PDF opened for looking at, by MuPDF. For the thread that has engine_context. */
#pragma once

#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "mupdf/page_count.h"
#include "tool/run.h"

#define MUPDF_DOCUMENT_PAGES 100000 /* at most */

struct mupdf_document {
    fz_context *ctx; /* engine_context */
    pdf_document *pdf;
    size_t n_pages;
    struct page_count count; /* its number of pages may be one that is believed */
    struct tool_run *run;    /* who hears warnings, or NULL */
    bool mapped;             /* the page tree is known */
    char *memory;            /* what it is read from, if it is no file */
    size_t memory_n;
    bool lent; /* memory is another's */
    bool recovered;
    bool looked_at; /* before it was opened: nothing in the file is known to harm MuPDF */
};

/*
 * Opens an input. `password`: what the client gave, "" or NULL for none, tried in all forms of
 * tool/password.h. A damaged document is put together again (salvage/salvage.h) where MuPDF cannot
 * do it, or finds fewer pages. Errors: ERR_PASSWORD_REQUIRED (none given, one needed),
 * ERR_WRONG_PASSWORD, ERR_CORRUPT_FILE, ERR_UNSUPPORTED_CONTENT (an encryption by certificates),
 * ERR_LIMIT_EXCEEDED (pages, memory).
 */
int mupdf_document_open(struct mupdf_document *doc, const char *path, const char *password,
                        struct tool_run *run, struct err *err);
/* The same without recovery: MuPDF's own repair is all there is. */
int mupdf_document_open_as_is(struct mupdf_document *doc, const char *path, const char *password,
                              struct tool_run *run, struct err *err);
/* Opens for `ctx` what `other` was opened from, whatever it took, to be closed before that. */
int mupdf_document_open_again(struct mupdf_document *doc, fz_context *ctx,
                              const struct mupdf_document *other, const char *path,
                              const char *password, struct err *err);
/* Writes it, what is damaged as far as it was understood, encrypted as it was. */
int mupdf_document_save(struct mupdf_document *doc, const char *path, struct err *err);
void mupdf_document_close(struct mupdf_document *doc);
#define AUTO_MUPDF_DOCUMENT __attribute__((cleanup(mupdf_document_close)))

/* Warns with `repaired` if that was needed so far. */
void mupdf_document_warn(struct mupdf_document *doc);
/* Forgets the objects that were read: they are read again when they are needed. For now and then
 * between pages, so that memory does not grow with their number. */
void mupdf_document_trim(struct mupdf_document *doc);
/* The document's title (of its information dictionary) and natural language (of its catalog, ISO
 * 32000-2, 14.9.2): UTF-8, cut to their arrays; "" if the document does not say. */
void mupdf_document_describe(struct mupdf_document *doc, char *title, size_t title_cap,
                             char *language, size_t language_cap);
