/*
 * redact_clean: removes texts from what a document has besides the content of its pages: outlines,
 * destinations, link targets, form fields, annotations, tags, names of layers, page labels,
 * metadata, attachments, scripts.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"
#include "pdf/redact/redact_words.h"

struct redact_cleaned {
    uint64_t strings;     /* strings that had such a text */
    uint64_t metadata;    /* streams of metadata that were changed or removed */
    uint64_t attachments; /* files that were removed */
    uint64_t scripts;     /* scripts that were removed */
    uint64_t links;       /* addresses that were removed */
    uint64_t fields;      /* appearances that were removed, because their text had changed */
    uint64_t unread;      /* attachments that stay and could not be searched */
};

struct redact_clean_options {
    bool drop_metadata;    /* all metadata are removed */
    bool keep_attachments; /* attachments stay as they are */
};

/* Lists the streams that are content of pages, forms, patterns and glyphs. False when out of
 * memory. */
bool redact_clean_contents(struct pdf_doc *doc, struct idmap *contents);
/* Whether it is a form XObject or a tiling pattern. */
bool redact_clean_is_form(struct obj value);

/* Cleans the whole document, but for content streams: those in `contents`, as it was listed before
 * pages were edited, and of the document as it is. ERR_LIMIT_EXCEEDED. */
int redact_clean_document(struct pdf_doc *doc, struct redact_words *words,
                          const struct redact_clean_options *options, struct idmap *contents,
                          struct redact_cleaned *cleaned, struct err *err);

/* Where a text was found that should not be. */
struct redact_place {
    int object; /* its number; 0: none was found */
    char what[60];
};

/* What is looked for, and where. */
struct redact_search {
    struct redact_words *words;
    bool skip_attachments;
    const struct idmap *contents; /* content streams, by id, which are not searched */
};

/* Looks for the texts wherever redact_clean_document removes them. */
int redact_clean_search(struct pdf_doc *doc, const struct redact_search *search,
                        struct redact_place *place, struct err *err);

/* Removes the texts that replace marked content, of the elements of these keys (an entry of the
 * tree of structure parents, shifted by 32 bits, and an MCID) and of those above them. Returns how
 * many. */
size_t redact_clean_tags(struct pdf_doc *doc, const int64_t *marked, size_t n);
