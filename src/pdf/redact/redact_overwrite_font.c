#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "pdf/redact/redact_overwrite.h"
#include "syntax/pdf/lex.h"

#define TABLES 12  /* bytes before the table directory of a TrueType font, */
#define TABLE  16  /* and of each of its entries */
#define MOST   100 /* tables */
#define INDEX  3   /* bytes of the head of an INDEX of CFF: how many, and the size of offsets */

/* The table `name` of TrueType and OpenType. */
static size_t overwrite_tables(struct redact_words *words, unsigned char *data, size_t n)
{
    size_t count = 0, tables = n >= TABLES ? octets_be16(data + 4) : 0;

    for (size_t i = 0; i < tables && i < MOST && TABLES + (i + 1) * TABLE <= n; i++) {
        const unsigned char *entry = data + TABLES + i * TABLE;
        size_t at = octets_be32(entry + 8), length = octets_be32(entry + 12);

        if (memcmp(entry, "name", 4) == 0 && at < n && length <= n - at)
            count += redact_overwrite_data(words, data + at, length);
    }
    return count;
}

/* The INDEX of names of CFF, which follows the header. */
static size_t overwrite_cff(struct redact_words *words, unsigned char *data, size_t n)
{
    size_t at = n >= 4 ? data[2] : n, names, size, first, end = 0;

    if (at + INDEX > n)
        return 0;
    names = octets_be16(data + at);
    size = data[at + 2];
    first = at + INDEX + (names + 1) * size - 1; /* offsets count from the byte before the data */
    if (names == 0 || size == 0 || size > 4 || first >= n)
        return 0;
    for (size_t i = 0; i < size; i++)
        end = end << 8 | data[at + INDEX + names * size + i];
    return end < 1 || end > n - first ? 0 : redact_overwrite_data(words, data + first + 1, end - 1);
}

/* Strings of a Type 1 program, and its /FontName; the names of glyphs stay. */
static size_t overwrite_type1(struct redact_words *words, unsigned char *data, size_t n)
{
    struct lex lex = lex_of(data, n);
    struct lex_token token;
    size_t count = 0;
    bool named = false;

    while (lex_next(&lex, &token) && !lex_is(&token, "eexec")) {
        bool name = token.kind == LEX_NAME;

        if ((token.kind == LEX_STRING || (name && named)) && token.n > 2)
            count += redact_overwrite_data(words, data + (token.at - data) + 1, token.n - 1);
        named = name && token.n == 9 && memcmp(token.at, "/FontName", 9) == 0;
    }
    return count;
}

static size_t overwrite_program(struct redact_words *words, struct obj program, bool only_count,
                                size_t (*overwrite)(struct redact_words *words, unsigned char *data,
                                                    size_t n))
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_OBJ struct obj dict = obj_is_stream(program) ? obj_dict(program) : OBJ_NONE;
    size_t n, count;

    if (!dict.q || !obj_stream_data(program, &data, &n))
        return 0;
    count = overwrite(words, data, n);
    if (count && !only_count) {
        obj_remove(dict, "/Filter");
        obj_remove(dict, "/DecodeParms");
        obj_set_stream(program, data, n);
    }
    return count;
}

size_t redact_overwrite_font(struct redact_words *words, struct obj descriptor, bool only_count)
{
    AUTO_OBJ struct obj type1 = obj_key(descriptor, "/FontFile");
    AUTO_OBJ struct obj truetype = obj_key(descriptor, "/FontFile2");
    AUTO_OBJ struct obj other = obj_key(descriptor, "/FontFile3");
    AUTO_OBJ struct obj dict = obj_is_stream(other) ? obj_dict(other) : OBJ_NONE;
    bool tables = dict.q && obj_key_is(dict, "/Subtype", "/OpenType");

    return overwrite_program(words, type1, only_count, overwrite_type1) +
           overwrite_program(words, truetype, only_count, overwrite_tables) +
           overwrite_program(words, other, only_count, tables ? overwrite_tables : overwrite_cff);
}
