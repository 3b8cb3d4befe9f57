/*
 * patch_soft_mask: finds the transfer function of each soft mask (ISO 32000-1, 11.6.5.3, /TR), and
 * applies it to the levels of the mask.
 *
 * MuPDF's interpreter keeps only the group of a mask in its graphics state. A mask with a function
 * gets a reference to the group of its own, which is recognised by its address when the interpreter
 * asks for the group's colour space, directly before it begins the mask.
 */
#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <string.h>

#include "engine/mupdf/engine.h"
#include "engine/mupdf_content/soft_mask.h"

#define MASKS 64 /* different masks with functions of one content stream; more are an error */

/* Limits of a function. */
#define FUNCTION_CODE  2048 /* bytes of a PostScript calculator function */
#define FUNCTION_PARTS 256
#define FUNCTION_DEPTH 8

__typeof__(pdf_new_run_processor) __real_pdf_new_run_processor, __wrap_pdf_new_run_processor;
__typeof__(pdf_xobject_colorspace) __real_pdf_xobject_colorspace, __wrap_pdf_xobject_colorspace;
__typeof__(fz_alpha_from_gray) __real_fz_alpha_from_gray, __wrap_fz_alpha_from_gray;

/* MuPDF's operator, the same for each interpreter; what each thread begins with. */
static _Thread_local __typeof__(((pdf_processor *) NULL)->op_gs_SMask) set_plain_mask;

/* The masks with functions that an interpreter met. */
struct soft_masks {
    struct soft_masks *outer; /* of another interpreter of the same context */
    pdf_processor *processor;
    __typeof__(((pdf_processor *) NULL)->drop_processor) drop;
    int n;
    struct soft_mask {
        pdf_obj *group;    /* the reference of our own */
        pdf_obj *function; /* /TR */
        unsigned char levels[SOFT_MASK_LEVELS];
    } masks[MASKS];
};

static void drop_masks(fz_context *ctx, pdf_processor *processor)
{
    struct soft_masks **at = &engine_own(ctx)->soft_masks, *masks;

    while (*at && (*at)->processor != processor)
        at = &(*at)->outer;
    masks = *at;
    if (!masks)
        return;
    *at = masks->outer;
    masks->drop(ctx, processor);
    for (int i = 0; i < masks->n; i++) {
        pdf_drop_obj(ctx, masks->masks[i].group);
        pdf_drop_obj(ctx, masks->masks[i].function);
    }
    engine_own(ctx)->transfer_next = NULL;
    fz_free(ctx, masks);
}

static struct soft_masks *masks_of(fz_context *ctx, pdf_processor *processor)
{
    struct engine_own *own = engine_own(ctx);
    struct soft_masks *masks = own->soft_masks;

    while (masks && masks->processor != processor)
        masks = masks->outer;
    if (masks)
        return masks;
    masks = fz_calloc(ctx, 1, sizeof *masks);
    masks->processor = processor;
    masks->drop = processor->drop_processor;
    masks->outer = own->soft_masks;
    own->soft_masks = masks;
    processor->drop_processor = drop_masks;
    return masks;
}

