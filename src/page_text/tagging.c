#include "page_text/tagging.h"

#include <stdlib.h>

#include "base/list.h"

#define DEEPEST 64

/* MuPDF's callbacks do not say which page they belong to; each thread reads one page at a time. */
static _Thread_local struct tagging *current;
static _Thread_local fz_device device_own;        /* the text device's original functions */
static _Thread_local pdf_processor processor_own; /* the interpreter's original functions */
static _Thread_local int open_marks[DEEPEST], n_open;

static int mcid_now(void)
{
    for (int i = n_open < DEEPEST ? n_open : DEEPEST; i-- > 0;)
        if (open_marks[i] >= 0)
            return open_marks[i];
    return -1;
}

/* Assigns the text that the device received last to the open marked content. */
static void note(void)
{
    const fz_stext_block *block = current->text->last_block;
    const fz_stext_line *line =
        block && block->type == FZ_STEXT_BLOCK_TEXT ? block->u.t.last_line : NULL;
    const fz_stext_char *last = line ? line->last_char : NULL;

    if (!last)
        return;
    if (current->n && current->ends[current->n - 1].mcid == mcid_now())
        current->ends[current->n - 1].last = last;
    else if (LIST_ROOM(current->ends, current->n, current->cap))
        current->ends[current->n++] = (struct tagging_end){ last, mcid_now() };
}

static void fill_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_colorspace *space, const float *color, float alpha, fz_color_params params)
{
    device_own.fill_text(ctx, device, text, ctm, space, color, alpha, params);
    note();
}

/* NOLINTNEXTLINE(readability-function-size): the device's function has these parameters. */
static void stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    device_own.stroke_text(ctx, device, text, stroke, ctm, space, color, alpha, params);
    note();
}

static void ignore_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm)
{
    device_own.ignore_text(ctx, device, text, ctm);
    note();
}

static void open_mark(int mcid)
{
    if (n_open < DEEPEST)
        open_marks[n_open] = mcid;
    n_open++;
}

/* The interpreter shows text when its text object ends; this shows earlier text under the marked
 * content that is open. */
static void show(fz_context *ctx, pdf_processor *processor)
{
    if (processor_own.op_ET)
        processor_own.op_ET(ctx, processor);
}

static void begin_mark(fz_context *ctx, pdf_processor *processor, const char *tag)
{
    show(ctx, processor);
    open_mark(-1);
    processor_own.op_BMC(ctx, processor, tag);
}

static void begin_listed_mark(fz_context *ctx, pdf_processor *processor, const char *tag,
                              pdf_obj *raw, pdf_obj *cooked)
{
    pdf_obj *mcid = pdf_dict_get(ctx, cooked, PDF_NAME(MCID));

    show(ctx, processor);
    open_mark(mcid ? pdf_to_int(ctx, mcid) : -1);
    processor_own.op_BDC(ctx, processor, tag, raw, cooked);
}

static void end_mark(fz_context *ctx, pdf_processor *processor)
{
    show(ctx, processor);
    if (n_open > 0)
        n_open--;
    processor_own.op_EMC(ctx, processor);
}

void tagging_watch(struct tagging *tagging, fz_device *device, const fz_stext_page *text)
{
    *tagging = (struct tagging){ .text = text };
    current = tagging;
    device_own = *device;
    device->fill_text = fill_text;
    device->stroke_text = stroke_text;
    device->ignore_text = ignore_text;
}

void tagging_run(fz_context *ctx, pdf_page *page, fz_device *device, fz_cookie *cookie)
{
    fz_default_colorspaces *spaces = NULL;
    pdf_processor *processor = NULL;
    fz_matrix ctm;

    n_open = 0;
    fz_var(processor);
    fz_var(spaces);
    fz_try(ctx)
    {
        pdf_page_transform(ctx, page, NULL, &ctm);
        spaces = pdf_load_default_colorspaces(ctx, page->doc, page);
        processor = pdf_new_run_processor(ctx, device, ctm, "View", NULL, spaces, cookie);
        processor_own = *processor;
        processor->op_BMC = begin_mark;
        processor->op_BDC = begin_listed_mark;
        processor->op_EMC = end_mark;
        pdf_process_contents(ctx, processor, page->doc, pdf_page_resources(ctx, page),
                             pdf_page_contents(ctx, page), cookie);
        pdf_close_processor(ctx, processor);
        n_open = 0;
    }
    fz_always(ctx)
    {
        pdf_drop_processor(ctx, processor);
        fz_drop_default_colorspaces(ctx, spaces);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

int tagging_next(struct tagging *tagging, const fz_stext_char *c)
{
    int mcid = tagging->at < tagging->n ? tagging->ends[tagging->at].mcid : -1;

    if (tagging->at < tagging->n && c == tagging->ends[tagging->at].last)
        tagging->at++;
    return mcid;
}

void tagging_free(struct tagging *tagging)
{
    free(tagging->ends);
    *tagging = (struct tagging){ 0 };
}
