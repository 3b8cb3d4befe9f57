#include "engine/repair/page_report.h"

#include <stdio.h>

#include "base/scope.h"
#include "declare/tool_run/page_numbers.h"

#define LISTED_MAX 180 /* bytes of a list of pages in a warning */

struct result {
    size_t n_pages;
    const struct salvaged *salvaged;
    const struct candidates *candidates;
};

/* Of pages that another way gave only that is known which a look at them showed. */
static enum salvage_sureness sureness_of(const struct result *r, size_t page)
{
    const struct salvage_report *s = &r->salvaged->report;
    const struct candidates *c = r->candidates;
    enum candidates_origin origin =
        page < CONTENT_SCORE_PAGES ? (enum candidates_origin) c->origin[page] : CANDIDATES_BEST;
    bool known = r->salvaged->made && s->pages + c->added == r->n_pages && origin != CANDIDATES_NEW;
    bool salvaged = !c->found || (ways_is_salvage(c->best_way) && origin == CANDIDATES_BEST);
    size_t number = page;

    for (size_t i = 0; i < page && i < CONTENT_SCORE_PAGES; i++)
        number -= c->origin[i] == CANDIDATES_NEW;
    if (!known || number >= SALVAGE_PAGES)
        return SALVAGE_PARTIAL;
    return s->sure[number] == SALVAGE_COMPLETE && !salvaged
               ? SALVAGE_PARTIAL
               : (enum salvage_sureness) s->sure[number];
}

/* Appends ",3-5" to a list of pages. */
static void put_range(struct buf *list, size_t first, size_t last)
{
    buf_printf(list, "%s%zu", list->len ? "," : "", first + 1);
    if (last > first)
        buf_printf(list, "-%zu", last + 1);
}

/* How many pages are of this sureness; `list` gets them. */
static size_t list_pages(const struct result *r, enum salvage_sureness sure, struct buf *list)
{
    size_t n = 0, first = 0;

    for (size_t i = 0; i <= r->n_pages; i++) {
        bool is = i < r->n_pages && sureness_of(r, i) == sure;
        bool was = i > 0 && sureness_of(r, i - 1) == sure;

        n += is;
        if (is && !was)
            first = i;
        else if (!is && was)
            put_range(list, first, i - 1);
    }
    return n;
}

void page_report(struct tool_run *run, size_t n_pages, const struct salvaged *salvaged,
                 const struct candidates *candidates)
{
    const struct result result = { n_pages, salvaged, candidates };
    static const struct {
        const char *figure, *pages;
    } of[] = {
        [SALVAGE_COMPLETE] = { "pagesComplete", "completePages" },
        [SALVAGE_PARTIAL] = { "pagesPartial", "partialPages" },
        [SALVAGE_GUESSED] = { "pagesGuessed", "guessedPages" },
    };

    for (size_t i = 0; i < COUNT(of); i++) {
        AUTO_BUF struct buf list = BUF_EMPTY;
        size_t n = list_pages(&result, (enum salvage_sureness) i, &list);
        const char *cut;

        tool_figure(run, of[i].figure, (int64_t) n);
        if (list.failed)
            continue;
        tool_page_list(run, of[i].pages, buf_text(&list));
        cut = PAGE_NUMBERS(buf_text(&list), LISTED_MAX);
        if (n > 0 && i == SALVAGE_PARTIAL)
            tool_warn(run, "pages_partial", "parts of pages may be missing: pages %s", cut);
        if (n > 0 && i == SALVAGE_GUESSED)
            tool_warn(run, "pages_guessed",
                      "the place or the content of pages was guessed: pages %s", cut);
    }
}
