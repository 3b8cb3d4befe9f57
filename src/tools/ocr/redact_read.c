/* redact-read: the work of redact (tools/redaction/redaction.h), with pages read as pictures: the
 * result's, in which nothing that was removed may be seen. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/scope.h"
#include "declare/tool/rule.h"
#include "declare/tool_run/page_numbers.h"
#include "declare/value/language_list.h"
#include "engine/ocr/languages.h"
#include "engine/ocr/page_choice.h"
#include "engine/page_search/page_search.h"
#include "engine/redact/redact_seen.h"
#include "tools/redaction/redaction.h"

#define PAGE_SECONDS  30
#define MOST_PAGES    100    /* limits of the proof: pages, */
#define MOST_MS       100000 /* and how long it may take until the last of them are begun */
#define PAGES_AT_ONCE 4      /* for each core, between two looks at the time */

#define REDACTION_LANGUAGES .choices = languages_installed

static const struct param params[] = {
#include "tools/redaction/redaction_params.def"
};

/* In which order pages are read: where something was removed, where there is more than text, the
 * rest. */
enum { REMOVED, PICTURES, REST, RANKS };

struct proof {
    struct tool_run *run;
    const struct redact_proof *given;
    struct redact_seen seen;
    struct mupdf_document shown;
    struct pdf_doc doc;
    struct page_result *pages;
    size_t n, n_read;
    bool *wanted;
    int *rank;
    struct page_processes work;
    int64_t until;
};

static int choose_pages(struct proof *proof, struct err *err)
{
    const struct page_choice choice = { .mode = PAGE_CHOICE_FORCE, .pages = "all" };

    if (page_choice_make(&choice, &proof->shown, proof->pages, err) < 0)
        return -1;
    for (size_t i = 0; i < proof->n; i++) {
        struct page_result *page = &proof->pages[i];
        bool hits;

        proof->wanted[i] = redact_seen_wants(proof->given, i, &hits);
        proof->rank[i] = hits ? REMOVED : page->outcome == PAGE_HAS_TEXT ? REST : PICTURES;
        page->without_text = false;
        if (page->outcome == PAGE_WANTED || page->outcome == PAGE_HAS_TEXT)
            page->outcome = PAGE_NOT_NAMED;
        if (!proof->wanted[i])
            page->outcome = PAGE_HAS_TEXT;
    }
    return 0;
}

/* Marks the next pages to be read; returns their number. */
static size_t mark_pages(struct proof *proof)
{
    size_t most = (size_t) (proof->run->cores > 1 ? proof->run->cores : 1) * PAGES_AT_ONCE, n = 0;

    if (proof->n_read > 0 && clock_mono_ms() > proof->until)
        return 0;
    for (int rank = 0; rank < RANKS; rank++)
        for (size_t i = 0; i < proof->n; i++)
            if (proof->rank[i] == rank && proof->pages[i].outcome == PAGE_NOT_NAMED && n < most &&
                proof->n_read + n < MOST_PAGES) {
                proof->pages[i].outcome = PAGE_WANTED;
                n++;
            }
    return n;
}

static int check_pages(struct proof *proof, struct err *err)
{
    for (size_t i = 0; i < proof->n; i++) {
        struct page_result *page = &proof->pages[i];

        if (page->outcome != PAGE_READ || !page->text.lines)
            continue;
        if (redact_seen_check(&proof->seen, i, &page->text, err) < 0)
            return -1;
        page_result_free(page);
    }
    return 0;
}

static int read_pages(struct proof *proof, struct err *err)
{
    size_t n;

    while ((n = mark_pages(proof)) > 0) {
        if (page_processes_run(&proof->work, proof->pages, proof->n, err) < 0 ||
            check_pages(proof, err) < 0)
            return -1;
        proof->n_read += n;
    }
    return 0;
}

static void report(const struct proof *proof)
{
    AUTO_BUF struct buf left = BUF_EMPTY;
    int64_t n_read = 0, n_left = 0;

    for (size_t i = 0; i < proof->n; i++) {
        enum page_outcome outcome = proof->pages[i].outcome;

        if (!proof->wanted[i])
            continue;
        if (outcome == PAGE_READ || outcome == PAGE_BLANK) {
            n_read++;
            continue;
        }
        buf_printf(&left, "%s%zu", n_left ? "," : "", i + 1);
        n_left++;
    }
    tool_figure(proof->run, "pagesReadAsPictures", n_read);
    if (n_left == 0)
        return;
    tool_figure(proof->run, "pagesNotReadAsPictures", n_left);
    tool_warn(proof->run, "proof_partial",
              "some pages of the result were not read as pictures, because there are too many, or "
              "they could not be read in time: pages %s",
              PAGE_NUMBERS(buf_text(&left), 121));
}

static int open_proof(struct proof *proof, struct err *err)
{
    const struct redact_proof *given = proof->given;

    if (mupdf_document_open_as_is(&proof->shown, given->path, given->password, proof->run, err) <
            0 ||
        pdf_doc_open_whole_as_is(&proof->doc, given->path, given->password, err) < 0)
        return -1;
    proof->n =
        proof->shown.n_pages < proof->doc.n_pages ? proof->shown.n_pages : proof->doc.n_pages;
    proof->pages = calloc(proof->shown.n_pages + 1, sizeof *proof->pages);
    proof->wanted = calloc(proof->n + 1, sizeof *proof->wanted);
    proof->rank = calloc(proof->n + 1, sizeof *proof->rank);
    return proof->pages && proof->wanted && proof->rank ? 0 : pdf_doc_no_memory(err);
}

static void close_proof(struct proof *proof)
{
    for (size_t i = 0; i < proof->n && proof->pages; i++)
        page_result_free(&proof->pages[i]);
    free(proof->pages);
    free(proof->wanted);
    free(proof->rank);
    mupdf_document_close(&proof->shown);
    pdf_doc_close(&proof->doc);
}

static int prove(struct tool_run *run, const struct redact_proof *given, const char *language,
                 struct err *err)
{
    struct tool_run quiet = *run; /* whose progress goes on where the search ended */
    struct proof proof = { .run = run,
                           .given = given,
                           .until = clock_mono_ms() + MOST_MS,
                           .work = { .run = &quiet,
                                     .path = given->path,
                                     .password = given->password,
                                     .page_seconds = PAGE_SECONDS } };
    int done = open_proof(&proof, err);

    quiet.progress_from = 0.9;
    quiet.progress_share = 0.1;
    proof.work.doc = &proof.shown;
    proof.work.languages = strcmp(language, LANGUAGE_LIST_AUTO) == 0 ? NULL : language;
    proof.seen = (struct redact_seen){ .proof = given, .shown = &proof.shown, .doc = &proof.doc };
    if (done == 0)
        done = choose_pages(&proof, err);
    if (done == 0)
        done = read_pages(&proof, err);
    if (done == 0)
        report(&proof);
    close_proof(&proof);
    return done;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    static const struct picture_reader reader = { .read = layered_copy_make, .prove = prove };

    return redaction_run(run, values, &reader, err);
}

const struct tool tool_redact_read = {
    .name = "redact-read",
    .summary = "Does the work of redact, and reads pages as pictures.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct redaction_params),
    .rule = &rule_redact,
    .run = run,
    .hidden = true,
    .processes = true,
};
