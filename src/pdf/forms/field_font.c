#include "pdf/forms/field_font.h"

#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "font/glyph_names.h"

#define MAX_DIFFERENCES 1000

enum family { HELVETICA, HELVETICA_BOLD, TIMES, TIMES_BOLD, COURIER, COURIER_BOLD };

static const char *const standard_names[] = { "Helvetica",  "Helvetica-Bold", "Times-Roman",
                                              "Times-Bold", "Courier",        "Courier-Bold" };

/* Widths of the characters from 0x20 to 0x7E, in thousandths of the size. */
static const uint16_t ascii_widths[][95] = {
    [HELVETICA] = { 278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584 },
    [HELVETICA_BOLD] = { 278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333,
                         278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333,
                         584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
                         556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944,
                         667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556,
                         333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
                         333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584 },
    [TIMES] = { 250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278,
                500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444,
                921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
                556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
                333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
                500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541 },
    [TIMES_BOLD] = { 250, 333, 555, 500, 500, 1000, 833, 278, 333, 333, 500, 570, 250, 333,
                     250, 278, 500, 500, 500, 500,  500, 500, 500, 500, 500, 500, 333, 333,
                     570, 570, 570, 500, 930, 722,  667, 722, 722, 667, 611, 778, 778, 389,
                     500, 778, 667, 944, 722, 778,  611, 778, 722, 556, 667, 722, 722, 1000,
                     722, 722, 667, 333, 278, 333,  581, 500, 333, 500, 556, 444, 556, 444,
                     333, 500, 556, 278, 333, 556,  278, 833, 556, 500, 556, 556, 444, 389,
                     333, 556, 500, 722, 500, 500,  444, 394, 220, 394, 520 },
};

/* The characters of the codes 0x80 to 0xA0 of PDFDocEncoding (annex D). */
static const uint16_t pdf_doc[33] = {
    0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x0192, 0x2044, 0x2039, 0x203A, 0x2212,
    0x2030, 0x201E, 0x201C, 0x201D, 0x2018, 0x2019, 0x201A, 0x2122, 0xFB01, 0xFB02, 0x0141,
    0x0152, 0x0160, 0x0178, 0x017D, 0x0131, 0x0142, 0x0153, 0x0161, 0x017E, 0,      0x20AC,
};

/* The width of a character in a standard font; that of a letter with an accent is its letter's. */
static uint16_t width_of(enum family family, const struct glyph_name *glyph)
{
    uint16_t c = glyph->unicode;
    bool is_letter = (c >= 0xC0 && c <= 0xFF) || (c >= 0x100 && c <= 0x17F);

    if (family >= COURIER)
        return 600;
    if (c >= 0x20 && c < 0x7F)
        return ascii_widths[family][c - 0x20];
    if (c == 0xA0)
        return ascii_widths[family][0];
    if (c == 0x2014 || c == 0x2026 || c == 0x2122)
        return 1000;
    if (is_letter && glyph->name[0] >= 'A' && glyph->name[0] <= 'z' && glyph->name[1] != 'E')
        return ascii_widths[family][glyph->name[0] - 0x20];
    if (c == 0x2018 || c == 0x2019 || c == 0x201A)
        return ascii_widths[family]['\'' - 0x20];
    return ascii_widths[family]['0' - 0x20];
}

enum base { WIN_ANSI, STANDARD, MAC_ROMAN, PDF_DOC };

static void set_code(struct field_font *font, enum family family, int code,
                     const struct glyph_name *glyph)
{
    if (code < 0x20 || code > 0xFF)
        return;
    font->unicode[code] = glyph->unicode;
    font->widths[code] = width_of(family, glyph);
}

static const struct glyph_name *glyph_of(uint32_t unicode)
{
    const struct glyph_name *glyph;

    for (unsigned i = 0; (glyph = glyph_name_at(i)); i++)
        if (glyph->unicode == unicode)
            return glyph;
    return NULL;
}

uint32_t field_font_pdf_doc(unsigned char code)
{
    return code >= 0x80 && code - 0x80U < COUNT(pdf_doc) ? pdf_doc[code - 0x80] : 0;
}

