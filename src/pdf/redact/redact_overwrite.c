#include "pdf/redact/redact_overwrite.h"

#include <stdlib.h>
#include <string.h>

#include "base/jpeg_marker.h"
#include "base/octets.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/redact/redact_known.h"
#include "syntax/pdf/lex.h"

#define MARK '*'
#define BOX  8 /* bytes of a box of JPEG 2000 before its content: length and type */
/* Bytes of an ICC profile before its table of tags, with the number of these. */
#define PROFILE_TAGS 132

/* Whether `n` folded characters from `at` on are next to one another in the data: bytes that are
 * not UTF-8 are skipped when text is folded. */
static bool is_unbroken(const struct redact_folded *f, const unsigned char *data, size_t at,
                        size_t n)
{
    for (size_t i = f->from[at]; i < f->from[at + n]; i++)
        if (data[i] < ' ' || data[i] == 0x7f)
            return false;
    return f->from[at + n] - f->from[at] <= 4 * n;
}

static size_t overwrite_text(struct redact_words *words, unsigned char *data, size_t n)
{
    struct redact_folded f = { .exact = words->exact };
    size_t at = 0, length, count = 0;

    if (!redact_words_fold(&f, (char *) data, n))
        words->failed = true;
    while (f.at && redact_words_find(words, &f, &at, &length) != SIZE_MAX) {
        if (is_unbroken(&f, data, at, length)) {
            memset(data + f.from[at], MARK, f.from[at + length] - f.from[at]);
            count++;
        }
        at += length;
    }
    redact_words_unfold(&f);
    return count;
}

/* Units of UTF-16 become one byte each, and back where they have changed: texts of the Latin
 * alphabet are found. `high`: which of the two bytes is the first one of the number. */
static size_t overwrite_wide(struct redact_words *words, unsigned char *data, size_t n, size_t odd,
                             size_t high)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_FREE uint32_t *from = NULL;
    size_t units = n > odd ? (n - odd) / 2 : 0, count = 0;
    struct redact_folded f = { .exact = words->exact };
    size_t at = 0, length;

    from = malloc((units * 4 + 1) * sizeof *from);
    for (size_t i = 0; i < units && from; i++) {
        size_t begin = text.len;
        const unsigned char *unit = data + odd + 2 * i;

        utf8_put((uint32_t) unit[high] << 8 | unit[1 - high], &text);
        while (begin < text.len)
            from[begin++] = (uint32_t) i;
    }
    if (!from || text.failed || !redact_words_fold(&f, buf_text(&text), text.len))
        words->failed = true;
    while (f.at && redact_words_find(words, &f, &at, &length) != SIZE_MAX) {
        for (size_t i = from[f.from[at]]; i <= from[f.from[at + length - 1]]; i++) {
            data[odd + 2 * i + high] = 0;
            data[odd + 2 * i + 1 - high] = MARK;
        }
        count++;
        at += length;
    }
    redact_words_unfold(&f);
    return count;
}

/* Whether UTF-16 may be there: some zero bytes. */
static bool has_wide(const unsigned char *data, size_t n)
{
    size_t zeros = 0;

    for (size_t i = 0; i < n; i++)
        zeros += data[i] == 0;
    return zeros > 1;
}

size_t redact_overwrite_data(struct redact_words *words, unsigned char *data, size_t n)
{
    size_t count = overwrite_text(words, data, n);

    for (size_t i = 0; i < 4 && has_wide(data, n); i++)
        count += overwrite_wide(words, data, n, i & 1, i >> 1);
    return count;
}

/* In syntax of PDF or PostScript (functions, CMaps): comments, and names and strings that the
 * format does not define. */
static size_t overwrite_syntax(struct redact_words *words, unsigned char *data, size_t n)
{
    struct lex lex = lex_of(data, n);
    struct lex_token token;
    size_t last = 0, count = 0;
    bool more = true;

    while (more) {
        more = lex_next(&lex, &token);
        size_t at = more ? (size_t) (token.at - data) : n;

        if (memchr(data + last, '%', at - last))
            count += redact_overwrite_data(words, data + last, at - last);
        last = more ? at + token.n : n;
        if (more && token.n > 2 && (token.kind == LEX_NAME || token.kind == LEX_STRING) &&
            !redact_known_name((const char *) token.at + 1,
                               token.n - (token.kind == LEX_NAME ? 1 : 2)))
            count += redact_overwrite_data(words, data + at + 1, token.n - 1);
    }
    return count;
}

/* In the texts of an ICC profile (ICC.1, 7.3), and not in its tables. */
static size_t overwrite_profile(struct redact_words *words, unsigned char *data, size_t n)
{
    static const char types[] = "desc text mluc utf8 dict data";
    size_t n_tags = n >= PROFILE_TAGS ? octets_be32(data + PROFILE_TAGS - 4) : 0, count = 0;

    for (size_t i = 0; i < n_tags && PROFILE_TAGS + 12 * (i + 1) <= n; i++) {
        const unsigned char *tag = data + PROFILE_TAGS + 12 * i;
        size_t at = octets_be32(tag + 4), length = octets_be32(tag + 8);
        char type[5] = "";

        if (at > n || length > n - at || length < 8)
            continue;
        memcpy(type, data + at, 4);
        if (strlen(type) == 4 && strstr(types, type))
            count += redact_overwrite_data(words, data + at + 8, length - 8);
    }
    return count;
}

