/*
 * repair: a damaged document made whole again, as far as that goes.
 *
 * First what was done to the whole file is undone. Then three ways are tried: qpdf's recovery, our
 * own salvage and MuPDF's repair, the two of others also on the file as it came. None is the best
 * for every kind of damage, so each result is looked at as a reader would see it, and the best is
 * kept. Pages of which another way saved more are then taken from that.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "engine/compare/content_score.h"
#include "engine/compare/page_join.h"
#include "engine/mupdf/rescue.h"
#include "pdf/document/doc.h"
#include "pdf/document/hints.h"
#include "pdf/document/recovery.h"
#include "pdf/graft/transplant.h"

#define N_WAYS     5
#define LISTED_MAX 180 /* characters of a list of pages in a warning */

struct params {
    const char *inputPassword;
};

static const struct param params[] = {
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* Where a page of the result is from. */
enum origin {
    ORIGIN_BEST,  /* the way that gave most */
    ORIGIN_OTHER, /* another way, in the place of that one's page */
    ORIGIN_NEW,   /* another way: that one had lost it */
};

struct repair {
    struct tool_run *run;
    const char *password, *candidate;   /* the path of a candidate */
    const char *input;                  /* the path of what is repaired: as it came, or undone */
    const char *source;                 /* the path of what a way is tried on */
    bool is_undone;                     /* what was done to all of the file: `input` is then the */
    struct undo_report undone;          /* output, until the end */
    struct content_score looks[N_WAYS]; /* of what each way gives; no pages: nothing */
    struct buf kept;                    /* the best result so far */
    size_t best_way;
    struct content_score best;
    bool found;
    size_t taken, added;                       /* pages of another way than the rest, and how many
                                                * of them are new */
    unsigned char origin[CONTENT_SCORE_PAGES]; /* enum origin of each page */
    bool tried, made;                          /* salvage: */
    struct buf bytes;   /* what it made of the file, until that is a candidate */
    struct err failure; /* or why it made none */
    struct salvage_report salvaged;
};

static void repair_free(struct repair *r)
{
    buf_free(&r->bytes);
    buf_free(&r->kept);
}

static int write_output(const struct repair *r, const struct buf *bytes, struct err *err)
{
    AUTO_CLOSE int out = open(r->run->output, O_WRONLY | O_TRUNC | O_CLOEXEC);

    return out < 0 ? err_sys(err, "write the result")
                   : fdio_write(out, bytes->data, bytes->len, err);
}

/* Once, before anything else. */
static int undo_first(struct repair *r, struct err *err)
{
    AUTO_BUF struct buf before = BUF_EMPTY;
    int undone = recovery_undo(r->input, &before, &r->undone, err);

    if (undone <= 0)
        return undone;
    if (write_output(r, &before, err) < 0)
        return -1;
    r->is_undone = true;
    r->input = r->run->output;
    return 0;
}

/* Once: whether the file is sound asks for it, and the first candidate. */
static int salvage_once(struct repair *r, struct err *err)
{
    if (!r->tried)
        r->made = recovery_salvage_undone(r->input, r->password, &r->bytes, &r->salvaged,
                                          &r->failure) == 0;
    r->tried = true;
    if (r->made)
        return 0;
    *err = r->failure;
    return -1;
}

static int salvage_open(struct repair *r, struct pdf_doc *doc, struct err *err)
{
    if (salvage_once(r, err) < 0)
        return -1;
    r->tried = false; /* its bytes are the document's now */
    return pdf_doc_open_memory(doc, &r->bytes, r->password, err);
}

static int salvage_candidate(struct repair *r, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    return salvage_open(r, &doc, err) < 0 ? -1 : pdf_doc_save(&doc, r->candidate, NULL, err);
}

static int qpdf_open(struct repair *r, struct pdf_doc *doc, struct err *err)
{
    return pdf_doc_open_whole_as_is(doc, r->source, r->password, err);
}

static int qpdf_candidate(struct repair *r, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    return qpdf_open(r, &doc, err) < 0 ? -1 : pdf_doc_save(&doc, r->candidate, NULL, err);
}

static int mupdf_candidate(struct repair *r, struct err *err)
{
    return rescue_save(r->source, r->password, r->run, r->candidate, err);
}

static int mupdf_open(struct repair *r, struct pdf_doc *doc, struct err *err)
{
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    AUTO_CLOSE int fd = mupdf_candidate(r, err) < 0 ? -1 : open(r->candidate, O_RDONLY | O_CLOEXEC);

    return fd < 0 || fdio_read_all(fd, SIZE_MAX, &bytes, err) < 0
               ? -1
               : pdf_doc_open_memory(doc, &bytes, r->password, err);
}

/* In the order in which they are preferred when a reader sees no difference: the first also mends
 * what no reader shows. */
static const struct way {
    int (*candidate)(struct repair *r, struct err *err); /* writes it */
    /* Opens it independently of the other file, which the caller overwrites. */
    int (*open)(struct repair *r, struct pdf_doc *doc, struct err *err);
    bool as_it_came; /* not undone */
} ways[N_WAYS] = { { salvage_candidate, salvage_open, false },
                   { qpdf_candidate, qpdf_open, false },
                   { mupdf_candidate, mupdf_open, false },
                   { qpdf_candidate, qpdf_open, true },
                   { mupdf_candidate, mupdf_open, true } };

/* Whether salvage found every object, none of them twice, and the pages by the catalog's own tree.
 * What may be damaged is data of streams then, of which the others decode no more than salvage. */
static bool has_all_objects(const struct repair *r)
{
    const struct salvage_report *s = &r->salvaged;

    return r->made && s->pages > 0 && s->lost_pages == 0 && s->dangling == 0 &&
           s->duplicates == 0 && !s->tree_rebuilt && !s->catalog_rebuilt;
}

/* False: it would be what another way is. */
static bool begin_way(struct repair *r, const struct way *way)
{
    r->source = way->as_it_came ? r->run->inputs[0].path : r->input;
    if (way->candidate != salvage_candidate && r->found && has_all_objects(r))
        return false;
    return !way->as_it_came || r->is_undone;
}

static int read_file(const char *path, struct buf *bytes, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);

    return fd < 0 ? err_sys(err, "read a candidate") : fdio_read_all(fd, SIZE_MAX, bytes, err);
}

