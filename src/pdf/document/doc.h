/*
 * doc: a PDF opened for editing, by qpdf. src/pdf/ is the only folder that includes qpdf's headers;
 * every qpdf error leaves here as a struct err.
 */
#pragma once

#include <qpdf/qpdf-c.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "declare/tool_run/run.h"
#include "pdf/document/update_state.h"

#define PDF_DOC_PAGES 100000 /* limit of a document's pages */

struct pdf_doc {
    qpdf_data q;
    size_t n_pages;
    bool repaired;        /* something had to be rebuilt or guessed */
    int looped;           /* number of an object that qpdf drops, as its length refers to itself */
    const char *lapse;    /* a fault that leaves nothing to guess, as a sentence, or NULL */
    size_t lost_pages;    /* number of pages that are known to have existed */
    bool encrypted;       /* the input was encrypted */
    bool opened_as_owner; /* the password that opened it is the owner's and not the user's */
    bool password_fits;   /* the given password, even "", is one of the document's two */
    bool signed_;         /* it has a signature that a rewrite breaks */
    bool miscounted;      /* the trailer's /Size is wrong */
    enum update_state update;
    bool filters_differ; /* not everything in it is encrypted alike (crypt_filters.h) */

    /* Private to this folder. */
    struct tool_run *run; /* receives warnings, or NULL */
    bool strict;          /* opened by pdf_doc_open_strict */
    char *password;       /* the bytes that opened it */
    char *memory;         /* the bytes that it is read from, if not from a file */
    size_t memory_n;
    bool borrowed;   /* the memory belongs to the caller of pdf_doc_open_borrowed */
    char version[8]; /* the least version for a copy of its pages, or "" */
};

/*
 * Opens an input. `password`: the client's, "" or NULL for none; tried as given, after SASLprep,
 * and in the 8-bit forms that older handlers use. A document that opens with an empty password is
 * opened whatever was given; password_fits tells which. A damaged document is rebuilt
 * (recovery/salvage/salvage.h) if qpdf fails, or finds fewer pages, or if an update at its end is
 * cut. Warns on `run` (may be NULL) with `repaired`, `update_cut`, `pages_lost` and
 * `signature_invalidated`. Errors: ERR_PASSWORD_REQUIRED (none
 * given, one needed), ERR_WRONG_PASSWORD, ERR_CORRUPT_FILE, ERR_UNSUPPORTED_CONTENT (encryption by
 * certificates), ERR_LIMIT_EXCEEDED (pages).
 */
int pdf_doc_open(struct pdf_doc *doc, const char *path, const char *password, struct tool_run *run,
                 struct err *err);
/* The same without recovery or warnings: for callers that need a sound document and check
 * `repaired`. */
int pdf_doc_open_as_is(struct pdf_doc *doc, const char *path, const char *password,
                       struct err *err);
/* Like pdf_doc_open and pdf_doc_open_as_is, for callers that read every object: a file of at most
 * 32 MiB is read into memory at once, because qpdf reads a file in small pieces. It stays in memory
 * until the document is closed. */
int pdf_doc_open_whole(struct pdf_doc *doc, const char *path, const char *password,
                       struct tool_run *run, struct err *err);
int pdf_doc_open_whole_as_is(struct pdf_doc *doc, const char *path, const char *password,
                             struct err *err);
/* Like pdf_doc_open_whole_as_is, but a document whose cross-reference table is damaged is
 * ERR_CORRUPT_FILE: objects are not searched in the file. */
int pdf_doc_open_strict(struct pdf_doc *doc, const char *path, const char *password,
                        struct err *err);
/* Whether the document needs no repair: nothing was guessed when it was opened, and every object
 * and stream can be read. Reads the whole document. */
bool pdf_doc_is_sound(struct pdf_doc *doc);
/* Opens a document in memory, of which it takes ownership, without recovery or warnings. */
int pdf_doc_open_memory(struct pdf_doc *doc, struct buf *memory, const char *password,
                        struct err *err);
/* The same of n bytes that stay the caller's, and that live until the document is closed and every
 * document that streams were copied to is written: for one that is opened many times. */
int pdf_doc_open_borrowed(struct pdf_doc *doc, const char *bytes, size_t n, const char *password,
                          struct err *err);
/* Makes a new document without pages. */
int pdf_doc_new(struct pdf_doc *doc, struct err *err);
/* The same, with the version and encryption of `source`: same passwords, same permissions, kept
 * by pdf_doc_save. */
int pdf_doc_new_like(struct pdf_doc *doc, struct pdf_doc *source, struct err *err);
void pdf_doc_close(struct pdf_doc *doc);
#define AUTO_PDF_DOC __attribute__((cleanup(pdf_doc_close)))
/* Closes the document, and returns the memory that it was read from, which the caller frees
 * after every document that streams were copied to is written. NULL: it was read from a file. */
char *pdf_doc_close_lent(struct pdf_doc *doc);

/* Converts qpdf's last error, if there is one, to err. 0: there was none. `what`: the operation,
 * for our logs. */
int pdf_doc_check(struct pdf_doc *doc, const char *what, struct err *err);

/* Sets ERR_LIMIT_EXCEEDED and returns -1: for a failed allocation whose size the document
 * determined. */
int pdf_doc_no_memory(struct err *err);
/* Sets ERR_LIMIT_EXCEEDED and returns -1: for objects that are nested too deep
 * (pdf/object/depth.h). */
int pdf_doc_too_deep(struct err *err);

/*
 * Reports what qpdf noticed since the last call: warns, and sets `repaired`. Much of a file is only
 * read when it is needed: pdf_doc_open and pdf_doc_save call this for their own document; call it
 * for one whose objects were copied elsewhere, or whose `run` was set after it was opened.
 */
void pdf_doc_warn(struct pdf_doc *doc);
/* A number above those of all objects and of all references in the document. */
int pdf_doc_next_number(struct pdf_doc *doc);

struct pdf_encryption {
    /* passwords, encoded as declare/value/password.h says: UTF-8 for R6, PDFDocEncoding for R4 */
    const char *user, *owner;
    bool aes128; /* AES-128 (R4) instead of AES-256 (R6) */
    /* what the document allows to those who have only the user password */
    bool print, print_high, copy, modify, annotate, forms, assemble;
};

enum pdf_save_encryption { PDF_KEEP_ENCRYPTION, PDF_DECRYPT, PDF_ENCRYPT };

struct pdf_save {
    enum pdf_save_encryption encryption;
    const struct pdf_encryption *encrypt; /* for PDF_ENCRYPT */
    bool linearize;
    bool same_id; /* the document's identifier is made of its contents alone */
    bool archive; /* version 1.7, as PDF/A-2 is, whatever the document says */
};

/*
 * Writes the document, then reads it again without recovery: its cross-reference table, its page
 * tree with the number of pages, its first and its last page. save may be NULL: encryption
 * unchanged, not linearized. ERR_STORAGE_FULL or ERR_LIMIT_EXCEEDED if there is no room (the caller
 * ignores SIGXFSZ).
 */
int pdf_doc_save(struct pdf_doc *doc, const char *path, const struct pdf_save *save,
                 struct err *err);
/* The second half of pdf_doc_save: opens a written file. Fails, as pdf_doc_save does, unless the
 * file is a document of n_pages pages. */
int pdf_doc_verify(const char *path, const char *password, int n_pages, struct err *err);
/*
 * Whether the document's metadata claims PDF/A-1 (ISO 19005-1), which prohibits object streams, and
 * filters on metadata.
 */
bool pdf_doc_is_pdfa1(const struct pdf_doc *doc);
