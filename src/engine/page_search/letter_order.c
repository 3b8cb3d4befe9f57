#include "engine/page_search/letter_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/scope.h"

#define DIRECTIONS  90   /* of lines: four degrees each */
#define ONE_LINE    0.4F /* letters whose baselines differ less stand on one line; in sizes */
#define WORD_GAP    0.2F /* a wider gap is a space */
#define COLUMN_GAP  2.5F /* a wider gap ends the line */
#define NEXT_LINE   2.5F /* the next line is not farther away */
#define EVEN_GAPS   1.5F /* gaps that differ by less than this factor are those of spaced letters */
#define EVEN_PITCH  1.03F /* the same of origins, which are exactly even */
#define SPACED      4     /* letters, at least, that stand apart */
#define SAME_PLACE  0.12F
#define MOST_LAYERS 12    /* texts that are drawn over each other on one line */
#define NARROW      0.05F /* sizes: a letter of less width is a mark, or its width is not known */
#define OVERLAP     0.35F /* parts of the narrower letter: more is another text */
#define OVERLAP_RUN 0.8F  /* the same, if one is drawn after the other: widths may be wrong */
#define RUN_BONUS   0.8F  /* sizes: how much nearer that makes them */
#define LOOKED_BACK 12    /* letters, for one of which a letter is a copy */
#define ALIKE       0.05F /* sizes: copies are moved by the same, but for this */
#define NEAR_COPY   3.0F  /* sizes: how far from each other */
#define MOST_OTHERS 2     /* letters over the next one, for each that is over itself */
#define MOST_COPIES 4.5F  /* times that a letter is drawn again */
#define MOST_LOOKED 500   /* lines that are looked at for the next one */

struct placed {
    uint32_t index, code;
    int direction;
    float size;
    float from, to; /* along the line */
    float base;     /* across it, growing downwards */
    size_t layer;   /* of the texts that are drawn over each other */
    size_t copy;    /* how many times the same letter was drawn here before */
    float moved;    /* how far from the first of them */
};

/* A line, or the part of one between two wide gaps. */
struct segment {
    size_t from, n; /* of the placed letters */
    float left, right, base, size;
    int direction;
    bool used;
};

struct layout {
    struct placed *letters;
    size_t n;
    struct segment *segments;
    size_t n_segments;
    struct letter_order *order;
};

static bool is_white(uint32_t code)
{
    return code <= ' ' || code == 0xa0 || code == 0x3000 || (code >= 0x2000 && code <= 0x200b);
}

static struct placed place_letter(const struct page_letter *letter, size_t index)
{
    const float *q = letter->quad;
    float dx = q[6] - q[4], dy = q[7] - q[5], length = hypotf(dx, dy);
    float up_x = q[0] - q[4], up_y = q[1] - q[5], size = hypotf(up_x, up_y);
    float angle;
    int direction;

    /* A letter without width has the direction that its height says. */
    if (length < 0.001F) {
        dx = up_y;
        dy = -up_x;
    }
    angle = atan2f(dy, dx);
    direction = ((int) lroundf(angle / (2 * (float) M_PI) * DIRECTIONS) + DIRECTIONS) % DIRECTIONS;
    angle = (float) direction / DIRECTIONS * 2 * (float) M_PI;
    return (struct placed){ .index = (uint32_t) index,
                            .code = letter->code,
                            .direction = direction,
                            .size = size > 0.01F ? size : 0.01F,
                            .from = q[4] * cosf(angle) + q[5] * sinf(angle),
                            .to = q[6] * cosf(angle) + q[7] * sinf(angle),
                            .base = q[4] * sinf(angle) - q[5] * cosf(angle) };
}

static int compare_numbers(float a, float b)
{
    return a < b ? -1 : a > b;
}

static int by_base(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return x->direction != y->direction ? x->direction - y->direction
           : x->base != y->base         ? compare_numbers(x->base, y->base)
                                        : compare_numbers(x->from, y->from);
}

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return x->from != y->from ? compare_numbers(x->from, y->from) : (int) x->index - (int) y->index;
}