static int copy_file(const char *from, const char *to, struct err *err)
{
    AUTO_CLOSE int in = open(from, O_RDONLY | O_CLOEXEC);
    AUTO_CLOSE int out = open(to, O_WRONLY | O_TRUNC | O_CLOEXEC);
    off_t n = in < 0 ? -1 : lseek(in, 0, SEEK_END);

    if (in < 0 || out < 0 || n < 0)
        return err_sys(err, "copy");
    return fdio_copy(in, 0, n, out, err);
}

/* 1: it is kept. *look: what a reader sees of it. */
static int keep_if_better(struct repair *r, struct content_score *look, struct err *err)
{
    struct err unreadable;

    if (content_score_measure(r->candidate, r->password, r->run, look, &unreadable) < 0)
        return 0; /* no password is known that opens it */
    if (r->found && !content_score_is_better(look, &r->best))
        return 0;
    r->best = *look;
    r->found = true;
    r->kept.len = 0;
    return read_file(r->candidate, &r->kept, err) < 0 ? -1 : 1;
}

/* A candidate of the best one with pages of another. */
static int combine(struct repair *r, const struct way *other, const struct page_join *joins,
                   size_t n, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc from = { 0 };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_BUF struct buf best = BUF_EMPTY;
    struct transplant pages[CONTENT_SCORE_PAGES];

    for (size_t i = 0; i < n; i++)
        pages[i] = (struct transplant){ joins[i].from, joins[i].at, joins[i].is_new };
    buf_put(&best, r->kept.data, r->kept.len);
    if (best.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs too much memory");
    return other->open(r, &from, err) < 0 ||
                   pdf_doc_open_memory(&doc, &best, r->password, err) < 0 ||
                   transplant_pages(&doc, &from, pages, n, err) < 0
               ? -1
               : pdf_doc_save(&doc, r->candidate, NULL, err);
}

/* Keeps account of where the pages came from. */
static void note_joins(struct repair *r, const struct page_join *joins, size_t n)
{
    r->taken += n;
    for (size_t i = 0; i < n; i++) {
        size_t at = joins[i].at;

        if (at >= CONTENT_SCORE_PAGES)
            continue;
        if (joins[i].is_new)
            memmove(r->origin + at + 1, r->origin + at, CONTENT_SCORE_PAGES - at - 1);
        r->origin[at] = joins[i].is_new ? ORIGIN_NEW : ORIGIN_OTHER;
        r->added += joins[i].is_new;
    }
}

/* What cannot be combined stays as it is. */
static int take_better_pages(struct repair *r, struct err *err)
{
    struct page_join joins[CONTENT_SCORE_PAGES];
    struct content_score look;

    for (size_t i = 0; i < N_WAYS; i++) {
        size_t n = page_join_plan(&r->best, &r->looks[i], joins);
        struct err ignored;
        int kept;

        if (n == 0 || !begin_way(r, &ways[i]) || combine(r, &ways[i], joins, n, &ignored) < 0)
            continue;
        kept = keep_if_better(r, &look, err);
        if (kept < 0)
            return -1;
        if (kept)
            note_joins(r, joins, n);
    }
    return 0;
}

static int repair(struct repair *r, struct err *err)
{
    struct err first = { 0 };

    for (size_t i = 0; i < N_WAYS; i++) {
        if (!begin_way(r, &ways[i]))
            continue;
        if (ways[i].candidate(r, err) == 0) {
            int kept = keep_if_better(r, &r->looks[i], err);

            if (kept < 0)
                return -1;
            r->best_way = kept ? i : r->best_way;
        } else if (err->code == ERR_PASSWORD_REQUIRED || err->code == ERR_WRONG_PASSWORD) {
            return -1;
        } else if (!*first.msg) {
            first = *err;
        }
        tool_progress(r->run, 0.2 + 0.15 * (double) (i + 1));
    }
    if (r->found)
        return take_better_pages(r, err) < 0 ? -1 : write_output(r, &r->kept, err);
    *err = first;
    return err->code == ERR_LIMIT_EXCEEDED
               ? -1
               : err_set(err, ERR_CORRUPT_FILE,
                         "no page of the document could be recovered: ask for another copy of it");
}

/*
 * Whether nothing is missing of what salvage made: each object that is referred to was found, the
 * pages by the catalog's own tree, and all streams are as their own check sums and lengths say, or
 * were made so. No other way can find more then, and no look at the pages is needed.
 */
static bool misses_nothing(struct repair *r)
{
    const struct salvage_report *s = &r->salvaged;
    struct err ignored;

    if (salvage_once(r, &ignored) < 0 || s->pages == 0 || s->lost_pages > 0 || s->dangling > 0 ||
        s->mended_streams > s->restored_streams || s->tree_rebuilt || s->catalog_rebuilt)
        return false;
    for (size_t i = 0; i < s->pages && i < SALVAGE_PAGES; i++)
        if (s->sure[i] != SALVAGE_COMPLETE)
            return false;
    return true;
}

/* Whether what salvage made is not much larger than the file, whose objects may have been packed
 * into streams. */
static bool is_compact(const struct repair *r)
{
    struct stat st;

    return stat(r->input, &st) == 0 &&
           (int64_t) r->bytes.len <= (int64_t) st.st_size + st.st_size / 20 + 4096;
}

/* The objects byte for byte as they were, with a new table. False: it is not sound, for example
 * because a dictionary has a key twice. */
static bool write_salvaged(struct repair *r)
{
    AUTO_CLOSE int out = open(r->candidate, O_WRONLY | O_TRUNC | O_CLOEXEC);
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    struct err ignored;

    return out >= 0 && fdio_write(out, r->bytes.data, r->bytes.len, &ignored) == 0 &&
           pdf_doc_open_strict(&doc, r->candidate, r->password, &ignored) == 0 &&
           doc.n_pages == r->salvaged.pages && pdf_doc_is_sound(&doc) &&
           copy_file(r->candidate, r->run->output, &ignored) == 0;
}

/* 1: done. 0: what salvage made is not sound either, and is lost. */
static int repair_table(struct repair *r, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    struct err unsound;

    if (is_compact(r) && write_salvaged(r)) {
        r->best.pages = r->salvaged.pages;
        return 1;
    }
    if (salvage_open(r, &doc, &unsound) < 0 || doc.n_pages != r->salvaged.pages)
        return 0;
    r->best.pages = doc.n_pages;
    return pdf_doc_save(&doc, r->run->output, NULL, err) < 0 ? -1 : 1;
}

/* Of pages that another way gave only that is known which a look at them showed. */
static enum salvage_sureness sureness_of(const struct repair *r, size_t page)
{
    const struct salvage_report *s = &r->salvaged;
    enum origin origin = page < CONTENT_SCORE_PAGES ? (enum origin) r->origin[page] : ORIGIN_BEST;
    bool known = r->made && s->pages + r->added == r->best.pages && origin != ORIGIN_NEW;
    bool salvaged =
        !r->found || (ways[r->best_way].candidate == salvage_candidate && origin == ORIGIN_BEST);
    size_t number = page;

    for (size_t i = 0; i < page && i < CONTENT_SCORE_PAGES; i++)
        number -= r->origin[i] == ORIGIN_NEW;
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
static size_t list_pages(const struct repair *r, enum salvage_sureness sure, struct buf *list)
{
    size_t n = 0, first = 0;

    for (size_t i = 0; i <= r->best.pages; i++) {
        bool is = i < r->best.pages && sureness_of(r, i) == sure;
        bool was = i > 0 && sureness_of(r, i - 1) == sure;

        n += is;
        if (is && !was)
            first = i;
        else if (!is && was)
            put_range(list, first, i - 1);
    }
    return n;
}

/* As much of a list as a warning holds. */
static void cut_list(const struct buf *list, char out[static LISTED_MAX])
{
    const char *text = buf_text(list);
    int n = (int) list->len;

    for (; n + 4 > LISTED_MAX || (n < (int) list->len && text[n] != ','); n--)
        continue;
    snprintf(out, LISTED_MAX, "%.*s%s", n, text, n < (int) list->len ? "..." : "");
}

static void tell_pages(const struct repair *r)
{
    static const struct {
        const char *figure, *pages;
    } of[] = {
        [SALVAGE_COMPLETE] = { "pagesComplete", "completePages" },
        [SALVAGE_PARTIAL] = { "pagesPartial", "partialPages" },
        [SALVAGE_GUESSED] = { "pagesGuessed", "guessedPages" },
    };

    for (size_t i = 0; i < COUNT(of); i++) {
        AUTO_BUF struct buf list = BUF_EMPTY;
        size_t n = list_pages(r, (enum salvage_sureness) i, &list);
        char cut[LISTED_MAX];

        tool_figure(r->run, of[i].figure, (int64_t) n);
        if (list.failed)
            continue;
        tool_pages(r->run, of[i].pages, buf_text(&list));
        cut_list(&list, cut);
        if (n > 0 && i == SALVAGE_PARTIAL)
            tool_warn(r->run, "pages_partial", "parts of pages may be missing: pages %s", cut);
        if (n > 0 && i == SALVAGE_GUESSED)
            tool_warn(r->run, "pages_guessed",
                      "the place or the content of pages was guessed: pages %s", cut);
    }
}

static void report_repair(const struct repair *r)
{
    const struct {
        const char *name;
        size_t value;
        bool of_look; /* known only of pages that were looked at */
    } figures[] = {
        { "pagesRecovered", r->best.pages },
        { "pagesWithContent", r->best.inked, true },
        { "pagesLost", r->salvaged.lost_pages },
        { "pagesCombined", r->taken },
        { "words", r->best.words, true },
        { "objectsFound", r->salvaged.objects },
        { "streamsDamaged", r->salvaged.mended_streams },
        { "streamsRestored", r->salvaged.restored_streams },
        { "pageTreeRebuilt", r->salvaged.tree_rebuilt },
        { "catalogRebuilt", r->salvaged.catalog_rebuilt },
        { "objectsMissing", r->salvaged.dangling },
        { "textModeUndone", r->undone.text_mode },
        { "unwrapped", r->undone.unwrapped },
    };

    for (size_t i = 0; i < COUNT(figures); i++)
        if (r->found || !figures[i].of_look)
            tool_figure(r->run, figures[i].name, (int64_t) figures[i].value);
    tool_warn(r->run, "repaired",
              "the document was damaged and has been repaired as far as possible");
    tell_pages(r);
    if (r->undone.unwrapped)
        tool_warn(
            r->run, "unwrapped",
            "the document was wrapped or encoded, as in mails and transfers: that was undone");
    if (r->undone.text_mode)
        tool_warn(
            r->run, "text_mode_undone",
            "a program had taken the document for text and changed its bytes: that was undone");
    if (r->salvaged.tree_rebuilt)
        tool_warn(r->run, "page_tree_rebuilt",
                  "the list of pages was damaged: the pages were recognised by their form");
    if (r->salvaged.lost_pages)
        tool_warn(r->run, "pages_lost", "pages of the document could not be recovered: %zu",
                  r->salvaged.lost_pages);
    if (r->salvaged.mended_streams > r->salvaged.restored_streams)
        tool_warn(
            r->run, "content_damaged",
            "%zu of the document's streams were damaged: parts of what they hold may be missing",
            r->salvaged.mended_streams - r->salvaged.restored_streams);
}

/* qpdf passes packed data on without looking at it, and overlooks wrong check sums. */
static bool streams_are_sound(struct repair *r)
{
    struct err ignored;

    return salvage_once(r, &ignored) < 0 || r->salvaged.mended_streams == 0;
}

/* A wrong count of objects, or wrong tables for reading piece by piece, are harmless in most
 * readers: not worth the signatures of a document. */
static bool has_wrong_tables(struct pdf_doc *doc, const char *path)
{
    return !doc->signed_ && (doc->miscounted || hints_are_wrong(doc, path));
}

/* 1: there is nothing to repair. */
static int is_sound(struct repair *r, size_t *pages, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    const char *path = r->input;

    int opened = pdf_doc_open_strict(&doc, path, r->password, err);

    /* A table that cannot be decoded is reported as unsupported by qpdf, like an encryption by
     * certificates. */
    if (opened < 0 && err->code == ERR_UNSUPPORTED_CONTENT)
        opened = pdf_doc_open_as_is(&doc, path, r->password, err);
    if (opened < 0)
        return err->code == ERR_CORRUPT_FILE ? 0 : -1;
    *pages = doc.n_pages;
    return pdf_doc_is_sound(&doc) && !has_wrong_tables(&doc, path) && streams_are_sound(r);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    __attribute__((cleanup(repair_free))) struct repair r = { .run = run,
                                                              .password = p->inputPassword,
                                                              .candidate = tool_part(run),
                                                              .input = run->inputs[0].path };
    size_t pages = 0;
    int sound, done;

    if (undo_first(&r, err) < 0)
        return -1;
    sound = is_sound(&r, &pages, err);
    if (sound < 0)
        return -1;
    if (sound > 0) {
        if (!r.is_undone && copy_file(r.input, run->output, err) < 0)
            return -1;
        r.best.pages = pages;
        if (r.is_undone)
            report_repair(&r);
        else
            tool_warn(run, "nothing_to_repair",
                      "the document is not damaged: it is returned unchanged");
        return tool_done(run, pages, err);
    }
    tool_progress(run, 0.2);
    done = misses_nothing(&r) ? repair_table(&r, err) : 0;
    if (done < 0 || (done == 0 && repair(&r, err) < 0))
        return -1;
    report_repair(&r);
    return tool_done(run, r.best.pages, err);
}

const struct tool tool_repair = {
    .name = "repair",
    .summary = "Makes a damaged PDF readable again, as far as possible.",
    .accepts = { "pdf", "text", "html", TOOL_UNKNOWN }, /* the header may be what is damaged */
    .accepts_text = "pdf",
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
