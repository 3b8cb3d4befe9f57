/*
 * spaces: replaces colour spaces with profiles that equal the device spaces by these, so that the
 * profiles can be removed. Not in documents that define the device: by an output intent (PDF/A,
 * PDF/X), or by default colour spaces.
 */
#pragma once

#include "compress/usage.h"
#include "pdf/doc.h"
#include "pdf/obj.h"

struct spaces {
    bool on;
    struct idmap profiles; /* by id of the stream: its replacement */
    bool no_memory;
};

void spaces_open(struct spaces *spaces, struct pdf_doc *doc, const struct usage *usage);
void spaces_close(struct spaces *spaces);
#define AUTO_SPACES __attribute__((cleanup(spaces_close)))

/*
 * Changes the colour spaces in the object; `text` is the object as PDF syntax. Returns whether it
 * did. An object that is such a space itself is replaced in the document.
 */
bool spaces_replace(struct spaces *spaces, struct obj obj, const char *text);
