#include "font/subset.h"

#include <hb-subset.h>
#include <hb.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/scope.h"
#include "font/cff.h"
#include "font/harfbuzz_scope.h"
#include "font/hints.h"
#include "font/sfnt.h"

static void drop_input(hb_subset_input_t **input)
{
    hb_subset_input_destroy(*input);
}

#define AUTO_INPUT __attribute__((cleanup(drop_input)))

static hb_tag_t tag_of(const char *tag)
{
    return HB_TAG(tag[0], tag[1], tag[2], tag[3]);
}

static hb_face_t *open_face(const void *data, size_t n)
{
    AUTO_BLOB hb_blob_t *blob = NULL;

    if (n > UINT32_MAX)
        return hb_face_get_empty();
    blob = hb_blob_create(data, (unsigned) n, HB_MEMORY_MODE_READONLY, NULL, NULL);
    return hb_face_create(blob, 0);
}

/* Keeps only the tables that PDF readers use, and passes those through unchanged. */
static void choose_tables(hb_subset_input_t *input, const struct subset *what)
{
    static const char *const as_they_are[] = { "cvt ", "fpgm", "prep", "gasp" };
    static const char *const dropped[] = { "GSUB", "GPOS", "GDEF", "kern", "name", "DSIG",
                                           "LTSH", "hdmx", "VDMX", "meta", "PCLT", "FFTM",
                                           "morx", "mort", "BASE", "JSTF", "MATH", "COLR",
                                           "CPAL", "SVG ", "sbix", "CBDT", "CBLC", "EBDT",
                                           "EBLC", "EBSC", "feat", "kerx", "cmap", "OS/2" };
    hb_set_t *pass = hb_subset_input_set(input, HB_SUBSET_SETS_NO_SUBSET_TABLE_TAG);
    hb_set_t *drop = hb_subset_input_set(input, HB_SUBSET_SETS_DROP_TABLE_TAG);

    for (size_t i = 0; i < COUNT(as_they_are); i++)
        hb_set_add(what->unhinted ? drop : pass, tag_of(as_they_are[i]));
    for (size_t i = 0; i < COUNT(dropped); i++)
        hb_set_add(drop, tag_of(dropped[i]));
    hb_set_add(what->names ? pass : drop, tag_of("post"));
}

static hb_face_t *run_subset(hb_face_t *face, const struct subset *what)
{
    AUTO_INPUT hb_subset_input_t *input = hb_subset_input_create_or_fail();
    unsigned n = hb_face_get_glyph_count(face);
    hb_set_t *glyphs;

    if (!input || n == 0)
        return NULL;
    glyphs = hb_subset_input_glyph_set(input);
    hb_set_add(glyphs, 0);
    for (unsigned g = 0; g < n && g < SUBSET_GLYPHS; g++)
        if (bits_has(what->keep, g))
            hb_set_add(glyphs, g);
    choose_tables(input, what);
    hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_RETAIN_GIDS | HB_SUBSET_FLAGS_NOTDEF_OUTLINE |
                                         (what->unhinted ? HB_SUBSET_FLAGS_NO_HINTING : 0));
    return hb_subset_or_fail(face, input);
}

static bool put_blob(hb_blob_t *blob, struct buf *out)
{
    unsigned n = 0;
    const char *data = hb_blob_get_data(blob, &n);

    buf_put(out, data, n);
    return n > 0 && !out->failed;
}

static void add_table(hb_face_t *builder, const char *tag, const char *data, size_t n)
{
    AUTO_BLOB hb_blob_t *blob =
        hb_blob_create(data, (unsigned) n, HB_MEMORY_MODE_DUPLICATE, NULL, NULL);

    hb_face_builder_add_table(builder, tag_of(tag), blob);
}

/* The CFF table without the names of glyphs that are gone. */
static bool put_cff(hb_face_t *face, const uint64_t *keep, struct buf *out)
{
    AUTO_BLOB hb_blob_t *table = hb_face_reference_table(face, tag_of("CFF "));
    size_t start = out->len;

    if (!put_blob(table, out))
        return false;
    cff_blank_names((uint8_t *) out->data + start, out->len - start, keep);
    return true;
}

/* Assembles the tables of the subset and the rest of the font's own character map. */
static bool assemble(hb_face_t *subset, const struct subset *what, const struct buf *cmap,
                     struct buf *out)
{
    AUTO_FACE hb_face_t *builder = hb_face_builder_create();
    AUTO_BLOB hb_blob_t *bytes = hb_face_reference_blob(subset);
    /* a face that was built from tables cannot list them */
    AUTO_FACE hb_face_t *face = hb_face_create(bytes, 0);
    AUTO_BLOB hb_blob_t *whole = NULL;
    AUTO_BUF struct buf cff = BUF_EMPTY;
    hb_tag_t tags[64];
    unsigned n = COUNT(tags);

    hb_face_get_table_tags(face, 0, &n, tags);
    if (n == 0)
        return false;
    for (unsigned i = 0; i < n; i++) {
        AUTO_BLOB hb_blob_t *table = hb_face_reference_table(face, tags[i]);

        hb_face_builder_add_table(builder, tags[i], table);
    }
    if (put_cff(face, what->keep, &cff))
        add_table(builder, "CFF ", cff.data, cff.len);
    if (cmap->len > 0)
        add_table(builder, "cmap", cmap->data, cmap->len);
    whole = hb_face_reference_blob(builder);
    return put_blob(whole, out);
}

bool subset_sfnt(const void *data, size_t n, const struct subset *what, struct buf *out)
{
    AUTO_FACE hb_face_t *face = open_face(data, n);
    AUTO_FACE hb_face_t *result = NULL;
    AUTO_BUF struct buf cmap = BUF_EMPTY;
    struct sfnt font;
    struct subset how = *what;

    if (!sfnt_open(&font, data, n))
        return false;
    how.unhinted &= hints_can_go(data, n);
    if (what->cmap && sfnt_table(&font, "cmap").data &&
        !sfnt_cmap_subset(sfnt_table(&font, "cmap"), what->keep, &cmap))
        return false;
    result = run_subset(face, &how);
    return result && assemble(result, &how, &cmap, out);
}

bool subset_cff(const struct cff *font, const struct subset *what, struct buf *out)
{
    AUTO_BUF struct buf wrapped = BUF_EMPTY;
    AUTO_FACE hb_face_t *face = NULL;
    AUTO_FACE hb_face_t *result = NULL;

    if (!cff_wrap(font, &wrapped))
        return false;
    face = open_face(wrapped.data, wrapped.len);
    result = run_subset(face, what);
    return result && put_cff(result, what->keep, out);
}

struct subset_names {
    hb_font_t *font;
};

struct subset_names *subset_names_open(const void *data, size_t n)
{
    struct subset_names *names = calloc(1, sizeof *names);
    AUTO_FACE hb_face_t *face = open_face(data, n);

    if (names)
        names->font = hb_font_create(face);
    return names;
}

void subset_names_close(struct subset_names **names)
{
    if (*names)
        hb_font_destroy((*names)->font);
    free(*names);
    *names = NULL;
}

unsigned subset_names_find(const struct subset_names *names, const char *name)
{
    hb_codepoint_t glyph = 0;

    return hb_font_get_glyph_from_name(names->font, name, -1, &glyph) ? glyph : 0;
}