static void set_base(struct field_font *font, enum family family, enum base base)
{
    const struct glyph_name *glyph;

    for (unsigned i = 0; (glyph = glyph_name_at(i)); i++) {
        int code = base == STANDARD ? glyph->standard : base == MAC_ROMAN ? glyph->mac : glyph->win;

        if (base != PDF_DOC)
            set_code(font, family, code, glyph);
        else if (glyph->unicode < 0x7F || (glyph->unicode > 0xA0 && glyph->unicode <= 0xFF))
            set_code(font, family, glyph->unicode, glyph);
    }
    for (unsigned i = 0; base == PDF_DOC && i < COUNT(pdf_doc); i++)
        if ((glyph = glyph_of(pdf_doc[i])))
            set_code(font, family, (int) (0x80 + i), glyph);
}

static enum family family_of(const char *name)
{
    size_t tag = strspn(name + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const char *begin = tag == 6 && name[7] == '+' ? name + 8 : name + 1;
    bool bold = strcasestr(begin, "bold") || strcasestr(begin, "black") ||
                strcmp(begin, "HeBo") == 0 || strcmp(begin, "TiBo") == 0 ||
                strcmp(begin, "CoBo") == 0 || strstr(begin, "-Bd");
    bool sans = strcasestr(begin, "sans") != NULL;

    if (strstr(begin, "Cour") || strncmp(begin, "CoB", 3) == 0 || strcasestr(begin, "mono"))
        return bold ? COURIER_BOLD : COURIER;
    if (!sans &&
        (strncmp(begin, "Ti", 2) == 0 || strstr(begin, "Roman") || strcasestr(begin, "serif") ||
         strcasestr(begin, "garamond") || strcasestr(begin, "minion")))
        return bold ? TIMES_BOLD : TIMES;
    return bold ? HELVETICA_BOLD : HELVETICA;
}

/* Lines as Acrobat sets them: as high as the font's bounding box, and centred by it. What Acrobat
 * shows the standard fonts with has other boxes than their metrics say. */
static void set_line(struct field_font *font, enum family family)
{
    font->leading = FIELD_FONT_LEADING;
    font->middle = family >= COURIER ? 0.332 : family >= TIMES ? 0.36 : 0.371;
}

void field_font_standard(struct field_font *font, const char *like)
{
    enum family family = *like == '/' ? family_of(like) : HELVETICA;

    *font = (struct field_font){ .name = standard_names[family] };
    set_base(font, family, WIN_ANSI);
    set_line(font, family);
}

/* Whether viewers have that font without its program (9.6.2.2). */
static bool is_standard(const char *name)
{
    static const char *const names[] = {
        "/Helvetica",  "/Helvetica-Bold", "/Helvetica-Oblique", "/Helvetica-BoldOblique",
        "/Courier",    "/Courier-Bold",   "/Courier-Oblique",   "/Courier-BoldOblique",
        "/Times-Bold", "/Times-Roman",    "/Times-Italic",      "/Times-BoldItalic",
    };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_embedded(struct obj dict, const char *name)
{
    static const char *const programs[] = { "/FontFile", "/FontFile2", "/FontFile3" };
    AUTO_OBJ struct obj descriptor = obj_key(dict, "/FontDescriptor");
    size_t tag = strspn(name + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (tag == 6 && name[7] == '+') /* a part of a font: what it lacks is not known */
        return false;
    for (size_t i = 0; i < COUNT(programs); i++) {
        AUTO_OBJ struct obj program = obj_key(descriptor, programs[i]);

        if (obj_is_stream(program))
            return true;
    }
    return false;
}

static void set_differences(struct field_font *font, enum family family, struct obj differences)
{
    int n = obj_count(differences);
    long long code = 0, number;

    for (int i = 0; i < n && i < MAX_DIFFERENCES; i++) {
        AUTO_OBJ struct obj item = obj_item(differences, i);
        size_t length;
        const char *name = obj_is_name(item) ? obj_bytes(item, &length) : NULL;

        if (obj_is_int(item, &number)) {
            code = number >= 0 && number < 256 ? number : 256;
        } else if (name && code < 256) {
            const struct glyph_name *known = glyph_name_find(name + 1);
            uint32_t unicode = glyph_name_unicode(name + 1);

            font->unicode[code] = (uint16_t) (code >= 0x20 && unicode <= 0xFFFF ? unicode : 0);
            font->widths[code] = known ? width_of(family, known) : 500;
            code++;
        }
    }
}

/* False if the encoding is not one that says what the codes stand for. */
static bool set_encoding(struct field_font *font, enum family family, struct obj dict,
                         bool embedded)
{
    AUTO_OBJ struct obj encoding = obj_key(dict, "/Encoding");
    AUTO_OBJ struct obj of_dict = obj_key(encoding, "/BaseEncoding");
    AUTO_OBJ struct obj differences = obj_key(encoding, "/Differences");
    struct obj base = obj_is_name(encoding) ? encoding : of_dict;

    if (obj_name_is(base, "/WinAnsiEncoding"))
        set_base(font, family, WIN_ANSI);
    else if (obj_name_is(base, "/MacRomanEncoding"))
        set_base(font, family, MAC_ROMAN);
    else if (obj_name_is(base, "/PDFDocEncoding")) /* no viewer has to know it, and most do */
        set_base(font, family, PDF_DOC);
    else if (!embedded || obj_name_is(base, "/StandardEncoding"))
        set_base(font, family, STANDARD);
    else if (!obj_is_dict(encoding))
        return false; /* the font's own, which only its program knows */
    set_differences(font, family, differences);
    return true;
}

static void set_widths(struct field_font *font, struct obj dict)
{
    AUTO_OBJ struct obj widths = obj_key(dict, "/Widths");
    int n = obj_count(widths);
    long long first = 0;

    if (n == 0 || !obj_key_int(dict, "/FirstChar", &first) || first < 0 || first > 255)
        return;
    for (int code = 0; code < 256; code++) {
        AUTO_OBJ struct obj item = obj_item(widths, code - (int) first);
        double width = 0;

        if (code < first || code - first >= n || !obj_is_number(item, &width) || !(width > 0) ||
            width > 10000)
            font->unicode[code] = 0; /* most often a glyph that is not there */
        else
            font->widths[code] = (uint16_t) width;
    }
}

void field_font_line(struct field_font *font, const char *name, double low, double high)
{
    set_line(font, family_of(name));
    if (low > 0 || high < 600 || high - low < 900 || high - low > 1600)
        return; /* no box, or one that also has glyphs that no line of text has */
    font->leading = (high - low) / 1000;
    font->middle = (high + low) / 2000;
}

static void read_line_box(struct field_font *font, const char *name, struct obj dict)
{
    AUTO_OBJ struct obj descriptor = obj_key(dict, "/FontDescriptor");
    AUTO_OBJ struct obj box = obj_key(descriptor, "/FontBBox");
    AUTO_OBJ struct obj bottom = obj_item(box, 1), top = obj_item(box, 3);
    double low = 0, high = 0;

    if (obj_is_number(bottom, &low) && obj_is_number(top, &high))
        field_font_line(font, name, low, high);
}

bool field_font_open(struct field_font *font, struct obj dict)
{
    AUTO_OBJ struct obj name = obj_key(dict, "/BaseFont");
    AUTO_BUF struct buf base = BUF_EMPTY;
    size_t n = 0;
    const char *bytes = obj_is_name(name) ? obj_bytes(name, &n) : "/Helvetica";
    enum family family;
    bool embedded, usable = false;

    buf_puts(&base, bytes);
    family = family_of(buf_text(&base));
    *font = (struct field_font){ .name = standard_names[family] };
    set_line(font, family);
    embedded = is_embedded(dict, buf_text(&base));
    if ((obj_key_is(dict, "/Subtype", "/Type1") || obj_key_is(dict, "/Subtype", "/TrueType") ||
         obj_key_is(dict, "/Subtype", "/MMType1")) &&
        (embedded || is_standard(buf_text(&base))) && set_encoding(font, family, dict, embedded)) {
        set_widths(font, dict);
        read_line_box(font, buf_text(&base), dict);
        font->own = true;
        usable = font->unicode[' '] == ' ' && font->unicode['a'] == 'a';
    }
    if (!usable)
        field_font_standard(font, buf_text(&base));
    return usable;
}

/* Marks that direct the layout of text and are not seen. */
static bool is_format(uint32_t c)
{
    return (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

bool field_font_encode(const struct field_font *font, const char *utf8, size_t n, struct buf *out)
{
    uint32_t c;

    for (size_t at = 0; (c = utf8_next(utf8, n, &at));) {
        int code = c < 256 && font->unicode[c] == c ? (int) c : 255;

        if (is_format(c))
            continue;
        if (c != '\n') {
            while (code >= 0x20 && font->unicode[code] != c)
                code--;
            if (code < 0x20)
                return false;
        }
        buf_putc(out, c == '\n' ? '\n' : (char) code);
    }
    return true;
}
