/*
 * recovery: rebuilds documents that cannot be opened as they are, or only by guessing
 * (recovery/salvage/salvage.h).
 */
#pragma once

#include "pdf/document/doc.h"
#include "recovery/salvage/salvage.h"
#include "recovery/undo/undo.h"

/* Rebuilds a document from the remains in the file at `path`, encrypted in the same way.
 * ERR_CORRUPT_FILE, ERR_LIMIT_EXCEEDED, ERR_PASSWORD_REQUIRED, ERR_WRONG_PASSWORD. */
int recovery_salvage(const char *path, const char *password, struct buf *out,
                     struct salvage_report *report, struct err *err);

/* The same for a file of which recovery_undo has undone what there was to undo. */
int recovery_salvage_undone(const char *path, const char *password, struct buf *out,
                            struct salvage_report *report, struct err *err);

/* Undoes transformations of the whole file at `path` (recovery/undo/undo.h). 1: `out` is the
 * original file. 0: there is nothing to undo. -1: errors of memory and files. */
int recovery_undo(const char *path, struct buf *out, struct undo_report *report, struct err *err);

/*
 * Rebuilds the file at `path` and opens the result as pdf_doc_open does, without falling back on
 * recovery again. Errors as pdf_doc_open.
 */
int recovery_open(struct pdf_doc *doc, const char *path, const char *password,
                  struct salvage_report *report, struct err *err);

/* Whether `a` has more content than `b`: more pages, or more pages that are not blank, or
 * clearly more on them. */
bool recovery_is_richer(struct pdf_doc *a, struct pdf_doc *b);
