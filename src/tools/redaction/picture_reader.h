/*
 * picture_reader: how the pictures of pages are read for a redaction. platen-ocr can, platen-render
 * cannot.
 */
#pragma once

#include "declare/tool_run/run.h"
#include "engine/ocr/layered_copy.h"
#include "engine/page_search/page_search.h"
#include "engine/redact/redact_proof.h"

struct picture_reader {
    /* As layered_copy_make. */
    int (*read)(const struct layered_copy *copy, struct tool_run *run, struct layered_words *words,
                int *fd, struct err *err);
    /* Reads pages of the written document as pictures: ERR_REDACTION_INCOMPLETE, with the page and
     * the place, if a removed text is seen. NULL for a search alone. */
    int (*prove)(struct tool_run *run, const struct redact_proof *proof, const char *language,
                 struct err *err);
};

struct picture_reader_copy {
    int fd; /* -1: none */
    char path[40];
    struct layered_words words;
};
void picture_reader_close(struct picture_reader_copy *copy);
#define AUTO_PICTURE_READER_COPY __attribute__((cleanup(picture_reader_close)))

/* Adds to the hits from an index on the words that they are in, where these were read in pictures:
 * ERR_LIMIT_EXCEEDED when out of memory. */
int picture_reader_widen(const struct picture_reader_copy *copy, struct redact_hits *hits,
                         size_t from, struct err *err);

/* What the parameters `ocr` and `language` say. */
struct picture_reader_wish {
    const char *ocr, *language;
};
/* Has the scans of the run's only input read for a search, if that is wanted and can be done, and
 * points the options to the copy. `reader`: NULL where pictures cannot be read. */
int picture_reader_open(struct picture_reader_copy *copy, const struct picture_reader *reader,
                        const struct picture_reader_wish *wish, struct tool_run *run,
                        struct page_search_options *options, struct err *err);
