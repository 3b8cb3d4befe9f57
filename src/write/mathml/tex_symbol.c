#include "write/mathml/tex_symbol.h"

#include <string.h>

#include "base/scope.h"

static const struct tex_symbol symbols[] = {
#define SYMBOL(name, character, kind) { name, character, TEX_##kind },
#include "write/mathml/tex_symbols.def"
#undef SYMBOL
};

const struct tex_symbol *tex_symbol_find(const char *name, size_t n)
{
    size_t from = 0, to = COUNT(symbols);

    while (from < to) {
        size_t middle = (from + to) / 2;
        const char *here = symbols[middle].name;
        int order = strncmp(here, name, n);

        if (order == 0 && here[n] == '\0')
            return &symbols[middle];
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}

struct tex_symbol tex_symbol_of(uint32_t c)
{
    static const struct {
        const char *characters;
        enum tex_class kind;
    } classes[] = {
        { "+", TEX_BINARY },   { "=<>:", TEX_RELATION }, { "([", TEX_OPENING },
        { ")]", TEX_CLOSING }, { "!?", TEX_CLOSING },    { ",;", TEX_PUNCTUATION },
        { "|", TEX_FENCE },
    };
    struct tex_symbol symbol = { .character = c, .kind = TEX_LETTER };

    if (c == '-')
        return (struct tex_symbol){ .character = 0x2212, .kind = TEX_BINARY };
    if (c == '*')
        return (struct tex_symbol){ .character = 0x2217, .kind = TEX_BINARY };
    if (c >= '0' && c <= '9')
        symbol.kind = TEX_NUMBER;
    else if (c < 0x80 && !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
        symbol.kind = TEX_UPRIGHT;
    for (size_t i = 0; c < 0x80 && i < COUNT(classes); i++)
        if (strchr(classes[i].characters, (int) c))
            symbol.kind = classes[i].kind;
    if (c < 0x80)
        return symbol;
    for (size_t i = 0; i < COUNT(symbols); i++)
        if (symbols[i].character == c)
            return symbols[i];
    /* Arrows and operators that have no command here. */
    if ((c >= 0x2190 && c < 0x2200) || (c >= 0x2A00 && c < 0x2B00) || (c >= 0x27F0 && c < 0x2800))
        symbol.kind = TEX_RELATION;
    return symbol;
}

bool tex_symbol_function(const char *name, size_t n, const char **word, bool *limit)
{
    static const struct {
        const char *name, *word; /* word: NULL if it is the name */
        bool limit;
    } functions[] = {
        { "arccos", NULL, false },
        { "arcsin", NULL, false },
        { "arctan", NULL, false },
        { "arg", NULL, false },
        { "cos", NULL, false },
        { "cosh", NULL, false },
        { "cot", NULL, false },
        { "coth", NULL, false },
        { "csc", NULL, false },
        { "deg", NULL, false },
        { "det", NULL, true },
        { "dim", NULL, false },
        { "exp", NULL, false },
        { "gcd", NULL, true },
        { "hom", NULL, false },
        { "inf", NULL, true },
        { "injlim", "inj\xE2\x80\x89lim", true },
        { "ker", NULL, false },
        { "lg", NULL, false },
        { "lim", NULL, true },
        { "liminf", "lim\xE2\x80\x89inf", true },
        { "limsup", "lim\xE2\x80\x89sup", true },
        { "ln", NULL, false },
        { "log", NULL, false },
        { "max", NULL, true },
        { "min", NULL, true },
        { "Pr", NULL, true },
        { "projlim", "proj\xE2\x80\x89lim", true },
        { "sec", NULL, false },
        { "sin", NULL, false },
        { "sinh", NULL, false },
        { "sup", NULL, true },
        { "tan", NULL, false },
        { "tanh", NULL, false },
    };

    for (size_t i = 0; i < COUNT(functions); i++) {
        if (strncmp(functions[i].name, name, n) != 0 || functions[i].name[n] != '\0')
            continue;
        *word = functions[i].word ? functions[i].word : functions[i].name;
        *limit = functions[i].limit;
        return true;
    }
    return false;
}

enum tex_alphabet tex_symbol_alphabet(const char *name, size_t n)
{
    static const struct {
        const char *name;
        enum tex_alphabet alphabet;
    } commands[] = {
        { "mathrm", TEX_ROMAN },     { "mathbf", TEX_BOLD },
        { "mathup", TEX_ROMAN },     { "boldsymbol", TEX_BOLD_ITALIC },
        { "bm", TEX_BOLD_ITALIC },   { "mathbb", TEX_DOUBLE_STRUCK },
        { "mathcal", TEX_SCRIPT },   { "mathscr", TEX_SCRIPT },
        { "mathfrak", TEX_FRAKTUR }, { "mathsf", TEX_SANS },
        { "mathtt", TEX_MONOSPACE },
    };

    for (size_t i = 0; i < COUNT(commands); i++)
        if (strncmp(commands[i].name, name, n) == 0 && commands[i].name[n] == '\0')
            return commands[i].alphabet;
    return TEX_PLAIN;
}

/* Letters that Unicode had before the alphabets, in the order of the code points of the holes. */
static uint32_t older(uint32_t c)
{
    static const struct {
        uint32_t hole, letter;
    } letters[] = {
        { 0x1D49D, 0x212C }, { 0x1D4A0, 0x2130 }, { 0x1D4A1, 0x2131 }, { 0x1D4A3, 0x210B },
        { 0x1D4A4, 0x2110 }, { 0x1D4A7, 0x2112 }, { 0x1D4A8, 0x2133 }, { 0x1D4AD, 0x211B },
        { 0x1D4BA, 0x212F }, { 0x1D4BC, 0x210A }, { 0x1D4C4, 0x2134 }, { 0x1D506, 0x212D },
        { 0x1D50B, 0x210C }, { 0x1D50C, 0x2111 }, { 0x1D515, 0x211C }, { 0x1D51D, 0x2128 },
        { 0x1D53A, 0x2102 }, { 0x1D53F, 0x210D }, { 0x1D545, 0x2115 }, { 0x1D547, 0x2119 },
        { 0x1D548, 0x211A }, { 0x1D549, 0x211D }, { 0x1D551, 0x2124 },
    };

    for (size_t i = 0; i < COUNT(letters); i++)
        if (letters[i].hole == c)
            return letters[i].letter;
    return c;
}

uint32_t tex_symbol_in(uint32_t c, enum tex_alphabet alphabet)
{
    /* The first capital, small letter, digit, Greek capital and Greek small letter; 0: none. */
    static const uint32_t first[][5] = {
        [TEX_PLAIN] = { 0 },
        [TEX_ROMAN] = { 0 },
        [TEX_BOLD] = { 0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2 },
        [TEX_BOLD_ITALIC] = { 0x1D468, 0x1D482, 0x1D7CE, 0x1D6A8, 0x1D736 },
        [TEX_DOUBLE_STRUCK] = { 0x1D538, 0x1D552, 0x1D7D8, 0, 0 },
        [TEX_SCRIPT] = { 0x1D49C, 0x1D4B6, 0, 0, 0 },
        [TEX_FRAKTUR] = { 0x1D504, 0x1D51E, 0, 0, 0 },
        [TEX_SANS] = { 0x1D5A0, 0x1D5BA, 0x1D7E2, 0, 0 },
        [TEX_MONOSPACE] = { 0x1D670, 0x1D68A, 0x1D7F6, 0, 0 },
    };
    static const struct {
        uint32_t from, to;
    } ranges[5] = { { 'A', 'Z' }, { 'a', 'z' }, { '0', '9' }, { 0x391, 0x3A9 }, { 0x3B1, 0x3C9 } };

    for (size_t i = 0; i < COUNT(ranges); i++)
        if (first[alphabet][i] != 0 && c >= ranges[i].from && c <= ranges[i].to)
            return older(first[alphabet][i] + (c - ranges[i].from));
    if (c == 0x2207 && first[alphabet][3] != 0)
        return 0x1D6C1;
    return c;
}
