#include "font/type1.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "font/glyph_names.h"
#include "syntax/pdf/lex.h"

#define EEXEC_KEY      55665
#define CHARSTRING_KEY 4330
#define RANDOM_BYTES   4 /* random bytes at the start of encrypted data */
#define MAX_SUBRS      16384

const struct type1_key type1_keys[TYPE1_KEYS] = {
    { "/BlueValues", 6, true },
    { "/OtherBlues", 7, true },
    { "/FamilyBlues", 8, true },
    { "/FamilyOtherBlues", 9, true },
    { "/StdHW", 10, false },
    { "/StdVW", 11, false },
    { "/BlueScale", 0x0c09, false },
    { "/BlueShift", 0x0c0a, false },
    { "/BlueFuzz", 0x0c0b, false },
    { "/StemSnapH", 0x0c0c, true },
    { "/StemSnapV", 0x0c0d, true },
    { "/LanguageGroup", 0x0c11, false },
    { "/ExpansionFactor", 0x0c12, false },
    { "/ForceBold", 0x0c0e, false },
};

struct scan {
    struct type1 *font;
    struct lex lex;
    long skip; /* lenIV: random bytes at the start of each charstring */
};

/* Reads the next token. False at the end. */
static bool token(struct scan *s, struct type1_text *text)
{
    struct lex_token token;

    if (!lex_next(&s->lex, &token))
        return false;
    *text = (struct type1_text){ (const char *) token.at, token.n };
    return true;
}

static bool text_is(const struct type1_text *text, const char *what)
{
    return text->n == strlen(what) && memcmp(text->data, what, text->n) == 0;
}

static bool integer(struct scan *s, int64_t min, int64_t max, int64_t *value)
{
    struct type1_text text;

    return token(s, &text) && num_parse_i64(text.data, text.n, min, max, value);
}

/* PostScript allows "-.5" and "1." as numbers. */
static bool parse_number(const struct type1_text *text, double *value)
{
    char number[40];
    size_t n = 0, at = 0;

    if (text->n == 0 || text->n > sizeof number - 3)
        return false;
    if (text->data[at] == '-')
        number[n++] = text->data[at++];
    if (at < text->n && text->data[at] == '.')
        number[n++] = '0';
    memcpy(number + n, text->data + at, text->n - at);
    n += text->n - at;
    if (number[n - 1] == '.')
        number[n++] = '0';
    return num_parse_double(number, n, -1e6, 1e6, value);
}

/* Reads a number, or an array of numbers. */
static bool values(struct scan *s, struct type1_values *out)
{
    struct type1_text text;
    bool list;

    out->n = 0;
    if (!token(s, &text))
        return false;
    list = text_is(&text, "[") || text_is(&text, "{");
    if (text_is(&text, "true") || text_is(&text, "false")) {
        out->list[out->n++] = text_is(&text, "true");
        return true;
    }
    if (!list)
        return parse_number(&text, &out->list[out->n++]);
    while (token(s, &text) && !text_is(&text, "]") && !text_is(&text, "}")) {
        if (out->n == TYPE1_VALUES || !parse_number(&text, &out->list[out->n]))
            return false;
        out->n++;
    }
    return s->lex.at < s->lex.end;
}

/* Reads "dup CODE /NAME put" for each code, up to "def". */
static bool read_encoding(struct scan *s)
{
    struct type1_text text, last[2] = { { 0 } };
    int64_t code;

    if (!token(s, &text))
        return false;
    if (text_is(&text, "StandardEncoding")) {
        s->font->standard = true;
        return true;
    }
    if (!isdigit((unsigned char) *text.data))
        return false;
    while (token(s, &text) && !text_is(&text, "def") && !text_is(&text, "readonly")) {
        if (text_is(&text, "put") && last[1].n > 1 && *last[1].data == '/' && last[0].n > 0 &&
            !text_is(&last[0], "exch")) {
            if (!num_parse_i64(last[0].data, last[0].n, 0, 255, &code))
                return false;
            s->font->encoding[code] = (struct type1_text){ last[1].data + 1, last[1].n - 1 };
        }
        last[0] = last[1];
        last[1] = text;
    }
    return s->lex.at < s->lex.end;
}

