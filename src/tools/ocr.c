/* ocr: makes the text of scanned pages and pictures searchable: recognised words, not visible,
 * under their pictures. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fdio.h"
#include "declare/tool/tool.h"
#include "declare/value/file_kind.h"
#include "declare/value/language_list.h"
#include "engine/ocr/languages.h"
#include "engine/ocr/page_choice.h"
#include "engine/ocr/page_processes.h"
#include "pdf/content/album_scans.h"
#include "pdf/document/doc.h"
#include "pdf/extract/prune.h"
#include "pdf/forms/unsign.h"
#include "pdf/object/obj.h"
#include "pdf/text_layer/old_layer.h"
#include "pdf/text_layer/text_layer.h"

#define DPI_MIN 70
#define DPI_MAX 600
#define SECONDS 300

#define LANGUAGES_LISTED 20 /* limit of the lists of pages by language */
#define UNCERTAIN        65 /* a page that is read with less confidence is named */
#define REPORT_NAME      40 /* room for the name of a list with its NUL */

struct params {
    const char *language;
    const char *mode;
    const char *pages;
    int64_t dpi;
    int64_t pageTimeout;
    const char *signatures;
    const char *inputPassword;
};

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
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    INT(struct params, dpi,
        "The resolution at which pages are read; without it, that of their pictures.",
        .min = DPI_MIN, .max = DPI_MAX),
    INT(struct params, pageTimeout,
        "Seconds of processor time after which a page is given up: it keeps its picture.",
        .preset = "60", .min = 1, .max = SECONDS),
    CHOICE(struct params, signatures,
           "A signed document whose pages need text: refuse it, or break its signatures.",
           .preset = "refuse", .choices = signatures),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct job {
    struct tool_run *run;
    const struct params *p;
    const char *path; /* of the PDF: the input, or one made of it */
    int made;         /* the PDF that was made of pictures, or -1 */
    char made_path[40];
    struct pdf_doc doc;
    struct mupdf_document drawn;
    struct page_result *pages;
    size_t n;
};

static size_t count(const struct job *job, enum page_outcome outcome)
{
    size_t n = 0;

    for (size_t i = 0; i < job->n; i++)
        n += job->pages[i].outcome == outcome;
    return n;
}

/* Which pages a list has; NULL and 0 for what does not matter. */
struct choice_of_pages {
    enum page_outcome outcome;
    const char *language;
    int below; /* confidence */
};

static bool is_chosen(const struct page_result *page, const struct choice_of_pages *choice)
{
    return page->outcome == choice->outcome &&
           (!choice->language || strcmp(page->language, choice->language) == 0) &&
           (choice->below == 0 || (page->text.n_words > 0 && page->confidence < choice->below));
}

/* These pages as a list: "1-3,7". */
static void list_chosen(const struct job *job, const struct choice_of_pages *choice,
                        struct buf *out)
{
    for (size_t i = 0; i < job->n; i++) {
        size_t last = i;

        if (!is_chosen(&job->pages[i], choice))
            continue;
        while (last + 1 < job->n && is_chosen(&job->pages[last + 1], choice))
            last++;
        buf_printf(out, out->len ? ",%zu" : "%zu", i + 1);
        if (last > i)
            buf_printf(out, "-%zu", last + 1);
        i = last;
    }
}

static void list_pages(const struct job *job, enum page_outcome outcome, struct buf *out)
{
    list_chosen(job, &(struct choice_of_pages){ .outcome = outcome }, out);
}

/* "languageChiSim" for chi_sim. */
static void name_language_list(const char *language, char name[static REPORT_NAME])
{
    size_t n = (size_t) snprintf(name, REPORT_NAME, "language");
    bool begins = true;

    for (; *language && n + 1 < REPORT_NAME; language++) {
        bool small = *language >= 'a' && *language <= 'z';

        if (small)
            name[n++] = (char) (begins ? *language - 'a' + 'A' : *language);
        begins = !small;
    }
    name[n] = '\0';
}

/* Whether an earlier page was read in the same language. */
static bool is_listed(const struct job *job, size_t page)
{
    for (size_t i = 0; i < page; i++)
        if (job->pages[i].outcome == PAGE_READ &&
            strcmp(job->pages[i].language, job->pages[page].language) == 0)
            return true;
    return false;
}

