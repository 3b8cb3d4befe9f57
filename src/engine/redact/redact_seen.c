#include "engine/redact/redact_seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "engine/redact/redact_page_text.h"
#include "engine/redact/redact_shape.h"
#include "pdf/object/page_view.h"

#define LONGEST 200 /* characters of words that are compared */
#define SIMILAR 4   /* a word of this many characters may have one that was read wrongly */
#define NEAR    1.0 /* how far from its place a text may lie, in heights of the place */

/* What is known of a page. */
struct look {
    const struct redact_seen *seen;
    size_t page;
    const struct layer_page *read;
    size_t *at;      /* of each word that was read: the offset in `text` */
    struct buf text; /* the words that were read */
    struct page_view view;
    struct redact_page_text all, visible; /* what the page says that its text is */
    struct redact_folded folded, own, word;
};

/* A text that was found in what was read. */
struct found {
    const struct redact_words *words;
    size_t index;
    bool any;
    double box[4];           /* on the displayed page: of its first line */
    bool near;               /* on or next to the place of a hit with this text */
    struct buf word;         /* the words that were read */
    struct buf all, visible; /* what the page says that it has there */
    bool same, misread;      /* it says the same, or almost the same */
};

static bool is_hyphen(const struct layer_page *read, const struct layer_word *word)
{
    return word->n > 1 && read->text[word->text + word->n - 1] == '-';
}

/* Joins the words that were read; `joined`: a hyphen at the end of a line goes with the break. */
static bool make_text(struct look *look, bool joined)
{
    const struct layer_page *read = look->read;

    look->text.len = 0;
    for (uint32_t i = 0; i < read->n_words; i++)
        look->at[i] = SIZE_MAX;
    for (uint32_t i = 0; i < read->n_lines; i++)
        for (uint32_t k = 0; k < read->lines[i].n; k++) {
            uint32_t w = read->lines[i].word + k;
            const struct layer_word *word = &read->words[w];
            bool last = k + 1 == read->lines[i].n, cut = last && joined && is_hyphen(read, word);

            look->at[w] = look->text.len;
            buf_put(&look->text, read->text + word->text, word->n - cut);
            if ((last && !cut) || (!last && word->spaced))
                buf_putc(&look->text, ' ');
        }
    return !look->text.failed &&
           redact_words_fold(&look->folded, buf_text(&look->text), look->text.len);
}

/* The text whose characters have their middle in a box of the page's own space. */
static void text_in(const struct redact_page_text *text, const double box[static 4],
                    struct buf *out)
{
    for (size_t i = 0; i < text->n; i++) {
        const double *q = text->items[i].quad.at;
        size_t end = i + 1 < text->n ? text->items[i + 1].at : text->text.len;
        double x = (q[0] + q[2] + q[4] + q[6]) / 4, y = (q[1] + q[3] + q[5] + q[7]) / 4;

        if (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3])
            buf_put(out, text->text.data + text->items[i].at, end - text->items[i].at);
    }
}

/* Takes spaces out of a folded text, and cuts it. */
static size_t squeeze(struct redact_folded *f)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n && n < LONGEST; i++)
        if (f->at[i] != ' ')
            f->at[n++] = f->at[i];
    return n;
}

/* How many characters differ (Levenshtein). */
static size_t count_other(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
    size_t row[LONGEST + 1];

    for (size_t k = 0; k <= m; k++)
        row[k] = k;
    for (size_t i = 1; i <= n; i++) {
        size_t corner = row[0];

        row[0] = i;
        for (size_t k = 1; k <= m; k++) {
            size_t best = corner + (a[i - 1] != b[k - 1]);

            corner = row[k];
            best = row[k] + 1 < best ? row[k] + 1 : best;
            row[k] = row[k - 1] + 1 < best ? row[k - 1] + 1 : best;
        }
    }
    return row[m];
}

/* Compares what the page says of a place with what was read there. */
static int compare_own(struct look *look, struct found *found, struct err *err)
{
    size_t n, m, most, far;

    if (!redact_words_fold(&look->own, buf_text(&found->visible), found->visible.len) ||
        !redact_words_fold(&look->word, buf_text(&found->word), found->word.len))
        return pdf_doc_no_memory(err);
    n = squeeze(&look->own);
    m = squeeze(&look->word);
    most = m / SIMILAR > 1 ? m / SIMILAR : 1;
    far = count_other(look->own.at, n, look->word.at, m);
    found->same = n > 0 && far == 0;
    found->misread = n > 0 && far > 0 && far <= most;
    return 0;
}

static int is_left(const struct look *look, const double box[static 4], struct err *err)
{
    return err_set(err, ERR_REDACTION_INCOMPLETE,
                   "a removed text can still be read in the picture of page %zu, at "
                   "%zu:%.0f,%.0f,%.0f,%.0f: nothing is delivered; regions removes that place, too",
                   look->page + 1, look->page + 1, floor(box[0]), floor(look->view.height - box[3]),
                   ceil(box[2] - box[0]) + 1, ceil(box[3] - box[1]) + 1);
}

/* Whether a place is on or next to that of a hit with this text. */
static bool is_near_hit(const struct look *look, const char *text, const double own[static 4])
{
    const struct redact_hits *hits = look->seen->proof->hits;

    for (size_t i = 0; i < hits->n; i++) {
        const struct redact_hit *hit = &hits->items[i];

        if (hit->page != look->page + 1 || strcmp(hit->text, text) != 0)
            continue;
        for (size_t k = 0; k < hit->n_quads; k++) {
            double box[4], far;

            redact_shape_box(&hit->quads[k], box);
            far = NEAR * fmin(box[2] - box[0], box[3] - box[1]);
            if (own[0] < box[2] + far && own[2] > box[0] - far && own[1] < box[3] + far &&
                own[3] > box[1] - far)
                return true;
        }
    }
    return false;
}