/* Whether a second encoding follows, which some producers leave in place: StandardEncoding, for
 * a font whose own encoding is a part of it. Readers differ in which of the two they use. */
static bool repeats_encoding(struct scan *s)
{
    const struct type1_text *own = s->font->encoding;
    const struct glyph_name *known;
    struct type1_text text;
    size_t n = 0;

    if (!token(s, &text) || !text_is(&text, "StandardEncoding"))
        return false;
    for (unsigned code = 0; code < 256; code++)
        n += own[code].n > 0;
    for (unsigned i = 0; (known = glyph_name_at(i)); i++)
        n -= known->standard && text_is(&own[known->standard], known->name);
    return n == 0;
}

static bool read_clear(struct scan *s)
{
    struct type1_text text;
    bool encoded = false;
    struct type1 *font = s->font;

    while (token(s, &text)) {
        struct type1_values paint = { 0 };
        bool good = true;

        if (text_is(&text, "/FontName"))
            good = token(s, &font->name) && *font->name.data == '/';
        else if (text_is(&text, "/Encoding")) {
            good = encoded ? repeats_encoding(s) : read_encoding(s);
            encoded = true;
        } else if (text_is(&text, "/FontMatrix"))
            good = values(s, &font->matrix) && font->matrix.n == 6;
        else if (text_is(&text, "/FontBBox"))
            good = values(s, &font->bbox) && font->bbox.n == 4;
        else if (text_is(&text, "/PaintType"))
            good = values(s, &paint) && paint.list[0] == 0;
        else if (text_is(&text, "/WeightVector") || text_is(&text, "/Blend") ||
                 text_is(&text, "/BlendDesignMap"))
            good = false;
        if (!good)
            return false;
    }
    return encoded && font->matrix.n == 6 && font->bbox.n == 4 && font->name.n > 1 &&
           font->name.n < 128;
}

static void decrypt(char *data, size_t n, unsigned key)
{
    for (size_t i = 0; i < n; i++) {
        unsigned c = (unsigned char) data[i];

        data[i] = (char) (c ^ key >> 8);
        key = ((c + key) * 52845 + 22719) & 0xffff;
    }
}

/* Reads "LENGTH RD " and that number of bytes. */
static bool read_code(struct scan *s, struct type1_text *code)
{
    struct type1_text text;
    int64_t n;
    char *data;

    if (!integer(s, 0, 65535, &n) || !token(s, &text) || s->lex.end - s->lex.at < n + 1)
        return false;
    data = s->font->secret + (++s->lex.at - (const unsigned char *) s->font->secret);
    s->lex.at += n;
    if (s->skip > n)
        return false;
    if (s->skip >= 0)
        decrypt(data, (size_t) n, CHARSTRING_KEY);
    *code = (struct type1_text){ data, (size_t) n };
    if (s->skip > 0) {
        code->data += s->skip;
        code->n -= (size_t) s->skip;
    }
    return true;
}

static bool read_subrs(struct scan *s)
{
    struct type1 *font = s->font;
    struct type1_text text;
    int64_t count, i;
    const unsigned char *before;

    if (font->subrs || !integer(s, 0, MAX_SUBRS, &count))
        return false;
    font->subrs = calloc((size_t) count + 1, sizeof *font->subrs);
    font->n_subrs = (size_t) count;
    if (!font->subrs || !token(s, &text))
        return false;
    if (text_is(&text, "]"))
        return true;
    if (!text_is(&text, "array"))
        return false;
    for (before = s->lex.at; token(s, &text) && *text.data != '/'; before = s->lex.at) {
        if (text_is(&text, "ND") || text_is(&text, "|-") || text_is(&text, "def"))
            return true;
        if (text_is(&text, "dup") &&
            (!integer(s, 0, count - 1, &i) || !read_code(s, &font->subrs[i])))
            return false;
    }
    s->lex.at = before;
    return s->lex.at < s->lex.end;
}

