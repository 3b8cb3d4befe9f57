#include "recovery/image_repair/jpeg_mend.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "recovery/image_repair/jpeg_phase.h"
#include "recovery/image_repair/jpeg_progressive.h"

#define BYTES_MAX    (256U << 20)
#define RUNS_MAX     4096U
#define PROOF        12U        /* MCUs that must be read well to go on from somewhere */
#define FIND_RATE    4U         /* bits looked at for each bit of the data, to find such places, */
#define FIND_EFFORT  (1U << 22) /* and besides */
#define MCUS_RATE    16U        /* MCUs for each byte: as many as if nearly all were lost */
#define PLACE_EFFORT (1U << 24) /* MCUs compared to place what was read */
#define SURPLUS      8U         /* MCUs more than there should be, which damage makes of one */
#define JUMP_MAX     4U         /* restart markers that may be missing one after the other */
#define DC_RANGE     1088       /* limit of a DC coefficient of 8 bit samples, and a little */

struct chunks {
    struct jpeg_chunk *list; /* owned */
    size_t n, cap;
};

struct mend {
    const unsigned char *data; /* borrowed */
    size_t n;
    struct jpeg_head head;
    bool last_end;    /* the data goes on to the last end marker, not to the first one */
    struct buf plain; /* without stuffing */
    struct chunks chunks;
    struct jpeg_mcus mcus;
    struct jpeg_run *runs; /* owned: RUNS_MAX */
    size_t n_runs;
    struct jpeg_plane plane;
    size_t find_effort, place_effort;
    bool only_look; /* whether it is damaged */
    bool suspect;   /* as the hint says */
    bool damaged;
};

static void mend_free(struct mend *m)
{
    buf_free(&m->plain);
    free(m->chunks.list);
    free(m->mcus.list);
    free(m->runs);
    jpeg_plane_free(&m->plane);
}

static bool add_chunk(struct mend *m, size_t from, size_t first, size_t n)
{
    struct chunks *chunks = &m->chunks;

    if (chunks->n == chunks->cap) {
        size_t cap = chunks->cap ? 2 * chunks->cap : 64;
        struct jpeg_chunk *list = realloc(chunks->list, cap * sizeof *list);

        if (!list)
            return false;
        chunks->list = list;
        chunks->cap = cap;
    }
    chunks->list[chunks->n++] = (struct jpeg_chunk){ from, m->plain.len, first, n };
    return true;
}

static size_t end_of_data(const struct mend *m)
{
    for (size_t i = m->n; m->last_end && i > m->head.data + 1; i--)
        if (m->data[i - 2] == 0xff && m->data[i - 1] == 0xd9)
            return i - 2;
    for (size_t i = m->head.data; !m->last_end && i + 1 < m->n; i++)
        if (m->data[i] == 0xff && m->data[i + 1] == 0xd9)
            return i;
    return m->n;
}

/* The interval between restart markers by the first of them, where its segment was lost. */
static void find_interval(struct mend *m)
{
    struct jpeg_bits bits = { (const unsigned char *) m->plain.data, m->plain.len * 8, 0 };
    struct jpeg_mcus mcus = { 0 };

    if (jpeg_scan_run(&m->head, &bits, m->head.mcus, &mcus) == JPEG_STOP_END && mcus.n > 0) {
        m->head.restart = (unsigned) (mcus.n < 65535 ? mcus.n : 0);
        m->head.sound = false;
    }
    free(mcus.list);
}

/* The data without stuffing, in chunks. Markers that cannot be there are data that changed. */
static bool split_data(struct mend *m)
{
    const unsigned char *d = m->data;
    size_t to = end_of_data(m), from = 0, interval = 0, next;

    for (size_t i = m->head.data; i < to; i++) {
        unsigned char after = i + 1 < to ? d[i + 1] : 0;

        if (d[i] != 0xff || (after != 0xff && (after & 0xf8) != 0xd0)) {
            buf_putc(&m->plain, (char) d[i]);
            i += d[i] == 0xff && after == 0;
            continue;
        }
        if (after == 0xff)
            continue;
        if (!m->head.restart && after == 0xd0 && interval == 0)
            find_interval(m);
        /* Markers count modulo 8: the one that ends an interval has its number. */
        next = interval + 1 + ((after - interval) & 7U);
        if (!m->head.restart || next - interval > JUMP_MAX ||
            next * m->head.restart >= m->head.mcus) {
            buf_putc(&m->plain, (char) d[i]);
            continue;
        }
        if (!add_chunk(m, from, interval * m->head.restart, (next - interval) * m->head.restart))
            return false;
        m->damaged |= next > interval + 1;
        interval = next;
        from = m->plain.len;
        i++;
    }
    next = interval * m->head.restart;
    m->damaged |= m->head.restart && m->head.mcus - next > m->head.restart;
    return !m->plain.failed && add_chunk(m, from, next, m->head.mcus - next);
}

