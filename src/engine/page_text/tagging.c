#include "engine/page_text/tagging.h"

#include <stdlib.h>

#include "base/list.h"
#include "engine/mupdf/hook_device.h"

/* The interpreter's functions are not told for whom they run, but the interpreter keeps the pointer
 * to the usage that it was made with: that of a tagging is a member of the tagging. */
static struct tagging *tagging_of(const pdf_processor *processor)
{
    return (struct tagging *) (uintptr_t) (processor->usage - offsetof(struct tagging, usage));
}

/* What the open marked content says: of each kind, the innermost that says something. */
static struct tagging_mark mark_now(const struct tagging *tagging)
{
    struct tagging_mark mark = { .mcid = -1 };

    for (size_t i = tagging->n_open < TAGGING_DEEPEST ? tagging->n_open : TAGGING_DEEPEST;
         i-- > 0;) {
        const struct tagging_open *open = &tagging->open[i];

        mark.mcid = mark.mcid < 0 ? open->mcid : mark.mcid;
        mark.language = mark.language ? mark.language : open->language;
        mark.doubt = mark.doubt ? mark.doubt : open->doubt;
    }
    return mark;
}

static bool is_same_mark(const struct tagging_mark *a, const struct tagging_mark *b)
{
    return a->mcid == b->mcid && a->language == b->language && a->doubt == b->doubt;
}

/* Assigns the text that the device received last to the open marked content. Text that is not seen
 * was recognised, nearly always. */
static void note_text(struct tagging *tagging, bool seen)
{
    struct tagging_mark mark = mark_now(tagging);
    const fz_stext_block *block = tagging->text->last_block;
    const fz_stext_line *line =
        block && block->type == FZ_STEXT_BLOCK_TEXT ? block->u.t.last_line : NULL;
    const fz_stext_char *last = line ? line->last_char : NULL;

    if (!last)
        return;
    if (!seen && mark.doubt == 0)
        mark.doubt = GLYPH_DOUBT_UNKNOWN;
    if (tagging->n && is_same_mark(&tagging->ends[tagging->n - 1].mark, &mark))
        tagging->ends[tagging->n - 1].last = last;
    else if (LIST_ROOM(tagging->ends, tagging->n, tagging->cap))
        tagging->ends[tagging->n++] = (struct tagging_end){ last, mark };
}

static void fill_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_colorspace *space, const float *color, float alpha, fz_color_params params)
{
    fz_fill_text(ctx, hook_device_next(device), text, ctm, space, color, alpha, params);
    note_text(hook_device_arg(device), true);
}

/* NOLINTNEXTLINE(readability-function-size): the device's function has these parameters. */
static void stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    fz_stroke_text(ctx, hook_device_next(device), text, stroke, ctm, space, color, alpha, params);
    note_text(hook_device_arg(device), true);
}

static void ignore_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm)
{
    fz_ignore_text(ctx, hook_device_next(device), text, ctm);
    note_text(hook_device_arg(device), false);
}

static void open_mark(struct tagging *tagging, struct tagging_open mark)
{
    if (tagging->n_open < TAGGING_DEEPEST)
        tagging->open[tagging->n_open] = mark;
    tagging->n_open++;
}

/* The interpreter shows text when its text object ends; this shows earlier text under the marked
 * content that is open. */
static void show(fz_context *ctx, pdf_processor *processor)
{
    processor->op_ET(ctx, processor);
}

/* Leaves the text of an element of the structure tree as it is drawn: something else is between its
 * marked contents. */
static void leave_element(struct tagging *tagging)
{
    if (tagging->element)
        *tagging->quiet = false;
    tagging->element = NULL;
}

/* Begins the replacement text of an element of the structure tree at the first of its marked
 * contents. It ends with the last one. */