/* Names the pages by the language they were read in, and those that were read badly. */
static void report_reading(const struct job *job)
{
    const struct choice_of_pages uncertain = { .outcome = PAGE_READ, .below = UNCERTAIN };
    AUTO_BUF struct buf badly = BUF_EMPTY;

    for (size_t i = 0, n = 0; i < job->n && n < LANGUAGES_LISTED; i++) {
        const struct choice_of_pages same = { PAGE_READ, job->pages[i].language, 0 };
        AUTO_BUF struct buf pages = BUF_EMPTY;
        char name[REPORT_NAME];

        if (job->pages[i].outcome != PAGE_READ || is_listed(job, i))
            continue;
        list_chosen(job, &same, &pages);
        name_language_list(job->pages[i].language, name);
        tool_page_list(job->run, name, buf_text(&pages));
        n++;
    }
    list_chosen(job, &uncertain, &badly);
    tool_page_list(job->run, "uncertain", buf_text(&badly));
}

/* Names the pages of an outcome in the report. */
static void report_pages(const struct job *job, enum page_outcome outcome, const char *name)
{
    AUTO_BUF struct buf pages = BUF_EMPTY;

    list_pages(job, outcome, &pages);
    if (pages.len)
        tool_page_list(job->run, name, buf_text(&pages));
}

/* Names the pages that were to be recognised and were not. */
static void warn_of_pages(const struct job *job)
{
    AUTO_BUF struct buf slow = BUF_EMPTY, large = BUF_EMPTY, failed = BUF_EMPTY;
    AUTO_BUF struct buf kept = BUF_EMPTY;

    list_pages(job, PAGE_TOO_SLOW, &slow);
    list_pages(job, PAGE_TOO_LARGE, &large);
    list_pages(job, PAGE_FAILED, &failed);
    list_pages(job, PAGE_KEPT, &kept);
    if (kept.len)
        tool_warn(job->run, "earlier_text_kept",
                  "keep the text that was recognised before, as it cannot be told from the rest, "
                  "or no words were found now: pages %.120s",
                  buf_text(&kept));
    if (slow.len)
        tool_warn(job->run, "page_too_slow",
                  "took longer than pageTimeout, and keep their pictures alone: pages %.120s",
                  buf_text(&slow));
    if (large.len)
        tool_warn(job->run, "page_too_large",
                  "need too much work or memory, and keep their pictures alone: pages %.120s",
                  buf_text(&large));
    if (failed.len)
        tool_warn(job->run, "page_not_recognised",
                  "could not be recognised, and keep their pictures alone: pages %.120s",
                  buf_text(&failed));
}

/* Names the languages that pages seem to be in, and that are not installed. */
static void warn_of_languages(const struct job *job)
{
    AUTO_BUF struct buf list = BUF_EMPTY;
    char first[LANGUAGE_LIST_PACKAGE] = "";

    for (size_t i = 0; i < job->n; i++) {
        if (!*job->pages[i].wanted)
            continue;
        if (!*first)
            language_list_package(job->pages[i].wanted, first);
        buf_printf(&list, "%s%zu (%s)", list.len ? ", " : "", i + 1, job->pages[i].wanted);
    }
    if (list.len)
        tool_warn(job->run, "language_missing",
                  "pages seem to be in languages that are not installed: %.100s; apt-get install "
                  "%s installs the first",
                  buf_text(&list), first);
}

static void report(const struct job *job)
{
    int64_t words = 0, sum = 0;

    for (size_t i = 0; i < job->n; i++) {
        words += job->pages[i].text.n_words;
        sum += (int64_t) job->pages[i].text.n_words * job->pages[i].confidence;
    }
    tool_figure(job->run, "pagesRecognised", (int64_t) count(job, PAGE_READ));
    tool_figure(job->run, "words", words);
    if (words)
        tool_figure(job->run, "confidence", sum / words);
    report_pages(job, PAGE_READ, "recognised");
    report_reading(job);
    report_pages(job, PAGE_HAS_TEXT, "withText");
    report_pages(job, PAGE_BLANK, "blank");
    report_pages(job, PAGE_TOO_SLOW, "tooSlow");
    report_pages(job, PAGE_TOO_LARGE, "tooLarge");
    report_pages(job, PAGE_FAILED, "failed");
    report_pages(job, PAGE_KEPT, "kept");
    warn_of_pages(job);
    warn_of_languages(job);
    if (count(job, PAGE_READ) == 0 && count(job, PAGE_HAS_TEXT) + count(job, PAGE_BLANK) > 0)
        tool_warn(job->run, "nothing_recognised",
                  "no page needed recognition: all that were chosen have text, or are blank");
}

