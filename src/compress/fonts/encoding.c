#include "compress/fonts/encoding.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/num.h"
#include "base/octets.h"
#include "base/scope.h"
#include "font/cff.h"
#include "font/glyph_names.h"
#include "font/sfnt.h"
#include "font/subset.h"
#include "font/type1.h"

#define MAX_NAME 127

struct mapping {
    struct font_need *need;
    const struct usage_font *shown;
    char names[256][MAX_NAME + 1]; /* of /Differences; "" for none */
    bool differs;
    struct sfnt_table cmap;
    const struct subset_names *own; /* the program's names of glyphs */
};

static void keep_glyph(struct font_need *need, unsigned glyph)
{
    if (glyph < SUBSET_GLYPHS)
        bits_add(need->keep, glyph);
}

/* False if a name is too long to be kept here, or none that is known. */
static bool read_differences(struct obj font, struct mapping *m)
{
    AUTO_OBJ struct obj encoding = obj_key(font, "/Encoding");
    AUTO_OBJ struct obj list = obj_key(encoding, "/Differences");
    int n = obj_count(list);
    long long code = 0;

    if (obj_name_is(encoding, "/MacExpertEncoding") ||
        obj_key_is(encoding, "/BaseEncoding", "/MacExpertEncoding"))
        return false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(list, i);
        size_t length;
        const char *name;

        if (obj_is_int(item, &code) || !obj_is_name(item))
            continue;
        name = obj_bytes(item, &length);
        if (!name || length > MAX_NAME || memchr(name, '\0', length))
            return false;
        if (code >= 0 && code < 256)
            memcpy(m->names[code], name + 1, length); /* with its NUL, without its slash */
        m->differs = true;
        code++;
    }
    return true;
}

/* Calls `each` for every name a shown code may have in one of the encodings. */
static bool each_name(struct mapping *m, bool (*each)(struct mapping *, const char *, void *),
                      void *arg)
{
    for (unsigned code = 0; code < 256; code++) {
        const struct glyph_name *known;

        if (!usage_has_code(m->shown, code))
            continue;
        /* If the font lacks it, some readers use the glyph of the code in another encoding. */
        if (*m->names[code] && !each(m, m->names[code], arg))
            return false;
        for (unsigned i = 0; (known = glyph_name_at(i)); i++)
            if ((known->standard == code || known->mac == code || known->win == code) && code != 0)
                each(m, known->name, arg);
        if (code == 0xa0 || code == 0xca)
            each(m, "space", arg);
        if (code == 0xad)
            each(m, "hyphen", arg);
        if (code > 0x7e)
            each(m, "bullet", arg);
    }
    return true;
}

static bool keep_cff_name(struct mapping *m, const char *name, void *arg)
{
    keep_glyph(m->need, cff_glyph_of_name(arg, name));
    return true;
}

static bool keep_cff_simple(struct mapping *m, const struct cff *cff)
{
    if (cff->by_cid) /* readers take codes as glyphs, or as CIDs */
        return false;
    for (unsigned code = 0; code < 256; code++)
        if (usage_has_code(m->shown, code) && cff->known_codes)
            keep_glyph(m->need, cff->codes[code]);
    return each_name(m, keep_cff_name, (void *) (uintptr_t) cff);
}

static bool keep_cff(struct mapping *m, const void *data, size_t n)
{
    AUTO_CFF struct cff cff = { 0 };

    m->need->names = true;
    if (!cff_open(&cff, data, n))
        return false;
    if (!m->shown->composite)
        return keep_cff_simple(m, &cff);
    if (!cff.by_cid) {
        for (unsigned code = 0; code < USAGE_CODES; code++)
            if (usage_has_code(m->shown, code))
                keep_glyph(m->need, code);
        return true;
    }
    for (unsigned glyph = 0; glyph < cff.n_glyphs; glyph++)
        if (usage_has_code(m->shown, cff.charset[glyph]))
            keep_glyph(m->need, glyph);
    return true;
}

static bool keep_type1_name(struct mapping *m, const char *name, void *arg)
{
    size_t glyph = type1_find(arg, name, strlen(name));

    keep_glyph(m->need, (unsigned) glyph);
    /* Some readers use another name for a missing glyph, in different ways. */
    return glyph || strcmp(name, ".notdef") == 0;
}

static bool keep_type1(struct mapping *m, const void *data, size_t n)
{
    AUTO_TYPE1 struct type1 font = { 0 };

    if (m->shown->composite || !type1_open(&font, data, n))
        return false;
    for (unsigned code = 0; code < 256; code++)
        if (usage_has_code(m->shown, code) && font.encoding[code].n > 0)
            keep_glyph(m->need, (unsigned) type1_find(&font, font.encoding[code].data,
                                                      font.encoding[code].n));
    return each_name(m, keep_type1_name, &font);
}

/* Symbolic fonts have their codes at 0xf000 and above, or as they are. */
static bool is_shown(const struct mapping *m, unsigned code)
{
    unsigned low = code >= 0xf000 && code <= 0xf2ff ? code & 0xff : code;

    return low < 256 && usage_has_code(m->shown, low);
}

static void keep_shown(void *arg, unsigned code, unsigned glyph)
{
    struct mapping *m = arg;

    if (is_shown(m, code))
        keep_glyph(m->need, glyph);
}

struct wanted {
    uint8_t codes[8192]; /* a bit for each character */
};

static void want(struct wanted *w, uint32_t code)
{
    if (code < 65536)
        w->codes[code / 8] |= (uint8_t) (1 << code % 8);
}

static bool is_wanted(const struct wanted *w, unsigned code)
{
    return w->codes[code / 8] >> code % 8 & 1;
}