static bool read_glyphs(struct scan *s)
{
    struct type1 *font = s->font;
    struct type1_text text;
    int64_t count;

    if (font->glyphs || !integer(s, 1, TYPE1_GLYPHS - 1, &count))
        return false;
    /* The first is reserved for .notdef, wherever it occurs in the font. */
    font->glyphs = calloc((size_t) count + 1, sizeof *font->glyphs);
    if (!font->glyphs)
        return false;
    for (font->n_glyphs = 1; token(s, &text) && !text_is(&text, "end");) {
        struct type1_glyph glyph = { .name = { text.data + 1, text.n - 1 } };

        if (*text.data != '/')
            continue;
        if (text.n < 2 || text.n > 128 || !read_code(s, &glyph.code))
            return false;
        if (text_is(&text, "/.notdef"))
            font->glyphs[0] = glyph;
        else if (font->n_glyphs > (size_t) count)
            return false;
        else
            font->glyphs[font->n_glyphs++] = glyph;
    }
    return font->glyphs[0].code.n > 0;
}

static bool read_private_value(struct scan *s, const struct type1_text *key)
{
    for (size_t i = 0; i < TYPE1_KEYS; i++)
        if (text_is(key, type1_keys[i].name))
            return values(s, &s->font->values[i]) &&
                   (type1_keys[i].delta || s->font->values[i].n == 1);
    return true;
}

static bool read_private(struct scan *s)
{
    struct type1_text text;
    int64_t n;

    s->skip = RANDOM_BYTES;
    while (token(s, &text)) {
        bool good = true;

        if (text_is(&text, "/lenIV")) {
            good = integer(s, -1, 64, &n) && !s->font->subrs && !s->font->glyphs;
            s->skip = good ? (long) n : 0;
        } else if (text_is(&text, "/Subrs")) {
            good = read_subrs(s);
        } else if (text_is(&text, "/CharStrings")) {
            return read_glyphs(s); /* the glyphs come last in all fonts */
        } else if (text_is(&text, "hires")) {
            good = false;
        } else {
            good = read_private_value(s, &text);
        }
        if (!good)
            return false;
    }
    return false;
}

/* Reads what follows "eexec": bytes, or the same as hexadecimal digits. */
static size_t read_secret(char *to, const char *at, const char *end)
{
    bool hex = true;
    size_t n = 0;
    int high = -1;

    while (at < end && lex_is_space(*at) && *at)
        at++;
    if (end - at < RANDOM_BYTES)
        return 0;
    for (size_t i = 0; i < RANDOM_BYTES; i++)
        hex = hex && num_hex_digit(at[i]) >= 0;
    if (!hex) {
        memcpy(to, at, (size_t) (end - at));
        return (size_t) (end - at);
    }
    for (; at < end; at++) {
        int digit = num_hex_digit(*at);

        if (digit < 0)
            continue;
        if (high >= 0)
            to[n++] = (char) (high << 4 | digit);
        high = high < 0 ? digit : -1;
    }
    return n;
}

bool type1_is(const void *data, size_t n)
{
    return n > 4 && memcmp(data, "%!", 2) == 0;
}

bool type1_open(struct type1 *font, const void *data, size_t n)
{
    const char *text = data, *mark = type1_is(data, n) ? memmem(text, n, "eexec", 5) : NULL;
    struct scan clear = { .font = font }, secret = { .font = font };
    size_t length;

    *font = (struct type1){ 0 };
    if (!mark || !(font->secret = malloc(n)))
        return false;
    length = read_secret(font->secret, mark + 5, text + n);
    if (length > RANDOM_BYTES) {
        decrypt(font->secret, length, EEXEC_KEY);
        clear.lex = (struct lex){ data, (const unsigned char *) mark };
        secret.lex = (struct lex){ (const unsigned char *) font->secret + RANDOM_BYTES,
                                   (const unsigned char *) font->secret + length };
        if (read_clear(&clear) && read_private(&secret))
            return true;
    }
    type1_close(font);
    return false;
}

void type1_close(struct type1 *font)
{
    free(font->secret);
    free(font->glyphs);
    free(font->subrs);
    *font = (struct type1){ 0 };
}

size_t type1_find(const struct type1 *font, const char *name, size_t n)
{
    for (size_t i = 1; i < font->n_glyphs; i++)
        if (font->glyphs[i].name.n == n && memcmp(font->glyphs[i].name.data, name, n) == 0)
            return i;
    return 0;
}
