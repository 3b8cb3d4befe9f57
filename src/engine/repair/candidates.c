#include "engine/repair/candidates.h"

#include <fcntl.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "engine/compare/page_join.h"
#include "pdf/graft/transplant.h"

void candidates_free(struct candidates *c)
{
    buf_free(&c->kept);
}

static int read_file(const char *path, struct buf *bytes, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

    return fd < 0 ? err_sys(err, "read a candidate") : fdio_read_all(fd, SIZE_MAX, bytes, err);
}

/* 1: it is kept. */
static int keep_if_better(struct candidates *c, struct content_score *score, struct err *err)
{
    const struct ways *ways = c->ways;
    struct err unreadable;

    if (content_score_measure(ways->candidate, ways->password, ways->run, score, &unreadable) < 0)
        return 0; /* no password is known that opens it */
    if (c->found && !content_score_is_better(score, &c->best))
        return 0;
    c->best = *score;
    c->found = true;
    c->kept.len = 0;
    return read_file(ways->candidate, &c->kept, err) < 0 ? -1 : 1;
}

/* A candidate of the best one with pages of another way. */
static int combine(const struct candidates *c, size_t other, const struct page_join *joins,
                   size_t n, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc from = { 0 };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_BUF struct buf best = BUF_EMPTY;
    struct transplant pages[CONTENT_SCORE_PAGES];

    for (size_t i = 0; i < n; i++)
        pages[i] = (struct transplant){ joins[i].from, joins[i].at, joins[i].is_new };
    buf_put(&best, c->kept.data, c->kept.len);
    if (best.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    return ways_open(c->ways, other, &from, err) < 0 ||
                   pdf_doc_open_memory(&doc, &best, c->ways->password, err) < 0 ||
                   transplant_pages(&doc, &from, pages, n, err) < 0
               ? -1
               : pdf_doc_save(&doc, c->ways->candidate, NULL, err);
}

static void note_joins(struct candidates *c, const struct page_join *joins, size_t n)
{
    c->joined += n;
    for (size_t i = 0; i < n; i++) {
        size_t at = joins[i].at;

        if (at >= CONTENT_SCORE_PAGES)
            continue;
        if (joins[i].is_new)
            memmove(c->origin + at + 1, c->origin + at, CONTENT_SCORE_PAGES - at - 1);
        c->origin[at] = joins[i].is_new ? CANDIDATES_NEW : CANDIDATES_OTHER;
        c->added += joins[i].is_new;
    }
}

/* What cannot be combined stays as it is. */
static int join_better_pages(struct candidates *c, struct err *err)
{
    struct page_join joins[CONTENT_SCORE_PAGES];
    struct content_score score;

    for (size_t i = 0; i < WAYS; i++) {
        size_t n = page_join_plan(&c->best, &c->scores[i], joins);
        struct err ignored;
        int kept;

        if (n == 0 || !ways_differs(c->ways, i, c->found) || combine(c, i, joins, n, &ignored) < 0)
            continue;
        kept = keep_if_better(c, &score, err);
        if (kept < 0)
            return -1;
        if (kept)
            note_joins(c, joins, n);
    }
    return 0;
}

int candidates_choose(struct candidates *c, struct err *err)
{
    struct err first = { 0 };

    for (size_t i = 0; i < WAYS; i++) {
        if (!ways_differs(c->ways, i, c->found))
            continue;
        if (ways_write(c->ways, i, err) == 0) {
            int kept = keep_if_better(c, &c->scores[i], err);

            if (kept < 0)
                return -1;
            c->best_way = kept ? i : c->best_way;
        } else if (err->code == ERR_PASSWORD_REQUIRED || err->code == ERR_WRONG_PASSWORD) {
            return -1;
        } else if (!*first.msg) {
            first = *err;
        }
        tool_progress(c->ways->run, 0.2 + 0.15 * (double) (i + 1));
    }
    if (c->found)
        return join_better_pages(c, err);
    *err = first;
    return err->code == ERR_LIMIT_EXCEEDED
               ? -1
               : err_set(err, ERR_CORRUPT_FILE,
                         "no page of the document could be recovered: ask for another copy of it");
}
