#include "pdf/graft/graft_share.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/scope.h"

#define MAX_STREAM (64 << 20) /* larger ones are not read to be compared */
#define MAX_NESTED 500        /* what qpdf's parser lets through */

struct graft_shared {
    int id;
    bool read; /* or not worth reading */
    bool readable;
    uint8_t bytes[SHA256_DIGEST_SIZE]; /* of a stream's data, once it was read */
};

static int out_of_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the document needs more memory than a job may use");
}

/* Marks in `wanted` what may be shared: streams and fonts, and downwards from there. */
static void mark_wanted(const struct graft *g, bool *wanted)
{
    for (size_t i = g->n_order; i > 0; i--) {
        const struct graft_object *o = &g->objects[g->order[i - 1]];

        if (!o->closed || o->appearance)
            continue;
        if (o->stream || o->marks & GRAFT_FONT)
            wanted[g->order[i - 1]] = true;
        if (!wanted[g->order[i - 1]])
            continue;
        for (size_t k = 0; k < o->n_refs; k++)
            wanted[g->refs[o->first_ref + k].to] = true;
    }
}

/* The digest of the object's text, in which references are those of the result. */
static int digest_text_of(struct graft *g, uint32_t index, uint8_t *digest, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct sha256_ctx sha;
    char ref[32];
    size_t n, at = 0, k = 0;

    buf_puts(&text, graft_object_text(g, index, &n));
    if (text.failed)
        return out_of_memory(err);
    graft_text_read(&g->text, buf_text(&text), text.len);
    sha256_init(&sha);
    sha256_update(&sha, 1, (const uint8_t *) (g->objects[index].stream ? "S" : "O"));
    for (size_t i = 0; i < g->text.n_refs; i++) {
        const struct graft_ref *r = &g->text.refs[i];
        if (k == g->objects[index].n_refs)
            break;
        uint32_t to = g->refs[g->objects[index].first_ref + k++].to;
        sha256_update(&sha, r->start - at, (const uint8_t *) text.data + at);
        sha256_update(&sha, (size_t) snprintf(ref, sizeof ref, "%d R", g->objects[to].kept),
                      (const uint8_t *) ref);
        at = r->end;
    }
    sha256_update(&sha, text.len - at, (const uint8_t *) buf_text(&text) + at);
    sha256_digest(&sha, SHA256_DIGEST_SIZE, digest);
    return 0;
}

/* Reads a stream's data as it lies in the file; false if that cannot be done. */
static bool read_stream(struct graft_share *share, struct graft_shared *s)
{
    if (s->read)
        return s->readable;
    s->read = true;
    AUTO_OBJ struct obj stream = obj_by_id(share->q, s->id, 0);
    AUTO_FREE unsigned char *data = NULL;
    struct sha256_ctx sha;
    size_t n = 0;

    if (qpdf_oh_get_stream_data(share->q, stream.oh, qpdf_dl_none, NULL, &data, &n) &
        (QPDF_ERRORS)) {
        qpdf_get_error(share->q);
        return false;
    }
    sha256_init(&sha);
    sha256_update(&sha, n, data ? data : (const unsigned char *) "");
    sha256_digest(&sha, sizeof s->bytes, s->bytes);
    return s->readable = true;
}

static bool is_large(struct graft *g, const struct graft_object *o)
{
    AUTO_OBJ struct obj stream = obj_by_id(g->from, o->id, o->gen);
    long long length;

    return !obj_key_int(stream, "/Length", &length) || length < 0 || length > MAX_STREAM;
}

static bool knows_all(const struct graft *g, const struct graft_object *o)
{
    for (size_t k = 0; k < o->n_refs; k++)
        if (g->objects[g->refs[o->first_ref + k].to].kept == 0)
            return false;
    return true;
}

/* Makes it known by what the streams of a text have in them. */
static void list_stream(struct graft_share *share, size_t i, const uint8_t *text_digest)
{
    uint8_t key[2 * SHA256_DIGEST_SIZE];

    memcpy(key, text_digest, SHA256_DIGEST_SIZE);
    memcpy(key + SHA256_DIGEST_SIZE, share->kept[i].bytes, SHA256_DIGEST_SIZE);
    key_map_put(&share->index, key, sizeof key, (int64_t) i);
}

/* The one like `new` among those with its text, of which `first` is the first: -1 if there is
 * none. Data is not read before there are two. */
