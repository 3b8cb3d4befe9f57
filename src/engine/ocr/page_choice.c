#include "engine/ocr/page_choice.h"

#include <math.h>

#include "base/scope.h"
#include "declare/value/page_list.h"
#include "engine/layer_fit/layer_survey.h"
#include "engine/page_image/page_survey.h"

#define DPI_USUAL 300.0 /* of a page without pictures, or whose pictures have far fewer pixels */
#define DPI_LEAST                                                                                  \
    190.0              /* of pictures that are read as they are: enlarged ones are read no better */
#define DPI_MOST 450.0 /* more pixels cost time, and no letter is read better */
#define PICTURE  0.25  /* part of a page that is a scan with seen text on it, too */
#define MOST     0.5   /* part of a page that pictures cover if it is a scan */
#define TRIM     64    /* pages after which objects that were read are dropped */

/* The resolution of the page's largest picture, whose pixels are then recognised as they are,
 * unless it is too low or too high. */
static double resolution(const struct page_survey *survey)
{
    double dpi = survey->dpi;

    if (dpi < DPI_LEAST)
        return DPI_USUAL;
    while (dpi > DPI_MOST)
        dpi /= 2;
    return fmax(dpi, DPI_LEAST);
}

/* Whether the text that is not seen is what a program recognised in the page's picture. */
static bool has_layer(const struct page_survey *survey)
{
    return survey->hidden > 0 && survey->pictures > (survey->shown > 0 ? PICTURE : 0);
}

static bool wants(enum page_choice_mode mode, const struct page_survey *survey)
{
    bool has_text = survey->shown + survey->hidden > 0;

    switch (mode) {
    case PAGE_CHOICE_REDO:
        return !has_text || has_layer(survey);
    case PAGE_CHOICE_FORCE:
        return survey->pictures > 0 || survey->paths || survey->unreadable > 0;
    case PAGE_CHOICE_MISSING:
        break;
    }
    return !has_text;
}

static void choose_for(const struct page_choice *choice, const struct page_survey *survey,
                       struct page_result *page)
{
    bool has_text = survey->shown + survey->hidden > 0, wanted = wants(choice->mode, survey);
    bool blank = !survey->paths && survey->pictures <= 0;

    page->dpi = choice->dpi > 0 ? choice->dpi : resolution(survey);
    page->without_text = choice->mode != PAGE_CHOICE_MISSING && survey->shown > 0;
    page->is_scan = survey->shown == 0 && !survey->paths && survey->pictures > MOST;
    page->has_layer = has_layer(survey);
    page->outcome = has_text && !wanted  ? PAGE_HAS_TEXT
                    : !has_text && blank ? PAGE_BLANK
                                         : PAGE_WANTED;
}

/* Measures the layers of the pages that are not wanted as they have one. */
static int find_faults(struct mupdf_document *doc, struct page_result *pages, struct err *err)
{
    AUTO_FREE size_t *numbers = calloc(doc->n_pages + 1, sizeof *numbers);
    AUTO_FREE enum layer_fault *faults = calloc(doc->n_pages + 1, sizeof *faults);
    size_t n = 0;

    if (!numbers || !faults)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there is no memory for the list of pages");
    for (size_t i = 0; i < doc->n_pages; i++)
        if (pages[i].outcome == PAGE_HAS_TEXT && pages[i].has_layer)
            numbers[n++] = i;
    if (layer_survey_make(doc, numbers, n, faults, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        pages[numbers[i]].fault = faults[i];
    return 0;
}

int page_choice_make(const struct page_choice *choice, struct mupdf_document *doc,
                     struct page_result *pages, struct err *err)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };
    AUTO_FREE bool *named = NULL;

    if (page_list_resolve(choice->pages, doc->n_pages, &list, err) < 0)
        return -1;
    named = page_list_map(&list, doc->n_pages, err);
    if (!named)
        return -1;
    for (size_t i = 0; i < doc->n_pages; i++) {
        struct page_survey survey;

        pages[i].outcome = PAGE_NOT_NAMED;
        if (!named[i])
            continue;
        if (page_survey_make(&survey, doc, i, err) == 0)
            choose_for(choice, &survey, &pages[i]);
        else if (err->code == ERR_LIMIT_EXCEEDED)
            pages[i].outcome = PAGE_TOO_LARGE;
        else
            return -1;
        if (i % TRIM == TRIM - 1)
            mupdf_document_trim(doc);
    }
    return choice->faults ? find_faults(doc, pages, err) : 0;
}
