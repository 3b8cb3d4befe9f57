/*
 * doc: a PDF opened for editing, by qpdf. src/pdf/ is the only folder that includes its headers;
 * every qpdf error leaves here as a struct err.
 */
#pragma once

#include <qpdf/qpdf-c.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "tool/run.h"

#define PDF_DOC_PAGES 100000 /* at most */

struct pdf_doc {
    qpdf_data q;
    size_t n_pages;
    bool repaired;        /* something had to be rebuilt or guessed */
    size_t lost_pages;    /* that are known to have been there */
    bool encrypted;       /* it was, when it was read */
    bool opened_as_owner; /* the password that opened it is the owner's and not the user's */
    bool password_fits;   /* the password given, even "", is one of its two */
    bool signed_;         /* it holds a signature that a rewrite breaks */
    bool miscounted;      /* the trailer's /Size is not what it should be */

    /* For doc.c and doc_save.c. */
    struct tool_run *run; /* who hears warnings, or NULL */
    bool strict;          /* pdf_doc_open_strict */
    char *password;       /* the bytes that opened it */
    char *memory;         /* what it is read from, if it is no file */
    size_t memory_n;
    char version[8]; /* at least what a copy of its pages must say, or "" */
};

/*
 * Opens an input. `password`: what the client gave, "" or NULL for none; tried as it came, after
 * SASLprep, and in the 8-bit forms older handlers use. A document that opens with an empty password
 * opens whatever was given; password_fits tells. A damaged document is put together again
 * (salvage/salvage.h) where qpdf cannot do it, or does worse. Warns on `run` (may be NULL) with
 * `repaired`, `pages_lost` and `signature_invalidated`. Errors:
 *   ERR_PASSWORD_REQUIRED (none given, one needed), ERR_WRONG_PASSWORD, ERR_CORRUPT_FILE,
 *   ERR_UNSUPPORTED_CONTENT (an encryption by certificates), ERR_LIMIT_EXCEEDED (pages).
 */
int pdf_doc_open(struct pdf_doc *doc, const char *path, const char *password, struct tool_run *run,
                 struct err *err);
/* The same without recovery or warnings: for whoever can do nothing with a document that is not
 * sound, and looks at `repaired`. */
int pdf_doc_open_as_is(struct pdf_doc *doc, const char *path, const char *password,
                       struct err *err);
/* The same, but a document whose table of objects is damaged is ERR_CORRUPT_FILE: nothing is
 * searched for in the file. */
int pdf_doc_open_strict(struct pdf_doc *doc, const char *path, const char *password,
                        struct err *err);
/* Whether it needs no repair: nothing had to be guessed when it was opened, and every object and
 * stream can be read. Reads the whole document. */
bool pdf_doc_is_sound(struct pdf_doc *doc);
/* The same for bytes in memory, which it takes over, without recovery or warnings. */
int pdf_doc_open_memory(struct pdf_doc *doc, struct buf *memory, const char *password,
                        struct err *err);
/* A new document without pages. */
int pdf_doc_new(struct pdf_doc *doc, struct err *err);
/* The same, with the version of `source` and encrypted as it is: same passwords, same permissions,
 * kept by pdf_doc_save. */
int pdf_doc_new_like(struct pdf_doc *doc, struct pdf_doc *source, struct err *err);
void pdf_doc_close(struct pdf_doc *doc);
#define AUTO_PDF_DOC __attribute__((cleanup(pdf_doc_close)))
/* The same, but what it was read from, if that is memory, becomes the caller's: streams that were
 * copied to another document are read from it until that is written. NULL: a file. */
char *pdf_doc_close_lent(struct pdf_doc *doc);

/* Turns qpdf's last error, if there is one, into err. 0: there was none. `what` was being done: for
 * our logs. */
int pdf_doc_check(struct pdf_doc *doc, const char *what, struct err *err);

/* ERR_LIMIT_EXCEEDED: for a failed allocation whose size the document decided. */
int pdf_no_memory(struct err *err);
/* The same code, for objects below objects without end (pdf/depth.h). */
int pdf_too_deep(struct err *err);

/*
 * Says what there is to warn of: looks through what qpdf noticed since the last call, sets
 * `repaired`. Much of a file is only read when it is needed: pdf_doc_open and pdf_doc_save call
 * this for their own document; call it for one whose objects were copied elsewhere, or whose `run`
 * was set after it was opened.
 */
void pdf_doc_warn(struct pdf_doc *doc);

struct pdf_encryption {
    const char *user,
        *owner;  /* bytes as tool/password.h says: UTF-8 for R6, PDFDocEncoding for R4 */
    bool aes128; /* AES-128 (R4) instead of AES-256 (R6) */
    bool print, print_high, copy, modify, annotate, forms, assemble;
};

enum pdf_save_encryption { PDF_KEEP_ENCRYPTION, PDF_DECRYPT, PDF_ENCRYPT };

struct pdf_save {
    enum pdf_save_encryption encryption;
    const struct pdf_encryption *encrypt; /* for PDF_ENCRYPT */
    bool linearize;
};

/*
 * Writes the document, then reads it again without recovery: its table of objects, its page tree
 * with the number of pages, its first and its last page.
 * save may be NULL: encryption as it was, not linearized. ERR_STORAGE_FULL or ERR_LIMIT_EXCEEDED if
 * there is no room for it (the caller ignores SIGXFSZ).
 */
int pdf_doc_save(struct pdf_doc *doc, const char *path, const struct pdf_save *save,
                 struct err *err);
/* The second half of it: ERR_INTERNAL and so on unless the file is a document of n_pages. */
int pdf_doc_verify(const char *path, const char *password, int n_pages, struct err *err);
/*
 * Whether it says that it is PDF/A-1 (ISO 19005-1), which forbids object streams and filters on its
 * metadata.
 */
bool pdf_doc_is_pdfa1(const struct pdf_doc *doc);
