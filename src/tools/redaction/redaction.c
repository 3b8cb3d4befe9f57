#include "tools/redaction/redaction.h"

#include <string.h>

#include "base/scope.h"
#include "compress/fonts/forget.h"
#include "compress/usage/unused.h"
#include "compress/usage/walk_page.h"
#include "declare/tool_run/page_numbers.h"
#include "declare/value/page_list.h"
#include "engine/redact/redact_document.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "tools/redaction/name_hits.h"
#include "tools/redaction/removed_words.h"
#include "tools/redaction/undrawn.h"

#define MOST_TRIES 10 /* at finding pages that have to become pictures */

const char *const redaction_fills[] = { "black", "white", "label", NULL };
const char *const redaction_widths[] = { "rounded", "exact", "line", NULL };
const char *const redaction_unreadable[] = { "fail", "rasterize", NULL };
const char *const redaction_if_none[] = { "fail", "ok", NULL };
const char *const redaction_metadata[] = { "keep", "clean", NULL };
const char *const redaction_scopes[] = { "all", "document", NULL };
const char *const redaction_signatures[] = { "refuse", "break", NULL };
const char *const redaction_ocr[] = { "auto", "force", "off", NULL };

struct job {
    struct tool_run *run;
    const struct redaction_params *p;
    const struct picture_reader *reader;
    struct pdf_doc doc;
    struct mupdf_document shown;
    const char *path;
    struct redact_hits hits;
    struct redact_words words; /* what is removed from all that is not on pages */
    struct redact_words texts; /* and from pages, wherever they are */
    size_t n_chosen, n_pages;
    bool *pages; /* by page: the texts of the parameter are removed there */
    /* By page: it becomes a picture; something was found in its content. Or NULL. */
    bool *pictures, *failed;
};

static int check_signatures(const struct job *job, struct err *err)
{
    if (!job->doc.signed_ || strcmp(job->p->signatures, "break") == 0)
        return 0;
    return err_field(err, ERR_UNSUPPORTED_CONTENT, "signatures",
                     "the document is signed, and no signature holds after a redaction: send "
                     "signatures=break if that is wanted");
}

/* Both engines read the same objects with the same numbers. A document that one of them has
 * mended is written first. */
static int open_both(struct job *job, struct err *err)
{
    const char *password = job->p->inputPassword;

    job->path = job->run->inputs[0].path;
    if (pdf_doc_open_whole(&job->doc, job->path, password, job->run, err) < 0 ||
        check_signatures(job, err) < 0)
        return -1;
    if (job->doc.signed_)
        unsign_document(&job->doc);
    if (job->doc.repaired || job->doc.lapse || job->doc.miscounted || job->doc.signed_ ||
        job->doc.update != 0) {
        if (pdf_doc_save(&job->doc, job->run->output, NULL, err) < 0)
            return -1;
        pdf_doc_close(&job->doc);
        job->path = job->run->output;
        if (pdf_doc_open_whole(&job->doc, job->path, password, NULL, err) < 0)
            return -1;
    }
    return mupdf_document_open_as_is(&job->shown, job->path, password, job->run, err);
}

static int find_pages(struct job *job, struct err *err)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };

    if (page_list_resolve(job->p->pages, job->doc.n_pages, &list, err) < 0)
        return -1;
    job->pages = page_list_map(&list, job->doc.n_pages, err);
    if (!job->pages)
        return -1;
    for (size_t i = 0; i < job->doc.n_pages; i++)
        job->n_chosen += job->pages[i];
    if (!job->p->text && !job->p->pattern && !job->p->preset)
        memset(job->pages, 0, job->doc.n_pages * sizeof *job->pages);
    return 0;
}

static int read_texts(struct job *job, struct err *err)
{
    const struct redaction_params *p = job->p;

    return removed_words_add_lines(&job->words, p->text, p->wholeWords, err) < 0
               ? -1
               : removed_words_add_lines(&job->texts, p->text, p->wholeWords, err);
}