/* Drops letters that are drawn twice at one place, to look bold or to have a shadow. */
static size_t drop_doubles(struct placed *letters, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        bool again = false;

        for (size_t k = kept; k > 0 && kept - k < 4 && !again; k--)
            again = letters[k - 1].code == letters[i].code &&
                    fabsf(letters[k - 1].from - letters[i].from) < SAME_PLACE * letters[i].size;
        if (!again)
            letters[kept++] = letters[i];
    }
    return kept;
}

/* A mark that is drawn over a letter, or a letter whose width is not known. */
static bool is_over(const struct placed *letter)
{
    int category = (int) utf8proc_category((utf8proc_int32_t) letter->code);

    return letter->to - letter->from < NARROW * letter->size || category == UTF8PROC_CATEGORY_MN ||
           category == UTF8PROC_CATEGORY_ME || category == UTF8PROC_CATEGORY_SK ||
           category == UTF8PROC_CATEGORY_LM || letter->code == 0xb8;
}

/* Counts how often each letter was drawn before nearly where it is. False: the widths of letters
 * are wrong, as most overlap the next one, which is another. */
static bool count_copies(struct placed *letters, size_t n)
{
    size_t same = 0, other = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = i; k > 0 && i - k < LOOKED_BACK; k--) {
            struct placed *a = &letters[k - 1], *b = &letters[i];
            struct placed *later = a->index < b->index ? b : a;
            float width = fminf(a->to - a->from, b->to - b->from);

            if (is_over(a) || is_over(b) || b->from - a->from > (1 - OVERLAP) * width)
                continue;
            if (a->code != b->code) {
                other += a->index + 1 == b->index || b->index + 1 == a->index;
                continue;
            }
            if (later->copy == 0)
                later->moved = later == b ? b->from - a->from : a->from - b->from;
            later->copy++;
            same++;
        }
    return other <= MOST_OTHERS * same + n / 4;
}

/* How many of the next two copies on one side are moved as far as the letter `at`. */
static int count_alike(const struct placed *letters, size_t n, size_t at, bool after)
{
    const struct placed *letter = &letters[at];
    int seen = 0, alike = 0;

    for (size_t i = after ? at + 1 : at - 1; i < n && seen < 2; i += after ? 1 : (size_t) -1) {
        if (fabsf(letters[i].from - letter->from) > NEAR_COPY * letter->size)
            break;
        seen += letters[i].copy > 0;
        alike +=
            letters[i].copy > 0 && fabsf(letters[i].moved - letter->moved) < ALIKE * letter->size;
    }
    return alike;
}

/* Where only one letter is drawn over itself, it may be two, whose widths are wrong, or one of
 * another text. */
static void forget_lone_copies(struct placed *letters, size_t n, struct letter_order *order)
{
    for (size_t i = 0; i < n; i++)
        order->copy[letters[i].index] =
            letters[i].copy > 0 &&
            count_alike(letters, n, i, false) + count_alike(letters, n, i, true) >= 2;
    for (size_t i = 0; i < n; i++)
        if (!order->copy[letters[i].index])
            letters[i].copy = 0;
}

/* How many of the letters around were drawn before the letter `at`, and are the same, moved by
 * multiples of a distance. */
static size_t count_moved(const struct placed *letters, size_t n, size_t at, float moved)
{
    const struct placed *letter = &letters[at];
    size_t count = 0;

    for (size_t i = at > LOOKED_BACK ? at - LOOKED_BACK : 0; i < n && i < at + LOOKED_BACK; i++) {
        float times = (letter->from - letters[i].from) / moved;
        float near = ALIKE * letter->size / fabsf(moved);

        count += letters[i].code == letter->code && letters[i].index < letter->index &&
                 times > 0.5F && times < MOST_COPIES && fabsf(times - roundf(times)) < near;
    }
    return count;
}

