#include "declare/value/page_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/text.h"

/* A page as written, before the number of pages is known. */
struct place {
    enum { FROM_START, FROM_END } from;
    size_t n; /* from 1; 0: not written */
};

enum item_kind { ITEM_RANGE, ITEM_ALL, ITEM_ODD, ITEM_EVEN };

struct item {
    enum item_kind kind;
    bool excluded;
    bool single; /* ITEM_RANGE of one page */
    struct place first, last;
};

/* Reads a text token by token. Blanks may separate tokens; they never join the digits of two
 * numbers or the letters of a word. */
struct reader {
    const char *at;
};

static bool is_list_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the first character of the next token. */
static char peek(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
        r->at++;
    return *r->at;
}

static bool accept_char(struct reader *r, char c)
{
    if (peek(r) != c)
        return false;
    r->at++;
    return true;
}

static bool skip_word(struct reader *r, const char *word)
{
    peek(r);
    for (size_t i = 0; word[i]; i++)
        if ((r->at[i] | 0x20) != word[i])
            return false;
    r->at += strlen(word);
    return true;
}

static int fail_reader(const struct reader *r, const char *what, struct err *err)
{
    char shown[24];

    text_for_message(r->at, strlen(r->at), shown, sizeof shown);
    if (!*shown)
        return err_set(err, ERR_INVALID_PARAMETER, "%s at the end of the page list", what);
    return err_set(err, ERR_INVALID_PARAMETER, "%s at \"%s\"", what, shown);
}

/* Reads digits without blanks between them, a number from 1 to 999,999,999. */
static int read_page_number(struct reader *r, size_t *out, struct err *err)
{
    struct reader start = *r;
    size_t n = 0, digits = 0;

    while (is_list_digit(*r->at)) {
        n = n * 10 + (size_t) (*r->at++ - '0');
        if (++digits > 9)
            return fail_reader(&start, "the page number is too large", err);
    }
    if (digits == 0)
        return fail_reader(&start, "expected a page number, r1, last, all, odd or even", err);
    if (n == 0)
        return fail_reader(&start, "page numbers begin with 1", err);
    *out = n;
    return 0;
}

static int read_place(struct reader *r, struct place *out, struct err *err)
{
    if (skip_word(r, "last")) {
        *out = (struct place){ FROM_END, 1 };
        return 0;
    }
    out->from = accept_char(r, 'r') || accept_char(r, 'R') ? FROM_END : FROM_START;
    if (out->from == FROM_START)
        peek(r);
    return read_page_number(r, &out->n, err);
}

static bool at_item_end(struct reader *r)
{
    return peek(r) == ',' || peek(r) == '\0';
}

static int read_item(struct reader *r, struct item *item, struct err *err)
{
    *item = (struct item){ .kind = ITEM_RANGE, .excluded = accept_char(r, '!') };
    if (skip_word(r, "all"))
        item->kind = ITEM_ALL;
    else if (skip_word(r, "odd"))
        item->kind = ITEM_ODD;
    else if (skip_word(r, "even"))
        item->kind = ITEM_EVEN;
    if (item->kind == ITEM_RANGE) {
        bool open_start = peek(r) == '-';

        if (!open_start && read_place(r, &item->first, err) < 0)
            return -1;
        item->single = !accept_char(r, '-');
        if (!item->single && (open_start || !at_item_end(r)) && read_place(r, &item->last, err) < 0)
            return -1;
    }
    if (!at_item_end(r))
        return fail_reader(r, "expected a comma", err);
    return 0;
}

/* Calls `each` for every item in turn. */
static int walk(const char *text, int (*each)(void *arg, const struct item *item, struct err *err),
                void *arg, struct err *err)
{
    struct reader r = { text };
    size_t n = 0;

    if (peek(&r) == '\0')
        return err_set(err, ERR_INVALID_PARAMETER, "the page list is empty");
    do {
        struct item item;

        if (++n > PAGE_LIST_ITEMS)
            return err_set(err, ERR_INVALID_PARAMETER, "the page list has more than %d items",
                           PAGE_LIST_ITEMS);
        if (read_item(&r, &item, err) < 0 || each(arg, &item, err) < 0)
            return -1;
    } while (accept_char(&r, ','));
    return 0;
}

static int ignore(void *arg, const struct item *item, struct err *err)
{
    (void) arg, (void) item, (void) err;
    return 0;
}

int page_list_check(const char *text, struct err *err)
{
    return walk(text, ignore, NULL, err);
}

struct tally {
    size_t n;
    bool excludes;
};

static int count_item(void *arg, const struct item *item, struct err *err)
{
    struct tally *tally = arg;
    const struct place *first = &item->first, *last = &item->last;

    (void) err;
    tally->excludes |= item->excluded;
    tally->n++;
    if (item->kind == ITEM_RANGE && !item->single && first->n && last->n &&
        first->from == last->from && first->n != last->n)
        tally->n++;
    return 0;
}

bool page_list_is_several(const char *text)
{
    struct tally tally = { 0 };
    struct err err;

    return walk(text, count_item, &tally, &err) == 0 && !tally.excludes && tally.n > 1;
}

struct resolver {
    struct page_list *list;
    size_t n_pages;
    bool *excluded; /* by page */
    bool any_included;
    size_t cap;
};

static int out_of_range(const struct place *place, size_t n_pages, struct err *err)
{
    return err_set(
        err, ERR_PAGE_OUT_OF_RANGE, "page %s%zu was asked for, but the document has %zu %s",
        place->from == FROM_END ? "r" : "", place->n, n_pages, n_pages == 1 ? "page" : "pages");
}

