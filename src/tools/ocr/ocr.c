/* ocr: makes the text of scanned pages and pictures searchable: recognised words, not visible,
 * under their pictures. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/page_numbers.h"
#include "declare/value/language_list.h"
#include "engine/ocr/languages.h"
#include "engine/ocr/page_choice.h"
#include "engine/ocr/page_processes.h"
#include "engine/ocr/reading_report.h"
#include "pdf/content/overlay.h"
#include "pdf/document/doc.h"
#include "pdf/extract/prune.h"
#include "pdf/forms/unsign.h"
#include "pdf/merge/scan_files.h"
#include "pdf/object/obj.h"
#include "pdf/object/page_view.h"
#include "pdf/pdfa/pdfa.h"
#include "pdf/text_layer/layered_page.h"
#include "pdf/text_layer/old_layer.h"
#include "pdf/text_layer/straighten.h"
#include "pdf/text_layer/text_layer.h"
#include "write/scan_text/scan_text.h"

#define DPI_MIN 70
#define DPI_MAX 600
#define SECONDS 300
#define SMALLER 90 /* percent of the pictures of a page that its layers may have */

struct params {
    const char *language;
    const char *mode;
    const char *outputFormat;
    const char *pages;
    int64_t dpi;
    int64_t pageTimeout;
    bool deskew, rotate, clean, compress;
    const char *signatures;
    const char *inputPassword;
};

/* Of outputFormat: the document, or, in the order of enum scan_text_format, its text. */
enum { OUTPUT_PDF, OUTPUT_PDFA, OUTPUT_TEXT };
static const char *const outputs[] = { "pdf", "pdfa", "text", "hocr", "alto", NULL };

/* In the order of enum page_choice_mode. */
static const char *const modes[] = { "missing", "redo", "force", NULL };
static const char *const signatures[] = { "refuse", "break", NULL };

