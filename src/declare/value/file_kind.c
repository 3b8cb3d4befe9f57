#include "declare/value/file_kind.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/fdio.h"
#include "base/scope.h"

#define PDF_KIND    "pdf"
#define HTML_KIND   "html"
#define TEXT_KIND   "text"
#define SVG_KIND    "svg"
#define HOCR_KIND   "hocr"
#define ALTO_KIND   "alto"
#define MAGIC(text) text, sizeof(text) - 1

static const struct {
    const char *name, *media_type, *extension;
    const char *magic; /* '?' matches any byte */
    size_t n;
    size_t within; /* the magic may begin up to this offset */
} kinds[] = {
    { "zip", "application/zip", "zip", MAGIC("PK\3\4"), 0 },
    /* A kind of results, which is a ZIP: only its contents distinguish it from others. */
    { "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx",
      NULL, 0, 0 },
    { "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx", NULL, 0,
      0 },
    /* [MS-CFB] 2.2 */
    { "ole", "application/x-ole-storage", "ole", MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), 0 },
    /* Excel 2, 3 and 4: a sheet without a container, which begins with a BOF record ([MS-XLS]
     * 2.4.21 in its older forms). */
    { "biff", "application/vnd.ms-excel", "xls", MAGIC("\x09\0\4\0"), 0 },
    { "biff", "application/vnd.ms-excel", "xls", MAGIC("\x09\2\6\0"), 0 },
    { "biff", "application/vnd.ms-excel", "xls", MAGIC("\x09\4\6\0"), 0 },
    { "jpg", "image/jpeg", "jpg", MAGIC("\xff\xd8\xff"), 0 },
    { "png", "image/png", "png", MAGIC("\x89PNG\r\n\x1a\n"), 0 },
    { "gif", "image/gif", "gif", MAGIC("GIF8?a"), 0 },
    { "webp", "image/webp", "webp", MAGIC("RIFF????WEBP"), 0 },
    { "tiff", "image/tiff", "tif", MAGIC("II*\0"), 0 },
    { "tiff", "image/tiff", "tif", MAGIC("MM\0*"), 0 },
    { "tiff", "image/tiff", "tif", MAGIC("II+\0"), 0 }, /* BigTIFF */
    { "tiff", "image/tiff", "tif", MAGIC("MM\0+"), 0 },
    /* ISO/IEC 23008-12, by the brand of the file; "mif1" and "msf1" name no coding. */
    { "heic", "image/heic", "heic", MAGIC("????ftypheic"), 0 },
    { "heic", "image/heic", "heic", MAGIC("????ftypheix"), 0 },
    { "heic", "image/heic", "heic", MAGIC("????ftyphevc"), 0 },
    { "heic", "image/heic", "heic", MAGIC("????ftyphevx"), 0 },
    { "heic", "image/heic", "heic", MAGIC("????ftypheim"), 0 },
    { "heic", "image/heic", "heic", MAGIC("????ftypheis"), 0 },
    { "heic", "image/heic", "heic", MAGIC("????ftypmif1"), 0 },
    { "heic", "image/heic", "heic", MAGIC("????ftypmsf1"), 0 },
    { "avif", "image/avif", "avif", MAGIC("????ftypavif"), 0 },
    { "avif", "image/avif", "avif", MAGIC("????ftypavis"), 0 },
    /* Two letters alone would match too much: the small offset of the pixels and the small
     * header size are checked, too. In between OS/2 has the hot spot of a pointer. */
    { "bmp", "image/bmp", "bmp", MAGIC("BM??????????\0\0?\0\0\0"), 0 },
    /* PDF 32000-1, Annex H, note 13: readers find the header in the first 1024 bytes. Last,
     * because a ZIP of PDF files contains it there, too, and so may a picture's comment. */
    { PDF_KIND, "application/pdf", "pdf", MAGIC("%PDF-"), FILE_KIND_HEAD },
    /* Text that no tool accepts as a document. */
    { HTML_KIND, "text/html", "html", NULL, 0, 0 },
    /* Bytes that could be text, without the signature of another kind. */
    { TEXT_KIND, "text/plain", "txt", NULL, 0, 0 },
    /* RFC 7763. Text, and a kind of results. */
    { "md", "text/markdown", "md", NULL, 0, 0 },
    /* Text whose root element is <svg>. */
    { SVG_KIND, "image/svg+xml", "svg", NULL, 0, 0 },
    /* RFC 8259, and the same with a value on each line. Kinds of results. */
    { "json", "application/json", "json", NULL, 0, 0 },
    { "ndjson", "application/x-ndjson", "ndjson", NULL, 0, 0 },
    /* Recognised text with its places. Kinds of results. */
    { HOCR_KIND, "text/vnd.hocr+html", "hocr", NULL, 0, 0 },
    { ALTO_KIND, "application/xml", "xml", NULL, 0, 0 },
    /* Values of forms (ISO 19444-1; ISO 32000-2, 12.7.8; RFC 4180). Kinds of results. */
    { "xfdf", "application/vnd.adobe.xfdf", "xfdf", NULL, 0, 0 },
    { "fdf", "application/vnd.fdf", "fdf", NULL, 0, 0 },
    { "csv", "text/csv", "csv", NULL, 0, 0 },
};