static int64_t find_stream(struct graft_share *share, size_t first, struct graft_shared *new,
                           const uint8_t *text_digest)
{
    uint8_t key[2 * SHA256_DIGEST_SIZE];
    int64_t at;

    if (!share->kept[first].read && read_stream(share, &share->kept[first]))
        list_stream(share, first, text_digest);
    if (!read_stream(share, new))
        return -1;
    memcpy(key, text_digest, SHA256_DIGEST_SIZE);
    memcpy(key + SHA256_DIGEST_SIZE, new->bytes, SHA256_DIGEST_SIZE);
    return key_map_find(&share->index, key, sizeof key, &at) ? at : -1;
}

/* Finds what is there in place of an object, or keeps the object. */
static int keep_object(struct graft_share *share, struct graft *g, uint32_t index, struct err *err)
{
    struct graft_object *o = &g->objects[index];
    struct graft_shared new = { .id = graft_copied(g, index) };
    uint8_t digest[SHA256_DIGEST_SIZE];
    int64_t first = -1, same;
    bool known;

    if (!knows_all(g, o))
        return 0;
    o->kept = new.id;
    new.read = o->stream &&is_large(g, o);
    if (digest_text_of(g, index, digest, err) < 0)
        return -1;
    known = key_map_find(&share->index, digest, sizeof digest, &first);
    same = known && o->stream ? find_stream(share, (size_t) first, &new, digest) : first;
    if (known && same >= 0) {
        o->kept = share->kept[same].id;
        return 0;
    }
    if (share->n_kept == share->cap_kept) {
        size_t cap = share->cap_kept ? share->cap_kept * 2 : 256;
        struct graft_shared *more = reallocarray(share->kept, cap, sizeof *more);
        if (!more)
            return out_of_memory(err);
        share->kept = more;
        share->cap_kept = cap;
    }
    share->kept[share->n_kept] = new;
    if (!known)
        key_map_put(&share->index, digest, sizeof digest, (int64_t) share->n_kept);
    else if (new.readable)
        list_stream(share, share->n_kept, digest);
    share->n_kept++;
    return share->index.failed ? out_of_memory(err) : 0;
}

/* Puts what is kept in place of the copies in one object, down to its direct containers. */
static void replace_copies(struct obj o, const struct key_map *dropped, int depth)
{
    char **keys = NULL;
    int n = obj_is_array(o) ? obj_count(o) : 0;

    if (depth > MAX_NESTED)
        return;
    if (obj_is_dict(o) || obj_is_stream(o)) {
        keys = obj_keys(o);
        while (keys && keys[n])
            n++;
    }
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj value = keys ? obj_key(o, keys[i]) : obj_item(o, i);
        int64_t kept;

        if (!obj_is_indirect(value)) {
            replace_copies(value, dropped, depth + 1);
        } else if (key_map_find_id(dropped, obj_id(value) >> 20, &kept)) {
            AUTO_OBJ struct obj other = obj_by_id(o.q, (int) kept, 0);
            if (keys)
                obj_set(o, keys[i], other);
            else
                obj_set_item(o, i, other);
        }
    }
    obj_keys_free(&keys);
}

static void replace_all(struct graft *g, const struct key_map *dropped)
{
    for (size_t i = 0; i < g->n_order; i++) {
        const struct graft_object *o = &g->objects[g->order[i]];
        bool holds = false;

        for (size_t k = 0; k < o->n_refs && !holds; k++) {
            const struct graft_object *to = &g->objects[g->refs[o->first_ref + k].to];
            holds = to->kept != 0 && to->kept != to->copy;
        }
        if (!holds || (o->kept && o->kept != o->copy))
            continue;
        AUTO_OBJ struct obj copy = obj_by_id(g->to, graft_copied(g, g->order[i]), 0);
        replace_copies(copy, dropped, 0);
    }
}

int graft_share(struct graft_share *share, struct graft *graft, struct err *err)
{
    AUTO_FREE bool *wanted = calloc(graft->n_objects + 1, sizeof *wanted);
    AUTO_KEY_MAP struct key_map dropped = { 0 };

    if (!wanted)
        return out_of_memory(err);
    share->q = graft->to;
    mark_wanted(graft, wanted);
    for (size_t i = 0; i < graft->n_order; i++) {
        struct graft_object *o = &graft->objects[graft->order[i]];

        if (!wanted[graft->order[i]] || !o->closed || o->appearance)
            continue;
        if (keep_object(share, graft, graft->order[i], err) < 0)
            return -1;
        if (o->kept && o->kept != o->copy)
            key_map_put_id(&dropped, o->copy, o->kept);
    }
    if (dropped.failed)
        return out_of_memory(err);
    if (dropped.n > 0)
        replace_all(graft, &dropped);
    obj_forget_all(graft->from);
    obj_forget_all(graft->to);
    return 0;
}

void graft_share_free(struct graft_share *share)
{
    free(share->kept);
    key_map_free(&share->index);
}
