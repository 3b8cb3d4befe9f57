#include "compress/icc/icc_trim.h"

#include <stdint.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "compress/icc/icc_table.h"

#define HEADER   128 /* bytes */
#define ENTRY    12  /* bytes of a row of the table of tags */
#define MAX_TAGS 100
#define KEPT     24 /* tags that a trimmed profile may have */

struct tag {
    char name[4];
    const uint8_t *data; /* in the profile, or in `made`, also of a tag before */
    const uint8_t *from; /* in the profile */
    size_t n;
    struct buf made;
};

struct profile {
    const uint8_t *data;
    size_t n;
    struct tag tags[KEPT];
    size_t n_tags;
};

static void put32(uint8_t *p, size_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t) (value >> 8 * (3 - i));
}

static bool find_tag(const struct profile *p, const char *name, struct tag *tag)
{
    uint32_t count = octets_be32(p->data + HEADER);

    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *row = p->data + HEADER + 4 + ENTRY * (size_t) i;
        size_t at = octets_be32(row + 4), size = octets_be32(row + 8);

        if (memcmp(row, name, 4) == 0 && at <= p->n && size <= p->n - at && size >= 8) {
            *tag = (struct tag){ .data = p->data + at, .from = p->data + at, .n = size };
            memcpy(tag->name, name, 4);
            return true;
        }
    }
    return false;
}

static bool keep_tag(struct profile *p, const char *from, const char *as)
{
    struct tag *tag = &p->tags[p->n_tags];

    if (p->n_tags == KEPT || !find_tag(p, from, tag))
        return false;
    memcpy(tag->name, as, 4);
    p->n_tags++;
    return true;
}

/* Of a text in several languages (multiLocalizedUnicodeType) the first, or the English one. */
static void keep_one_language(struct tag *tag)
{
    const uint8_t *data = tag->data, *row = data + 16;
    uint32_t count = tag->n >= 28 ? octets_be32(data + 8) : 0;
    size_t at, size;
    uint8_t head[28] = "mluc";

    if (count < 2 || memcmp(data, "mluc", 4) != 0 || octets_be32(data + 12) != 12 ||
        count > (tag->n - 16) / 12)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(data + 16 + 12 * (size_t) i, "enUS", 4) == 0)
            row = data + 16 + 12 * (size_t) i;
    size = octets_be32(row + 4);
    at = octets_be32(row + 8);
    if (at > tag->n || size > tag->n - at)
        return;
    put32(head + 8, 1);
    put32(head + 12, 12);
    memcpy(head + 16, row, 4);
    put32(head + 20, size);
    put32(head + 24, sizeof head);
    buf_put(&tag->made, head, sizeof head);
    buf_put(&tag->made, data + at, size);
    tag->data = (const uint8_t *) buf_text(&tag->made);
    tag->n = tag->made.len;
}

/* One way of conversion, "A2B" or "B2A": the tables of all rendering intents that there are, with
 * the data of the colorimetric one where no other is in use. */
static void keep_way(struct profile *p, const char *way, bool all_intents)
{
    for (int i = 0; i < 3; i++) {
        const char name[] = { way[0], way[1], way[2], (char) ('0' + i), '\0' };
        const char usual[] = { way[0], way[1], way[2], '1', '\0' };
        struct tag tag;

        if (find_tag(p, name, &tag))
            keep_tag(p, !all_intents && find_tag(p, usual, &tag) ? usual : name, name);
    }
}

/* The tags that convert from the device, as the class and the intents in use want them. */
static bool choose_tags(struct profile *p, const struct icc_trim *how)
{
    static const char *const texts[] = { "desc", "cprt" };
    static const char *const always[] = { "wtpt", "chad" };
    static const char *const shapes[] = { "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC" };
    struct tag table;
    bool tables = find_tag(p, "A2B0", &table) || find_tag(p, "A2B1", &table);

    for (size_t i = 0; i < COUNT(texts); i++)
        if (keep_tag(p, texts[i], texts[i]))
            keep_one_language(&p->tags[p->n_tags - 1]);
    for (size_t i = 0; i < COUNT(always); i++)
        keep_tag(p, always[i], always[i]);
    for (size_t i = 0; (!tables || how->output) && i < COUNT(shapes); i++)
        keep_tag(p, shapes[i], shapes[i]);
    if (!tables)
        return true;
    if (how->output) {
        keep_way(p, "A2B", how->all_intents);
        keep_way(p, "B2A", how->all_intents);
        keep_tag(p, "gamt", "gamt");
        return true;
    }
    /* Floating-point tables and curves are alternatives to the tables: a reader gets the same
     * colours from the tables. */
    if (!how->all_intents)
        return keep_tag(p, "A2B1", "A2B0") || keep_tag(p, "A2B0", "A2B0");
    for (int i = 0; i < 3; i++) {
        const char name[] = { 'A', '2', 'B', (char) ('0' + i), '\0' };

        keep_tag(p, name, name);
    }
    return true;
}