#define UTF16_ASCII 4  /* percent of the characters, at least: blanks, separators, ends of lines */
#define FIRST_LINE  16 /* bytes of a header that lost its beginning: "DF-1.4" */

static bool begins(const char *text, const char *magic, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (magic[i] != '?' && magic[i] != text[i])
            return false;
    return true;
}

static bool is_control(unsigned c)
{
    return c == 0 || (c < ' ' && !strchr("\t\n\v\f\r\x1a\x1b", (int) c));
}

/* How many characters of ASCII these bytes have as UTF-16, in percent; 0 if they have what text
 * has not: control characters, halves of surrogate pairs, characters for private use. */
static size_t utf16_score(const unsigned char *head, size_t n, bool big)
{
    size_t units = n / 2, ascii = 0;
    bool high = false; /* the first half of a surrogate pair came before */

    for (size_t i = 0; i < units; i++) {
        unsigned unit = (unsigned) head[2 * i + !big] << 8 | head[2 * i + big];
        bool low = unit >= 0xdc00 && unit < 0xe000;

        if (is_control(unit) || low != high || unit >= 0xfffe || (unit >= 0xe000 && unit < 0xf900))
            return 0;
        high = unit >= 0xd800 && unit < 0xdc00;
        ascii += unit < 0x80;
    }
    return units ? ascii * 100 / units : 0;
}

const char *file_kind_utf16(const void *bytes, size_t n)
{
    const unsigned char *head = bytes;
    size_t little, big;

    if (n >= 4 && head[0] == 0xff && head[1] == 0xfe)
        return "utf-16le";
    if (n >= 4 && head[0] == 0xfe && head[1] == 0xff)
        return "utf-16be";
    if (n < 4)
        return NULL;
    little = utf16_score(head, n, false);
    big = utf16_score(head, n, true);
    if (little < UTF16_ASCII && big < UTF16_ASCII)
        return NULL;
    return little >= big ? "utf-16le" : "utf-16be";
}

/* Whether there are no control characters except those of text, or it is UTF-16. XML is text, too,
 * and so is RTF, which may have any bytes in pictures, and a NUL at its end. */
static bool is_text(const unsigned char *head, size_t n)
{
    if (file_kind_utf16(head, n) || (n > 5 && memcmp(head, "{\\rtf", 5) == 0))
        return true;
    for (size_t i = 0; i < n; i++)
        if (is_control(head[i]))
            return false;
    return n > 0;
}

