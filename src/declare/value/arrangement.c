#include "declare/value/arrangement.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "declare/value/page_list.h"
#include "declare/value/text.h"

#define BLANKS     " \t\r\n"
#define FILES_MOST 1000000

/* A part of a text, without the blanks around it. */
struct piece {
    const char *at;
    size_t n;
};

static struct piece trim_piece(const char *at, size_t n)
{
    while (n && strchr(BLANKS, *at))
        at++, n--;
    while (n && strchr(BLANKS, at[n - 1]))
        n--;
    return (struct piece){ at, n };
}

static bool is_word(struct piece piece, const char *word)
{
    return piece.n == strlen(word) && strncasecmp(piece.at, word, piece.n) == 0;
}

static int read_turn(struct piece piece, int *out, struct err *err)
{
    static const char *const turns[] = { "90", "180", "270" };

    for (int i = 0; i < 3; i++) {
        if (is_word(piece, turns[i])) {
            *out = 90 * (i + 1);
            return 0;
        }
    }
    return err_set(err, ERR_INVALID_PARAMETER, "a page is turned by 90, 180 or 270");
}

static int read_pages(struct piece piece, struct arrangement_item *out, struct err *err)
{
    if (is_word(piece, "blank")) {
        out->blank = true;
        return 0;
    }
    if (piece.n == 0 || piece.n >= sizeof out->pages || memchr(piece.at, '!', piece.n))
        return err_set(err, ERR_INVALID_PARAMETER,
                       "after the colon comes one page, one range of pages or blank");
    memcpy(out->pages, piece.at, piece.n);
    out->pages[piece.n] = '\0';
    return page_list_check(out->pages, err);
}

static int read_item(struct piece text, struct arrangement_item *out, struct err *err)
{
    const char *colon = memchr(text.at, ':', text.n);
    const char *end = text.at + text.n, *at = memchr(text.at, '@', text.n);
    struct piece file;
    int64_t number;

    *out = (struct arrangement_item){ 0 };
    if (!colon || (at && at < colon))
        return err_set(err, ERR_INVALID_PARAMETER, "an item is FILE:PAGES or FILE:PAGES@TURN");
    file = trim_piece(text.at, (size_t) (colon - text.at));
    if (!num_parse_i64(file.at, file.n, 1, FILES_MOST, &number))
        return err_set(err, ERR_INVALID_PARAMETER,
                       "before the colon comes the number of a file, counted from 1");
    out->file = (size_t) number - 1;
    if (at && read_turn(trim_piece(at + 1, (size_t) (end - at - 1)), &out->turn, err) < 0)
        return -1;
    return read_pages(trim_piece(colon + 1, (size_t) ((at ? at : end) - colon - 1)), out, err);
}

static int blame(struct piece text, size_t i, struct err *err)
{
    char shown[40];

    if (err->code == ERR_INTERNAL)
        return -1;
    text_for_message(text.at, text.n, shown, sizeof shown);
    err_wrap(err, "item %zu of arrange, \"%s\"", i + 1, shown);
    snprintf(err->field, sizeof err->field, "arrange");
    return -1;
}

/* Appends to `out`, which has room for one entry more than there are commas; NULL: only checks. */
static int walk(const char *text, struct arrangement *out, struct err *err)
{
    size_t i = 0;

    for (const char *at = text;; i++) {
        size_t n = strcspn(at, ",");
        struct piece piece = trim_piece(at, n);
        struct arrangement_item item;

        if (i == ARRANGEMENT_ITEMS)
            return err_field(err, ERR_INVALID_PARAMETER, "arrange",
                             "arrange has more than %d items", ARRANGEMENT_ITEMS);
        if (read_item(piece, &item, err) < 0)
            return blame(piece, i, err);
        if (out)
            out->items[out->n++] = item;
        if (!at[n])
            return 0;
        at += n + 1;
    }
}

int arrangement_check(const char *text, struct err *err)
{
    return walk(text, NULL, err);
}

int arrangement_read(const char *text, struct arrangement *out, struct err *err)
{
    size_t n = 1;

    for (const char *at = text; *at && n < ARRANGEMENT_ITEMS; at++)
        n += *at == ',';
    *out = (struct arrangement){ .items = calloc(n, sizeof *out->items) };
    return out->items ? walk(text, out, err) : err_sys(err, "arrangement");
}

void arrangement_free(struct arrangement *arrangement)
{
    free(arrangement->items);
    *arrangement = (struct arrangement){ 0 };
}

int arrangement_blame(const struct arrangement *arrangement, size_t i, struct err *err)
{
    const struct arrangement_item *item = &arrangement->items[i];
    char text[ARRANGEMENT_PAGES + 40];
    int n =
        snprintf(text, sizeof text, "%zu:%s", item->file + 1, item->blank ? "blank" : item->pages);

    return blame((struct piece){ text, (size_t) n }, i, err);
}