/* Copies of narrow letters stand next to them: they are moved as those around them. */
static void add_narrow_copies(struct placed *letters, size_t n, struct letter_order *order)
{
    for (size_t i = 0; i < n; i++)
        for (size_t d = 1; d < LOOKED_BACK && !is_over(&letters[i]); d++) {
            const struct placed *a = i >= d ? &letters[i - d] : NULL;
            const struct placed *b = i + d < n ? &letters[i + d] : NULL;
            const struct placed *copy = a && order->copy[a->index]   ? a
                                        : b && order->copy[b->index] ? b
                                                                     : NULL;

            if (!copy)
                continue;
            if (fabsf(copy->from - letters[i].from) < NEAR_COPY * letters[i].size) {
                size_t count = count_moved(letters, n, i, copy->moved);

                if (count > letters[i].copy) {
                    letters[i].copy = count;
                    letters[i].moved = copy->moved;
                    order->copy[letters[i].index] = true;
                }
            }
            break;
        }
}

/* How far a letter is from the last one of a text; infinite if it cannot be of that text. */
static float distance(const struct placed *last, const struct placed *letter)
{
    bool run = last->code != letter->code && last->index < letter->index + 3 &&
               letter->index < last->index + 3;
    float overlap = last->to - letter->from;
    float narrower = fminf(last->to - last->from, letter->to - letter->from);

    if (last->copy != letter->copy && !is_over(letter))
        return INFINITY;
    if (is_over(letter))
        return fabsf(last->to + last->from - letter->to - letter->from) / 2;
    if (overlap > (run ? OVERLAP_RUN : OVERLAP) * narrower)
        return INFINITY;
    return fabsf(overlap) + (run ? 0 : RUN_BONUS * letter->size);
}

static int by_layer(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return x->layer != y->layer ? (x->layer < y->layer ? -1 : 1) : by_place(a, b);
}

/* Parts the texts that are drawn over each other on a line, such as a shadow and what it is of:
 * their letters would stand in each other's words. The letters are in the order of their places. */
static void part_layers(struct placed *letters, size_t n, struct letter_order *order)
{
    struct placed last[MOST_LAYERS];
    size_t n_layers = 0;

    if (!count_copies(letters, n))
        return;
    forget_lone_copies(letters, n, order);
    add_narrow_copies(letters, n, order);
    for (size_t i = 0; i < n; i++) {
        size_t best = n_layers < MOST_LAYERS ? n_layers : 0;
        float nearest = INFINITY;

        for (size_t k = 0; k < n_layers; k++) {
            float far = distance(&last[k], &letters[i]);

            if (far < nearest) {
                nearest = far;
                best = k;
            }
        }
        letters[i].layer = best;
        if (best == n_layers || !is_over(&letters[i]))
            last[best] = letters[i];
        n_layers += best == n_layers;
    }
    if (n_layers > 1)
        qsort(letters, n, sizeof *letters, by_layer);
}

static void add_segment(struct layout *l, size_t from, size_t n)
{
    const struct placed *first = &l->letters[from];
    struct segment *s = &l->segments[l->n_segments++];

    *s = (struct segment){ .from = from,
                           .n = n,
                           .left = first->from,
                           .right = first->to,
                           .base = first->base,
                           .direction = first->direction };
    for (size_t i = from; i < from + n; i++) {
        s->right = fmaxf(s->right, l->letters[i].to);
        s->size = fmaxf(s->size, l->letters[i].size);
    }
}

/* The letters from `from` on stand on one line. */
static void cut_line(struct layout *l, size_t from, size_t n)
{
    struct placed *letters = l->letters + from;
    size_t begin = 0;
    float right;

    qsort(letters, n, sizeof *letters, by_place);
    n = drop_doubles(letters, n);
    part_layers(letters, n, l->order);
    right = letters[0].to;
    for (size_t i = 1; i < n; i++) {
        if (letters[i].layer != letters[i - 1].layer ||
            letters[i].from - right > COLUMN_GAP * letters[i].size) {
            add_segment(l, from + begin, i - begin);
            begin = i;
            right = letters[i].to;
        }
        right = fmaxf(right, letters[i].to);
    }
    add_segment(l, from + begin, n - begin);
}

