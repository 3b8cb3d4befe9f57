/*
 * json: writes what is on the pages of a document as JSON: words, lines and blocks in reading
 * order, tables, images, links, fields; its outline; its text in chunks. docs/extract.md describes
 * the result for those who read it.
 */
#pragma once

#include "layout/page/writer.h"
#include "write/json/chunks.h"

/* What is written. */
enum {
    JSON_WORDS = 1,
    JSON_LINES = 2,
    JSON_BLOCKS = 4,
    JSON_TABLES = 8,
    JSON_IMAGES = 16,
    JSON_LINKS = 32,
    JSON_FIELDS = 64,
    JSON_OUTLINE = 128,
    JSON_CHUNKS = 256,
};

struct json {
    const char *path; /* of the existing file for the result; borrowed */
    unsigned what;    /* of JSON_... */
    bool by_lines;    /* a line for each page and chunk (NDJSON), instead of one object */
    size_t chunk;     /* characters of a chunk, at most, where a paragraph can end it */

    /* Private to the folder. */
    FILE *file;
    struct buf out; /* what is not in the file yet */
    const struct document_facts *facts;
    struct chunks chunks;
    size_t n_pages, n_fonts;
    char language[LANGUAGE_TAGS_LENGTH]; /* of the document; "" if it is not known */
};

/* A writer of a document to the file at json->path. Free with json_free. */
struct writer json_writer(struct json *json);
void json_free(struct json *json);