/* Adds a word that was read to what was found. */
static void add_read_word(const struct look *look, const struct layer_word *w, struct found *found)
{
    const double box[4] = { (double) w->left, (double) w->bottom, (double) w->right,
                            (double) w->top };
    struct redact_matrix m;
    struct redact_quad quad;
    double own[4];

    memcpy(m.at, look->view.matrix, sizeof m.at);
    quad = redact_shape_quad(m, box[0], box[1], box[2], box[3]);
    redact_shape_box(&quad, own);
    buf_put(&found->word, look->read->text + w->text, w->n);
    text_in(&look->visible, own, &found->visible);
    text_in(&look->all, own, &found->all);
    found->near |= is_near_hit(look, found->words->items[found->index].text, own);
    if (found->any && (box[3] < found->box[1] || box[1] > found->box[3]))
        return; /* on another line */
    for (int k = 0; k < 4; k++)
        found->box[k] = !found->any ? box[k]
                        : k < 2     ? fmin(box[k], found->box[k])
                                    : fmax(box[k], found->box[k]);
    found->any = true;
}

/* Whether a text is in the page's own text, at a place or anywhere. */
static bool says(const struct found *found, const struct buf *text)
{
    struct redact_words one = { .items = &found->words->items[found->index],
                                .n = 1,
                                .exact = found->words->exact };

    return redact_words_search(&one, buf_text(text), text->len) != SIZE_MAX;
}

/* Whether what was found may be there. `hits`: it is the text of a hit, which may stay elsewhere.
 */
static bool is_allowed(const struct look *look, const struct found *found, bool hits)
{
    bool own = found->same || says(found, &found->all);

    if (!own && found->misread)
        return true;
    return hits && (own || (!found->near && says(found, &look->all.text)));
}

/* Checks a text that was found between two offsets. */
static int check_found(struct look *look, struct found *found, size_t from, size_t to, bool hits,
                       struct err *err)
{
    int done = 0;

    for (uint32_t i = 0; i < look->read->n_words; i++)
        if (look->at[i] < to && look->at[i] + look->read->words[i].n > from)
            add_read_word(look, &look->read->words[i], found);
    if (found->word.failed || found->visible.failed || found->all.failed)
        done = pdf_doc_no_memory(err);
    if (done == 0)
        done = compare_own(look, found, err);
    if (done == 0 && !is_allowed(look, found, hits))
        done = is_left(look, found->box, err);
    buf_free(&found->word);
    buf_free(&found->visible);
    buf_free(&found->all);
    return done;
}

static int check_words(struct look *look, const struct redact_words *words, bool hits,
                       struct err *err)
{
    size_t at = 0, n, index;

    while ((index = redact_words_find(words, &look->folded, &at, &n)) != SIZE_MAX) {
        struct found found = { .words = words, .index = index };

        if (words->items[index].n > REDACT_WORDS_SHORT &&
            check_found(look, &found, look->folded.from[at], look->folded.from[at + n], hits, err) <
                0)
            return -1;
        at++;
    }
    return 0;
}

static bool is_text_of(const struct redact_hit *hit, size_t page)
{
    return hit->page == page + 1 && hit->n_quads && *hit->text;
}

static int check_all(struct look *look, struct err *err)
{
    const struct redact_proof *proof = look->seen->proof;
    struct redact_words words = { .exact = proof->texts->exact };
    int done = 0;

    for (size_t i = 0; i < proof->hits->n; i++)
        if (is_text_of(&proof->hits->items[i], look->page))
            redact_words_add(&words, proof->hits->items[i].text,
                             strcmp(proof->hits->items[i].kind, "text") != 0);
    if (words.failed)
        done = pdf_doc_no_memory(err);
    for (int joined = 0; joined < 2 && done == 0; joined++) {
        if (!make_text(look, joined))
            done = pdf_doc_no_memory(err);
        if (done == 0 && proof->pages[look->page])
            done = check_words(look, proof->texts, false, err);
        if (done == 0)
            done = check_words(look, &words, true, err);
    }
    redact_words_free(&words);
    return done;
}

int redact_seen_check(const struct redact_seen *seen, size_t page, const struct layer_page *read,
                      struct err *err)
{
    bool exact = seen->proof->texts->exact;
    struct look look = { .seen = seen,
                         .page = page,
                         .read = read,
                         .folded = { .exact = exact },
                         .own = { .exact = exact },
                         .word = { .exact = exact } };
    AUTO_OBJ struct obj object = obj_page(seen->doc->q, page);
    int done = 0;

    page_view_read(object, &look.view);
    look.at = calloc(read->n_words + 1, sizeof *look.at);
    if (!look.at)
        return pdf_doc_no_memory(err);
    if (redact_page_text_read(&look.all, seen->shown, page, false, err) < 0 ||
        redact_page_text_read(&look.visible, seen->shown, page, true, err) < 0)
        done = -1;
    if (done == 0)
        done = check_all(&look, err);
    redact_page_text_free(&look.all);
    redact_page_text_free(&look.visible);
    redact_words_unfold(&look.folded);
    redact_words_unfold(&look.own);
    redact_words_unfold(&look.word);
    buf_free(&look.text);
    free(look.at);
    return done;
}

bool redact_seen_wants(const struct redact_proof *proof, size_t page, bool *hits)
{
    bool wanted = false;

    *hits = false;
    for (size_t i = 0; i < proof->hits->n && !*hits; i++)
        *hits = is_text_of(&proof->hits->items[i], page);
    for (size_t i = 0; i < proof->texts->n && proof->pages[page]; i++)
        wanted |= proof->texts->items[i].n > REDACT_WORDS_SHORT;
    return wanted || *hits;
}
