#include "recovery/undo/evidence.h"

#include <stdint.h>
#include <string.h>

#include "base/octets.h"
#include "recovery/inflate_repair/zstream.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/syntax.h"

#define STREAMS      2000U               /* looked at */
#define UNPACK_ONE   ((size_t) 1 << 20)  /* bytes: a stream that makes more is as good as sound */
#define UNPACK_ALL   ((size_t) 24 << 20) /* bytes */
#define ENTRIES      20000U              /* of cross-reference tables */
#define WORDS        4000U               /* keywords that count */
#define DICT         2000 /* bytes of a dictionary in which its /Length is looked for */
#define DAMAGED_ZERO 6    /* bytes of a header of zlib that must be there */

static const unsigned char *find_word(const unsigned char *at, const unsigned char *end,
                                      const char *word)
{
    return at < end ? memmem(at, (size_t) (end - at), word, strlen(word)) : NULL;
}

/* RFC 1950, 2.2. */
static bool is_zlib(const unsigned char *data, size_t n)
{
    return n >= DAMAGED_ZERO && (data[0] & 15) == 8 && data[0] <= 0x78 &&
           octets_be16(data) % 31 == 0;
}

/* The number after the last /Length before `at`; false: there is none, or a reference. */
static bool length_before(const unsigned char *data, size_t at, uint64_t *length)
{
    size_t from = at > DICT ? at - DICT : 0;
    static const char key[] = "/Length";

    for (size_t i = at; i-- > from;) {
        struct syntax s = { .data = data, .n = at, .at = i + sizeof key - 1 };
        uint64_t other;

        if (data[i] != '/' || at - i < sizeof key || memcmp(data + i, key, sizeof key - 1) != 0 ||
            (data[i + sizeof key - 1] >= '1' && data[i + sizeof key - 1] <= '3'))
            continue;
        syntax_skip_space(&s);
        if (!syntax_unsigned(&s, length))
            return false;
        syntax_skip_space(&s);
        return !syntax_unsigned(&s, &other);
    }
    return false;
}

static bool ends_at(const unsigned char *data, size_t n, size_t at)
{
    struct syntax s = { .data = data, .n = n, .at = at };

    for (int i = 0; i < 2 && s.at < n && lex_is_space(data[s.at]); i++)
        s.at++;
    return syntax_skip_word(&s, "endstream");
}

static void look_at_stream(const unsigned char *data, size_t n, size_t word, size_t *unpacked,
                           struct evidence *e)
{
    size_t at = word + strlen("stream"), size = 0;
    uint64_t length;

    if (at < n && data[at] == '\r')
        at++;
    if (at < n && data[at] == '\n')
        at++;
    if (length_before(data, word, &length)) {
        if (length <= n - at && ends_at(data, n, at + (size_t) length))
            e->lengths++;
        else
            e->wrong_lengths++;
    }
    if (!is_zlib(data + at, n - at) || *unpacked > UNPACK_ALL)
        return;
    /* What it makes is little where it is unsound: the rest of the file is not read. */
    if (zstream_sound(data + at, n - at, UNPACK_ONE, &size) || size > UNPACK_ONE)
        e->sound++;
    else
        e->unsound++;
    *unpacked += size;
}

/* Examines all streams, or a sample if there are more than STREAMS. */
static void look_at_streams(const unsigned char *data, size_t n, struct evidence *e)
{
    const unsigned char *end = data + n;
    size_t count = 0, every, i = 0, unpacked = 0;

    for (const unsigned char *at = data; (at = find_word(at, end, "stream")) != NULL; at++)
        count += at == data || at[-1] != 'd';
    every = count / STREAMS + 1;
    for (const unsigned char *at = data; (at = find_word(at, end, "stream")) != NULL; at++)
        if ((at == data || at[-1] != 'd') && i++ % every == 0)
            look_at_stream(data, n, (size_t) (at - data), &unpacked, e);
}

static void check_offset(bool right, struct evidence *e)
{
    if (right)
        e->offsets++;
    else
        e->wrong_offsets++;
}

static bool is_object(const unsigned char *data, size_t n, uint64_t at, uint64_t number)
{
    struct syntax s = { .data = data, .n = n, .at = (size_t) at };
    uint64_t found, generation;

    if (at >= n || lex_is_space(data[at]) || !syntax_unsigned(&s, &found) || found != number)
        return false;
    syntax_skip_space(&s);
    if (!syntax_unsigned(&s, &generation))
        return false;
    syntax_skip_space(&s);
    return syntax_skip_word(&s, "obj");
}

/* Examines the sections of a table, after its keyword (ISO 32000-1, 7.5.4). */
static void look_at_table(const unsigned char *data, size_t n, size_t at, size_t *entries,
                          struct evidence *e)
{
    struct syntax s = { .data = data, .n = n, .at = at };
    uint64_t first, count, offset, generation;

    for (;;) {
        syntax_skip_space(&s);
        if (!syntax_unsigned(&s, &first))
            return;
        syntax_skip_space(&s);
        if (!syntax_unsigned(&s, &count))
            return;
        for (uint64_t i = 0; i < count; i++) {
            syntax_skip_space(&s);
            if (*entries >= ENTRIES || !syntax_unsigned(&s, &offset))
                return;
            syntax_skip_space(&s);
            if (!syntax_unsigned(&s, &generation))
                return;
            syntax_skip_space(&s);
            ++*entries;
            if (syntax_skip_word(&s, "n"))
                check_offset(is_object(data, n, offset, first + i), e);
            else if (!syntax_skip_word(&s, "f"))
                return;
        }
    }
}

static bool is_xref_table(const unsigned char *data, size_t n, uint64_t at)
{
    struct syntax s = { .data = data, .n = n, .at = (size_t) at };
    uint64_t number;

    if (at >= n)
        return false;
    if (syntax_skip_word(&s, "xref"))
        return true;
    return syntax_unsigned(&s, &number) && is_object(data, n, at, number);
}

static void look_at_offsets(const unsigned char *data, size_t n, struct evidence *e)
{
    const unsigned char *end = data + n;
    size_t entries = 0;

    for (const unsigned char *at = data; (at = find_word(at, end, "xref")) != NULL; at += 4) {
        struct syntax s = { .data = data, .n = n, .at = (size_t) (at - data) + 4 };
        uint64_t place;

        if (at == data || at[-1] != 't') {
            look_at_table(data, n, s.at, &entries, e);
            continue;
        }
        syntax_skip_space(&s);
        /* The first of a linearized document has no place to name. */
        if (syntax_unsigned(&s, &place) && place)
            check_offset(is_xref_table(data, n, place), e);
    }
}

void evidence_find(const unsigned char *data, size_t n, struct evidence *evidence)
{
    *evidence = (struct evidence){ .header = n > 5 && memcmp(data, "%PDF-", 5) == 0 };
    if (n == 0)
        return;
    look_at_streams(data, n, evidence);
    look_at_offsets(data, n, evidence);
    for (const unsigned char *at = data; (at = find_word(at, data + n, "endobj")) != NULL; at += 6)
        if (++evidence->words == WORDS)
            break;
}

size_t evidence_weight(const struct evidence *evidence)
{
    return evidence->sound * 16 + evidence->lengths * 8 + evidence->offsets * 4 +
           evidence->words * 2 + (evidence->header ? 4U : 0U);
}

bool evidence_is_whole(const struct evidence *evidence)
{
    return evidence->header && evidence->unsound == 0 && evidence->wrong_lengths == 0 &&
           evidence->wrong_offsets == 0 && evidence->sound + evidence->lengths > 0;
}
