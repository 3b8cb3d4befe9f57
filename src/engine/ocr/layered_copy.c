#include "engine/ocr/layered_copy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/list.h"
#include "declare/value/language_list.h"
#include "engine/ocr/layer_choice.h"
#include "engine/ocr/page_choice.h"
#include "engine/ocr/reading_report.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

#define PAGE_SECONDS 60
#define PAD          0.6 /* points around the ink of a word: edges of letters are soft */

struct making {
    const struct layered_copy *copy;
    struct tool_run *run;
    struct mupdf_document drawn;
    struct pdf_doc doc;
    struct page_result *pages;
    size_t n;
    bool wanted; /* some pages were to be read */
};

static int recognise(struct making *m, struct err *err)
{
    const struct layered_copy *copy = m->copy;
    const struct page_choice choice = { .mode =
                                            copy->forced ? PAGE_CHOICE_FORCE : PAGE_CHOICE_MISSING,
                                        .pages = copy->pages,
                                        .faults = !copy->forced };
    const struct page_processes work = {
        .run = m->run,
        .doc = &m->drawn,
        .path = copy->path,
        .password = copy->password,
        .languages = strcmp(copy->language, LANGUAGE_LIST_AUTO) == 0 ? NULL : copy->language,
        .page_seconds = PAGE_SECONDS
    };

    m->n = m->drawn.n_pages;
    m->pages = calloc(m->n + 1, sizeof *m->pages);
    if (!m->pages)
        return pdf_doc_no_memory(err);
    if (page_choice_make(&choice, &m->drawn, m->pages, err) < 0)
        return -1;
    for (size_t i = 0; i < m->n; i++)
        if (m->pages[i].fault != LAYER_FITS && m->pages[i].outcome == PAGE_HAS_TEXT)
            m->pages[i].outcome = PAGE_WANTED;
    m->wanted = reading_report_count(m->pages, m->n, PAGE_WANTED) > 0;
    if (!m->wanted)
        return 0;
    if (page_processes_run(&work, m->pages, m->n, err) < 0)
        return -1;
    return layer_choice_make(&m->drawn, m->pages, m->n, err);
}

static int note_words(struct layered_words *words, const struct layer_page *text, size_t number,
                      struct obj page, struct err *err)
{
    struct page_view view;

    page_view_read(page, &view);
    for (uint32_t i = 0; i < text->n_words; i++) {
        const struct layer_word *w = &text->words[i];
        const double *m = view.matrix;
        double x[2] = { (double) w->left - PAD, (double) w->right + PAD };
        double y[2] = { (double) w->bottom - PAD, (double) w->top + PAD };
        double ax = m[0] * x[0] + m[2] * y[0] + m[4], ay = m[1] * x[0] + m[3] * y[0] + m[5];
        double bx = m[0] * x[1] + m[2] * y[1] + m[4], by = m[1] * x[1] + m[3] * y[1] + m[5];

        if (!LIST_ROOM(words->items, words->n, words->cap))
            return pdf_doc_no_memory(err);
        words->items[words->n++] = (struct layered_word){
            .page = number, .box = { fmin(ax, bx), fmin(ay, by), fmax(ax, bx), fmax(ay, by) }
        };
    }
    return 0;
}

static int write_layers(struct making *m, struct layered_words *words, int *fd, struct err *err)
{
    AUTO_TEXT_LAYER struct text_layer *layer = NULL;
    char path[40];

    if (pdf_doc_open(&m->doc, m->copy->path, m->copy->password, NULL, err) < 0)
        return -1;
    layer = text_layer_new(m->doc.q, err);
    if (!layer)
        return -1;
    for (size_t i = 0; i < m->n && i < m->doc.n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(m->doc.q, i);

        if (m->pages[i].outcome == PAGE_READ &&
            (text_layer_add(layer, page, &m->pages[i].text, err) < 0 ||
             note_words(words, &m->pages[i].text, i, page, err) < 0))
            return -1;
    }
    if (text_layer_finish(layer, err) < 0)
        return -1;
    *fd = memfd_create("copy", MFD_CLOEXEC);
    if (*fd < 0)
        return err_sys(err, "copy");
    snprintf(path, sizeof path, "/proc/self/fd/%d", *fd);
    return pdf_doc_save(&m->doc, path, NULL, err);
}

static bool any_words(const struct making *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->pages[i].outcome == PAGE_READ && m->pages[i].text.n_words > 0)
            return true;
    return false;
}

int layered_copy_make(const struct layered_copy *copy, struct tool_run *run,
                      struct layered_words *words, int *fd, struct err *err)
{
    struct making m = { .copy = copy, .run = run };
    int done = mupdf_document_open(&m.drawn, copy->path, copy->password, run, err);

    *fd = -1;
    if (done == 0)
        done = recognise(&m, err);
    if (done == 0 && m.wanted)
        reading_report_search(run, m.pages, m.n);
    if (done == 0 && any_words(&m))
        done = write_layers(&m, words, fd, err);
    for (size_t i = 0; m.pages && i < m.n; i++)
        page_result_free(&m.pages[i]);
    free(m.pages);
    mupdf_document_close(&m.drawn);
    pdf_doc_close(&m.doc);
    return done;
}
