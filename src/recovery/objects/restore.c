#include "recovery/objects/restore.h"

#include <string.h>

#include "recovery/inflate_repair/edit_search.h"
#include "recovery/inflate_repair/flip_search.h"
#include "recovery/inflate_repair/line_search.h"
#include "recovery/inflate_repair/zstream.h"
#include "recovery/undo/text_mode.h"

#define BINARY 4096 /* bytes of a file in which each byte should be found */
#define RARE   16   /* one byte in this many may have been dropped or changed */
#define RECORD 8192 /* bytes that may have been written into a stream at once */
#define PART   2    /* of the effort: there are other streams */
#define GUESS  2    /* bytes missing of which nothing is known */

/* Bytes that programs drop or change, likeliest first. */
static const unsigned char suspects[] = { '\0', '\r', '\n', 0x1a, 0xff, '\t', ' ' };

/* A byte that is nowhere in the file, or -1: programs dropped it, or made it another. */
static int absent_byte(const struct objects *objects)
{
    if (objects->file_n < BINARY)
        return -1;
    for (size_t i = 0; i < sizeof suspects; i++)
        if (!memchr(objects->file, suspects[i], objects->file_n))
            return suspects[i];
    return -1;
}

/* What the absent byte was made: of the bytes that programs put, the most frequent one. */
static int became(const unsigned char *data, size_t n)
{
    static const unsigned char usual[] = { ' ', '\n', '\r', '?', '.' };
    size_t most = 0;
    int found = ' ';

    for (size_t i = 0; i < sizeof usual; i++) {
        size_t times = 0;

        for (size_t k = 0; k < n; k++)
            times += data[k] == usual[i];
        if (times > most) {
            most = times;
            found = usual[i];
        }
    }
    return found;
}

/* The edits that give the stream the length it should have. False: nothing is to be tried. */
static bool choose_edits(const struct objects *objects, const struct object *object,
                         struct edits *edits)
{
    const unsigned char *data = objects->file + object->data;
    struct text dict = objects_text(objects, object);
    size_t n = object->data_n;
    int absent = absent_byte(objects);
    uint64_t length;

    *edits = (struct edits){ .most = 1 };
    if (!text_number(objects_key(objects, dict, "/Length"), &length) || length == 0)
        return false;
    if (length > n) {
        size_t fewer = (size_t) (length - n);

        edits->insert = true;
        edits->inserted = absent >= 0 ? absent : EDIT_ANY;
        edits->most = fewer + 1;
        return absent >= 0 ? fewer <= n / RARE + 1 && fewer < EDITS_MAX : fewer <= GUESS;
    }
    edits->remove = n - (size_t) length;
    if (edits->remove > 0)
        return edits->remove <= RECORD;
    edits->change = true;
    edits->from = absent >= 0 ? became(data, n) : 0;
    edits->to = absent >= 0 ? absent : EDIT_ANY;
    edits->most = absent >= 0 ? (n / RARE < EDITS_MAX ? n / RARE : EDITS_MAX - 1) + 2 : 1;
    return true;
}

/* Whether nothing tells what byte was dropped or changed. */
static bool is_any(const struct edits *edits)
{
    return (edits->insert && edits->inserted == EDIT_ANY) ||
           (edits->change && edits->to == EDIT_ANY);
}

static enum restored edited(struct objects *objects, const struct object *object, size_t max,
                            struct buf *out)
{
    const unsigned char *data = objects->file + object->data;
    AUTO_BUF struct buf plain = BUF_EMPTY;
    struct edits edits;
    size_t *pool, effort, given;
    bool proved = false, done;

    if (!choose_edits(objects, object, &edits))
        return RESTORED_NOT;
    pool = is_any(&edits) ? &objects->guess_effort : &objects->effort;
    effort = given = *pool / PART;
    done = edit_search(data, object->data_n, &edits, max, &effort, &plain, &proved);
    if (!proved)
        zstream_spend(pool, given - effort);
    if (!done)
        return RESTORED_NOT;
    if (proved && !zstream_pack(plain.data, plain.len, out))
        return RESTORED_NOT;
    if (proved)
        return RESTORED_PROVED;
    *out = plain;
    plain = BUF_EMPTY;
    return RESTORED_LIKELY;
}

/* Every carriage return was made a line feed. Where it is not proved there must be none in the
 * file. */
static enum restored lines_restored(struct objects *objects, const struct object *object,
                                    size_t max, struct buf *out)
{
    const unsigned char *data = objects->file + object->data;
    bool indicated = !memchr(objects->file, '\r', objects->file_n);
    size_t *pool = indicated ? &objects->effort : &objects->guess_effort;
    size_t effort = *pool / PART, given = effort;
    AUTO_BUF struct buf plain = BUF_EMPTY;
    bool proved, done = line_search(data, object->data_n, max, &effort, &plain, &proved);

    if (!done) {
        zstream_spend(pool, given - effort);
        return RESTORED_NOT;
    }
    if (proved)
        return zstream_pack(plain.data, plain.len, out) ? RESTORED_PROVED : RESTORED_NOT;
    if (!indicated)
        return RESTORED_NOT;
    *out = plain;
    plain = BUF_EMPTY;
    return RESTORED_LIKELY;
}

enum restored restore_stream(struct objects *objects, const struct object *object, size_t max,
                             struct buf *out)
{
    const unsigned char *data = objects->file + object->data;
    struct text value = objects_key(objects, objects_text(objects, object), "/Length");
    size_t n = object->data_n, effort;
    uint64_t length;
    bool other_length = text_number(value, &length) && length != n;
    enum restored done;

    if (text_mode_undo(data, n, value, &objects->effort, out))
        return RESTORED_PROVED;
    buf_free(out);
    done = other_length ? edited(objects, object, max, out) : RESTORED_NOT;
    if (done != RESTORED_NOT)
        return done;
    buf_free(out);
    effort = objects->flip_effort;
    if (flip_search(data, n, max, &objects->flip_effort, out)) {
        objects->flip_effort = effort;
        return RESTORED_PROVED;
    }
    buf_free(out);
    done = lines_restored(objects, object, max, out);
    if (done != RESTORED_NOT)
        return done;
    buf_free(out);
    done = other_length ? RESTORED_NOT : edited(objects, object, max, out);
    if (done == RESTORED_NOT)
        buf_free(out);
    return done;
}
