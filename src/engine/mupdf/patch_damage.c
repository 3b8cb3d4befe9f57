/*
 * patch_damage: notes which object MuPDF reads (damage.h), and what it replaces or leaves out
 * without an error: content that ends with one, fonts that it cannot load.
 */
#include <mupdf/fitz.h>
#include <mupdf/pdf.h>

#include "engine/mupdf/damage.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf_facts/font_extent.h"
#include "engine/mupdf_streams/cut_stream.h"

__typeof__(pdf_process_contents) __real_pdf_process_contents, __wrap_pdf_process_contents;
__typeof__(pdf_load_font) __real_pdf_load_font, __wrap_pdf_load_font;
__typeof__(pdf_load_hail_mary_font) __real_pdf_load_hail_mary_font, __wrap_pdf_load_hail_mary_font;

__typeof__(pdf_lookup_hmtx) __real_pdf_lookup_hmtx, __wrap_pdf_lookup_hmtx;
__typeof__(pdf_process_glyph) __real_pdf_process_glyph, __wrap_pdf_process_glyph;

static void read_content(fz_context *ctx, pdf_processor *processor, pdf_document *doc,
                         pdf_obj *resources, pdf_obj *stream, fz_cookie *cookie)
{
    const struct damage_state *state = damage_state(ctx);
    int object = pdf_to_num(ctx, stream), errors = cookie->errors;
    unsigned noted = state ? state->damage.noted : 0;
    struct damage_place before = damage_enter(ctx, DAMAGE_CONTENT, object);

    fz_try(ctx)
    {
        __real_pdf_process_contents(ctx, processor, doc, resources, stream, cookie);
    }
    fz_always(ctx)
    {
        damage_leave(ctx, before);
    }
    fz_catch(ctx)
    {
        if (state && state->damage.noted == noted && fz_caught(ctx) != FZ_ERROR_ABORT)
            damage_note(ctx, DAMAGE_CONTENT, object);
        fz_rethrow(ctx);
    }
    if (state && cookie->errors > errors && state->damage.noted == noted)
        damage_note(ctx, DAMAGE_CONTENT, object);
}

/* Content ends at an error, unless it is a minor one, which is counted, or ignored for a pattern,
 * which has no cookie. */
void __wrap_pdf_process_contents(fz_context *ctx, pdf_processor *processor, pdf_document *doc,
                                 pdf_obj *resources, pdf_obj *stream, fz_cookie *cookie)
{
    fz_cookie apart = { 0 };

    read_content(ctx, processor, doc, resources, stream, cookie ? cookie : &apart);
}

/* Reads a glyph of a Type 3 font when the font is loaded. MuPDF ignores errors in it, after it
 * reported them. */
void __wrap_pdf_process_glyph(fz_context *ctx, pdf_processor *processor, pdf_document *doc,
                              pdf_obj *resources, fz_buffer *contents)
{
    const struct damage_state *state = damage_state(ctx);
    unsigned errors = state ? state->errors : 0;

    __real_pdf_process_glyph(ctx, processor, doc, resources, contents);
    if (state && state->errors > errors)
        damage_note(ctx, DAMAGE_GLYPHS, state->place.object);
}

/* The code of the soft hyphen in Latin encodings is named like a hyphen, and drawn like one. */
static void find_soft_hyphen(fz_context *ctx, pdf_obj *dict, pdf_font_desc *font)
{
    const struct engine_own *own = engine_own(ctx);

    if (own && own->soft_hyphens && font && font->cid_to_ucs && font->cid_to_ucs_len > 0xad &&
        font->cid_to_ucs[0xad] == '-' &&
        !pdf_name_eq(ctx, pdf_dict_get(ctx, dict, PDF_NAME(Subtype)), PDF_NAME(Type0)))
        font->cid_to_ucs[0xad] = 0xad;
}

/* A font that cannot be loaded is replaced by another one. */
pdf_font_desc *__wrap_pdf_load_font(fz_context *ctx, pdf_document *doc, pdf_obj *resources,
                                    pdf_obj *dict)
{
    bool drawn = pdf_name_eq(ctx, pdf_dict_get(ctx, dict, PDF_NAME(Subtype)), PDF_NAME(Type3));
    enum damage_kind kind = drawn ? DAMAGE_GLYPHS : DAMAGE_FONT;
    int object = pdf_to_num(ctx, dict);
    struct damage_place before = damage_enter(ctx, kind, object);
    struct damage_state *state = damage_state(ctx);
    pdf_font_desc *font = NULL;

    if (state)
        state->ended_early = false;
    fz_var(font);
    fz_try(ctx)
    {
        font = __real_pdf_load_font(ctx, doc, resources, dict);
    }
    fz_always(ctx)
    {
        damage_leave(ctx, before);
    }
    fz_catch(ctx)
    {
        damage_note(ctx, kind, object);
        if (state)
            state->font_failed = true;
        fz_rethrow(ctx);
    }
    if (damage_is_known(kind, object) ||
        (state && state->ended_early && cut_stream_of_font(ctx, doc, dict)))
        damage_note(ctx, kind, object);
    if (font && font->font)
        damage_name_font(fz_font_name(ctx, font->font), object);
    find_soft_hyphen(ctx, dict, font);
    font_extent_note(ctx, dict, font);
    return font;
}

/* In place of a font that could not be loaded, which was noted, or is missing in the resources. */
pdf_font_desc *__wrap_pdf_load_hail_mary_font(fz_context *ctx, pdf_document *doc)
{
    struct damage_state *state = damage_state(ctx);
    pdf_font_desc *font = __real_pdf_load_hail_mary_font(ctx, doc);

    if (state && !state->font_failed)
        state->missing = font;
    if (state)
        state->font_failed = false;
    return font;
}

/* Is called for each character that is shown: a missing font that shows none is not missed. */
pdf_hmtx __wrap_pdf_lookup_hmtx(fz_context *ctx, pdf_font_desc *font, int cid)
{
    const struct damage_state *state = damage_state(ctx);

    if (state && state->missing == font)
        damage_note(ctx, DAMAGE_FONT, 0);
    return __real_pdf_lookup_hmtx(ctx, font, cid);
}
