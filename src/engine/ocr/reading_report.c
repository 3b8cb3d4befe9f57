#include "engine/ocr/reading_report.h"

#include <string.h>

#include "base/buf.h"
#include "declare/tool_run/page_numbers.h"
#include "declare/value/language_list.h"
#include "engine/layer_fit/layer_survey.h"

#define LANGUAGES_LISTED 20 /* limit of the lists of pages by language */
#define UNCERTAIN        65 /* a page that is read with less confidence is named */
#define PLACES           3  /* limit of the places on a page that are named */
#define REPORT_NAME      40 /* room for the name of a list with its NUL */

struct reading {
    struct tool_run *run;
    const struct page_result *pages;
    size_t n;
};

size_t reading_report_count(const struct page_result *pages, size_t n, enum page_outcome outcome)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += pages[i].outcome == outcome;
    return count;
}

static size_t count_of(const struct reading *r, enum page_outcome outcome)
{
    return reading_report_count(r->pages, r->n, outcome);
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
static void list_chosen(const struct reading *r, const struct choice_of_pages *choice,
                        struct buf *out)
{
    for (size_t i = 0; i < r->n; i++) {
        size_t last = i;

        if (!is_chosen(&r->pages[i], choice))
            continue;
        while (last + 1 < r->n && is_chosen(&r->pages[last + 1], choice))
            last++;
        buf_printf(out, out->len ? ",%zu" : "%zu", i + 1);
        if (last > i)
            buf_printf(out, "-%zu", last + 1);
        i = last;
    }
}

static void list_pages(const struct reading *r, enum page_outcome outcome, struct buf *out)
{
    list_chosen(r, &(struct choice_of_pages){ .outcome = outcome }, out);
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
static bool is_listed(const struct reading *r, size_t page)
{
    for (size_t i = 0; i < page; i++)
        if (r->pages[i].outcome == PAGE_READ &&
            strcmp(r->pages[i].language, r->pages[page].language) == 0)
            return true;
    return false;
}

/* Names the pages by the language they were read in, and those that were read badly. */
static void report_reading(const struct reading *r)
{
    const struct choice_of_pages uncertain = { .outcome = PAGE_READ, .below = UNCERTAIN };
    AUTO_BUF struct buf badly = BUF_EMPTY;

    for (size_t i = 0, n = 0; i < r->n && n < LANGUAGES_LISTED; i++) {
        const struct choice_of_pages same = { PAGE_READ, r->pages[i].language, 0 };
        AUTO_BUF struct buf pages = BUF_EMPTY;
        char name[REPORT_NAME];

        if (r->pages[i].outcome != PAGE_READ || is_listed(r, i))
            continue;
        list_chosen(r, &same, &pages);
        name_language_list(r->pages[i].language, name);
        tool_page_list(r->run, name, buf_text(&pages));
        n++;
    }
    list_chosen(r, &uncertain, &badly);
    tool_page_list(r->run, "uncertain", buf_text(&badly));
}

/* Names the pages of an outcome in the report. */
static void report_pages(const struct reading *r, enum page_outcome outcome, const char *name)
{
    AUTO_BUF struct buf pages = BUF_EMPTY;

    list_pages(r, outcome, &pages);
    if (pages.len)
        tool_page_list(r->run, name, buf_text(&pages));
}

/* Names the pages that were to be recognised and were not. */
static void warn_of_pages(const struct reading *r)
{
    AUTO_BUF struct buf slow = BUF_EMPTY, large = BUF_EMPTY, failed = BUF_EMPTY;
    AUTO_BUF struct buf kept = BUF_EMPTY;

    list_pages(r, PAGE_TOO_SLOW, &slow);
    list_pages(r, PAGE_TOO_LARGE, &large);
    list_pages(r, PAGE_FAILED, &failed);
    list_pages(r, PAGE_KEPT, &kept);
    if (kept.len)
        tool_warn(r->run, "earlier_text_kept",
                  "keep the text that was recognised before, as it cannot be told from the rest, "
                  "or no words were found now: pages %s",
                  PAGE_NUMBERS(buf_text(&kept), 121));
    if (slow.len)
        tool_warn(r->run, "page_too_slow",
                  "took longer than pageTimeout, and keep their pictures alone: pages %s",
                  PAGE_NUMBERS(buf_text(&slow), 121));
    if (large.len)
        tool_warn(r->run, "page_too_large",
                  "need too much work or memory, and keep their pictures alone: pages %s",
                  PAGE_NUMBERS(buf_text(&large), 121));
    if (failed.len)
        tool_warn(r->run, "page_not_recognised",
                  "could not be recognised, and keep their pictures alone: pages %s",
                  PAGE_NUMBERS(buf_text(&failed), 121));
}

/* Names the languages that pages seem to be in, and that are not installed. */
static void warn_of_languages(const struct reading *r)
{
    AUTO_BUF struct buf list = BUF_EMPTY;
    char first[LANGUAGE_LIST_PACKAGE] = "";

    for (size_t i = 0; i < r->n; i++) {
        if (!*r->pages[i].wanted)
            continue;
        if (!*first)
            language_list_package(r->pages[i].wanted, first);
        buf_printf(&list, "%s%zu (%s)", list.len ? ", " : "", i + 1, r->pages[i].wanted);
    }
    if (list.len)
        tool_warn(r->run, "language_missing",
                  "pages seem to be in languages that are not installed: %.100s; apt-get install "
                  "%s installs the first",
                  buf_text(&list), first);
}

/* Names of the rows, in the order of enum page_outcome. */
static const char *const outcomes[] = { "",        "withText", "blank",  "",    "recognised",
                                        "tooSlow", "tooLarge", "failed", "kept" };

/* How many pages from this one on share a row with it: they fared alike, and there are no more than
 * the longest row has. */
static size_t row_length(const struct reading *r, size_t first, size_t most)
{
    const struct page_result *a = &r->pages[first];
    size_t n = 1;

    while (n < most && first + n < r->n && a[n].outcome == a->outcome &&
           (a->outcome != PAGE_READ || strcmp(a[n].language, a->language) == 0))
        n++;
    return n;
}

static void report_row_of(const struct reading *r, size_t first, size_t n)
{
    const struct page_result *pages = &r->pages[first];
    struct tool_page_row row = { .first = first + 1,
                                 .last = first + n,
                                 .outcome = outcomes[pages->outcome],
                                 .language = "",
                                 .confidence = -1 };
    int64_t sum = 0;

    for (size_t i = 0; pages->outcome == PAGE_READ && i < n; i++) {
        row.words += pages[i].text.n_words;
        sum += (int64_t) pages[i].text.n_words * pages[i].confidence;
    }
    if (pages->outcome == PAGE_READ) {
        row.language = pages->language;
        row.confidence = row.words ? (int) (sum / row.words) : 0;
    }
    tool_page_row(r->run, &row);
}

void reading_report_rows(struct tool_run *run, const struct page_result *pages, size_t n_pages)
{
    const struct reading whole = { run, pages, n_pages }, *r = &whole;
    size_t most = (r->n + TOOL_PAGE_ROWS - 1) / TOOL_PAGE_ROWS, rows = 0, left_out = 0;

    for (size_t i = 0, n; i < r->n; i += n) {
        n = row_length(r, i, most);
        if (!*outcomes[r->pages[i].outcome])
            continue;
        if (rows++ < TOOL_PAGE_ROWS)
            report_row_of(r, i, n);
        else
            left_out += n;
    }
    if (left_out)
        tool_figure(r->run, "pagesWithoutRow", (int64_t) left_out);
}

/* Appends the place of a box in points. */
static void put_place(const struct redraw_box *box, struct buf *out)
{
    buf_printf(out, "%.0f-%.0f across, %.0f-%.0f up", (double) box->left, (double) box->right,
               (double) box->bottom, (double) box->top);
}

void reading_report_missed(struct tool_run *run, const struct page_result *pages, size_t n)
{
    AUTO_BUF struct buf list = BUF_EMPTY;
    int64_t all = 0;

    for (size_t i = 0; i < n; i++) {
        const struct page_result *page = &pages[i];

        if (page->outcome != PAGE_READ || page->n_missed == 0)
            continue;
        all += page->n_missed;
        buf_printf(&list, "%spage %zu: ", list.len ? "; " : "", i + 1);
        for (uint32_t k = 0; k < page->n_missed && k < PLACES; k++) {
            buf_puts(&list, k ? " and " : "");
            put_place(&page->missed[k], &list);
        }
        if (page->n_missed > PLACES)
            buf_printf(&list, " and %u more", page->n_missed - PLACES);
    }
    if (all == 0)
        return;
    tool_figure(run, "inkWithoutText", all);
    tool_warn(run, "ink_without_text",
              "what looks like text was not recognised, at these points from the bottom left "
              "corner: %.150s",
              buf_text(&list));
}

void reading_report_make(struct tool_run *run, const struct page_result *pages, size_t n)
{
    const struct reading whole = { run, pages, n }, *r = &whole;
    int64_t words = 0, sum = 0;

    for (size_t i = 0; i < r->n; i++) {
        words += r->pages[i].text.n_words;
        sum += (int64_t) r->pages[i].text.n_words * r->pages[i].confidence;
    }
    tool_figure(r->run, "pagesRecognised", (int64_t) count_of(r, PAGE_READ));
    tool_figure(r->run, "words", words);
    if (words)
        tool_figure(r->run, "confidence", sum / words);
    report_pages(r, PAGE_READ, "recognised");
    report_reading(r);
    report_pages(r, PAGE_HAS_TEXT, "withText");
    report_pages(r, PAGE_BLANK, "blank");
    report_pages(r, PAGE_TOO_SLOW, "tooSlow");
    report_pages(r, PAGE_TOO_LARGE, "tooLarge");
    report_pages(r, PAGE_FAILED, "failed");
    report_pages(r, PAGE_KEPT, "kept");
    reading_report_rows(run, pages, n);
    warn_of_pages(r);
    warn_of_languages(r);
    reading_report_missed(run, pages, n);
    if (count_of(r, PAGE_READ) == 0 && count_of(r, PAGE_HAS_TEXT) + count_of(r, PAGE_BLANK) > 0)
        tool_warn(r->run, "nothing_recognised",
                  "no page needed recognition: all that were chosen have text, or are blank");
}

void reading_report_faults(struct tool_run *run, const struct page_result *pages, size_t n,
                           enum page_outcome outcome, const char *code, const char *what)
{
    AUTO_BUF struct buf list = BUF_EMPTY;

    for (enum layer_fault fault = LAYER_ODD; fault <= LAYER_MISPLACED; fault++) {
        AUTO_BUF struct buf of_fault = BUF_EMPTY;

        for (size_t i = 0; i < n; i++)
            if (pages[i].fault == fault && pages[i].outcome == outcome)
                buf_printf(&of_fault, of_fault.len ? ",%zu" : "%zu", i + 1);
        if (of_fault.len)
            buf_printf(&list, "%s%s: pages %s", list.len ? "; " : "", layer_survey_named(fault),
                       PAGE_NUMBERS(buf_text(&of_fault), 41));
    }
    if (list.len)
        tool_warn(run, code, "%s (%s)", what, buf_text(&list));
}

/* The pages that were read, each with its confidence: "1 (96 %), 2 (88 %)". */
static void report_texts(const struct reading *r)
{
    AUTO_BUF struct buf named = BUF_EMPTY, list = BUF_EMPTY;
    int64_t words = 0, sum = 0, doubtful = 0;

    for (size_t i = 0; i < r->n; i++) {
        const struct page_result *page = &r->pages[i];

        if (page->outcome != PAGE_READ || page->text.n_words == 0)
            continue;
        buf_printf(&named, "%s%zu (%d %%)", named.len ? ", " : "", i + 1, page->confidence);
        buf_printf(&list, "%s%zu", list.len ? "," : "", i + 1);
        words += page->text.n_words;
        sum += (int64_t) page->text.n_words * page->confidence;
        for (uint32_t k = 0; k < page->text.n_words; k++)
            doubtful += word_crops_wants(&page->text.words[k]);
    }
    if (words == 0)
        return;
    tool_warn(r->run, "text_recognised",
              "pages were read from their pictures, with this mean confidence: %.200s",
              buf_text(&named));
    tool_figure(r->run, "wordsRecognised", words);
    tool_figure(r->run, "confidence", sum / words);
    tool_figure(r->run, "wordsUncertain", doubtful);
    tool_page_list(r->run, "recognised", buf_text(&list));
}

static void warn_of_unread(const struct reading *r, enum page_outcome outcome, const char *code,
                           const char *why)
{
    AUTO_BUF struct buf list = BUF_EMPTY;

    for (size_t i = 0; i < r->n; i++)
        if (r->pages[i].outcome == outcome)
            buf_printf(&list, "%s%zu", list.len ? "," : "", i + 1);
    if (list.len)
        tool_warn(r->run, code, "%s, and their text is not in the result: pages %s", why,
                  PAGE_NUMBERS(buf_text(&list), 121));
}

void reading_report_search(struct tool_run *run, const struct page_result *pages, size_t n)
{
    const struct reading whole = { run, pages, n }, *r = &whole;

    report_texts(r);
    reading_report_rows(run, pages, n);
    reading_report_faults(run, pages, n, PAGE_READ, "text_layer_replaced",
                          "the text that was recognised before did not fit the pictures of its "
                          "pages, which were read again");
    reading_report_faults(run, pages, n, PAGE_HAS_TEXT, "text_layer_poor",
                          "the text that was recognised before does not fit the pictures of its "
                          "pages, but reading them again gave nothing that is more certain");
    warn_of_unread(r, PAGE_TOO_SLOW, "page_too_slow", "took too long to recognise");
    warn_of_unread(r, PAGE_TOO_LARGE, "page_too_large",
                   "need too much work or memory to recognise");
    warn_of_unread(r, PAGE_FAILED, "page_not_recognised", "could not be recognised");
    warn_of_languages(r);
    reading_report_missed(run, pages, n);
}