static void begin_element(fz_context *ctx, struct tagging *tagging, pdf_processor *processor,
                          int mcid)
{
    const struct struct_tree_text *text =
        mcid < 0 ? NULL : struct_tree_find_text(tagging->tree, tagging->page, mcid);

    if (tagging->element != text && tagging->n_open < tagging->replaced)
        leave_element(tagging);
    if (!text || tagging->replacement || (tagging->element && tagging->element != text))
        return;
    tagging->replaced = tagging->n_open + 1;
    if (tagging->element == text)
        return;
    show(ctx, processor);
    tagging->element = text;
    tagging->n_rest = text->n_marks;
    tagging->expansion = text->expansion;
    tagging->start = replacement_text_start(tagging->text);
    *tagging->quiet = !text->expansion;
}

/* Begins replacement text, unless it is within another one. An expansion (/E) explains an
 * abbreviation, which stays if it can be read. */
static void begin_replacement(fz_context *ctx, struct tagging *tagging, pdf_processor *processor,
                              pdf_obj *properties)
{
    pdf_obj *text = pdf_dict_gets(ctx, properties, "ActualText");
    pdf_obj *expansion = text ? NULL : pdf_dict_gets(ctx, properties, "E");

    if (tagging->replacement || tagging->element ||
        !(pdf_is_string(ctx, text) || pdf_is_string(ctx, expansion)))
        return;
    show(ctx, processor);
    tagging->replacement = pdf_keep_obj(ctx, text ? text : expansion);
    tagging->expansion = !text;
    tagging->replaced = tagging->n_open + 1;
    tagging->start = replacement_text_start(tagging->text);
    *tagging->quiet = text != NULL;
}

static void end_replacement(fz_context *ctx, struct tagging *tagging)
{
    pdf_obj *text = tagging->replacement;
    const struct struct_tree_text *element = tagging->element;

    tagging->any = true;
    tagging->replacement = NULL;
    tagging->element = NULL;
    *tagging->quiet = false;
    fz_try(ctx)
    {
        replacement_text_put(ctx, tagging->text, &tagging->start,
                             element ? element->utf8 : pdf_to_text_string(ctx, text),
                             tagging->expansion);
    }
    fz_always(ctx) pdf_drop_obj(ctx, text);
    fz_catch(ctx) fz_rethrow(ctx);
    /* The last character may be a new one. */
    if (tagging->n)
        tagging->ends[tagging->n - 1].last = replacement_text_start(tagging->text).last;
}

static void begin_mark(fz_context *ctx, pdf_processor *processor, const char *tag)
{
    struct tagging *tagging = tagging_of(processor);

    if (tagging->tagged)
        show(ctx, processor);
    begin_element(ctx, tagging, processor, -1);
    open_mark(tagging, (struct tagging_open){ .mcid = -1 });
    tagging->begin(ctx, processor, tag);
}

/* What the properties of marked content say. */
static struct tagging_open read_properties(fz_context *ctx, struct tagging *tagging,
                                           pdf_obj *properties)
{
    pdf_obj *mcid = pdf_dict_get(ctx, properties, PDF_NAME(MCID));
    pdf_obj *language = pdf_dict_get(ctx, properties, PDF_NAME(Lang));
    pdf_obj *sure = pdf_dict_gets(ctx, properties, TAGGING_SURE);
    struct tagging_open mark = { .mcid = mcid ? pdf_to_int(ctx, mcid) : -1 };

    if (pdf_is_string(ctx, language))
        mark.language = language_tags_add(tagging->languages, pdf_to_text_string(ctx, language));
    if (pdf_is_int(ctx, sure))
        mark.doubt = (uint8_t) (100 - fz_clampi(pdf_to_int(ctx, sure), 0, 100));
    mark.stated = mark.language || pdf_is_int(ctx, sure);
    return mark;
}

static void begin_listed_mark(fz_context *ctx, pdf_processor *processor, const char *tag,
                              pdf_obj *raw, pdf_obj *cooked)
{
    struct tagging *tagging = tagging_of(processor);
    struct tagging_open mark = read_properties(ctx, tagging, cooked);

    if (tagging->tagged || mark.stated)
        show(ctx, processor);
    begin_element(ctx, tagging, processor, mark.mcid);
    begin_replacement(ctx, tagging, processor, cooked);
    open_mark(tagging, mark);
    tagging->begin_listed(ctx, processor, tag, raw, cooked);
}

