#include "engine/page_search/hit_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"

#define CONTEXT 40 /* characters on each side */

void hit_list_free(struct hit_list *list)
{
    free(list->seen);
    list->seen = NULL;
}

static struct hit_seen *find_seen(const struct hit_list *list, uint64_t key)
{
    size_t at = key & (list->cap_seen - 1);

    while (list->seen[at].times && list->seen[at].key != key)
        at = (at + 1) & (list->cap_seen - 1);
    return &list->seen[at];
}

static bool grow(struct hit_list *list)
{
    struct hit_list more = { .cap_seen = list->cap_seen ? 2 * list->cap_seen : 64 };

    if (2 * list->n_seen < list->cap_seen)
        return true;
    more.seen = calloc(more.cap_seen, sizeof *more.seen);
    if (!more.seen)
        return false;
    for (size_t i = 0; i < list->cap_seen; i++)
        if (list->seen[i].times)
            *find_seen(&more, list->seen[i].key) = list->seen[i];
    free(list->seen);
    list->seen = more.seen;
    list->cap_seen = more.cap_seen;
    return true;
}

/* How often something with this key was found, with this time; 0 without memory. */
static size_t count_seen(struct hit_list *list, uint64_t key)
{
    struct hit_seen *seen;

    if (!grow(list))
        return 0;
    seen = find_seen(list, key);
    list->n_seen += seen->times == 0;
    seen->key = key;
    return ++seen->times;
}

static void put_text(struct buf *out, const struct plain_source *source, bool hyphens, size_t begin,
                     size_t end)
{
    for (size_t i = begin; i < end && i < source->n; i++) {
        uint32_t c = source->codes[i];
        bool spaced = out->len == 0 || out->data[out->len - 1] == ' ';

        if (i > begin && source->line && source->line[i] && !spaced)
            buf_putc(out, ' ');
        if (c == 0xad && hyphens)
            c = '-';
        if (c == 0 || c == 0xad || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
            continue;
        if (c <= ' ' || c == 0xa0 || (c >= 0x7f && c < 0xa0)) {
            if (!spaced)
                buf_putc(out, ' ');
        } else {
            utf8_put(c, out);
        }
    }
}

/* The letters that follow each other on one line have one quad. */
struct span {
    float origin[2], along[2], up[2]; /* of the first letter: a corner and two unit vectors */
    float left, right, low, high;
    float size;
};

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

static bool unit(float *v)
{
    float length = hypotf(v[0], v[1]);

    if (!(length > 0.0001F))
        return false;
    v[0] /= length;
    v[1] /= length;
    return true;
}

static void begin_span(struct span *span, const float *q)
{
    *span = (struct span){ .origin = { q[4], q[5] },
                           .along = { q[6] - q[4], q[7] - q[5] },
                           .up = { q[0] - q[4], q[1] - q[5] } };
    span->size = hypotf(span->up[0], span->up[1]);
    if (!unit(span->up)) {
        span->up[0] = -span->along[1];
        span->up[1] = span->along[0];
        if (!unit(span->up))
            span->up[1] = 1;
    }
    if (!unit(span->along)) {
        span->along[0] = span->up[1];
        span->along[1] = -span->up[0];
    }
    span->left = span->low = INFINITY;
    span->right = span->high = -INFINITY;
}

static struct span measure_letter(const struct span *like, const float *q)
{
    struct span out = *like;

    out.left = out.low = INFINITY;
    out.right = out.high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        const float at[2] = { q[2 * i] - like->origin[0], q[2 * i + 1] - like->origin[1] };
        float x = dot(at, like->along), y = dot(at, like->up);

        out.left = fminf(out.left, x);
        out.right = fmaxf(out.right, x);
        out.low = fminf(out.low, y);
        out.high = fmaxf(out.high, y);
    }
    return out;
}

static bool joins(const struct span *span, const struct span *next)
{
    float common = fminf(span->high, next->high) - fmaxf(span->low, next->low);
    float height = fmaxf(span->high - span->low, next->high - next->low);

    return common > 0.6F * height && next->left - span->right < 1.5F * span->size &&
           span->left - next->right < 1.5F * span->size;
}

static void put_corner(const struct span *span, float x, float y, double *out)
{
    out[0] = (double) (span->origin[0] + x * span->along[0] + y * span->up[0]);
    out[1] = (double) (span->origin[1] + x * span->along[1] + y * span->up[1]);
}

static struct redact_quad quad_of(const struct span *span)
{
    struct redact_quad quad;

    put_corner(span, span->left, span->high, quad.at);
    put_corner(span, span->right, span->high, quad.at + 2);
    put_corner(span, span->left, span->low, quad.at + 4);
    put_corner(span, span->right, span->low, quad.at + 6);
    return quad;
}

static bool is_no_ink(uint32_t code)
{
    return code <= ' ' || code == 0xa0;
}

