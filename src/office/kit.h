/*
 * kit: LibreOffice, loaded into this process. src/office/ is the only folder that knows it.
 *
 * The zygote prepares it once: code, fonts and settings are then in memory, and no thread runs. A
 * job's process, forked from it, opens it in a few milliseconds, and never leaves it in order: it
 * ends by _exit.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* In the zygote; `folder` is its own. */
int kit_prepare(const char *folder, struct err *err);
/* Whether fonts or settings on the machine have changed since kit_prepare. */
bool kit_stale(void);

/* In a job's process; everything LibreOffice writes goes to `folder`. */
int kit_open(const char *folder, struct err *err);

enum kit_type { KIT_TEXT = 0, KIT_SHEET = 1, KIT_SLIDES = 2 };

struct kit_doc;

/*
 * Loads a file. `password`: NULL if none was given. ERR_PASSWORD_REQUIRED, ERR_WRONG_PASSWORD,
 * ERR_CORRUPT_FILE. `encrypted`: that it is was seen before, so that not being loadable means that
 * the password is wrong.
 */
struct kit_doc *kit_load(const char *path, const char *password, bool encrypted, struct err *err);
int kit_type(struct kit_doc *doc);

/* Sheets or slides; for text, pages. */
int kit_parts(struct kit_doc *doc);
/* The caller frees it; NULL when out of memory. */
char *kit_part_name(struct kit_doc *doc, int part);
/* Extent of a sheet up to its last used cell, in twips. */
void kit_part_size(struct kit_doc *doc, int part, long *width, long *height);

/* Makes a text what it is when every tracked change has been accepted. */
int kit_accept_changes(struct kit_doc *doc, struct err *err);

/* Writes it as `format` ("pdf", "fods"). `options`: of a PDF, as JSON; may be NULL. -1 with
 * ERR_CORRUPT_FILE when LibreOffice says no. */
int kit_save(struct kit_doc *doc, const char *path, const char *format, const char *options,
             struct err *err);