/* Finds where an item begins and ends, both from 1. Its start must exist; its end is clamped. */
static int bounds(struct resolver *r, const struct item *item, size_t *first, size_t *last,
                  struct err *err)
{
    struct place start = item->first, end = item->single ? item->first : item->last;

    if (start.n == 0)
        start = (struct place){ FROM_START, 1 };
    if (end.n == 0)
        end = (struct place){ FROM_END, 1 };
    if (start.n > r->n_pages)
        return out_of_range(&start, r->n_pages, err);
    if (end.n > r->n_pages) {
        r->list->clamped = true;
        end.n = r->n_pages;
    }
    *first = start.from == FROM_START ? start.n : r->n_pages + 1 - start.n;
    *last = end.from == FROM_START ? end.n : r->n_pages + 1 - end.n;
    return 0;
}

/* A sequence of page numbers, from 1: the first, the step between them, and how many. */
struct run {
    size_t first, n;
    long step;
    char label[24];
};

static int resolve_run(struct resolver *r, const struct item *item, struct run *run,
                       struct err *err)
{
    size_t first = 1, last = r->n_pages;

    *run = (struct run){ .first = 1, .step = 1 };
    switch (item->kind) {
    case ITEM_ALL:
        run->n = r->n_pages;
        snprintf(run->label, sizeof run->label, "all");
        return 0;
    case ITEM_ODD:
    case ITEM_EVEN:
        run->first = item->kind == ITEM_ODD ? 1 : 2;
        run->step = 2;
        run->n = (r->n_pages + (item->kind == ITEM_ODD)) / 2;
        snprintf(run->label, sizeof run->label, item->kind == ITEM_ODD ? "odd" : "even");
        return 0;
    case ITEM_RANGE:
        break;
    }
    if (bounds(r, item, &first, &last, err) < 0)
        return -1;
    run->first = first;
    run->step = first <= last ? 1 : -1;
    run->n = first <= last ? last - first + 1 : first - last + 1;
    if (first == last)
        snprintf(run->label, sizeof run->label, "%zu", first);
    else
        snprintf(run->label, sizeof run->label, "%zu-%zu", first, last);
    return 0;
}

static int exclude(void *arg, const struct item *item, struct err *err)
{
    struct resolver *r = arg;
    struct run run;

    if (!item->excluded) {
        r->any_included = true;
        return 0;
    }
    if (resolve_run(r, item, &run, err) < 0)
        return -1;
    for (size_t i = 0, page = run.first; r->excluded && i < run.n; i++, page += (size_t) run.step)
        r->excluded[page - 1] = true;
    return 0;
}

static int include(void *arg, const struct item *item, struct err *err)
{
    struct resolver *r = arg;
    struct page_list *list = r->list;
    AUTO_FREE size_t *pages = NULL;
    struct page_item *out;
    struct run run;
    size_t n = 0;

    if (item->excluded)
        return 0;
    if (resolve_run(r, item, &run, err) < 0)
        return -1;
    if (run.n > PAGE_LIST_PAGES - list->n_pages)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the page list names more than %d pages",
                       PAGE_LIST_PAGES);
    if (list->n_items == r->cap) {
        r->cap = r->cap ? r->cap * 2 : 8;
        out = reallocarray(list->items, r->cap, sizeof *out);
        if (!out)
            return err_sys(err, "page list");
        list->items = out;
    }
    pages = calloc(run.n + 1, sizeof *pages);
    if (!pages)
        return err_sys(err, "page list");
    for (size_t i = 0, page = run.first; i < run.n; i++, page += (size_t) run.step)
        if (!r->excluded || !r->excluded[page - 1])
            pages[n++] = page - 1;
    if (n == 0)
        return 0;
    out = &list->items[list->n_items++];
    *out = (struct page_item){ .pages = scope_take_ptr(&pages), .n = n };
    memcpy(out->label, run.label, sizeof out->label);
    list->n_pages += n;
    return 0;
}

int page_list_resolve(const char *text, size_t n_pages, struct page_list *list, struct err *err)
{
    bool excludes = strchr(text, '!') != NULL;
    AUTO_FREE bool *excluded = excludes ? calloc(n_pages + 1, sizeof *excluded) : NULL;
    struct resolver r = { .list = list, .n_pages = n_pages, .excluded = excluded };

    *list = (struct page_list){ 0 };
    if (excludes && !excluded)
        return err_sys(err, "page list");
    if (walk(text, exclude, &r, err) < 0)
        return -1;
    int done = r.any_included ? walk(text, include, &r, err)
                              : include(&r, &(struct item){ .kind = ITEM_ALL }, err);
    if (done == 0 && list->n_pages == 0)
        done = err_set(err, ERR_PAGE_OUT_OF_RANGE, "the page list leaves no page");
    if (done < 0)
        page_list_free(list);
    return done;
}

void page_list_free(struct page_list *list)
{
    for (size_t i = 0; i < list->n_items; i++)
        free(list->items[i].pages);
    free(list->items);
    *list = (struct page_list){ 0 };
}

bool *page_list_map(const struct page_list *list, size_t n_pages, struct err *err)
{
    bool *map = calloc(n_pages + 1, sizeof *map);

    if (!map) {
        err_sys(err, "page list");
        return NULL;
    }
    for (size_t i = 0; i < list->n_items; i++)
        for (size_t k = 0; k < list->items[i].n; k++)
            map[list->items[i].pages[k]] = true;
    return map;
}
