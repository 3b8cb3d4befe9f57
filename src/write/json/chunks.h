/*
 * chunks: the text of a document in pieces for retrieval: each begins at a heading or where the one
 * before it is full, is Markdown, and says where it is: pages and boxes.
 */
#pragma once

#include "write/json/reading.h"
#include "write/markup/markdown.h"

struct chunk_place {
    size_t page; /* from 0 */
    struct area box;
};

struct chunks {
    size_t most;     /* characters of a chunk, where a paragraph can end it */
    bool by_lines;   /* each is a line of its own */
    struct buf done; /* the chunks so far, as JSON */

    /* Private to chunks.c. */
    struct markdown markdown;
    char *titles[MODEL_HEADINGS]; /* the headings that the current chunk is under */
    struct buf text, ids;         /* of the current chunk; ids as JSON */
    char id[64];
    bool has_body; /* it has more than headings */
    struct chunk_place *places;
    size_t n_places, cap_places;
};

/* Begins; `facts` and `numbering` outlive the chunks. */
int chunks_open(struct chunks *chunks, const struct document_facts *facts,
                const struct numbering *numbering, struct err *err);
void chunks_add(struct chunks *chunks, const struct reading *reading);
/* Ends the last chunk. */
void chunks_end(struct chunks *chunks);
void chunks_free(struct chunks *chunks);
