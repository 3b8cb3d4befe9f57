#include "pdf/pdfa/pdfa_font.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "font/sfnt.h"
#include "pdf/content/operators.h"
#include "pdf/document/doc.h"

#define CODES      65536
#define SMALL      256 /* codes of fonts of drawn glyphs */
#define WIDTH_MOST 1.0 /* by which widths may differ, in thousandths (6.2.11.5) */
#define NAME_BYTES 60

struct pdfa_font {
    int64_t id;
    char name[NAME_BYTES];
    bool composite; /* its codes are of two bytes */
    /* For each code, in thousandths: the width that the dictionary says, and that of the glyph,
     * which is NAN where there is none. */
    float *said, *drawn;
    bool *mapped; /* for each code: whether it has a character */
};

static size_t n_codes(const struct pdfa_font *font)
{
    return font->composite ? CODES : SMALL;
}

static int refuse_font(struct pdfa_walk *walk, const struct pdfa_font *font, const char *what)
{
    char sentence[NAME_BYTES + 120];

    snprintf(sentence, sizeof sentence, "has text in the font %s, %s", font->name, what);
    return pdfa_walk_refuse(walk, sentence);
}

/* The name without the prefix of a subset. */
static void read_font_name(struct pdfa_font *font, struct obj dict)
{
    AUTO_OBJ struct obj name = obj_key(dict, "/BaseFont");
    size_t n = 0;
    const char *bytes = obj_is_name(name) ? obj_bytes(name, &n) : NULL;
    size_t from = bytes && n > 8 && bytes[7] == '+' ? 8 : 1, len = 0;

    for (size_t i = from; bytes && i < n && len + 1 < sizeof font->name; i++)
        if (bytes[i] > ' ' && bytes[i] <= '~')
            font->name[len++] = bytes[i];
    if (len == 0)
        snprintf(font->name, sizeof font->name, "without a name");
}

/* The width of one entry of /W, and how many items it has; 0 if it is not an entry. */
static int read_widths(struct pdfa_font *font, struct obj list, int at)
{
    AUTO_OBJ struct obj first = obj_item(list, at);
    AUTO_OBJ struct obj second = obj_item(list, at + 1);
    AUTO_OBJ struct obj third = obj_item(list, at + 2);
    long long from, to;
    double width;

    if (!obj_is_int(first, &from) || from < 0 || from >= CODES)
        return 0;
    if (obj_is_array(second)) {
        for (int i = 0; i < obj_count(second) && from + i < CODES; i++) {
            AUTO_OBJ struct obj item = obj_item(second, i);

            if (!obj_is_number(item, &width))
                return 0;
            font->said[from + i] = (float) width;
        }
        return 2;
    }
    if (!obj_is_int(second, &to) || !obj_is_number(third, &width) || to < from || to >= CODES)
        return 0;
    for (; from <= to; from++)
        font->said[from] = (float) width;
    return 3;
}

static bool read_said(struct pdfa_font *font, struct obj cid_font)
{
    AUTO_OBJ struct obj usual = obj_key(cid_font, "/DW");
    AUTO_OBJ struct obj list = obj_key(cid_font, "/W");
    double width = 1000;
    int used = 0;

    obj_is_number(usual, &width);
    for (size_t i = 0; i < CODES; i++)
        font->said[i] = (float) width;
    for (int at = 0; at < obj_count(list); at += used) {
        used = read_widths(font, list, at);
        if (used == 0)
            return false;
    }
    return true;
}

static unsigned be16(const uint8_t *at)
{
    return (unsigned) at[0] << 8 | at[1];
}

/* The width of each glyph of a TrueType program, for the codes that `gids` maps to it; NULL: each
 * code is the number of its glyph. */
