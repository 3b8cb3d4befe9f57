#include "engine/redact/redact_font.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "engine/redact/redact_parse.h"

#define SOFT_HYPHEN 0xad
#define KNOWN_TEXT  128 /* room for what MuPDF says of a code */

/* A direct font dictionary is read from its text. As MuPDF does, another font is loaded in place of
 * one that cannot be. */
static pdf_font_desc *load_desc(struct redact_fonts *fonts, int number, const char *text)
{
    fz_context *ctx = fonts->ctx;
    pdf_font_desc *desc = NULL;
    pdf_obj *dict = NULL;

    fz_var(dict);
    fz_var(desc);
    fz_try(ctx)
    {
        dict = number ? pdf_new_indirect(ctx, fonts->pdf, number, 0)
                      : redact_parse(ctx, fonts->pdf, text);
        desc = pdf_load_font(ctx, fonts->pdf, NULL, dict);
    }
    fz_always(ctx)
    {
        pdf_drop_obj(ctx, dict);
    }
    fz_catch(ctx)
    {
        desc = NULL;
    }
    if (desc)
        return desc;
    fz_try(ctx)
    {
        desc = pdf_load_hail_mary_font(ctx, fonts->pdf);
    }
    fz_catch(ctx)
    {
        desc = NULL;
    }
    return desc;
}

pdf_font_desc *redact_font_load(struct redact_fonts *fonts, struct obj font)
{
    int64_t id = obj_is_indirect(font) ? obj_id(font) : 0;
    const char *text = id ? NULL : obj_value_text(font);
    pdf_font_desc *desc;

    for (size_t i = 0; i < fonts->n && id; i++)
        if (fonts->items[i].id == id)
            return fonts->items[i].desc;
    if (!LIST_ROOM(fonts->items, fonts->n, fonts->cap))
        return NULL;
    desc = load_desc(fonts, OBJ_NUMBER(id), text ? text : "null");
    fonts->items[fonts->n++] = (struct redact_font){ .id = id, .desc = desc };
    AUTO_OBJ struct obj map = obj_is_dict(font) ? obj_key(font, "/ToUnicode") : obj_same(font);
    return redact_map_read(&fonts->items[fonts->n - 1].map, map) ? desc : NULL;
}

/* `soft`: the code is that of a soft hyphen in Latin encodings, which is drawn as a hyphen and
 * named like one. */
static void find_text(pdf_font_desc *desc, int cid, bool soft, struct redact_glyph *glyph)
{
    int text[KNOWN_TEXT] = { 0 }, n = 0;

    if (desc->to_unicode)
        n = pdf_lookup_cmap_full(desc->to_unicode, (unsigned) cid, text);
    if (n <= 0 && desc->cid_to_ucs && (size_t) cid < desc->cid_to_ucs_len) {
        text[0] = soft && desc->cid_to_ucs[cid] == '-' ? SOFT_HYPHEN : desc->cid_to_ucs[cid];
        n = 1;
    }
    for (int i = 0; i < n && glyph->n_text < REDACT_FONT_TEXT; i++)
        if (text[i] > 0)
            glyph->text[glyph->n_text++] = (uint32_t) text[i];
}

/* A text that is longer than MuPDF reads. */
static void find_long_text(const struct redact_fonts *fonts, const pdf_font_desc *desc,
                           const char *bytes, struct redact_glyph *glyph)
{
    for (size_t i = 0; i < fonts->n; i++) {
        const struct redact_map *map = &fonts->items[i].map;
        const struct redact_map_entry *entry = fonts->items[i].desc == desc && map->n
                                                   ? redact_map_find(map, bytes, glyph->bytes)
                                                   : NULL;

        if (!entry)
            continue;
        glyph->n_text = entry->n;
        for (size_t k = 0; k < entry->n; k++)
            glyph->text[k] = entry->text[k];
        return;
    }
}

static int find_cid(pdf_font_desc *desc, const char *bytes, size_t n, struct redact_glyph *glyph)
{
    unsigned char code[4] = { 0 };
    unsigned cpt = 0;
    int used;

    memcpy(code, bytes, n < sizeof code ? n : sizeof code);
    used = pdf_decode_cmap(desc->encoding, code, code + (n < sizeof code ? n : sizeof code), &cpt);
    glyph->bytes = used < 1 ? 1 : (size_t) used;
    glyph->space = glyph->bytes == 1 && cpt == 32;
    return pdf_lookup_cmap(desc->encoding, cpt);
}

void redact_font_glyph(struct redact_fonts *fonts, pdf_font_desc *desc, const char *bytes, size_t n,
                       struct redact_glyph *glyph)
{
    pdf_hmtx h;
    int cid;

    *glyph = (struct redact_glyph){ .bytes = 1 };
    if (!desc || !desc->encoding)
        return;
    cid = find_cid(desc, bytes, n, glyph);
    if (glyph->bytes > n)
        glyph->bytes = n;
    if (cid < 0)
        return;
    glyph->shown = true;
    find_text(desc, cid, glyph->bytes == 1 && (unsigned char) *bytes == SOFT_HYPHEN, glyph);
    if (glyph->n_text <= 1)
        find_long_text(fonts, desc, bytes, glyph);
    h = pdf_lookup_hmtx(fonts->ctx, desc, cid);
    glyph->width = glyph->advance = h.w / 1000.0;
    if (desc->wmode == 1) {
        pdf_vmtx v = pdf_lookup_vmtx(fonts->ctx, desc, cid);

        glyph->vertical = true;
        glyph->advance = v.w / 1000.0;
        glyph->x = v.x / 1000.0;
        glyph->y = v.y / 1000.0;
    }
}

void redact_font_note(struct redact_fonts *fonts, const pdf_font_desc *desc)
{
    for (size_t i = 0; i < fonts->n; i++)
        fonts->items[i].lost |= fonts->items[i].desc == desc;
}

void redact_font_free(struct redact_fonts *fonts)
{
    for (size_t i = 0; i < fonts->n; i++) {
        pdf_drop_font(fonts->ctx, fonts->items[i].desc);
        redact_map_free(&fonts->items[i].map);
    }
    free(fonts->items);
    *fonts = (struct redact_fonts){ 0 };
}