struct find {
    struct mapping *m;
    struct wanted *wanted;
};

static void keep_wanted(void *arg, unsigned code, unsigned glyph)
{
    struct find *find = arg;

    if (is_wanted(find->wanted, code))
        keep_glyph(find->m->need, glyph);
}

/* "g24", "glyph24" and the like, which some readers take for numbers of glyphs, others for codes.
 */
static bool keep_number(struct mapping *m, const char *name, struct wanted *wanted)
{
    size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const char *digits = name + letters;
    int64_t number;

    if (!num_parse_i64(digits, strlen(digits), 0, SUBSET_GLYPHS - 1, &number))
        return false;
    want(wanted, 0xfffd); /* other readers draw it in place of unknown characters */
    keep_glyph(m->need, m->own ? subset_names_find(m->own, "uniFFFD") : 0);
    keep_glyph(m->need, (unsigned) number);
    keep_glyph(m->need, (unsigned) strtoul(digits, NULL, 16));
    return true;
}

/* By its character, by its code on the Macintosh, and by its name in the font. False for a name
 * that nothing is known of. */
static bool want_name(struct mapping *m, const char *name, void *arg)
{
    const struct glyph_name *known = glyph_name_find(name);
    uint32_t unicode = glyph_name_unicode(name);
    unsigned glyph = m->own ? subset_names_find(m->own, name) : 0;

    if (unicode)
        want(arg, unicode);
    if (unicode == 0x2126)
        want(arg, 0x3a9);
    if (unicode == 0x2206)
        want(arg, 0x394);
    if (unicode == 0xb5)
        want(arg, 0x3bc);
    if (known && known->mac)
        want(arg, known->mac);
    keep_glyph(m->need, glyph);
    return unicode || glyph || strcmp(name, ".notdef") == 0 || keep_number(m, name, arg);
}

/* The codes that keep_shown and keep_wanted look for. */
static bool note_codes(struct mapping *m, const struct wanted *wanted)
{
    struct font_need *need = m->need;

    if (!need->codes && !(need->codes = calloc(USAGE_CODES / 64, sizeof *need->codes)))
        return false;
    for (unsigned code = 0; code < USAGE_CODES; code++)
        if (is_shown(m, code) || is_wanted(wanted, code))
            bits_add(need->codes, code);
    return true;
}

static bool keep_sfnt_simple(struct mapping *m, const void *data, size_t n)
{
    AUTO_FREE struct wanted *wanted = calloc(1, sizeof *wanted);
    AUTO_SUBSET_NAMES struct subset_names *own = subset_names_open(data, n);
    struct sfnt font;
    struct find find = { m, wanted };

    m->need->cmap = true;
    m->need->names |= m->differs;
    m->own = own;
    if (!wanted || !own || !sfnt_open(&font, data, n))
        return false;
    m->cmap = sfnt_table(&font, "cmap");
    if (!m->cmap.data) {
        for (unsigned code = 0; code < 256; code++)
            if (usage_has_code(m->shown, code))
                keep_glyph(m->need, code);
    }
    if (!each_name(m, want_name, wanted))
        return false;
    sfnt_cmap_each(m->cmap, keep_shown, m);
    sfnt_cmap_each(m->cmap, keep_wanted, &find);
    return note_codes(m, wanted);
}

static bool keep_sfnt_composite(struct mapping *m, struct obj font)
{
    AUTO_OBJ struct obj map = obj_key(font, "/CIDToGIDMap");
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    if (obj_is_stream(map) && !obj_stream_data(map, &data, &n))
        return false;
    for (unsigned code = 0; code < USAGE_CODES; code++) {
        if (!usage_has_code(m->shown, code))
            continue;
        if (!data)
            keep_glyph(m->need, code);
        else if (2 * (size_t) code + 1 < n)
            keep_glyph(m->need, octets_be16(data + 2 * (size_t) code));
    }
    return true;
}

static bool is_opentype_cff(struct obj font, struct obj program, const unsigned char *data)
{
    return obj_key_is(program, "/Subtype", "/OpenType") &&
           obj_key_is(font, "/Subtype", "/CIDFontType0") && memcmp(data, "OTTO", 4) == 0;
}

/* OpenType with CFF outlines; readers expect its character map, even if they do not use it. */
static bool keep_opentype(struct mapping *m, const void *data, size_t n)
{
    struct sfnt font;
    struct sfnt_table outlines;

    if (!sfnt_open(&font, data, n))
        return false;
    outlines = sfnt_table(&font, "CFF ");
    m->need->cmap = true;
    return outlines.data && keep_cff(m, outlines.data, outlines.n);
}

bool encoding_glyphs(struct obj font, struct obj program, const struct usage_font *shown,
                     struct font_need *need)
{
    AUTO_FREE struct mapping *m = calloc(1, sizeof *m);
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!m || !obj_stream_data(program, &data, &n) || n < 4)
        return false;
    m->need = need;
    m->shown = shown;
    if (!shown->composite && !read_differences(font, m))
        return false;
    if (obj_key_is(program, "/Subtype", "/Type1C") ||
        obj_key_is(program, "/Subtype", "/CIDFontType0C"))
        return data[0] == 1 && keep_cff(m, data, n);
    if (!obj_has(program, "/Subtype") && type1_is(data, n))
        return keep_type1(m, data, n);
    if (is_opentype_cff(font, program, data))
        return shown->composite && keep_opentype(m, data, n);
    if (obj_has(program, "/Subtype") ||
        (memcmp(data, "\0\1\0\0", 4) != 0 && memcmp(data, "true", 4) != 0))
        return false;
    return shown->composite ? keep_sfnt_composite(m, font) : keep_sfnt_simple(m, data, n);
}