static bool read_program(struct pdfa_font *font, const unsigned char *data, size_t n,
                         const unsigned char *gids, size_t n_gids)
{
    struct sfnt sfnt;

    if (!sfnt_open(&sfnt, data, n))
        return false;
    struct sfnt_table head = sfnt_table(&sfnt, "head"), maxp = sfnt_table(&sfnt, "maxp");
    struct sfnt_table hhea = sfnt_table(&sfnt, "hhea"), hmtx = sfnt_table(&sfnt, "hmtx");

    if (head.n < 54 || maxp.n < 6 || hhea.n < 36 || !sfnt_table(&sfnt, "glyf").data ||
        !sfnt_table(&sfnt, "loca").data || be16(head.data + 18) == 0)
        return false;
    unsigned glyphs = be16(maxp.data + 4), wide = be16(hhea.data + 34);

    if (wide == 0 || hmtx.n / 4 < wide)
        return false;
    for (size_t code = 0; code < CODES; code++) {
        size_t gid = code;

        if (gids)
            gid = code < n_gids / 2 ? be16(gids + 2 * code) : 0;
        if (gid > 0 && gid < glyphs)
            font->drawn[code] = (float) (be16(hmtx.data + 4 * (gid < wide ? gid : wide - 1)) *
                                         1000.0 / be16(head.data + 18));
    }
    return true;
}

static int read_true_type(struct pdfa_walk *walk, struct pdfa_font *font, struct obj cid_font)
{
    AUTO_OBJ struct obj about = obj_key(cid_font, "/FontDescriptor");
    AUTO_OBJ struct obj file = obj_key(about, "/FontFile2");
    AUTO_OBJ struct obj map = obj_key(cid_font, "/CIDToGIDMap");
    AUTO_FREE unsigned char *data = NULL, *gids = NULL;
    size_t n, n_gids = 0;

    if (!obj_key_is(cid_font, "/Subtype", "/CIDFontType2") || !obj_is_stream(file))
        return refuse_font(walk, font, "which is not embedded, or in a form that is not checked");
    if (pdfa_walk_stream(walk, file) < 0)
        return -1;
    obj_remove(about, "/CIDSet"); /* it is optional, and would have to be complete */
    if (obj_is_stream(map) && pdfa_walk_stream(walk, map) < 0)
        return -1;
    if (obj_is_stream(map) ? !obj_stream_data(map, &gids, &n_gids) : !obj_name_is(map, "/Identity"))
        return refuse_font(walk, font, "which does not say which glyphs it has");
    if (!obj_stream_data(file, &data, &n) || !read_program(font, data, n, gids, n_gids) ||
        !read_said(font, cid_font))
        return refuse_font(walk, font, "which is damaged");
    return 0;
}

struct mapping {
    struct pdfa_font *font;
    bool strange;
};

/* The code of a string of one or two bytes; CODES if it is not one. */
static size_t read_code(const struct operand *one)
{
    if (one->type != OPERAND_STRING || one->n < 1 || one->n > 2)
        return CODES;
    return one->n == 1 ? (unsigned char) one->bytes[0] : be16((const uint8_t *) one->bytes);
}

/* Whether it is a text without the characters that stand for none (6.2.11.7.2). */
static bool is_character(const struct operand *one)
{
    for (size_t i = 0; one->type == OPERAND_STRING && i + 1 < one->n; i += 2) {
        unsigned unit = be16((const uint8_t *) one->bytes + i);

        if (unit == 0 || unit == 0xfeff || unit == 0xfffe)
            return false;
    }
    return one->type == OPERAND_STRING && one->n >= 2 && one->n % 2 == 0;
}

/* A map is read as a content stream: its operands have the same syntax. */
static bool read_entries(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct mapping *mapping = arg;
    bool range = strcmp(op, "endbfrange") == 0;
    size_t each = range ? 3 : 2;

    if (!range && strcmp(op, "endbfchar") != 0)
        return true;
    mapping->strange |= n % each != 0;
    for (size_t i = 0; i + each <= n; i += each) {
        size_t from = read_code(&operands[i]), to = read_code(&operands[i + each - 2]);

        if (from >= n_codes(mapping->font) || to >= n_codes(mapping->font)) {
            mapping->strange = true;
            continue;
        }
        for (; from <= to; from++)
            mapping->font->mapped[from] = is_character(&operands[i + each - 1]);
    }
    return true;
}