/* Makes a PDF of an input that is a picture. */
static int convert_pictures(struct job *job, struct err *err)
{
    const struct tool_input *input = &job->run->inputs[0];
    struct album_scans scans;
    char head[FILE_KIND_HEAD];
    ssize_t n = fdio_read_at(input->fd, head, sizeof head, 0, err);
    const char *kind;

    job->path = input->path;
    if (n < 0)
        return -1;
    kind = file_kind_of(head, (size_t) n);
    if (!kind ||
        (strcmp(kind, "jpg") != 0 && strcmp(kind, "png") != 0 && strcmp(kind, "tiff") != 0))
        return 0;
    job->made = memfd_create("pictures", MFD_CLOEXEC);
    if (job->made < 0)
        return err_sys(err, "a file in memory");
    snprintf(job->made_path, sizeof job->made_path, "/proc/self/fd/%d", job->made);
    job->path = job->made_path;
    if (album_scans_make(input->fd, input->bytes, job->path, &scans, err) < 0)
        return -1;
    if (scans.icc_dropped)
        tool_warn(job->run, "profile_ignored",
                  "the picture has a colour profile that is damaged or of another kind of colours");
    if (scans.endless)
        tool_warn(job->run, "repaired",
                  "the picture ends without its end marker: all its pixels are there");
    return 0;
}

static int open_documents(struct job *job, struct err *err)
{
    if (pdf_doc_open(&job->doc, job->path, job->p->inputPassword, job->run, err) < 0 ||
        mupdf_document_open(&job->drawn, job->path, job->p->inputPassword, job->run, err) < 0)
        return -1;
    job->n = job->drawn.n_pages;
    job->pages = calloc(job->n, sizeof *job->pages);
    return job->pages ? 0 : pdf_doc_no_memory(err);
}

static int check_signatures(const struct job *job, struct err *err)
{
    if (!job->doc.signed_ || strcmp(job->p->signatures, "break") == 0)
        return 0;
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

static int recognise(struct job *job, struct err *err)
{
    bool automatic = strcmp(job->p->language, LANGUAGE_LIST_AUTO) == 0;
    struct page_choice choice = { .mode = mode_of(job->p),
                                  .pages = job->p->pages,
                                  .dpi = (double) job->p->dpi };
    struct page_processes work = { .run = job->run,
                                   .doc = &job->drawn,
                                   .path = job->path,
                                   .password = job->p->inputPassword,
                                   .languages = automatic ? NULL : job->p->language,
                                   .page_seconds = (int) job->p->pageTimeout };

    if (page_choice_make(&choice, &job->drawn, job->pages, err) < 0)
        return -1;
    if (count(job, PAGE_WANTED) == 0)
        return 0;
    if (check_signatures(job, err) < 0)
        return -1;
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

static int add_layers(struct job *job, struct err *err)
{
    __attribute__((cleanup(old_layers_free))) struct old_layers old = { 0 };
    AUTO_TEXT_LAYER struct text_layer *layer = text_layer_new(job->doc.q, err);

    if (!layer)
        return -1;
    unsign_document(&job->doc);
    for (size_t i = 0; i < job->n && i < job->doc.n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(job->doc.q, i);

        if (job->pages[i].outcome == PAGE_READ &&
            remove_old_layer(&old, page, &job->pages[i], err) < 0)
            return -1;
        if (job->pages[i].outcome == PAGE_READ &&
            text_layer_add(layer, page, &job->pages[i].text, err) < 0)
            return -1;
    }
    if (text_layer_finish(layer, err) < 0)
        return -1;
    return pdf_doc_save(&job->doc, job->run->output, NULL, err);
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
    if (job->made >= 0)
        close(job->made);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    __attribute__((cleanup(close_job))) struct job job = { .run = run, .p = values, .made = -1 };

    if (convert_pictures(&job, err) < 0 || open_documents(&job, err) < 0 ||
        recognise(&job, err) < 0)
        return -1;
    if (count(&job, PAGE_READ) == 0 && !job.doc.repaired && job.made < 0) {
        if (copy_input(&job, err) < 0)
            return -1;
    } else if (add_layers(&job, err) < 0) {
        return -1;
    }
    report(&job);
    return tool_done(run, job.doc.n_pages, err);
}

const struct tool tool_ocr = {
    .name = "ocr",
    .summary =
        "Makes scanned pages and pictures searchable: adds their recognised text, unseen, to a "
        "PDF.",
    .accepts = { "pdf", "jpg", "png", "tiff" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .processes = true,
};