static struct jpeg_run *add_run(struct mend *m, size_t first)
{
    struct jpeg_run *run = &m->runs[m->n_runs];

    if (m->n_runs == RUNS_MAX)
        return NULL;
    m->n_runs++;
    *run = (struct jpeg_run){ .first = first, .chain = first, .n = m->mcus.n - first };
    return run;
}

static bool is_uniform(const unsigned char *data, size_t n)
{
    return n < 2 || memcmp(data, data + 1, n - 1) == 0;
}

/* What is left after the MCUs that a chunk should have: more of them, because damage made one two,
 * or bytes that say nothing. True: they were read. */
static bool read_surplus(struct mend *m, struct jpeg_bits *bits)
{
    size_t n = m->mcus.n, from = (bits->at + 7) / 8;
    struct jpeg_bits rest = *bits;

    if (bits->n - bits->at < 32 || is_uniform(bits->data + from, bits->n / 8 - from))
        return false;
    if (jpeg_scan_run(&m->head, &rest, m->head.mcus, &m->mcus) == JPEG_STOP_END &&
        (m->mcus.n - n) % m->head.mcus_across != 0)
        return true;
    m->mcus.n = n;
    return false;
}

static bool is_out_of_range(const struct mend *m, size_t first)
{
    for (size_t i = first; i < m->mcus.n; i++)
        for (int c = 0; c < m->head.n; c++) {
            int step = m->head.step[m->head.component[c].quantiser];

            if (abs(m->mcus.list[i].mean[c]) * step > DC_RANGE + 8 * step)
                return true;
        }
    return false;
}

/* Places and levels a run, and leaves out what does not fit. */
static void settle_run(struct mend *m, struct jpeg_run *run, bool is_first)
{
    if (run->at + run->n > m->head.mcus)
        run->n = m->head.mcus > run->at ? m->head.mcus - run->at : 0;
    if (run->n == 0)
        return;
    if (!is_first)
        jpeg_place_level(&m->plane, run);
    jpeg_place_put(&m->plane, run);
    jpeg_place_trim(&m->plane, run);
}

/* The only run of a chunk reads to its end, but with too few or too many MCUs, or brightnesses that
 * cannot be: damage is somewhere in it. */
static void split_run(struct mend *m, const struct jpeg_chunk *chunk)
{
    struct jpeg_run *run = &m->runs[m->n_runs - 1], *after;
    ptrdiff_t missing = (ptrdiff_t) chunk->n - (ptrdiff_t) run->n;
    size_t n = run->n, x = jpeg_place_split(&m->plane, run, missing);
    size_t y = missing < 0 ? x + (size_t) -missing : x;

    run->at = chunk->first;
    if (x == 0 || y >= n || m->n_runs == RUNS_MAX) {
        run->n = n < chunk->n ? n : chunk->n;
        settle_run(m, run, true);
        return;
    }
    after = add_run(m, run->first + y);
    after->chain = run->chain;
    after->n = n - y;
    after->at = chunk->first + chunk->n - after->n;
    run->n = x;
    run->cut_after = after->cut_before = true;
    settle_run(m, run, true);
    settle_run(m, after, false);
}

/* The runs of a chunk from the a-th on, the last of them up to its end or not. */
static void place_runs(struct mend *m, const struct jpeg_chunk *chunk, size_t a, bool to_end)
{
    size_t b = m->n_runs, at = chunk->first, end = chunk->first + chunk->n, rest = 0;
    struct jpeg_run *last = &m->runs[b - 1];

    if (to_end && b - a > 1) {
        size_t excess = last->n > chunk->n ? last->n - chunk->n : 0;

        last->first += excess;
        last->n -= excess;
        end = last->at = end - last->n;
    }
    for (size_t i = a + 1; i + to_end < b; i++)
        rest += m->runs[i].n;
    for (size_t i = a; i < b; i++) {
        struct jpeg_run *run = &m->runs[i];

        if (i + 1 < b || !to_end || i == a) {
            if (i > a)
                rest -= run->n;
            if (run->n > end - at)
                run->n = end - at;
            run->at = at;
            if (i > a && end - at >= run->n + rest)
                jpeg_place_find(&m->plane, run, at, end - run->n - rest, &m->place_effort);
        }
        at = run->at + run->n;
        settle_run(m, run, i == a);
    }
}

