/* redact_keys: removed texts in the keys of dictionaries (ISO 32000-1, 7.3.7) and in the names
 * below them that a document or a program made up: in private dictionaries, property lists and
 * resources that no content names. What a specification defines stays (pdf/redact/redact_known.h).
 */
#pragma once

#include <stdbool.h>

#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/redact/redact_rename.h"

#define REDACT_KEYS_SLOTS 512 /* a power of two */

/* Which names have one of the texts, as a document has few different ones. Starts as zeros. */
struct redact_keys_seen {
    struct {
        char name[31]; /* with its solidus; longer ones are not remembered */
        bool has;
    } at[REDACT_KEYS_SLOTS];
};

/* Whether the name, with its solidus, has one of the texts. */
bool redact_keys_have(struct redact_keys_seen *seen, struct redact_words *words, const char *name);

/* Renames the keys and names that have one of the texts. `contents`: the content streams of the
 * document, by id; a resource that one of them names, and that is in use, keeps its name. Without
 * memory words->failed is set. */
void redact_keys_clean(struct redact_rename *rename, struct pdf_doc *doc,
                       const struct idmap *contents);
