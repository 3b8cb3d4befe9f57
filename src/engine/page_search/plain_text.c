#include "engine/page_search/plain_text.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define MOST_PARTS 32 /* characters that one is a form of; 18 are possible (U+FDFA) */

static bool has_room(struct plain_text *out)
{
    size_t cap = out->cap ? out->cap * 2 : 256;
    uint32_t *codes, *from, *to;
    bool *line;

    if (out->n < out->cap)
        return true;
    codes = reallocarray(out->codes, cap, sizeof *codes);
    out->codes = codes ? codes : out->codes;
    from = reallocarray(out->from, cap, sizeof *from);
    out->from = from ? from : out->from;
    to = reallocarray(out->to, cap, sizeof *to);
    out->to = to ? to : out->to;
    line = reallocarray(out->line, cap, sizeof *line);
    out->line = line ? line : out->line;
    if (!codes || !from || !to || !line) {
        out->failed = true;
        return false;
    }
    out->cap = cap;
    return true;
}

static void add_plain(struct plain_text *out, uint32_t code, size_t from, bool line)
{
    if (!has_room(out))
        return;
    out->codes[out->n] = code;
    out->from[out->n] = out->to[out->n] = (uint32_t) from;
    out->line[out->n++] = line;
}

static uint32_t last_of(const struct plain_text *out)
{
    return out->n ? out->codes[out->n - 1] : 0;
}

static bool is_any_space(uint32_t code)
{
    int category = (int) utf8proc_category((utf8proc_int32_t) code);

    return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP || category == UTF8PROC_CATEGORY_CC;
}

/* Characters without a look of their own. */
static bool is_unseen(uint32_t code)
{
    return code == 0 || code == 0xad || code == 0x34f || (code >= 0xfe00 && code <= 0xfe0f) ||
           utf8proc_category((utf8proc_int32_t) code) == UTF8PROC_CATEGORY_CF;
}

static uint32_t simple_form(uint32_t code)
{
    switch (code) {
    case 0x2018:
    case 0x2019:
    case 0x201a:
    case 0x201b:
    case 0x2bc:
    case 0x2032:
        return '\'';
    case 0x201c:
    case 0x201d:
    case 0x201e:
    case 0xab:
    case 0xbb:
        return '"';
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2015:
    case 0x2212:
        return '-';
    default:
        return code;
    }
}

/* Scripts that are written without spaces. */
static bool is_unspaced(uint32_t code)
{
    return (code >= 0x2e80 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff) ||
           (code >= 0x20000 && code <= 0x3ffff) || (code >= 0xe00 && code <= 0xeff);
}

static bool is_sign(uint32_t code)
{
    return code && code < 128 && strchr("-@._/:=&?%+", (int) code);
}

static bool is_any_letter(uint32_t code)
{
    int category = (int) utf8proc_category((utf8proc_int32_t) code);

    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

/* Adds a mark to the letter before it if there is a character for both. */
static bool join_mark(struct plain_text *out, uint32_t mark, size_t from)
{
    utf8proc_int32_t pair[3] = { (utf8proc_int32_t) last_of(out), (utf8proc_int32_t) mark };
    int category = (int) utf8proc_category((utf8proc_int32_t) mark);

    if ((category != UTF8PROC_CATEGORY_MN && category != UTF8PROC_CATEGORY_MC) ||
        !is_any_letter(last_of(out)) ||
        utf8proc_normalize_utf32(pair, 2, UTF8PROC_COMPOSE | UTF8PROC_STABLE) != 1)
        return false;
    out->codes[out->n - 1] = (uint32_t) pair[0];
    out->to[out->n - 1] = (uint32_t) from;
    return true;
}

/* Adds the parts that a character is a form of. */
static void add_parts(struct plain_text *out, uint32_t code, size_t from, bool line)
{
    utf8proc_int32_t parts[MOST_PARTS];
    int bound = 0;
    utf8proc_ssize_t n =
        code < 128 ? 0
                   : utf8proc_decompose_char((utf8proc_int32_t) code, parts, MOST_PARTS,
                                             UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT, &bound);

    if (n > 1)
        n = utf8proc_normalize_utf32(parts, n, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    if (n < 1 || n > MOST_PARTS || parts[0] == ' ') {
        parts[0] = (utf8proc_int32_t) code;
        n = 1;
    }
    for (utf8proc_ssize_t i = 0; i < n; i++)
        if (!join_mark(out, (uint32_t) parts[i], from))
            add_plain(out, simple_form((uint32_t) parts[i]), from, line && i == 0);
}

/* The break in front of a line that begins with `next`. `soft`: a soft hyphen is in front of it. */
static void add_break(struct plain_text *out, uint32_t next, size_t from, bool soft,
                      enum plain_breaks breaks)
{
    uint32_t last = last_of(out);

    if (out->n == 0 || last == ' ' || soft || (is_unspaced(last) && is_unspaced(next)))
        return;
    if (breaks == PLAIN_JOINED && is_any_letter(last) && is_any_letter(next))
        return;
    if (breaks != PLAIN_WORDS && (is_sign(last) || next == '@' || next == '.' || next == '_'))
        return;
    if (breaks == PLAIN_WORDS && last == '-' && out->n > 1 &&
        is_any_letter(out->codes[out->n - 2]) && is_any_letter(next)) {
        out->n--;
        return;
    }
    add_plain(out, ' ', from, false);
}

bool plain_text_make(struct plain_text *out, const struct plain_source *source,
                     enum plain_breaks breaks)
{
    bool soft = false, line = true;

    out->n = 0;
    for (size_t i = 0; i < source->n && !out->failed; i++) {
        uint32_t code = source->codes[i] <= 0x10ffff ? source->codes[i] : 0xfffd;

        if (code == 0xad && source->hyphens)
            code = '-';
        if (i && source->line && source->line[i]) {
            add_break(out, simple_form(code), i, soft, breaks);
            line = true;
        }
        if (is_unseen(code)) {
            soft = code == 0xad || (soft && code == 0);
            continue;
        }
        soft = false;
        if (!is_any_space(code))
            add_parts(out, code, i, line);
        else if (out->n && last_of(out) != ' ')
            add_plain(out, ' ', i, false);
        line = line && is_any_space(code);
    }
    return !out->failed;
}

void plain_text_free(struct plain_text *text)
{
    free(text->codes);
    free(text->from);
    free(text->to);
    free(text->line);
    *text = (struct plain_text){ 0 };
}

bool plain_text_has_signs(const struct plain_source *source)
{
    for (size_t i = 1; source->line && i < source->n; i++)
        if (source->line[i] &&
            (is_sign(simple_form(source->codes[i - 1])) || is_sign(simple_form(source->codes[i])) ||
             source->codes[i - 1] == ' '))
            return true;
    return false;
}

bool plain_text_has_soft_hyphens(const struct plain_source *source)
{
    for (size_t i = 0; i < source->n; i++)
        if (source->codes[i] == 0xad)
            return true;
    return false;
}
