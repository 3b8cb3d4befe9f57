/* redact_names: removed texts in the names that a document gives (ISO 32000-1, 7.3.5): those of
 * destinations, of the states of buttons, of inks, stamps, CMaps, embedded fonts, of types and
 * classes of structure elements, and the keys of the information dictionary. Names that the format
 * defines are never changed. */
#pragma once

#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/redact/redact_rename.h"
#include "pdf/redact/redact_words.h"

/* Renames all that have one of the texts, wherever they are used, and returns how many were; with
 * only_count none is renamed. `contents`: as for redact_keys_clean, whose keys and names are
 * renamed, too; NULL: none of them has a text. *object, if not NULL: the number of the object
 * that has the first such name, or 0 if no object has one. */
size_t redact_names_clean(struct pdf_doc *doc, struct redact_words *words,
                          const struct idmap *contents, bool only_count, int *object);

/* Calls found(arg, ...) once for each name that redact_names_clean renames after redact has changed
 * content, which uses some of them now. Nothing is changed. Without memory words->failed is set. */
void redact_names_list(struct pdf_doc *doc, struct redact_words *words, redact_rename_found *found,
                       void *arg);