/* Kinds of ZIP files that only their contents distinguish. */
static bool is_package(const char *kind)
{
    return strcmp(kind, "docx") == 0 || strcmp(kind, "xlsx") == 0;
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static size_t span(const char *text, size_t n, const char *set)
{
    size_t i = 0;

    while (i < n && is_one_of(text[i], set))
        i++;
    return i;
}

/* Whether the text begins with "N G obj" and a dictionary or an array (ISO 32000-2, 7.3.10). */
static bool begins_object(const char *text, size_t n)
{
    static const char *const parts[] = { "0123456789", " ", "0123456789", " " };
    size_t at = 0;

    for (size_t i = 0; i < COUNT(parts); i++) {
        size_t part = span(text + at, n - at, parts[i]);

        if (part == 0 || part > 10)
            return false;
        at += part;
    }
    if (n - at < 3 || memcmp(text + at, "obj", 3) != 0)
        return false;
    at += 3;
    at += span(text + at, n - at, " \t\r\n");
    return at < n && (text[at] == '[' || (n - at > 1 && text[at] == '<' && text[at + 1] == '<'));
}

/*
 * Recognises a PDF without "%PDF-", which readers open nevertheless, by a line that begins an
 * object. If the bytes could be a text about PDF, only comments and a damaged header may precede
 * it.
 */
static bool is_headless_pdf(const char *text, size_t n, bool could_be_text)
{
    bool first = true;

    for (size_t at = 0; at < n; first = false) {
        const char *line = text + at;
        size_t bytes = 0;

        while (bytes < n - at && line[bytes] != '\r' && line[bytes] != '\n')
            bytes++;
        if (begins_object(line, n - at))
            return true;
        if (could_be_text && bytes > 0 && line[0] != '%' && (!first || bytes > FIRST_LINE))
            return false;
        at += bytes + 1;
    }
    return false;
}

/* The offset after the first `end` in a text that begins with `begin`; 0 if it does not, or has
 * no `end`. */
static size_t skip(const char *text, size_t n, const char *begin, const char *end)
{
    size_t first = strlen(begin);
    const char *found;

    if (n < first || memcmp(text, begin, first) != 0)
        return 0;
    found = memmem(text + first, n - first, end, strlen(end));
    return found ? (size_t) (found - text) + strlen(end) : 0;
}

static bool begins_tag(const char *text, size_t n, const char *tag)
{
    size_t name = strlen(tag);

    return n >= name && strncasecmp(text, tag, name) == 0 &&
           (n == name || is_one_of(text[name], " \t\r\n\f/>"));
}

/* The offset of the first tag, or of the document type. */
static size_t skip_prolog(const char *text, size_t n)
{
    size_t at = n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, skipped;

    do {
        at += span(text + at, n - at, " \t\r\n\f");
        skipped = skip(text + at, n - at, "<!--", "-->");
        if (skipped == 0)
            skipped = skip(text + at, n - at, "<?", "?>");
        at += skipped;
    } while (skipped > 0);
    return at;
}

/* Whether a text begins like an SVG file. Tags may have a prefix, as in <svg:svg>. */
static bool is_svg(const char *text, size_t n)
{
    size_t at = skip_prolog(text, n);

    return begins_tag(text + at, n - at, "<!doctype svg") ||
           begins_tag(text + at, n - at, "<svg") ||
           begins_tag(text + at, n - at, "<!doctype svg:svg") ||
           begins_tag(text + at, n - at, "<svg:svg");
}

bool file_kind_is_html(const char *text, size_t n)
{
    size_t at = skip_prolog(text, n);

    return begins_tag(text + at, n - at, "<!doctype html") ||
           begins_tag(text + at, n - at, "<html");
}

const char *file_kind_of(const void *head, size_t n)
{
    const char *text = head;
    bool could_be_text;

    if (n > FILE_KIND_HEAD)
        n = FILE_KIND_HEAD;
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (size_t at = 0; kinds[i].magic && at <= kinds[i].within && at + kinds[i].n <= n; at++)
            if (begins(text + at, kinds[i].magic, kinds[i].n))
                return kinds[i].name;
    could_be_text = head && is_text(head, n);
    if (head && is_headless_pdf(text, n, could_be_text))
        return PDF_KIND;
    if (!could_be_text)
        return NULL;
    if (is_svg(text, n))
        return SVG_KIND;
    return file_kind_is_html(text, n) ? HTML_KIND : TEXT_KIND;
}

const char *file_kind_of_file(int fd)
{
    unsigned char head[FILE_KIND_HEAD];
    struct err ignored;
    ssize_t n = fdio_read_at(fd, head, sizeof head, 0, &ignored);

    return n > 0 ? file_kind_of(head, (size_t) n) : NULL;
}

bool file_kind_fits(const char *kind, const void *head, size_t n)
{
    const char *found;

    if (n > FILE_KIND_HEAD)
        n = FILE_KIND_HEAD;
    /* A text may contain the signature of any other kind, for example because it is about that
     * kind. */
    if (strcmp(kind, TEXT_KIND) == 0 || strcmp(kind, "md") == 0 || strcmp(kind, "csv") == 0)
        return is_text(head, n);
    if (strcmp(kind, "xfdf") == 0 || strcmp(kind, "fdf") == 0) {
        const char *begin = *kind == 'x' ? "<?xml" : "%FDF-";

        return n >= strlen(begin) && memcmp(head, begin, strlen(begin)) == 0;
    }
    if (strcmp(kind, "json") == 0 || strcmp(kind, "ndjson") == 0)
        return is_text(head, n) && ((const char *) head)[0] == '{';
    if (strcmp(kind, ALTO_KIND) == 0)
        return is_text(head, n) && memmem(head, n, "<alto ", strlen("<alto "));
    if (strcmp(kind, SVG_KIND) == 0)
        return is_text(head, n) && memmem(head, n, "<svg ", strlen("<svg "));
    if (strcmp(kind, HTML_KIND) == 0 || strcmp(kind, HOCR_KIND) == 0)
        return is_text(head, n) && file_kind_is_html(head, n);
    found = file_kind_of(head, n);
    return found && strcmp(found, is_package(kind) ? "zip" : kind) == 0;
}

const char *file_kind_media_type(const char *kind)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].media_type;
    return NULL;
}

const char *file_kind_extension(const char *kind)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].extension;
    return NULL;
}

const char *file_kind_of_name(const char *name)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');

    if (!dot)
        return NULL;
    if (strcasecmp(dot, ".jpeg") == 0)
        return "jpg";
    if (strcasecmp(dot, ".tiff") == 0)
        return "tiff";
    if (strcasecmp(dot, ".heif") == 0)
        return "heic";
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strcasecmp(dot + 1, kinds[i].extension) == 0)
            return kinds[i].name;
    return NULL;
}
