#include "engine/mupdf_facts/font_extent.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/scope.h"

#define MOST          3.0F  /* sizes: a descriptor with more is wrong */
#define USUAL_ASCENT  0.95F /* where a descriptor says nothing */
#define USUAL_DESCENT 0.35F
#define KNOWN         256 /* fonts of a thread that are remembered; a power of two */
#define TRIES         8

/* Fonts are only compared: one that is loaded at the place of another replaces it here, too. */
static _Thread_local struct {
    const fz_font *font; /* NULL: free */
    struct font_extent extent;
} known[KNOWN];

/* Adobe's metrics of the standard 14 fonts, and the names under which they are known. */
static const struct {
    const char *begins;
    struct font_extent extent;
} standard[] = {
    { "Courier", { 0.629F, 0.157F } }, { "Helvetica", { 0.718F, 0.207F } },
    { "Arial", { 0.718F, 0.207F } },   { "Times", { 0.683F, 0.217F } },
    { "Symbol", { 1.010F, 0.293F } },  { "ZapfDingbats", { 0.820F, 0.143F } },
};

static size_t place_of(const fz_font *font, size_t try)
{
    return (((uintptr_t) font >> 4) * 2654435761U + try) & (KNOWN - 1);
}

/* The metrics of a standard font of this name; NULL: it is another one. */
static const struct font_extent *standard_of(const char *name)
{
    if (strncmp(name, "ArialNarrow", 11) == 0 || strncmp(name, "ArialUnicode", 12) == 0 ||
        strncmp(name, "ArialBlack", 10) == 0 || strncmp(name, "Arial-Black", 11) == 0)
        return NULL;
    for (size_t i = 0; i < COUNT(standard); i++)
        if (strncmp(name, standard[i].begins, strlen(standard[i].begins)) == 0)
            return &standard[i].extent;
    return NULL;
}

/* A value of the descriptor in sizes, without its sign, which some writers confuse; or the usual
 * one, where it is missing or beyond all measure. */
static float sane(float value, float usual)
{
    float size = fabsf(value) / 1000;

    return size > 0 && size < MOST ? size : usual;
}

static struct font_extent extent_of(fz_context *ctx, pdf_obj *dict, const pdf_font_desc *font)
{
    bool composite = pdf_name_eq(ctx, pdf_dict_get(ctx, dict, PDF_NAME(Subtype)), PDF_NAME(Type0));
    pdf_obj *own = composite
                       ? pdf_array_get(ctx, pdf_dict_get(ctx, dict, PDF_NAME(DescendantFonts)), 0)
                       : dict;
    pdf_obj *descriptor = pdf_dict_get(ctx, own, PDF_NAME(FontDescriptor));
    const struct font_extent *metrics =
        composite || font->is_embedded
            ? NULL
            : standard_of(pdf_dict_get_name(ctx, dict, PDF_NAME(BaseFont)));

    if (metrics)
        return *metrics;
    return (struct font_extent){
        sane(pdf_dict_get_real(ctx, descriptor, PDF_NAME(Ascent)), USUAL_ASCENT),
        sane(pdf_dict_get_real(ctx, descriptor, PDF_NAME(Descent)), USUAL_DESCENT)
    };
}

void font_extent_note(fz_context *ctx, pdf_obj *dict, const pdf_font_desc *font)
{
    size_t at = 0;

    if (!font || !font->font)
        return;
    for (size_t try = 0; try < TRIES; try++) {
        at = place_of(font->font, try);
        if (!known[at].font || known[at].font == font->font)
            break;
    }
    known[at].font = font->font;
    known[at].extent = extent_of(ctx, dict, font);
}

struct font_extent font_extent_find(fz_context *ctx, fz_font *font)
{
    for (size_t try = 0; try < TRIES; try++)
        if (known[place_of(font, try)].font == font)
            return known[place_of(font, try)].extent;
    return (struct font_extent){ sane(1000 * fz_font_ascender(ctx, font), USUAL_ASCENT),
                                 sane(1000 * fz_font_descender(ctx, font), USUAL_DESCENT) };
}