static int read_map(struct pdfa_walk *walk, struct pdfa_font *font, struct obj dict)
{
    AUTO_OBJ struct obj map = obj_key(dict, "/ToUnicode");
    AUTO_FREE unsigned char *data = NULL;
    struct mapping mapping = { .font = font };
    size_t n;

    if (obj_is_null(map))
        return 0;
    if (!obj_is_stream(map))
        return refuse_font(walk, font, "whose characters are not known");
    if (pdfa_walk_stream(walk, map) < 0)
        return -1;
    if (!obj_stream_data(map, &data, &n) || !operators_read(data, n, read_entries, &mapping) ||
        mapping.strange)
        return refuse_font(walk, font, "whose characters are not known");
    return 0;
}

static int read_composite(struct pdfa_walk *walk, struct pdfa_font *font, struct obj dict)
{
    AUTO_OBJ struct obj list = obj_key(dict, "/DescendantFonts");
    AUTO_OBJ struct obj cid_font = obj_item(list, 0);

    if (!obj_key_is(dict, "/Encoding", "/Identity-H") &&
        !obj_key_is(dict, "/Encoding", "/Identity-V"))
        return refuse_font(walk, font, "whose encoding is not checked");
    return read_true_type(walk, font, cid_font);
}

static bool read_width(void *arg, const char *op, const struct operand *operands, size_t n)
{
    double *width = arg;

    if (strcmp(op, "d0") == 0 || strcmp(op, "d1") == 0)
        *width = operators_number(operands, n, 0);
    return false;
}

/* The width that the content of a drawn glyph begins with; NAN if it has none. */
static double glyph_width(struct obj glyph)
{
    AUTO_FREE unsigned char *data = NULL;
    double width = NAN;
    size_t n;

    if (obj_is_stream(glyph) && obj_stream_data(glyph, &data, &n))
        operators_read(data, n, read_width, &width);
    return width;
}

/* Sets the width of the glyph of a code, unless it is that of characters that a font lacks. */
static void read_glyph(struct pdfa_font *font, long long code, struct obj name, struct obj glyphs,
                       double scale)
{
    if (obj_name_is(name, "/.notdef") || obj_name_is(name, "/g0"))
        return;
    AUTO_FREE char *key = strdup(obj_value_text(name));
    AUTO_OBJ struct obj glyph = key ? obj_key(glyphs, key) : OBJ_NONE;

    if (key)
        font->drawn[code] = (float) (glyph_width(glyph) * scale);
}

static int read_drawn(struct pdfa_walk *walk, struct pdfa_font *font, struct obj dict)
{
    AUTO_OBJ struct obj matrix = obj_key(dict, "/FontMatrix");
    AUTO_OBJ struct obj across = obj_item(matrix, 0);
    AUTO_OBJ struct obj encoding = obj_key(dict, "/Encoding");
    AUTO_OBJ struct obj differences = obj_key(encoding, "/Differences");
    AUTO_OBJ struct obj glyphs = obj_key(dict, "/CharProcs");
    AUTO_OBJ struct obj widths = obj_key(dict, "/Widths");
    long long first = 0, code = 0;
    double scale, width;

    if (!obj_is_number(across, &scale) || !obj_key_int(dict, "/FirstChar", &first) || first < 0)
        return refuse_font(walk, font, "which is damaged");
    scale *= 1000;
    for (int i = 0; i < obj_count(widths) && first + i < SMALL; i++) {
        AUTO_OBJ struct obj item = obj_item(widths, i);

        if (obj_is_number(item, &width))
            font->said[first + i] = (float) (width * scale);
    }
    for (int i = 0; i < obj_count(differences); i++) {
        AUTO_OBJ struct obj item = obj_item(differences, i);

        if (obj_is_int(item, &code))
            continue;
        if (code < 0 || code >= SMALL || !obj_is_name(item))
            return refuse_font(walk, font, "whose encoding is not checked");
        read_glyph(font, code++, item, glyphs, scale);
    }
    return 0;
}