static int search_hits(struct job *job, struct err *err)
{
    const struct redaction_params *p = job->p;
    struct page_search_options options = { .password = p->inputPassword,
                                           .pages = p->pages,
                                           .regions = p->regions,
                                           .wish = { .text = p->text,
                                                     .pattern = p->pattern,
                                                     .presets = p->preset,
                                                     .match_case = p->matchCase,
                                                     .whole_words = p->wholeWords } };
    const struct picture_reader_wish seen = { .ocr = p->ocr, .language = p->language };
    AUTO_PICTURE_READER_COPY struct picture_reader_copy copy = { .fd = -1 };
    size_t n_pages, n_listed = job->hits.n;

    if (!p->text && !p->pattern && !p->preset && !p->regions)
        return 0;
    if (picture_reader_open(&copy, job->reader, &seen, job->run, &options, err) < 0)
        return -1;
    if (page_search_run(job->run, &options, &job->hits, &n_pages, err) < 0)
        return -1;
    if (picture_reader_widen(&copy, &job->hits, n_listed, err) < 0)
        return -1;
    return undrawn_search(&job->doc, &job->shown, &options.wish, &job->hits, err);
}

/* A text that fits a pattern counts elsewhere only where nothing continues it. On the pages that
 * were searched it is removed wherever it is, unless it is so short that it may be something else;
 * of a list of hits some may have been left out, which are to stay. */
static void add_words(struct job *job, size_t n_listed)
{
    for (size_t i = 0; i < job->hits.n; i++) {
        const struct redact_hit *hit = &job->hits.items[i];
        bool text = strcmp(hit->kind, "text") == 0;

        if (strcmp(hit->kind, "region") == 0)
            continue;
        removed_words_add_hit(&job->words, hit, job->p->wholeWords);
        if (i >= n_listed && !text && strlen(hit->text) > REDACT_WORDS_SHORT)
            redact_words_add(&job->texts, hit->text, true);
    }
}

static int find_hits(struct job *job, struct err *err)
{
    const struct redaction_params *p = job->p;
    size_t n_listed;

    job->words.exact = job->texts.exact = p->matchCase;
    job->words.joined = true;
    if ((p->hits && redact_hits_read(&job->hits, "hits", p->hits, err) < 0) ||
        find_pages(job, err) < 0 || read_texts(job, err) < 0)
        return -1;
    n_listed = job->hits.n;
    if (search_hits(job, err) < 0)
        return -1;
    add_words(job, n_listed);
    if (job->words.failed || job->texts.failed)
        return pdf_doc_no_memory(err);
    /* Of names the words are cleaned anyway: this is for the number of hits, as redact-find has it.
     */
    if ((p->text || p->pattern || p->preset) &&
        name_hits_find(&job->doc, &job->words, &job->hits, err) < 0)
        return -1;
    if (p->expect && (int64_t) job->hits.n != p->expect)
        return err_field(err, ERR_INVALID_PARAMETER, "expect",
                         "there are %zu hits, and not %lld: nothing was removed", job->hits.n,
                         (long long) p->expect);
    return 0;
}

static void ignore_progress(void *arg, double fraction)
{
    (void) arg;
    (void) fraction;
}

static void give_widths(struct job *job, const struct redact_result *result)
{
    tool_figure(job->run, "widthsEvened", (int64_t) result->evened);
    tool_figure(job->run, "widthsMeasurable", (int64_t) result->measurable);
    if (result->measurable)
        tool_warn(
            job->run, "width_measurable",
            "the width of %llu removed texts can still be measured, because a picture was cut "
            "there, an area was given on the same line, or there is no room: pages %s",
            (unsigned long long) result->measurable, result->measurable_pages);
}

static void give_pictures(struct job *job, size_t n_pages)
{
    AUTO_BUF struct buf pages = BUF_EMPTY;
    size_t n = 0;

    for (size_t i = 0; i < n_pages && job->pictures; i++)
        if (job->pictures[i]) {
            buf_printf(&pages, "%s%zu", n ? "," : "", i + 1);
            n++;
        }
    if (n == 0)
        return;
    tool_figure(job->run, "pagesRasterized", (int64_t) n);
    tool_page_list(job->run, "rasterized", buf_text(&pages));
    tool_warn(job->run, "page_rasterized",
              "the content of some pages cannot be redacted safely: they are pictures now, without "
              "text: pages %s",
              PAGE_NUMBERS(buf_text(&pages), 121));
}