/* Throws if the function takes long to evaluate. */
static void check_length(fz_context *ctx, pdf_obj *function, int *left, int depth)
{
    pdf_obj *parts = pdf_dict_get(ctx, function, PDF_NAME(Functions));
    fz_stream *code = NULL;
    int n = pdf_array_len(ctx, parts);

    if (--*left < 0 || depth > FUNCTION_DEPTH)
        fz_throw(ctx, FZ_ERROR_GENERIC, "a transfer function has too many parts");
    for (int i = 0; i < n; i++)
        check_length(ctx, pdf_array_get(ctx, parts, i), left, depth + 1);
    if (pdf_dict_get_int(ctx, function, PDF_NAME(FunctionType)) != 4)
        return;
    code = pdf_open_stream(ctx, function);
    fz_try(ctx)
    {
        if (fz_skip(ctx, code, FUNCTION_CODE + 1) > FUNCTION_CODE)
            fz_throw(ctx, FZ_ERROR_GENERIC, "a transfer function is too long");
    }
    fz_always(ctx)
    {
        fz_drop_stream(ctx, code);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static void evaluate_levels(fz_context *ctx, pdf_obj *object, unsigned char *levels)
{
    pdf_function *function = pdf_load_function(ctx, object, 1, 1);

    fz_try(ctx)
    {
        for (int i = 0; i < SOFT_MASK_LEVELS; i++) {
            float in = (float) i / (SOFT_MASK_LEVELS - 1), out = 0;

            pdf_eval_function(ctx, function, &in, 1, &out, 1);
            levels[i] = out > 0 ? (unsigned char) (fz_min(out, 1) * 255 + 0.5F) : 0;
        }
    }
    fz_always(ctx)
    {
        pdf_drop_function(ctx, function);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static int is_same(fz_context *ctx, pdf_obj *a, pdf_obj *b)
{
    return a == b || (pdf_is_indirect(ctx, a) && pdf_to_num(ctx, a) == pdf_to_num(ctx, b));
}

/* The reference by which a group with this function is known. */
static pdf_obj *know(fz_context *ctx, pdf_processor *processor, pdf_obj *group, pdf_obj *function)
{
    struct soft_masks *masks = masks_of(ctx, processor);
    struct soft_mask *mask = masks->masks;
    pdf_document *doc = pdf_get_indirect_document(ctx, group);
    int left = FUNCTION_PARTS;

    for (int i = 0; i < masks->n; i++, mask++)
        if (is_same(ctx, mask->function, function) && is_same(ctx, group, mask->group))
            return mask->group;
    if (masks->n == MASKS || !doc || !pdf_is_dict(ctx, function))
        fz_throw(ctx, FZ_ERROR_GENERIC, "the transfer function of a soft mask cannot be applied");
    check_length(ctx, function, &left, 0);
    evaluate_levels(ctx, function, mask->levels);
    mask->group = pdf_new_indirect(ctx, doc, pdf_to_num(ctx, group), pdf_to_gen(ctx, group));
    mask->function = pdf_keep_obj(ctx, function);
    masks->n++;
    return mask->group;
}

static void begin_gs(fz_context *ctx, pdf_processor *processor, const char *name, pdf_obj *state)
{
    pdf_obj *mask = pdf_dict_get(ctx, state, PDF_NAME(SMask));
    pdf_obj *function = pdf_dict_get(ctx, mask, PDF_NAME(TR));

    (void) processor, (void) name;
    engine_own(ctx)->transfer_function = pdf_is_name(ctx, function) ? NULL : function;
}

/* A mask whose function cannot be applied is drawn without it, and the content counts as damaged.
 */
static void set_mask(fz_context *ctx, pdf_processor *processor, pdf_obj *group, pdf_obj *resources,
                     float *background, int luminosity)
{
    struct engine_own *own = engine_own(ctx);
    pdf_obj *function = own->transfer_function, *known = group;

    own->transfer_function = NULL;
    fz_var(known);
    fz_try(ctx)
    {
        if (group && function)
            known = know(ctx, processor, group, function);
    }
    fz_always(ctx)
    {
        set_plain_mask(ctx, processor, known, resources, background, luminosity);
    }
    fz_catch(ctx)
    {
        fz_rethrow_if(ctx, FZ_ERROR_MEMORY);
        fz_throw(ctx, FZ_ERROR_MINOR, "the transfer function of a soft mask cannot be applied");
    }
}

/* NOLINTNEXTLINE(readability-function-size): MuPDF's function has that many parameters. */
pdf_processor *__wrap_pdf_new_run_processor(fz_context *ctx, fz_device *device, fz_matrix ctm,
                                            const char *usage, pdf_gstate *state,
                                            fz_default_colorspaces *spaces, fz_cookie *cookie)
{
    pdf_processor *processor =
        __real_pdf_new_run_processor(ctx, device, ctm, usage, state, spaces, cookie);
    struct engine_own *own = engine_own(ctx);

    if (own && processor->op_gs_SMask) {
        set_plain_mask = processor->op_gs_SMask;
        processor->op_gs_begin = begin_gs;
        processor->op_gs_SMask = set_mask;
    }
    return processor;
}

fz_colorspace *__wrap_pdf_xobject_colorspace(fz_context *ctx, pdf_obj *group)
{
    struct engine_own *own = engine_own(ctx);

    if (own)
        own->transfer_next = NULL;
    for (struct soft_masks *masks = own ? own->soft_masks : NULL; masks; masks = masks->outer)
        for (int i = 0; i < masks->n; i++)
            if (masks->masks[i].group == group)
                own->transfer_next = masks->masks[i].levels;
    return __real_pdf_xobject_colorspace(ctx, group);
}

fz_pixmap *__wrap_fz_alpha_from_gray(fz_context *ctx, fz_pixmap *gray)
{
    struct engine_own *own = engine_own(ctx);
    fz_pixmap *alpha = __real_fz_alpha_from_gray(ctx, gray);
    unsigned char *row = fz_pixmap_samples(ctx, alpha);

    if (!own || !own->transfer)
        return alpha;
    for (int y = 0; y < fz_pixmap_height(ctx, alpha); y++, row += fz_pixmap_stride(ctx, alpha))
        for (int x = 0; x < fz_pixmap_width(ctx, alpha); x++)
            row[x] = own->transfer[row[x]];
    return alpha;
}
