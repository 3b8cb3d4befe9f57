/*
 * recovery: rebuilds documents that cannot be opened as they are, or only by guessing
 * (recovery/salvage/salvage.h).
 */
#pragma once

#include "pdf/document/doc.h"
#include "pdf/document/update_state.h"
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

/* Whether the engines' own ways to repair the file must not be used in place of salvage: they take
 * a PDF that is attached to the document, or that precedes it in the file, for a part of it. */
bool recovery_must_salvage(const struct salvage_report *report);

/*
 * Looks for a cut update at the end of the file at `path` (recovery/salvage/cut_update.h), which
 * the engines treat each in its own way. If there is one, `out` gets the newest document that is
 * whole: with the update, rebuilt, or without it. Other files are not read but for their end.
 * Returns -1 with the errors of recovery_salvage.
 */
int recovery_newest(const char *path, const char *password, struct buf *out,
                    enum update_state *update, struct err *err);
/*
 * Rebuilds the file at `path` and opens the result as pdf_doc_open does, without falling back on
 * recovery again. Errors as pdf_doc_open.
 */
int recovery_open(struct pdf_doc *doc, const char *path, const char *password,
                  struct salvage_report *report, struct err *err);

/* Whether `a` has more content than `b`: more pages, or more pages that are not blank, or
 * clearly more on them. */
bool recovery_is_richer(struct pdf_doc *a, struct pdf_doc *b);
