/*
 * recovery: documents that cannot be opened as they are, or only by guessing, put together again
 * (salvage/salvage.h).
 */
#pragma once

#include "pdf/doc.h"
#include "salvage/salvage.h"
#include "undo/undo.h"

/* The bytes of a document made of what is left in the file at `path`, encrypted as that is.
 * ERR_CORRUPT_FILE, ERR_LIMIT_EXCEEDED, ERR_PASSWORD_REQUIRED, ERR_WRONG_PASSWORD. */
int recovery_salvage(const char *path, const char *password, struct buf *out,
                     struct salvage_report *report, struct err *err);

/* 1: `out` is the file at `path` without what was done to all of it (undo/undo.h). 0: there is
 * nothing to undo. -1: errors of memory and files. */
int recovery_undo(const char *path, struct buf *out, struct undo_report *report, struct err *err);

/*
 * Salvages the file at `path` and opens what came of it as pdf_doc_open does, without falling back
 * on recovery again. Errors as pdf_doc_open.
 */
int recovery_open(struct pdf_doc *doc, const char *path, const char *password,
                  struct salvage_report *report, struct err *err);

/* Whether a reader sees more of `a` than of `b`: more pages, or more pages that show something, or
 * clearly more on them. */
bool recovery_is_richer(struct pdf_doc *a, struct pdf_doc *b);