static const struct param params[] = {
    LANGUAGES(struct params, language,
              "The languages of the text, joined by + (deu+eng), or auto: found page by page.",
              .preset = "auto", .choices = languages_installed),
    CHOICE(struct params, mode,
           "Which pages: missing (those without text), redo (these, and those that were recognised "
           "before), or force (also pictures and drawings on pages with text).",
           .preset = "missing", .choices = modes),
    CHOICE(struct params, outputFormat,
           "What is made: pdf (the document with its text), pdfa (the same as PDF/A-2b, for "
           "archives: of scans and pictures alone), or only the text that was recognised: "
           "text (plain), hocr or alto (with the places and confidences of words).",
           .preset = "pdf", .choices = outputs),
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    INT(struct params, dpi,
        "The resolution at which pages are read; without it, that of their pictures.",
        .min = DPI_MIN, .max = DPI_MAX),
    INT(struct params, pageTimeout,
        "Seconds of processor time after which a page is given up: it keeps its picture.",
        .preset = "60", .min = 1, .max = SECONDS),
    BOOL(struct params, deskew,
         "Whether pages whose lines rise or fall are shown level; their pictures keep their data.",
         .preset = "false"),
    BOOL(struct params, rotate,
         "Whether pages that lie on their side or upside down are turned, as their text shows.",
         .preset = "false"),
    BOOL(struct params, clean,
         "Whether the paper of scanned pages becomes white and specks go: their pictures are "
         "replaced.",
         .preset = "false"),
    BOOL(struct params, compress,
         "Whether the pictures of scanned pages are split in layers, the letters sharp and the "
         "background at a low resolution, where that is smaller.",
         .preset = "false"),
    CHOICE(struct params, signatures,
           "A signed document whose pages need text: refuse it, or break its signatures.",
           .preset = "refuse", .choices = signatures),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct job {
    struct tool_run *run;
    int gives; /* the output, as a place in `outputs` */
    const struct params *p;
    struct scan_files files;
    struct pdf_doc doc;
    struct mupdf_document drawn;
    struct page_result *pages;
    size_t n;
};

static size_t count(const struct job *job, enum page_outcome outcome)
{
    return reading_report_count(job->pages, job->n, outcome);
}

static int open_documents(struct job *job, struct err *err)
{
    if (scan_files_open(&job->files, job->run, job->p->inputPassword, err) < 0 ||
        pdf_doc_open(&job->doc, job->files.path, job->p->inputPassword, job->run, err) < 0 ||
        mupdf_document_open(&job->drawn, job->files.path, job->p->inputPassword, job->run, err) < 0)
        return -1;
    job->n = job->drawn.n_pages;
    job->pages = calloc(job->n, sizeof *job->pages);
    return job->pages ? 0 : pdf_doc_no_memory(err);
}

static int check_signatures(const struct job *job, struct err *err)
{
    if (!(job->doc.signed_ || job->files.signed_ > 0) || job->gives >= OUTPUT_TEXT ||
        strcmp(job->p->signatures, "break") == 0)
        return 0;
    if (job->files.signed_ > 0)
        return err_field(err, ERR_UNSUPPORTED_CONTENT, "signatures",
                         "file %zu is signed, and one document of several files would not be: send "
                         "signatures=break if that is wanted",
                         job->files.signed_);
    return err_field(err, ERR_UNSUPPORTED_CONTENT, "signatures",
                     "the document is signed, and text would break its signatures: send "
                     "signatures=break if that is wanted");
}

static enum page_choice_mode mode_of(const struct params *p)
{
    return strcmp(p->mode, "force") == 0  ? PAGE_CHOICE_FORCE
           : strcmp(p->mode, "redo") == 0 ? PAGE_CHOICE_REDO
                                          : PAGE_CHOICE_MISSING;
}

/* Finds the pages that are not made level: what is typed on them, and annotations, stay where they
 * are. */
static void find_fixed(struct job *job)
{
    for (size_t i = 0; i < job->n && i < job->doc.n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(job->doc.q, i);
        AUTO_OBJ struct obj annots = obj_key(page, "/Annots");

        job->pages[i].not_level = job->pages[i].without_text || obj_count(annots) > 0;
    }
}

/* Finds the pages whose pictures are replaced. */
static void find_split(struct job *job)
{
    for (size_t i = 0; i < job->n && i < job->doc.n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(job->doc.q, i);

        job->pages[i].splits = job->pages[i].is_scan && layered_page_can(page);
    }
}

static int recognise(struct job *job, struct err *err)
{
    bool automatic = strcmp(job->p->language, LANGUAGE_LIST_AUTO) == 0;
    struct page_choice choice = {
        .mode = mode_of(job->p), .pages = job->p->pages, .dpi = (double) job->p->dpi, .faults = true
    };
    struct page_processes work = { .run = job->run,
                                   .doc = &job->drawn,
                                   .path = job->files.path,
                                   .password = job->p->inputPassword,
                                   .languages = automatic ? NULL : job->p->language,
                                   .upright = job->p->rotate,
                                   .level = job->p->deskew,
                                   .clean = job->p->clean,
                                   .page_seconds = (int) job->p->pageTimeout };

    if (job->files.signed_ > 0 && check_signatures(job, err) < 0)
        return -1; /* also where no page needs text: joined files have no signatures */
    if (page_choice_make(&choice, &job->drawn, job->pages, err) < 0)
        return -1;
    if (count(job, PAGE_WANTED) == 0)
        return 0;
    if (check_signatures(job, err) < 0)
        return -1;
    if (job->p->deskew)
        find_fixed(job);
    if (job->p->clean || job->p->compress)
        find_split(job);
    return page_processes_run(&work, job->pages, job->n, err);
}

/* Makes room for a page's new layer. A page whose earlier one stays gets none. */
static int remove_old_layer(struct old_layers *old, struct obj page, struct page_result *result,
                            struct err *err)
{
    struct prune prune = { 0 };
    bool removed = false, done;

    if (!result->has_layer)
        return 0;
    if (result->text.n_words > 0 && old_layer_remove(old, page, &removed, err) < 0)
        return -1;
    if (!removed) {
        result->outcome = PAGE_KEPT;
        return 0;
    }
    done = prune_page(&prune, page);
    prune_free(&prune);
    return done ? 0 : pdf_doc_no_memory(err);
}

/* Shows the page as it was read: upright and level, as far as that is wanted. */
static int straighten(const struct job *job, struct overlay *overlay, struct obj page,
                      const struct page_result *result, struct err *err)
{
    int turn = job->p->rotate ? result->turned : 0;
    bool level = job->p->deskew && !result->not_level;

    if (result->text.n_words == 0)
        return 0;
    return straighten_page(overlay, page, turn, level ? (double) result->skew : 0, err);
}

/* Shows the page by the layers of its picture, if they are what is wanted. */
static int use_layers(const struct job *job, struct obj page, struct page_result *result,
                      struct err *err)
{
    if (result->layered != PAGE_LAYERS_MADE)
        return 0;
    if (!job->p->clean &&
        100 * layered_page_new_bytes(&result->layers) >= SMALLER * layered_page_old_bytes(page)) {
        result->layered = PAGE_LAYERS_NONE;
        return 0;
    }
    return layered_page_write(page, &result->layers, err);
}

/* Names the pages that have new pictures, and those that were to have them and do not. */
static void report_layers(const struct job *job)
{
    AUTO_BUF struct buf made = BUF_EMPTY, kept = BUF_EMPTY;

    for (size_t i = 0; i < job->n; i++) {
        const struct page_result *page = &job->pages[i];

        if (page->outcome == PAGE_READ && page->layered == PAGE_LAYERS_MADE)
            buf_printf(&made, made.len ? ",%zu" : "%zu", i + 1);
        else if (page->outcome == PAGE_READ &&
                 (page->layered != PAGE_LAYERS_NONE || (!page->splits && job->p->clean)))
            buf_printf(&kept, kept.len ? ",%zu" : "%zu", i + 1);
    }
    tool_page_list(job->run, "newPictures", buf_text(&made));
    if (kept.len && (job->p->clean || job->p->compress))
        tool_warn(job->run, "picture_kept",
                  "keep their pictures as they are: they have more than a scan, or strokes would "
                  "have been lost: pages %s",
                  PAGE_NUMBERS(buf_text(&kept), 121));
}

/* Names the pages that were turned or made level, and those that stayed askew. */
static void report_straightened(const struct job *job)
{
    AUTO_BUF struct buf turned = BUF_EMPTY, level = BUF_EMPTY, askew = BUF_EMPTY;

    for (size_t i = 0; i < job->n; i++) {
        const struct page_result *result = &job->pages[i];
        bool skewed = job->p->deskew && (result->skew > 0 || result->skew < 0);
        struct buf *list = result->not_level ? &askew : &level;

        if (result->outcome != PAGE_READ || result->text.n_words == 0)
            continue;
        if (job->p->rotate && result->turned)
            buf_printf(&turned, turned.len ? ",%zu" : "%zu", i + 1);
        if (skewed)
            buf_printf(list, list->len ? ",%zu" : "%zu", i + 1);
    }
    tool_page_list(job->run, "turned", buf_text(&turned));
    tool_page_list(job->run, "straightened", buf_text(&level));
    if (askew.len)
        tool_warn(job->run, "page_not_straightened",
                  "stay askew, as they have typed text or annotations: pages %s",
                  PAGE_NUMBERS(buf_text(&askew), 121));
}

/* Saves the document as PDF/A-2b. */
static int save_archive(struct job *job, struct err *err)
{
    const struct pdf_save save = { .encryption =
                                       job->doc.encrypted ? PDF_DECRYPT : PDF_KEEP_ENCRYPTION,
                                   .archive = true };
    static const struct pdfa_kind kind = {
        .field = "outputFormat",
        .advice = "PDF/A is made of scans and pictures alone; send outputFormat=pdf for a document "
                  "that does not claim it"
    };
    AUTO_BUF struct buf left = BUF_EMPTY;

    if (pdfa_make(&job->doc, &kind, &left, err) < 0 ||
        pdf_doc_save(&job->doc, job->run->output, &save, err) < 0 ||
        pdfa_verify(job->run->output, &kind, err) < 0)
        return -1;
    if (job->doc.encrypted)
        tool_warn(job->run, "encryption_removed",
                  "the document was encrypted: PDF/A never is, so the result is not");
    if (left.len)
        tool_warn(job->run, "not_in_archive",
                  "are not in the PDF/A, which has no place for them or where they are not "
                  "checked: %.120s",
                  buf_text(&left));
    return 0;
}

static int add_layers(struct job *job, struct err *err)
{
    static const struct overlay_style style = { .under = true, .name = "/Scan" };
    AUTO_OVERLAY struct overlay *overlay = overlay_new(job->doc.q, &style, err);
    __attribute__((cleanup(old_layers_free))) struct old_layers old = { 0 };
    AUTO_TEXT_LAYER struct text_layer *layer = text_layer_new(job->doc.q, err);

    if (!layer || !overlay)
        return -1;
    unsign_document(&job->doc);
    for (size_t i = 0; i < job->n && i < job->doc.n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(job->doc.q, i);

        if (job->pages[i].outcome == PAGE_READ &&
            remove_old_layer(&old, page, &job->pages[i], err) < 0)
            return -1;
        if (job->pages[i].outcome == PAGE_READ && use_layers(job, page, &job->pages[i], err) < 0)
            return -1;
        if (job->pages[i].outcome == PAGE_READ &&
            straighten(job, overlay, page, &job->pages[i], err) < 0)
            return -1;
        if (job->pages[i].outcome == PAGE_READ &&
            text_layer_add(layer, page, &job->pages[i].text, err) < 0)
            return -1;
    }
    report_straightened(job);
    report_layers(job);
    if (text_layer_finish(layer, err) < 0)
        return -1;
    return job->gives == OUTPUT_PDFA ? save_archive(job, err)
                                     : pdf_doc_save(&job->doc, job->run->output, NULL, err);
}

/* Says of which pages the text, which they have, is not in a result that is what was recognised. */
static void warn_of_text(const struct job *job)
{
    size_t n = count(job, PAGE_HAS_TEXT);

    if (n > 0)
        tool_warn(job->run, "pages_not_included",
                  "have text already, which is not in the result (to-text writes it): %zu pages, "
                  "which the report lists",
                  n);
}

/* Writes what was recognised, in another form than as a layer. */
static int write_text(struct job *job, struct err *err)
{
    enum scan_text_format format = (enum scan_text_format)(job->gives - OUTPUT_TEXT);
    AUTO_CLOSE int out = open(job->run->output, O_WRONLY | O_TRUNC | O_CLOEXEC);

    if (out < 0)
        return err_sys(err, "output");
    if (scan_text_begin(out, format, err) < 0)
        return -1;
    for (size_t i = 0; i < job->n && i < job->doc.n_pages; i++) {
        const struct page_result *result = &job->pages[i];
        AUTO_OBJ struct obj page = obj_page(job->doc.q, i);
        struct page_view view;

        page_view_read(page, &view);
        const struct scan_text_page text = {
            .number = i + 1,
            .width = view.width,
            .height = view.height,
            .dpi = result->dpi,
            .text = result->outcome == PAGE_READ ? &result->text : NULL,
            .languages = result->language,
            .confidence = result->confidence,
        };
        if (scan_text_add(out, format, &text, err) < 0)
            return -1;
    }
    warn_of_text(job);
    return scan_text_end(out, format, err);
}

/* Gives the document back as it is. */
static int copy_input(const struct job *job, struct err *err)
{
    const struct tool_input *input = &job->run->inputs[0];
    AUTO_CLOSE int out = open(job->run->output, O_WRONLY | O_TRUNC | O_CLOEXEC);

    if (out < 0)
        return err_sys(err, "output");
    return fdio_copy(input->fd, 0, input->bytes, out, err);
}

static void close_job(struct job *job)
{
    for (size_t i = 0; job->pages && i < job->n; i++)
        page_result_free(&job->pages[i]);
    free(job->pages);
    mupdf_document_close(&job->drawn);
    pdf_doc_close(&job->doc);
    scan_files_close(&job->files);
}

static int write_result(struct job *job, struct err *err)
{
    if (job->gives >= OUTPUT_TEXT)
        return write_text(job, err);
    if (job->gives == OUTPUT_PDF && count(job, PAGE_READ) == 0 && !job->doc.repaired &&
        !job->files.made)
        return copy_input(job, err);
    return add_layers(job, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    __attribute__((cleanup(close_job))) struct job job = { .run = run, .p = values };

    while (strcmp(outputs[job.gives], job.p->outputFormat) != 0)
        job.gives++;
    if (open_documents(&job, err) < 0 || recognise(&job, err) < 0 || write_result(&job, err) < 0)
        return -1;
    reading_report_make(run, job.pages, job.n);
    reading_report_faults(run, job.pages, job.n, PAGE_HAS_TEXT, "text_layer_poor",
                          "the text that was recognised before does not fit the pictures of its "
                          "pages: mode=redo reads them again");
    if (job.gives >= OUTPUT_TEXT)
        return tool_done_as(run, job.p->outputFormat, job.doc.n_pages, err);
    return tool_done(run, job.doc.n_pages, err);
}

const struct tool tool_ocr = {
    .name = "ocr",
    .summary =
        "Makes scanned pages and pictures searchable: adds their recognised text, unseen, to a "
        "PDF, one of all files.",
    .accepts = { "pdf", "jpg", "png", "tiff" },
    .gives = "pdf",
    .gives_also = { "text", "hocr", "alto" },
    .min_files = 1,
    .max_files = 1000,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_ocr,
    .run = run,
    .processes = true,
};