static void find_lines(struct layout *l)
{
    size_t begin = 0;

    qsort(l->letters, l->n, sizeof *l->letters, by_base);
    for (size_t i = 1; i <= l->n; i++) {
        const struct placed *first = &l->letters[begin], *at = &l->letters[i];

        if (i < l->n && at->direction == first->direction &&
            at->base - first->base < ONE_LINE * fminf(first->size, at->size))
            continue;
        cut_line(l, begin, i - begin);
        begin = i;
    }
}

static bool is_rtl(uint32_t code)
{
    return (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfdff) ||
           (code >= 0xfe70 && code <= 0xfeff) || (code >= 0x10800 && code <= 0x10fff) ||
           (code >= 0x1e800 && code <= 0x1efff);
}

static bool is_number_or_latin(uint32_t code)
{
    int category = (int) utf8proc_category((utf8proc_int32_t) code);

    return !is_rtl(code) &&
           (category == UTF8PROC_CATEGORY_ND ||
            (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO));
}

static void reverse(struct placed *letters, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct placed other = letters[i];

        letters[i] = letters[n - 1 - i];
        letters[n - 1 - i] = other;
    }
}

/* Puts right-to-left text in the order in which it is read; numbers and Latin words in it run from
 * left to right. */
static bool turn_rtl(struct placed *letters, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++)
        any |= is_rtl(letters[i].code);
    if (!any)
        return false;
    reverse(letters, n);
    for (size_t i = 0; i < n;) {
        size_t end = i, last = i;

        if (!is_number_or_latin(letters[i].code)) {
            i++;
            continue;
        }
        for (; end < n && !is_rtl(letters[end].code); end++)
            if (is_number_or_latin(letters[end].code))
                last = end;
        reverse(letters + i, last + 1 - i);
        i = last + 1;
    }
    return true;
}

static void put_letter_code(struct letter_order *order, uint32_t code, uint32_t from, bool line)
{
    order->codes[order->n] = code;
    order->from[order->n] = from;
    order->line[order->n++] = line;
}

static float gap_after(const struct placed *a)
{
    return fmaxf(a[1].from - a[0].to, a[0].from - a[1].to) / a[1].size;
}

/* Whether values differ by less than a factor, with one more among them. */
static bool stay_even(float *least, float *most, float value, float factor)
{
    *least = fminf(*least, value);
    *most = fmaxf(*most, value);
    return *most <= factor * *least;
}

/* How many letters from here on stand apart with even gaps, or at even distances: no words of one
 * letter each. */
static size_t count_spaced(const struct placed *letters, size_t n)
{
    float gap[2] = { INFINITY, 0 }, step[2] = { INFINITY, 0 }, pitch[2] = { INFINITY, 0 };
    bool gaps = true, steps = true, pitches = true;
    size_t i = 0;

    for (; i + 1 < n; i++) {
        const struct placed *a = &letters[i];
        float middle = fabsf(a[1].from + a[1].to - a[0].from - a[0].to) / a[1].size;

        gaps = gaps && stay_even(&gap[0], &gap[1], gap_after(a), EVEN_GAPS);
        steps = steps && stay_even(&step[0], &step[1], middle, EVEN_GAPS);
        pitches =
            pitches && stay_even(&pitch[0], &pitch[1], fabsf(a[1].from - a[0].from), EVEN_PITCH);
        if (!(pitches || ((gaps || steps) && gap_after(a) >= WORD_GAP)))
            break;
    }
    return i + 1 >= SPACED ? i + 1 : 0;
}

/* A mark that is drawn over a letter, as a character of its own, becomes one of the letter. */
static uint32_t mark_of(const struct placed *letters, size_t i)
{
    static const uint32_t marks[][2] = {
        { 0xb4, 0x301 },  { 0x60, 0x300 },  { 0xa8, 0x308 },  { 0x5e, 0x302 },  { 0x2c6, 0x302 },
        { 0x7e, 0x303 },  { 0x2dc, 0x303 }, { 0xb8, 0x327 },  { 0x2c7, 0x30c }, { 0x2d8, 0x306 },
        { 0x2da, 0x30a }, { 0x2d9, 0x307 }, { 0x2dd, 0x30b }, { 0x2db, 0x328 }, { 0xaf, 0x304 },
    };

    if (i == 0 || letters[i].from > letters[i - 1].to - 0.3F * (letters[i].to - letters[i].from))
        return 0;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (marks[k][0] == letters[i].code)
            return marks[k][1];
    return 0;
}