static bool is_profile(const unsigned char *data, size_t n)
{
    return n >= PROFILE_TAGS && memcmp(data + 36, "acsp", 4) == 0;
}

static size_t overwrite_part(struct redact_words *words, unsigned char *data, size_t n)
{
    return is_profile(data, n) ? overwrite_profile(words, data, n)
                               : redact_overwrite_data(words, data, n);
}

static size_t overwrite_segment(struct redact_words *words, unsigned char *data, size_t n)
{
    static const char profile[] = "ICC_PROFILE";
    size_t head = sizeof profile + 2;

    if (n < head || memcmp(data, profile, sizeof profile) != 0)
        return redact_overwrite_data(words, data, n);
    return is_profile(data + head, n - head) ? overwrite_profile(words, data + head, n - head) : 0;
}

static size_t overwrite_jpeg(struct redact_words *words, unsigned char *data, size_t n)
{
    size_t at = 2, count = 0, end = n;

    while (at + 4 <= n && data[at] == 0xff) {
        unsigned marker = data[at + 1];
        size_t length = octets_be16(data + at + 2);

        if (marker == 0xff) {
            at++;
            continue;
        }
        if (length < 2 || length > n - at - 2)
            break;
        if ((marker >= JPEG_APP0 && marker <= 0xef) || marker == 0xfe)
            count += overwrite_segment(words, data + at + 4, length - 2);
        at += 2 + length;
        if (marker == JPEG_SOS)
            break;
    }
    /* What follows the end of the image. */
    while (end > at + 1 && !(data[end - 2] == 0xff && data[end - 1] == JPEG_EOI))
        end--;
    if (end > at + 1 && end < n)
        count += redact_overwrite_data(words, data + end, n - end);
    return count;
}

static size_t overwrite_wavelets(struct redact_words *words, unsigned char *data, size_t n)
{
    size_t at = 0, count = 0;

    while (n - at >= BOX && !(at == 0 && data[0] == 0xff)) {
        size_t length = octets_be32(data + at);
        bool code = memcmp(data + at + 4, "jp2c", 4) == 0;

        if (length == 0 || length > n - at)
            length = n - at;
        if (length < BOX)
            break;
        if (!code)
            count += overwrite_part(words, data + at + BOX, length - BOX);
        at += length;
    }
    return count;
}

/* In whatever else a stream has. */
static size_t overwrite_other(struct redact_words *words, unsigned char *data, size_t n)
{
    static const char map[] = "begincmap";

    for (size_t i = 0; i + sizeof map <= n; i++)
        if (data[i] == 'b' && memcmp(data + i, map, sizeof map - 1) == 0)
            return overwrite_syntax(words, data, n);
    return overwrite_part(words, data, n);
}

static size_t overwrite_in(struct redact_words *words, struct obj stream, bool only_count, bool raw,
                           size_t (*overwrite)(struct redact_words *words, unsigned char *data,
                                               size_t n))
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_OBJ struct obj dict = obj_dict(stream);
    size_t n = 0, count;

    if (!(raw ? obj_stream_raw(stream, &data, &n) : obj_stream_data(stream, &data, &n)))
        return 0;
    count = overwrite(words, data, n);
    if (!count || only_count)
        return count;
    if (!raw) {
        obj_remove(dict, "/Filter");
        obj_remove(dict, "/DecodeParms");
    }
    obj_set_stream(stream, data, n);
    return count;
}

/* Whether the data are samples, a font program, or what the file is made of. */
static bool is_binary(struct obj dict)
{
    static const char *const keys[] = { "/ShadingType", "/HalftoneType", "/Length1", "/Length2" };
    static const char *const fonts[] = { "/Type1C", "/CIDFontType0C", "/OpenType" };
    static const char *const parts[] = { "/ObjStm", "/XRef" };
    long long function;
    bool is = obj_key_is(dict, "/Subtype", "/Image") ||
              (obj_key_int(dict, "/FunctionType", &function) && function != 4);

    for (size_t i = 0; i < COUNT(keys); i++)
        is |= obj_has(dict, keys[i]);
    for (size_t i = 0; i < COUNT(fonts); i++)
        is |= obj_key_is(dict, "/Subtype", fonts[i]);
    for (size_t i = 0; i < COUNT(parts); i++)
        is |= obj_key_is(dict, "/Type", parts[i]);
    return is;
}

size_t redact_overwrite_stream(struct redact_words *words, struct obj stream, bool only_count)
{
    AUTO_OBJ struct obj dict = obj_dict(stream);
    AUTO_OBJ struct obj filter = obj_key(dict, "/Filter");
    AUTO_OBJ struct obj first = obj_item(filter, 0);
    struct obj used = obj_is_array(filter) && obj_count(filter) == 1 ? first : filter;

    if (obj_name_is(used, "/DCTDecode") || obj_name_is(used, "/DCT"))
        return overwrite_in(words, stream, only_count, true, overwrite_jpeg);
    if (obj_name_is(used, "/JPXDecode"))
        return overwrite_in(words, stream, only_count, true, overwrite_wavelets);
    if (is_binary(dict))
        return 0;
    return overwrite_in(words, stream, only_count, false,
                        obj_has(dict, "/FunctionType") ? overwrite_syntax : overwrite_other);
}
