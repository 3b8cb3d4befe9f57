/* search: looks for the texts, patterns and presets of a request in text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/page_search/pattern_match.h"
#include "engine/page_search/plain_text.h"

struct search_wish {
    const char *text;    /* a text a line; or NULL */
    const char *pattern; /* a pattern a line (declare/value/pattern.h); or NULL */
    uint64_t presets;    /* a bit for each of presets_names */
    bool match_case;     /* of texts and patterns */
    bool whole_words;    /* of texts and patterns */
    /* Words of texts may be joined as in names of files and addresses, as redact removes them there
     * (pdf/redact/redact_words.h): John_Smith, john.smith. */
    bool joined;
};

struct search_term {
    const char *kind; /* "text", "pattern" or the preset's name */
    int preset;       /* -1: none */
    bool whole;
    bool joined;    /* as in search_wish: underscores are not a part of words */
    bool long_text; /* a text that is not found in two other words by chance */
    bool hyphens;   /* what is found has soft hyphens as hyphens */
    struct pattern pattern;
    struct pattern_match match;
};

struct search {
    struct search_term *terms;
    size_t n, cap;
    struct plain_text plain; /* of the text that is searched */
};

/* What is found: from character `begin` of the source to before `end`. */
typedef void search_found(void *arg, const struct search_term *term, size_t begin, size_t end);

/* Prepares a search. ERR_INVALID_PARAMETER as pattern_compile. The caller closes it, also after -1.
 */
int search_open(struct search *search, const struct search_wish *wish, struct err *err);
void search_close(struct search *search);
#define AUTO_SEARCH __attribute__((cleanup(search_close)))

/* Calls found(arg, ...) for each place of the source. ERR_INTERNAL without memory. */
int search_source(struct search *search, const struct plain_source *source, search_found *found,
                  void *arg, struct err *err);
