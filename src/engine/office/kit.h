/*
 * kit: LibreOffice, loaded into this process. src/engine/office/ is the only folder that uses it.
 *
 * The zygote prepares it once: code, fonts and settings are then in memory, and no thread runs. A
 * job's process, forked from it, opens it in a few milliseconds and does not shut it down: it ends
 * by _exit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* To be called in the zygote: writes LibreOffice's settings to `folder`, the zygote's own, and
 * loads it. */
int kit_prepare(const char *folder, struct err *err);
/* Whether fonts or settings on the machine have changed since kit_prepare. */
bool kit_stale(void);

/* To be called in a job's process: makes LibreOffice ready to load files. It writes all its own
 * files to `folder`. */
int kit_open(const char *folder, struct err *err);

enum kit_type { KIT_TEXT = 0, KIT_SHEET = 1, KIT_SLIDES = 2 };

struct kit_doc;

/*
 * Loads a file. `password`: NULL if none was given. ERR_PASSWORD_REQUIRED, ERR_WRONG_PASSWORD,
 * ERR_CORRUPT_FILE. `encrypted`: the file is known to be encrypted, so that a failure to load it
 * means that the password is wrong, or that LibreOffice cannot decrypt it
 * (ERR_UNSUPPORTED_CONTENT).
 */
struct kit_doc *kit_load(const char *path, const char *password, bool encrypted, struct err *err);
/* An enum kit_type, or another number for a document of another kind. */
int kit_type(struct kit_doc *doc);

/* The number of sheets or slides; for text, of pages. */
int kit_parts(struct kit_doc *doc);
/* The name of a sheet or slide, which the caller frees; NULL when out of memory. */
char *kit_part_name(struct kit_doc *doc, int part);
/* The extent of a sheet up to its last used cell, in twips. */
void kit_part_size(struct kit_doc *doc, int part, long *width, long *height);
/* Whether a sheet is hidden. Not known of slides. */
bool kit_sheet_is_hidden(struct kit_doc *doc, int part);
/* The number of rows and of columns of a sheet that are hidden, also by a filter. Not those up to
 * the sheet's end, which are hidden where nothing is. */
void kit_hidden_cells(struct kit_doc *doc, int part, size_t *rows, size_t *columns);

/* Shows all tracked changes of a text document, also if it says that they are hidden. */
int kit_show_changes(struct kit_doc *doc, struct err *err);
/* Accepts them. */
int kit_accept_changes(struct kit_doc *doc, struct err *err);

/* Writes the document as `format` ("pdf", "fods"). `options`: of a PDF, as JSON; may be NULL. -1
 * with ERR_CORRUPT_FILE if LibreOffice fails. */
int kit_save(struct kit_doc *doc, const char *path, const char *format, const char *options,
             struct err *err);
