#include "engine/layer_fit/layer_survey.h"

#include "engine/mupdf/engine.h"

#define SAMPLE 12  /* pages that are measured first */
#define MOST   600 /* pages that are measured then; the others are as the one before them */

static const char *const faults_named[] = {
    [LAYER_FITS] = "nothing",
    [LAYER_ODD] = "words that no language has",
    [LAYER_SHORT] = "text that has no words",
    [LAYER_MISPLACED] = "words in other places than their ink",
};

static int measure_layer(struct mupdf_document *doc, size_t page, enum layer_fault *fault,
                         struct err *err)
{
    struct layer_fit fit;

    *fault = LAYER_FITS;
    if (layer_fit_measure(doc, page, &fit, err) == 0)
        *fault = layer_fit_fault(&fit);
    mupdf_document_trim(doc);
    return engine_check_memory(err);
}

/* Measures each page whose number is a multiple of `step`, but for those that were measured at
 * every `known` pages. */
static int measure_pages(struct mupdf_document *doc, const size_t *pages, size_t n, size_t step,
                         size_t known, enum layer_fault *faults, struct err *err)
{
    for (size_t i = 0; i < n; i += step)
        if ((known == 0 || i % known != 0) && measure_layer(doc, pages[i], &faults[i], err) < 0)
            return -1;
    return 0;
}

int layer_survey_make(struct mupdf_document *doc, const size_t *pages, size_t n,
                      enum layer_fault *faults, struct err *err)
{
    size_t step = n > SAMPLE ? (n + SAMPLE - 1) / SAMPLE : 1, every = (n + MOST - 1) / MOST;
    bool any = false;

    for (size_t i = 0; i < n; i++)
        faults[i] = LAYER_FITS;
    if (measure_pages(doc, pages, n, step, 0, faults, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i += step)
        any = any || faults[i] != LAYER_FITS;
    if (!any || step == 1)
        return 0;
    if (measure_pages(doc, pages, n, every, step, faults, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (i % every != 0 && i % step != 0)
            faults[i] = faults[i - i % every];
    return 0;
}

const char *layer_survey_named(enum layer_fault fault)
{
    return faults_named[fault];
}

void layer_survey_list(const size_t *pages, size_t n, const enum layer_fault *faults,
                       struct buf *out)
{
    for (enum layer_fault fault = LAYER_ODD; fault <= LAYER_MISPLACED; fault++) {
        size_t found = 0;

        for (size_t i = 0; i < n; i++) {
            if (faults[i] != fault)
                continue;
            if (found++ == 0)
                buf_printf(out, "%s%s: pages ", out->len ? "; " : "", faults_named[fault]);
            buf_printf(out, found > 1 ? ",%zu" : "%zu", pages[i] + 1);
        }
    }
}