static void free_font(struct pdfa_font *font)
{
    free(font->said);
    free(font->drawn);
    free(font->mapped);
    free(font);
}

static struct pdfa_font *new_font(struct obj dict)
{
    struct pdfa_font *font = calloc(1, sizeof *font);

    if (!font)
        return NULL;
    font->id = obj_id(dict);
    font->composite = obj_key_is(dict, "/Subtype", "/Type0");
    font->said = calloc(n_codes(font), sizeof *font->said);
    font->drawn = calloc(n_codes(font), sizeof *font->drawn);
    font->mapped = calloc(n_codes(font), sizeof *font->mapped);
    if (!font->said || !font->drawn || !font->mapped) {
        free_font(font);
        return NULL;
    }
    for (size_t i = 0; i < n_codes(font); i++)
        font->drawn[i] = NAN;
    read_font_name(font, dict);
    return font;
}

static int read_font(struct pdfa_walk *walk, struct pdfa_font *font, struct obj dict)
{
    int done;

    if (font->id == 0)
        return refuse_font(walk, font, "which is not an object of its own");
    if (font->composite)
        done = read_composite(walk, font, dict);
    else if (obj_key_is(dict, "/Subtype", "/Type3"))
        done = read_drawn(walk, font, dict);
    else
        done = refuse_font(walk, font, "which is of a kind that is not checked");
    return done < 0 ? -1 : read_map(walk, font, dict);
}

const struct pdfa_font *pdfa_font_find(struct pdfa_walk *walk, struct obj font)
{
    struct pdfa_font *found, **more;
    int64_t at;

    if (key_map_find_id(&walk->font_ids, obj_id(font), &at))
        return walk->fonts[at];
    found = new_font(font);
    more = realloc(walk->fonts, (walk->n_fonts + 1) * sizeof(struct pdfa_font *));
    if (more)
        walk->fonts = more;
    if (!found || !more) {
        if (found)
            free_font(found);
        pdf_doc_no_memory(walk->err);
        return NULL;
    }
    if (read_font(walk, found, font) < 0) {
        free_font(found);
        return NULL;
    }
    key_map_put_id(&walk->font_ids, found->id, (int64_t) walk->n_fonts);
    walk->fonts[walk->n_fonts++] = found;
    return found;
}

int pdfa_font_check(struct pdfa_walk *walk, const struct pdfa_font *font, const char *bytes,
                    size_t n)
{
    size_t each = font->composite ? 2 : 1;

    if (n % each != 0)
        return refuse_font(walk, font, "with half a character");
    for (size_t i = 0; i < n; i += each) {
        size_t code = each == 2 ? be16((const uint8_t *) bytes + i) : (unsigned char) bytes[i];

        if (isnan(font->drawn[code]))
            return refuse_font(walk, font, "with characters for which it has no glyph");
        if (!(fabsf(font->said[code] - font->drawn[code]) <= WIDTH_MOST))
            return refuse_font(walk, font, "whose widths are not those of its glyphs");
        if (walk->kind->unicode && !font->mapped[code])
            return refuse_font(walk, font, "some of whose glyphs are not known as characters");
    }
    return 0;
}

void pdfa_font_free_all(struct pdfa_walk *walk)
{
    for (size_t i = 0; i < walk->n_fonts; i++)
        free_font(walk->fonts[i]);
    free(walk->fonts);
    walk->fonts = NULL;
    walk->n_fonts = 0;
    key_map_free(&walk->font_ids);
}