static bool closes_statement(const struct tagging *tagging)
{
    return tagging->n_open > 0 && tagging->n_open <= TAGGING_DEEPEST &&
           tagging->open[tagging->n_open - 1].stated;
}

static void end_mark(fz_context *ctx, pdf_processor *processor)
{
    struct tagging *tagging = tagging_of(processor);
    bool ends = (tagging->replacement || tagging->element) &&
                tagging->n_open == tagging->replaced &&
                (!tagging->element || --tagging->n_rest == 0);

    if (tagging->tagged || ends || closes_statement(tagging))
        show(ctx, processor);
    if (ends)
        end_replacement(ctx, tagging);
    if (tagging->n_open > 0)
        tagging->n_open--;
    tagging->end(ctx, processor);
}

void tagging_push(fz_context *ctx, fz_device **device, struct tagging *tagging, fz_stext_page *text,
                  const struct struct_tree *tree, int page, struct language_tags *languages,
                  bool *quiet)
{
    fz_device *super = &hook_device_push(ctx, device, tagging)->super;

    *tagging = (struct tagging){ .usage = "View",
                                 .text = text,
                                 .tagged = tree->n_marks > 0,
                                 .tree = tree,
                                 .page = page,
                                 .languages = languages,
                                 .quiet = quiet };
    super->fill_text = fill_text;
    super->stroke_text = stroke_text;
    super->ignore_text = ignore_text;
}

void tagging_show_all(struct tagging *tagging)
{
    tagging->usage[0] = TAGGING_ALL[0];
}

void tagging_run(fz_context *ctx, struct tagging *tagging, pdf_page *page, fz_device *device,
                 fz_cookie *cookie)
{
    fz_default_colorspaces *spaces = NULL;
    pdf_processor *processor = NULL;
    bool group = !tagging->tagged && page->transparency; /* as fz_run_page_contents does */
    fz_rect box;
    fz_matrix ctm;

    fz_var(processor);
    fz_var(spaces);
    fz_try(ctx)
    {
        pdf_page_transform(ctx, page, &box, &ctm);
        spaces = pdf_load_default_colorspaces(ctx, page->doc, page);
        if (group)
            fz_begin_group(ctx, device, fz_transform_rect(box, ctm), NULL, 1, 0, 0, 1);
        processor = pdf_new_run_processor(ctx, device, ctm, tagging->usage, NULL, spaces, cookie);
        tagging->begin = processor->op_BMC;
        tagging->begin_listed = processor->op_BDC;
        tagging->end = processor->op_EMC;
        processor->op_BMC = begin_mark;
        processor->op_BDC = begin_listed_mark;
        processor->op_EMC = end_mark;
        pdf_process_contents(ctx, processor, page->doc, pdf_page_resources(ctx, page),
                             pdf_page_contents(ctx, page), cookie);
        pdf_close_processor(ctx, processor);
        if (group)
            fz_end_group(ctx, device);
        tagging->n_open = 0;
    }
    fz_always(ctx)
    {
        pdf_drop_obj(ctx, tagging->replacement);
        tagging->replacement = NULL;
        tagging->element = NULL;
        *tagging->quiet = false;
        pdf_drop_processor(ctx, processor);
        fz_drop_default_colorspaces(ctx, spaces);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

struct tagging_mark tagging_next(struct tagging *tagging, const fz_stext_char *c)
{
    struct tagging_mark mark = { .mcid = -1 };

    if (tagging->at < tagging->n)
        mark = tagging->ends[tagging->at].mark;

    if (tagging->at < tagging->n && c == tagging->ends[tagging->at].last)
        tagging->at++;
    return mark;
}

void tagging_free(struct tagging *tagging)
{
    free(tagging->ends);
    *tagging = (struct tagging){ 0 };
}