static void put_segment(struct layout *l, const struct segment *s, bool line)
{
    struct placed *letters = l->letters + s->from;
    bool turned;
    size_t spaced = 0;

    /* A mark that begins left of its letter comes after it. */
    for (size_t i = 1; i < s->n; i++)
        if (mark_of((struct placed[]){ letters[i], letters[i - 1] }, 1)) {
            struct placed other = letters[i];

            letters[i] = letters[i - 1];
            letters[i - 1] = other;
        }
    turned = turn_rtl(letters, s->n);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t mark = turned ? 0 : mark_of(letters, i);

        if (i > 0 && !mark && gap_after(letters + i - 1) > WORD_GAP && i >= spaced)
            put_letter_code(l->order, ' ', letters[i].index, false);
        put_letter_code(l->order, mark ? mark : letters[i].code, letters[i].index, line && i == 0);
        if (i >= spaced)
            spaced = i + count_spaced(letters + i, s->n - i);
    }
}

/* The nearest line below which stands under this one. */
static struct segment *find_below(struct layout *l, const struct segment *s)
{
    struct segment *best = NULL;

    for (struct segment *at = l->segments + (s - l->segments) + 1;
         at < l->segments + l->n_segments && at - s < MOST_LOOKED; at++) {
        if (at->direction != s->direction || at->base - s->base > NEXT_LINE * s->size)
            break;
        if (at->used || at->base - s->base < ONE_LINE * s->size || at->right < s->left ||
            at->left > s->right)
            continue;
        if (!best || at->base - best->base > ONE_LINE * s->size)
            best = best ? best : at;
        else if (fabsf(at->left - s->left) < fabsf(best->left - s->left))
            best = at;
    }
    return best;
}

static int by_height(const void *a, const void *b)
{
    const struct segment *x = a, *y = b;

    return x->direction != y->direction ? x->direction - y->direction
           : x->base != y->base         ? compare_numbers(x->base, y->base)
                                        : compare_numbers(x->left, y->left);
}

static void put_all(struct layout *l)
{
    qsort(l->segments, l->n_segments, sizeof *l->segments, by_height);
    for (size_t i = 0; i < l->n_segments; i++) {
        bool line = true;

        for (struct segment *s = &l->segments[i], *next; s && !s->used; s = next) {
            s->used = true;
            put_segment(l, s, line);
            next = find_below(l, s);
            /* Letters one below the other are a word. */
            line = !next || s->n != 1 || next->n != 1 ||
                   fabsf(next->left + next->right - s->left - s->right) > s->size;
        }
    }
}

static bool reserve(struct letter_order *order, size_t n)
{
    if (n <= order->cap)
        return true;
    letter_order_free(order);
    order->codes = calloc(n, sizeof *order->codes);
    order->line = calloc(n, sizeof *order->line);
    order->from = calloc(n, sizeof *order->from);
    order->copy = calloc(n, sizeof *order->copy);
    order->cap = n;
    return order->codes && order->line && order->from && order->copy;
}

bool letter_order_make(struct letter_order *order, const struct page_letters *letters)
{
    AUTO_FREE struct placed *placed = calloc(letters->n + 1, sizeof *placed);
    AUTO_FREE struct segment *segments = calloc(letters->n + 1, sizeof *segments);
    struct layout l = { .letters = placed, .segments = segments, .order = order };

    order->n = 0;
    if (!placed || !segments || !reserve(order, 2 * letters->n + 1))
        return false;
    memset(order->copy, 0, letters->n * sizeof *order->copy);
    for (size_t i = 0; i < letters->n; i++)
        if (!is_white(letters->items[i].code))
            l.letters[l.n++] = place_letter(&letters->items[i], i);
    if (l.n)
        find_lines(&l);
    put_all(&l);
    return true;
}

void letter_order_free(struct letter_order *order)
{
    free(order->codes);
    free(order->line);
    free(order->from);
    free(order->copy);
    *order = (struct letter_order){ 0 };
}