static void give_others(struct job *job, const struct redact_result *result)
{
    const double *at = result->others_at;

    if (result->others == 0)
        return;
    tool_figure(job->run, "lettersOfOtherTexts", (int64_t) result->others);
    tool_warn(job->run, "overlap_removed",
              "letters of other texts, which overlap what was removed, went with it: %llu, the "
              "first at %zu:%.0f,%.0f,%.0f,%.0f",
              (unsigned long long) result->others, result->others_page, at[0], at[1], at[2], at[3]);
}

static void give_figures(struct job *job, const struct redact_result *result)
{
    const struct redact_cleaned *cleaned = &result->cleaned;

    tool_figure(job->run, "hits", (int64_t) job->hits.n);
    tool_figure(job->run, "pagesRedacted", (int64_t) result->pages);
    tool_figure(job->run, "glyphsRemoved", (int64_t) result->glyphs);
    give_widths(job, result);
    give_others(job, result);
    if (result->orphans)
        tool_figure(job->run, "orphanPagesRemoved", (int64_t) result->orphans);
    tool_figure(job->run, "imagesCut", (int64_t) result->images);
    tool_figure(job->run, "pathsRemoved", (int64_t) result->paths);
    tool_figure(job->run, "annotationsRemoved", (int64_t) result->annotations);
    tool_figure(job->run, "appearancesChanged", (int64_t) (result->appearances + cleaned->fields));
    tool_figure(job->run, "stringsCleaned", (int64_t) cleaned->strings);
    tool_figure(job->run, "linksRemoved", (int64_t) cleaned->links);
    tool_figure(job->run, "scriptsRemoved", (int64_t) cleaned->scripts);
    tool_figure(job->run, "metadataCleaned", (int64_t) cleaned->metadata);
    tool_figure(job->run, "attachmentsRemoved", (int64_t) cleaned->attachments);
}

/* Resources that no page shows any more, such as a form XObject of which pages show redacted
 * copies, would stay in the file as long as a list of resources has them, and glyphs that are not
 * shown any more as long as the font has them. */
static int drop_unused(struct job *job, const struct redact_result *result, struct err *err)
{
    AUTO_USAGE struct usage usage = { 0 };
    struct form_fonts fonts = { 0 };
    size_t changed = 0;
    int done = walk_pages(&usage, &job->doc, ignore_progress, NULL, err);

    if (done == 0)
        done = unused_drop(&usage, &fonts, &job->doc, err);
    if (done == 0)
        done = forget_unshown(&job->doc, &usage, &fonts, result->fonts, result->n_fonts, &changed,
                              err);
    tool_figure(job->run, "fontsShortened", (int64_t) changed);
    form_fonts_free(&fonts);
    return done;
}

static int write_document(struct job *job, const struct redact_result *result, struct err *err)
{
    const struct redact_cleaned *cleaned = &result->cleaned;

    if (job->hits.n + result->found + cleaned->strings == 0 && strcmp(job->p->ifNone, "fail") == 0)
        return err_set(err, ERR_NOTHING_TO_REDACT,
                       "there is nothing to remove: the document has none of the texts");
    if (drop_unused(job, result, err) < 0)
        return -1;
    return pdf_doc_save(&job->doc, job->run->output, NULL, err);
}

/* Makes the label, if one is wanted. */
static int make_label(struct job *job, struct redact_label *label, struct err *err)
{
    const char *text = job->p->label;

    if (!text)
        return 0;
    if (redact_words_search(&job->words, text, strlen(text)) != SIZE_MAX)
        return err_field(err, ERR_INVALID_PARAMETER, "label",
                         "the label has one of the texts that are removed");
    return redact_label_make(label, job->shown.ctx, job->doc.q, text, err);
}

