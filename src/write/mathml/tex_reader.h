/* tex_reader: what the files of this folder share while a formula is read. */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "write/mathml/tex_symbol.h"
#include "write/mathml/tex_token.h"

#define TEX_DEPTH 40 /* groups within groups */

struct tex_reader {
    struct tex_text in;
    enum tex_alphabet alphabet;
    bool negated; /* the next symbol is crossed out */
    int scripts;  /* number of scripts around: in them signs have no space around them */
    int depth;
    struct err *err;
    /* Reads up to what ends a row or a group: the end, a closing brace, '&', "\\", \right, \middle
     * or \end, which is not read. */
    int (*row)(struct tex_reader *reader, struct buf *out);
    /* Reads a group in braces, or one symbol, as one element. */
    int (*argument)(struct tex_reader *reader, struct buf *out);
};

/* One atom of a row: what it is shown as, and what the space around it depends on. */
struct tex_atom {
    struct buf markup;
    enum tex_class kind;
    const char *word;   /* of TEX_FUNCTION and TEX_LIMIT, whose markup depends on what follows */
    uint32_t character; /* of TEX_LARGE and TEX_INTEGRAL, as above */
    bool limits;        /* of another kind: scripts are above and below */
};