/* Blocks of the only run of a chunk are out of step by `rest` from the damage on. False: it cannot
 * be told where that is; the run is as it was. */
static bool bring_in_step(struct mend *m, const struct jpeg_chunk *chunk, size_t rest)
{
    struct jpeg_bits bits = { (const unsigned char *) m->plain.data, chunk->to * 8,
                              chunk->from * 8 };
    size_t first = m->mcus.n, blocks = (size_t) m->head.blocks, n, x, gap;
    struct jpeg_run *run = &m->runs[m->n_runs - 1], *after;

    if (m->n_runs == RUNS_MAX || !jpeg_phase_skip(&m->head, &bits, rest) ||
        jpeg_scan_run(&m->head, &bits, chunk->n + SURPLUS, &m->mcus) != JPEG_STOP_END)
        return false;
    m->plane.list = m->mcus.list;
    n = m->mcus.n - first < chunk->n ? m->mcus.n - first : chunk->n;
    gap = n < chunk->n ? ((chunk->n - n) * blocks - rest + blocks - 1) / blocks : 0;
    x = jpeg_phase_split(&m->plane, run->first, run->n, m->mcus.n, n, chunk->n, gap);
    if (x == 0)
        return false;
    after = add_run(m, m->mcus.n - (chunk->n - x - gap));
    after->chain = first;
    after->at = chunk->first + x + gap;
    run->at = chunk->first;
    run->n = x;
    run->cut_after = after->cut_before = true;
    settle_run(m, run, true);
    settle_run(m, after, false);
    return true;
}

/* Reads MCUs after damage, up to the end if there are no more errors: then the end tells which
 * component's block is the first one. */
static enum jpeg_stop read_in_step(struct mend *m, struct jpeg_bits *bits)
{
    struct jpeg_bits from = *bits;
    size_t first = m->mcus.n, rest;
    enum jpeg_stop stop = jpeg_scan_run(&m->head, bits, m->head.mcus, &m->mcus);

    rest = stop == JPEG_STOP_ERROR ? jpeg_phase_rest(&m->head, bits) : 0;
    if (rest == 0 || !jpeg_phase_skip(&m->head, &from, rest))
        return stop;
    *bits = from;
    m->mcus.n = first;
    return jpeg_scan_run(&m->head, bits, m->head.mcus, &m->mcus);
}

static bool read_chunk(struct mend *m, const struct jpeg_chunk *chunk)
{
    struct jpeg_bits bits = { (const unsigned char *) m->plain.data, chunk->to * 8,
                              chunk->from * 8 };
    size_t a = m->n_runs, first = m->mcus.n, rest;
    enum jpeg_stop stop = jpeg_scan_run(&m->head, &bits, chunk->n, &m->mcus);
    bool surplus = stop == JPEG_STOP_LIMIT && read_surplus(m, &bits);
    bool to_end = surplus || stop == JPEG_STOP_END, wrong = is_out_of_range(m, first);
    struct jpeg_run *run = add_run(m, first);

    if (!run)
        return false;
    m->plane.list = m->mcus.list;
    wrong |= m->suspect && m->mcus.with_edges && stop == JPEG_STOP_LIMIT && !surplus &&
             jpeg_place_is_uneven(&m->plane, run);
    rest =
        stop == JPEG_STOP_ERROR || stop == JPEG_STOP_LIMIT ? jpeg_phase_rest(&m->head, &bits) : 0;
    m->damaged |= wrong || surplus || rest > 0 || (stop != JPEG_STOP_LIMIT && run->n != chunk->n);
    if (m->only_look || (rest > 0 && bring_in_step(m, chunk, rest)))
        return true;
    if (to_end || stop == JPEG_STOP_LIMIT) {
        if (surplus || wrong || run->n != chunk->n) {
            split_run(m, chunk);
        } else {
            run->at = chunk->first;
            settle_run(m, run, true);
        }
        return true;
    }
    while (stop == JPEG_STOP_ERROR) {
        struct jpeg_run *next;

        m->runs[m->n_runs - 1].cut_after = true;
        if (!jpeg_scan_find(&m->head, &bits, PROOF, &m->find_effort))
            break;
        first = m->mcus.n;
        stop = read_in_step(m, &bits);
        next = add_run(m, first);
        if (!next)
            return false;
        next->cut_before = true;
    }
    if (stop == JPEG_STOP_MEMORY)
        return false;
    m->plane.list = m->mcus.list;
    place_runs(m, chunk, a, stop == JPEG_STOP_END);
    return true;
}