/* Reads the pages of the result as pictures, if that is wanted and can be done. */
static int look(struct job *job, const struct redact_proof *proof, struct err *err)
{
    if (strcmp(job->p->ocr, "off") == 0)
        return 0;
    if (job->reader)
        return job->reader->prove(job->run, proof, job->p->language, err);
    tool_warn(job->run, "ocr_not_installed",
              "the pages of the result were not read as pictures: platen-ocr is not installed on "
              "this server");
    return 0;
}

static int write_result(struct job *job, struct err *err)
{
    const struct redaction_params *p = job->p;
    struct redact_options options = {
        .fill = { .gray = strcmp(p->fill, "white") == 0 },
        .clean = { .drop_metadata = strcmp(p->metadata, "clean") == 0,
                   .keep_attachments = strcmp(p->scope, "document") == 0 },
        .width = strcmp(p->width, "exact") == 0  ? REDACT_WIDTH_EXACT
                 : strcmp(p->width, "line") == 0 ? REDACT_WIDTH_LINE
                                                 : REDACT_WIDTH_ROUNDED,
        .texts = &job->texts,
        .pages = job->pages,
        .pictures = job->pictures,
    };
    struct redact_proof proof = { .path = job->run->output,
                                  .password = p->inputPassword,
                                  .hits = &job->hits,
                                  .words = &job->words,
                                  .texts = &job->texts,
                                  .pages = job->pages,
                                  .everywhere = job->texts.n && job->n_chosen == job->doc.n_pages,
                                  .skip_attachments = options.clean.keep_attachments,
                                  .failed = job->failed };
    struct redact_result result = { 0 };
    struct redact_label label = { 0 };
    size_t n_pages = job->doc.n_pages;

    int done = make_label(job, &label, err);

    if (label.form.q)
        options.fill.label = &label;
    if (done == 0)
        done = redact_document(job->run, &job->doc, &job->shown, &job->hits, &job->words, &options,
                               &result, err);

    mupdf_document_close(&job->shown);
    if (done == 0)
        done = write_document(job, &result, err);
    free(result.fonts);
    obj_drop(&label.form);
    pdf_doc_close(&job->doc);
    if (done < 0 || redact_proof_check(&proof, job->run, err) < 0 || look(job, &proof, err) < 0)
        return -1;
    give_figures(job, &result);
    give_pictures(job, n_pages);
    return tool_done(job->run, n_pages, err);
}

static int prepare_pictures(struct job *job, struct err *err)
{
    job->n_pages = job->doc.n_pages;
    if (strcmp(job->p->unreadable, "rasterize") != 0)
        return 0;
    job->pictures = calloc(job->n_pages + 1, sizeof *job->pictures);
    job->failed = calloc(job->n_pages + 1, sizeof *job->failed);
    return job->pictures && job->failed ? 0 : pdf_doc_no_memory(err);
}

/* Pages in which something was found become pictures. False: there are no more of them. */
static bool add_pictures(struct job *job)
{
    bool any = false;

    for (size_t i = 0; i < job->n_pages && job->failed; i++) {
        any |= job->failed[i] && !job->pictures[i];
        job->pictures[i] |= job->failed[i];
    }
    mupdf_document_close(&job->shown);
    pdf_doc_close(&job->doc);
    return any;
}

int redaction_run(struct tool_run *run, const struct redaction_params *p,
                  const struct picture_reader *reader, struct err *err)
{
    struct job job = { .run = run, .p = p, .reader = reader };
    int done = open_both(&job, err);

    if (done == 0)
        done = find_hits(&job, err);
    if (done == 0)
        done = prepare_pictures(&job, err);
    if (done == 0)
        done = write_result(&job, err);
    for (int i = 0; i < MOST_TRIES && done < 0 && add_pictures(&job); i++) {
        *err = (struct err){ 0 };
        done = open_both(&job, err);
        if (done == 0)
            done = write_result(&job, err);
    }
    mupdf_document_close(&job.shown);
    pdf_doc_close(&job.doc);
    redact_hits_free(&job.hits);
    redact_words_free(&job.words);
    redact_words_free(&job.texts);
    free(job.pages);
    free(job.pictures);
    free(job.failed);
    return done;
}
