/*
 * spaces: colour spaces of profiles that say what the device spaces mean to readers become those,
 * so that the profiles can go. Not in documents that say what the device is: by an output intent
 * (PDF/A, PDF/X), or by default colour spaces.
 */
#pragma once

#include "compress/usage.h"
#include "pdf/doc.h"
#include "pdf/obj.h"

struct spaces {
    bool on;
    struct idmap profiles; /* by id of the stream: what becomes of it */
    bool no_memory;
};

/* Whether output intents say which device the document, or a page of it, is made for (14.11.5). */
bool spaces_have_intents(struct pdf_doc *doc);
void spaces_open(struct spaces *spaces, struct pdf_doc *doc, const struct usage *usage);
void spaces_close(struct spaces *spaces);
#define AUTO_SPACES __attribute__((cleanup(spaces_close)))

/*
 * Changes the spaces that the object holds; `text` is the object as PDF syntax. Whether it did. One
 * that is such a space itself is replaced in the document.
 */
bool spaces_replace(struct spaces *spaces, struct obj obj, const char *text);