/* True if all of the data was looked at; whether it is sound is m->damaged. */
static bool read_data(struct mend *m)
{
    m->plane.head = &m->head;
    if ((!m->only_look && !jpeg_plane_make(&m->plane, &m->head)) ||
        !(m->runs = calloc(RUNS_MAX, sizeof *m->runs)) || !split_data(m) ||
        m->plain.len > BYTES_MAX)
        return false;
    m->find_effort = (size_t) FIND_RATE * 8 * m->plain.len + FIND_EFFORT;
    m->place_effort = PLACE_EFFORT;
    for (size_t i = 0; i < m->chunks.n; i++)
        if (!read_chunk(m, &m->chunks.list[i])) {
            return false;
        } else if (m->only_look && m->damaged) {
            break;
        } else if (m->only_look) {
            m->mcus.n = m->n_runs = 0;
        }
    return true;
}

struct writing {
    struct mend *m;
    struct jpeg_writer writer;
    int before[JPEG_COMPONENTS];
    size_t at, lost;
};

static void begin_interval(struct writing *w)
{
    size_t interval;

    if (!w->m->head.restart || w->at == 0 || w->at % w->m->head.restart)
        return;
    interval = w->at / w->m->head.restart - 1;
    jpeg_write_padding(&w->writer);
    buf_putc(w->writer.out, (char) 0xff);
    buf_putc(w->writer.out, (char) (0xd0 | (interval & 7)));
    memset(w->before, 0, sizeof w->before);
}

static bool write_gap(struct writing *w, size_t to)
{
    if (to > w->at)
        jpeg_place_conceal(&w->m->plane, w->at, to);
    for (; w->at < to; w->at++, w->lost++) {
        begin_interval(w);
        if (!jpeg_scan_write_flat(&w->m->head, w->m->plane.mean[w->at], w->before, &w->writer))
            return false;
    }
    return true;
}

/* An MCU as it is, or with other DC coefficients if those before are not what they were. */
static bool write_mcu(struct writing *w, const struct jpeg_run *run, size_t i)
{
    struct mend *m = w->m;
    const struct jpeg_mcu *mcu = &m->mcus.list[i];
    struct jpeg_bits bits = { (const unsigned char *) m->plain.data, m->plain.len * 8, mcu->at };
    int dc[JPEG_COMPONENTS] = { 0 }, unused[JPEG_COMPONENTS];
    bool same = true;

    for (int c = 0; c < m->head.n; c++) {
        dc[c] = i > run->chain ? mcu[-1].last[c] : 0;
        same &= dc[c] + run->shift[c] == w->before[c];
    }
    if (!same)
        return jpeg_scan_rewrite(&m->head, &bits, dc, run->shift, w->before, &w->writer);
    memcpy(unused, dc, sizeof dc);
    if (!jpeg_scan_mcu(&m->head, &bits, unused, false, &(struct jpeg_mcu){ 0 }))
        return false;
    jpeg_write_range(&w->writer, bits.data, mcu->at, bits.at);
    for (int c = 0; c < m->head.n; c++)
        w->before[c] = mcu->last[c] + run->shift[c];
    return true;
}

static bool write_image(struct mend *m, struct buf *out, struct jpeg_mended *mended)
{
    struct writing w = { .m = m, .writer = { .out = out } };

    if (m->head.sound)
        buf_put(out, m->data, m->head.data);
    else
        jpeg_head_write(&m->head, out);
    for (size_t r = 0; r < m->n_runs; r++) {
        const struct jpeg_run *run = &m->runs[r];

        if (run->n == 0 || run->at < w.at)
            continue;
        if (!write_gap(&w, run->at))
            return false;
        for (size_t i = 0; i < run->n; i++, w.at++) {
            begin_interval(&w);
            if (!write_mcu(&w, run, run->first + i))
                return false;
        }
    }
    if (!write_gap(&w, m->head.mcus))
        return false;
    jpeg_write_padding(&w.writer);
    buf_puts(out, "\xff\xd9");
    mended->mcus = m->head.mcus;
    mended->lost = w.lost;
    return !out->failed && w.lost < m->head.mcus;
}

