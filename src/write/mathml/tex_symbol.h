/* tex_symbol: the symbols, functions and alphabets of LaTeX's mathematics, in Unicode. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The class of an atom, on which the space around it depends (TeXbook, chapter 17). */
enum tex_class {
    TEX_LETTER,      /* slanted */
    TEX_UPRIGHT,     /* a letter or sign that is not slanted */
    TEX_NUMBER,      /* digits */
    TEX_BINARY,      /* a + b */
    TEX_RELATION,    /* a = b */
    TEX_LARGE,       /* sums: limits are above and below it where there is room */
    TEX_INTEGRAL,    /* limits are next to it */
    TEX_FUNCTION,    /* sin, log: its name is a word */
    TEX_LIMIT,       /* lim, max: a function with limits below it */
    TEX_OPENING,     /* a bracket */
    TEX_CLOSING,     /* a bracket */
    TEX_FENCE,       /* a bar, which opens and closes */
    TEX_PUNCTUATION, /* a comma */
    TEX_INNER,       /* a fraction, a group in brackets of its size */
    TEX_NOTHING      /* space */
};

struct tex_symbol {
    const char *name;
    uint32_t character;
    enum tex_class kind;
};

/* The symbol of a command, whose name is without its backslash; NULL if there is none. */
const struct tex_symbol *tex_symbol_find(const char *name, size_t n);
/* What a character is that is not part of a command. */
struct tex_symbol tex_symbol_of(uint32_t character);
/* Whether a command is a function such as \sin; *limit: whether its limits are below it. *word:
 * what is shown. */
bool tex_symbol_function(const char *name, size_t n, const char **word, bool *limit);

enum tex_alphabet {
    TEX_PLAIN,
    TEX_ROMAN,
    TEX_BOLD,
    TEX_BOLD_ITALIC,
    TEX_DOUBLE_STRUCK,
    TEX_SCRIPT,
    TEX_FRAKTUR,
    TEX_SANS,
    TEX_MONOSPACE
};

/* The alphabet that a command such as \mathbb selects; TEX_PLAIN if it selects none. */
enum tex_alphabet tex_symbol_alphabet(const char *name, size_t n);
/* A letter or digit in an alphabet (Unicode, Mathematical Alphanumeric Symbols); what the alphabet
 * does not have is returned as it is. */
uint32_t tex_symbol_in(uint32_t character, enum tex_alphabet alphabet);