/* A soft hyphen has a place if it is drawn, which it is at the end of a line. */
static bool is_undrawn_hyphen(const struct page_letter *letter)
{
    const float *q = letter->quad;

    return letter->code == 0xad && !(hypotf(q[6] - q[4], q[7] - q[5]) > 0.01F);
}

static bool is_number(const float *q)
{
    for (int i = 0; i < 8; i++)
        if (!(fabsf(q[i]) < 1e6F))
            return false;
    return true;
}

/* The areas of the letters. Returns their number, which is at most REDACT_HITS_QUADS. */
static size_t find_quads(const struct hit_place *place, struct redact_quad *out)
{
    struct span span;
    size_t n = 0;

    for (size_t i = place->begin; i < place->end; i++) {
        const struct page_letter *letter =
            &place->letters->items[place->from ? place->from[i] : (uint32_t) i];
        struct span next;

        if (is_no_ink(letter->code) || is_undrawn_hyphen(letter) || !is_number(letter->quad))
            continue;
        if (n > 0) {
            next = measure_letter(&span, letter->quad);
            if (joins(&span, &next)) {
                span.left = fminf(span.left, next.left);
                span.right = fmaxf(span.right, next.right);
                span.low = fminf(span.low, next.low);
                span.high = fmaxf(span.high, next.high);
                out[n - 1] = quad_of(&span);
                continue;
            }
        }
        if (n == REDACT_HITS_QUADS)
            break;
        begin_span(&span, letter->quad);
        span = measure_letter(&span, letter->quad);
        out[n++] = quad_of(&span);
    }
    return n;
}

static uint64_t key_of(const char *kind, size_t page, const char *text)
{
    return fnv_mix(fnv_text(fnv_mix(fnv_text(FNV_START, kind), page), text), 1);
}

/* A key of the areas, to half a point. */
static uint64_t place_key(uint64_t key, const struct redact_quad *quads, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 8; k++)
            key = fnv_mix(key, (uint64_t) (int64_t) floor(quads[i].at[k] * 2));
    return key;
}

/* Whether a hit of the same kind with the same text is at nearly the same place: found in another
 * order of the letters. Hits of one page follow each other. */
static bool is_there(const struct hit_list *list, const struct redact_hit *hit)
{
    size_t looked = 0;

    for (size_t i = list->hits->n; i > 0 && looked < 400; i--, looked++) {
        const struct redact_hit *other = &list->hits->items[i - 1];

        if (other->page != hit->page)
            return false;
        if (other->n_quads != hit->n_quads || strcmp(other->kind, hit->kind) != 0)
            continue;
        for (size_t q = 0; q <= hit->n_quads; q++) {
            bool same = true;

            if (q == hit->n_quads)
                return true;
            for (int k = 0; k < 8 && same; k++)
                same = fabs(other->quads[q].at[k] - hit->quads[q].at[k]) < 2;
            if (!same)
                break;
        }
    }
    return false;
}

static int add_hit(struct hit_list *list, struct redact_hit *hit, struct err *err)
{
    uint64_t key = key_of(hit->kind, hit->page, hit->text);
    size_t times;

    if (hit->n_quads) {
        key = place_key(key, hit->quads, hit->n_quads);
        if (is_there(list, hit))
            return 0;
    }
    times = count_seen(list, key);
    if (times == 0)
        return err_sys(err, "hits");
    if (hit->n_quads && times > 1)
        return 0;
    snprintf(hit->id, sizeof hit->id, "%zu-%08" PRIx32, hit->page,
             (uint32_t) (fnv_mix(key, times) >> 16));
    return redact_hits_add(list->hits, hit, err);
}

int hit_list_add(struct hit_list *list, const struct plain_source *source,
                 const struct hit_place *place, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY, context = BUF_EMPTY;
    AUTO_FREE struct redact_quad *quads = NULL;
    struct redact_hit hit = { .page = place->page };
    size_t from = place->begin > CONTEXT ? place->begin - CONTEXT : 0;

    put_text(&text, source, place->hyphens, place->begin, place->end);
    put_text(&context, source, place->hyphens, from, place->end + CONTEXT);
    snprintf(hit.kind, sizeof hit.kind, "%s", place->kind);
    hit.text = buf_text(&text);
    hit.context = buf_text(&context);
    if (place->letters) {
        size_t most = place->end - place->begin;

        quads = calloc(most < REDACT_HITS_QUADS ? most + 1 : REDACT_HITS_QUADS + 1, sizeof *quads);
        if (!quads)
            return err_sys(err, "hits");
        hit.quads = quads;
        hit.n_quads = find_quads(place, quads);
    }
    return add_hit(list, &hit, err);
}

int hit_list_add_area(struct hit_list *list, size_t page, const struct redact_quad *quad,
                      struct err *err)
{
    struct redact_quad own = *quad;
    struct redact_hit hit = {
        .kind = "region", .page = page, .quads = &own, .n_quads = 1, .text = "", .context = ""
    };

    return add_hit(list, &hit, err);
}