/* One way to understand the image. */
struct attempt {
    bool last_end;      /* it ends with the last end marker */
    bool by_hint;       /* its size is that of the hint */
    unsigned char h, v; /* sampling of the first component, 0: as it says */
};

static bool apply_attempt(struct mend *m, const struct attempt *attempt,
                          const struct jpeg_hint *hint)
{
    struct jpeg_head *head = &m->head;

    m->last_end = attempt->last_end;
    if (attempt->by_hint) {
        if (!hint->width || !hint->height ||
            (head->width == hint->width && head->height == hint->height))
            return false;
        head->width = hint->width;
        head->height = hint->height;
        head->sound = false;
    }
    if (attempt->h) {
        if (head->sound || head->n != 3)
            return false;
        head->component[0].h = attempt->h;
        head->component[0].v = attempt->v;
    }
    return jpeg_head_layout(head) && head->mcus / MCUS_RATE <= m->n;
}

static size_t found_by(const struct mend *m)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n_runs; i++)
        n += m->runs[i].n;
    return n;
}

/* Most images are sound, and seen to be so by their codes alone. */
static bool is_sound(const unsigned char *data, size_t n, const struct jpeg_hint *hint)
{
    __attribute__((cleanup(mend_free))) struct mend m = { .data = data, .n = n, .only_look = true };

    if (!jpeg_head_read(&m.head, data, n, hint))
        return m.head.other;
    m.suspect = hint->suspect;
    m.mcus.with_edges = hint->suspect;
    return m.head.mcus / MCUS_RATE <= n && read_data(&m) && !m.damaged && m.head.sound;
}

/* Such an image is repaired here: *state. */
static bool is_progressive(const unsigned char *data, size_t n, const struct jpeg_hint *hint,
                           struct buf *out, struct jpeg_mended *mended, enum jpeg_state *state)
{
    struct jpeg_head *head = malloc(sizeof *head); /* large for the stack */
    bool is = head && !jpeg_head_read(head, data, n, hint) && head->progressive;

    if (is)
        *state = jpeg_progressive_mend(head, data, n, hint, out, mended);
    free(head);
    return is;
}

enum jpeg_state jpeg_mend(const unsigned char *data, size_t n, const struct jpeg_hint *hint,
                          struct buf *out, struct jpeg_mended *mended)
{
    static const struct attempt attempts[] = {
        { 0 }, { .last_end = true }, { .by_hint = true }, { .h = 1, .v = 1 }, { .h = 2, .v = 1 },
    };
    AUTO_BUF struct buf best = BUF_EMPTY;
    enum jpeg_state state;
    size_t most = 0;

    *mended = (struct jpeg_mended){ 0 };
    if (n <= BYTES_MAX && is_progressive(data, n, hint, out, mended, &state))
        return state;
    if (n > BYTES_MAX || is_sound(data, n, hint))
        return JPEG_SOUND;
    for (size_t i = 0; i < COUNT(attempts); i++) {
        __attribute__((cleanup(mend_free))) struct mend m = {
            .data = data, .n = n, .mcus.with_edges = true, .suspect = hint->suspect
        };
        AUTO_BUF struct buf image = BUF_EMPTY;
        struct jpeg_mended done = { 0 };

        if (!jpeg_head_read(&m.head, data, n, hint) || !apply_attempt(&m, &attempts[i], hint) ||
            !read_data(&m))
            continue;
        mended->work += m.head.mcus;
        if (!m.damaged && m.head.sound)
            return JPEG_SOUND; /* but for what follows its first end marker */
        if (found_by(&m) <= most || !write_image(&m, &image, &done))
            continue;
        most = found_by(&m);
        mended->mcus = done.mcus;
        mended->lost = done.lost;
        buf_free(&best);
        best = image;
        image = BUF_EMPTY;
        if (!m.damaged)
            break;
    }
    buf_put(out, best.data, best.len);
    return most > 0 && !out->failed ? JPEG_MENDED : JPEG_HOPELESS;
}
