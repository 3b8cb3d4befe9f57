/* parts: what is on a page, as the members of a JSON object. */
#pragma once

#include "write/json/reading.h"

/* Each appends a member whose value is an array: "words", "lines", ... */
void parts_words(const struct reading *reading, struct buf *out);
void parts_lines(const struct reading *reading, struct buf *out);
void parts_blocks(const struct reading *reading, struct buf *out);
void parts_tables(const struct reading *reading, struct buf *out);
void parts_images(const struct page_content *content, struct buf *out);
void parts_links(const struct page_content *content, struct buf *out);
void parts_fields(const struct page_content *content, struct buf *out);

/* The id of a block, such as "p3b17". */
#define PARTS_ID 48
void parts_block_id(const struct reading *reading, const struct reading_block *block,
                    char out[static PARTS_ID]);
