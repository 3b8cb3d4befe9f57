/*
 * device_spaces: replaces colour spaces whose profiles equal a device colour space by that space,
 * so that the profiles can be removed. Documents that define the device, by an output intent
 * (PDF/A, PDF/X) or by default colour spaces, are not changed.
 */
#pragma once

#include "compress/usage/usage.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"

struct device_spaces {
    bool on; /* spaces are replaced */
    struct idmap
        profiles; /* by id of a profile: the device space that replaces it (device_spaces.c) */
    bool no_memory;
};

/* Prepares the replacement; `on` stays false for a document that defines the device. */
void device_spaces_open(struct device_spaces *spaces, struct pdf_doc *doc,
                        const struct usage *usage);
void device_spaces_close(struct device_spaces *spaces);

/*
 * Changes the colour spaces in the object; `text` is the object as PDF syntax. Returns whether it
 * did. An object that is such a space itself is replaced in the document.
 */
bool device_spaces_replace(struct device_spaces *spaces, struct obj obj, const char *text);
