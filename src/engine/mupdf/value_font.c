#include "engine/mupdf/value_font.h"

#include <string.h>

#include "base/effort.h"
#include "base/scope.h"
#include "engine/mupdf/value_look.h"

#define FONT 300000.0 /* units of effort (base/effort.h) */

/* The names that MuPDF knows in a default appearance, and draws its own fonts for. */
static bool is_usual(const char *name)
{
    static const char *const names[] = { "/Cour", "/CoBo", "/CoOb", "/CoBO", "/Helv",
                                         "/HeBo", "/HeOb", "/HeBO", "/TiRo", "/TiBo",
                                         "/TiIt", "/TiBI", "/Symb", "/ZaDb" };

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool is_embedded(fz_context *ctx, pdf_obj *font)
{
    return pdf_dict_getp(ctx, font, "FontDescriptor/FontFile") ||
           pdf_dict_getp(ctx, font, "FontDescriptor/FontFile2") ||
           pdf_dict_getp(ctx, font, "FontDescriptor/FontFile3");
}

static bool is_simple(fz_context *ctx, pdf_obj *font)
{
    pdf_obj *kind = pdf_dict_get(ctx, font, PDF_NAME(Subtype));

    return pdf_name_eq(ctx, kind, PDF_NAME(Type1)) || pdf_name_eq(ctx, kind, PDF_NAME(TrueType)) ||
           pdf_name_eq(ctx, kind, PDF_NAME(MMType1));
}

/* The font's dictionary; NULL if the form lacks it, or if it is not used here. */
static pdf_obj *find_font(fz_context *ctx, pdf_obj *widget, const char *name)
{
    pdf_obj *resources = pdf_dict_get_inheritable(ctx, widget, PDF_NAME(DR)), *font;

    if (!*name)
        return NULL;
    if (!resources)
        resources = pdf_dict_getp(ctx, pdf_trailer(ctx, pdf_get_bound_document(ctx, widget)),
                                  "Root/AcroForm/DR");
    font = pdf_dict_gets(ctx, pdf_dict_get(ctx, resources, PDF_NAME(Font)), name + 1);
    return is_simple(ctx, font) && (is_embedded(ctx, font) || !is_usual(name)) ? font : NULL;
}

static int unicode_of(const pdf_font_desc *desc, int code)
{
    int unicode = desc->to_unicode ? pdf_lookup_cmap(desc->to_unicode, (unsigned) code) : -1;

    if (unicode <= 0 && desc->cid_to_ucs && (size_t) code < desc->cid_to_ucs_len)
        unicode = desc->cid_to_ucs[code];
    return unicode > 0 && unicode <= 0xFFFF ? unicode : 0;
}

/* The characters and widths of a font's codes, as MuPDF draws them. */
static void read_font(fz_context *ctx, pdf_obj *dict, struct field_font *font)
{
    pdf_document *doc = pdf_get_bound_document(ctx, dict);
    pdf_font_desc *desc;

    if (!effort_spend(FONT))
        fz_throw(ctx, FZ_ERROR_GENERIC, "the job has no effort left for it");
    desc = pdf_load_font(ctx, doc, NULL, dict);
    fz_try(ctx)
    {
        for (int code = 0x20; code < 256; code++) {
            int width = pdf_lookup_hmtx(ctx, desc, code).w;

            font->widths[code] = (uint16_t) (width > 0 && width < 10000 ? width : 500);
            if (code == ' ' || pdf_font_cid_to_gid(ctx, desc, code) > 0)
                font->unicode[code] = (uint16_t) unicode_of(desc, code);
        }
    }
    fz_always(ctx)
    {
        pdf_drop_font(ctx, desc);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static void give(fz_context *ctx, pdf_obj *widget, const struct field_text *text, pdf_obj *font,
                 const struct buf *codes)
{
    AUTO_BUF struct buf value = BUF_EMPTY;
    fz_buffer *content = NULL;
    pdf_obj *resources = NULL;

    field_text_put(text, codes, &value);
    if (value.failed)
        return;
    fz_var(content);
    fz_var(resources);
    fz_try(ctx)
    {
        content = fz_new_buffer(ctx, value.len + 256);
        resources = pdf_new_dict(ctx, pdf_get_bound_document(ctx, widget), 1);
        pdf_dict_putp(ctx, resources, "Font/F", font);
        value_look_frame(ctx, widget, text, content);
        fz_append_data(ctx, content, value.data, value.len);
        value_look_give(ctx, widget, text, resources, content);
    }
    fz_always(ctx)
    {
        pdf_drop_obj(ctx, resources);
        fz_drop_buffer(ctx, content);
    }
    fz_catch(ctx)
    {
        buf_free(&value);
        fz_rethrow(ctx);
    }
}

bool value_font_draw(fz_context *ctx, pdf_obj *widget, struct field_text *text, const char *utf8)
{
    struct field_font font = { .name = text->font->name };
    const struct field_font *before = text->font;
    pdf_obj *dict = find_font(ctx, widget, text->font_name);
    AUTO_BUF struct buf codes = BUF_EMPTY;
    bool usable;

    if (!dict)
        return false;
    read_font(ctx, dict, &font);
    usable = font.unicode['a'] || font.unicode['A'] || font.unicode['0'];
    if (!usable || !field_font_encode(&font, utf8, strlen(utf8), &codes) || codes.failed)
        return false;
    text->font = &font;
    fz_try(ctx)
    {
        give(ctx, widget, text, dict, &codes);
    }
    fz_always(ctx)
    {
        text->font = before;
    }
    fz_catch(ctx)
    {
        buf_free(&codes);
        fz_rethrow(ctx);
    }
    return true;
}