/* What an earlier tag of the same data became. */
static bool share(struct profile *p, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (p->tags[k].from == p->tags[i].from && p->tags[k].made.len > 0) {
            p->tags[i].data = p->tags[k].data;
            p->tags[i].n = p->tags[k].n;
            return true;
        }
    return false;
}

static bool coarsen(struct profile *p)
{
    bool to_lab = memcmp(p->data + 20, "Lab ", 4) == 0;

    for (size_t i = 0; i < p->n_tags; i++) {
        struct tag *tag = &p->tags[i];
        bool from_device = memcmp(tag->name, "A2B", 3) == 0;

        if ((!from_device && memcmp(tag->name, "B2A", 3) != 0 &&
             memcmp(tag->name, "gamt", 4) != 0) ||
            !to_lab || tag->made.len > 0 || share(p, i))
            continue;
        if (from_device ? icc_table_coarsen(tag->data, tag->n, &tag->made)
                        : icc_table_thin(tag->data, tag->n, &tag->made)) {
            tag->data = (const uint8_t *) buf_text(&tag->made);
            tag->n = tag->made.len;
        }
        if (tag->made.failed)
            return false;
    }
    return true;
}

/* The place of a tag whose data another one before has, or where it goes. */
static size_t tag_place(const struct profile *p, size_t i, const size_t *places, size_t end)
{
    for (size_t k = 0; k < i; k++)
        if (p->tags[k].n == p->tags[i].n &&
            memcmp(p->tags[k].data, p->tags[i].data, p->tags[i].n) == 0)
            return places[k];
    return end;
}

static void put_all(const struct profile *p, bool output, struct buf *out)
{
    uint8_t head[HEADER + 4 + ENTRY * KEPT];
    size_t places[KEPT], size = HEADER + 4 + ENTRY * p->n_tags, end = size;

    memcpy(head, p->data, HEADER);
    memset(head + 84, 0, 16); /* the profile's digest, which may be left out */
    if (!output && memcmp(head + 12, "prtr", 4) == 0)
        memcpy(head + 12, "scnr", 4); /* what is left converts from the device alone */
    put32(head + HEADER, p->n_tags);
    for (size_t i = 0; i < p->n_tags; i++) {
        uint8_t *row = head + HEADER + 4 + ENTRY * i;

        places[i] = tag_place(p, i, places, end);
        if (places[i] == end)
            end += (p->tags[i].n + 3) & ~(size_t) 3;
        memcpy(row, p->tags[i].name, 4);
        put32(row + 4, places[i]);
        put32(row + 8, p->tags[i].n);
    }
    put32(head, end);
    buf_put(out, head, size);
    for (size_t i = 0; i < p->n_tags; i++) {
        if (places[i] != out->len) /* its data are there already */
            continue;
        buf_put(out, p->tags[i].data, p->tags[i].n);
        while (out->len % 4)
            buf_putc(out, '\0');
    }
}

static bool is_known_profile(const uint8_t *p, size_t n)
{
    static const char *const classes[] = { "scnr", "mntr", "prtr", "spac" };

    if (n < HEADER + 4 || memcmp(p + 36, "acsp", 4) != 0 || octets_be32(p + HEADER) > MAX_TAGS ||
        HEADER + 4 + ENTRY * (size_t) octets_be32(p + HEADER) > n)
        return false;
    for (size_t i = 0; i < COUNT(classes); i++)
        if (memcmp(p + 12, classes[i], 4) == 0)
            return true;
    return false;
}

bool icc_trim(const void *profile, size_t n, const struct icc_trim *how, struct buf *out)
{
    struct profile p = { .data = profile, .n = n };
    struct buf made = BUF_EMPTY;
    bool done;

    if (!is_known_profile(profile, n))
        return false;
    done = choose_tags(&p, how) && (!how->coarse || coarsen(&p));
    if (done)
        put_all(&p, how->output, &made);
    for (size_t i = 0; i < p.n_tags; i++) {
        done &= !p.tags[i].made.failed;
        buf_free(&p.tags[i].made);
    }
    if (done && !made.failed && made.len < n)
        buf_put(out, made.data, made.len);
    else
        done = false;
    buf_free(&made);
    return done && !out->failed;
}
