#include "compress/compress/pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/scope.h"
#include "compress/compress/pack_order.h"
#include "pdf/document/object_stream.h"
#include "syntax/inflate/flate.h"

#define GROUP_OBJECTS 255 /* in one object stream: their index fits in a byte */
#define GROUP_BYTES   (256U << 10)

struct writer {
    const struct pack *pack;
    const struct graph *graph;
    FILE *file;
    uint64_t at;
    struct object_place *places; /* by number */
    uint32_t *numbers;           /* by node */
    struct packed *order;        /* objects for object streams */
    size_t n_order;
    uint32_t n_numbers; /* given out, 0 included */
    uint32_t n_groups, next_group;
};

static int write_bytes(struct writer *w, const void *data, size_t n, struct err *err)
{
    w->at += n;
    if (n > 0 && fwrite(data, 1, n, w->file) != n) {
        if (errno == EFBIG)
            return err_set(err, ERR_LIMIT_EXCEEDED, "the result is larger than a file may be");
        return err_sys(err, "write the result");
    }
    return 0;
}

static int put_buf(struct writer *w, const struct buf *buf, struct err *err)
{
    if (buf->failed)
        return pdf_doc_no_memory(err);
    return write_bytes(w, buf_text(buf), buf->len, err);
}

static uint32_t number_of(const void *arg, uint32_t target)
{
    const struct writer *w = arg;

    return w->numbers[w->pack->objects->of[target].same];
}

/* Those that go into object streams first, so that the table of where things are is regular. */
static int number_objects(struct writer *w, struct err *err)
{
    uint32_t next = 1;
    size_t in_group = 0, bytes = 0;

    w->numbers = calloc(w->graph->n, sizeof *w->numbers);
    w->order = pack_order(w->pack->objects, w->pack->values, &w->n_order);
    if (!w->numbers || !w->order)
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < w->n_order; i++) {
        w->numbers[w->order[i].node] = next++;
        bytes += w->order[i].weight;
        if (in_group++ == 0)
            w->n_groups++;
        if (in_group == GROUP_OBJECTS || bytes > GROUP_BYTES)
            in_group = bytes = 0;
    }
    for (uint32_t i = 0; i < w->graph->n; i++)
        if (equal_objects_has(w->pack->objects, i) && w->graph->nodes[i].stream)
            w->numbers[i] = next++;
    w->next_group = next;
    w->n_numbers = next + w->n_groups + 1 + (w->pack->crypt != NULL);
    w->places = calloc(w->n_numbers, sizeof *w->places);
    return w->places ? 0 : pdf_doc_no_memory(err);
}

/* One indirect object that is a stream; `dict`: its dictionary without its end and its /Length. */
static int put_stream(struct writer *w, uint32_t number, bool encrypted, struct buf *dict,
                      struct buf *data, struct err *err)
{
    char head[32];
    int n = snprintf(head, sizeof head, "%u 0 obj\n", number);

    if (w->pack->crypt && encrypted)
        pack_crypt_stream(w->pack->crypt, number, dict, data);
    buf_printf(dict, "/Length %zu>>", data->len);
    w->places[number] = (struct object_place){ w->at, 0, OBJECT_AT_OFFSET };
    if (write_bytes(w, head, (size_t) n, err) < 0 || put_buf(w, dict, err) < 0 ||
        write_bytes(w, "stream\n", 7, err) < 0 || put_buf(w, data, err) < 0)
        return -1;
    return write_bytes(w, "\nendstream\nendobj\n", 18, err);
}

/* Writes the object stream of a group, under the next number that is kept for one. */
static int put_group(struct writer *w, struct object_stream *group, struct err *err)
{
    AUTO_BUF struct buf dict = BUF_EMPTY, data = BUF_EMPTY;
    int level = flate_level(group->index.len + group->texts.len);

    if (group->n == 0)
        return 0;
    buf_puts(&dict, "<<");
    if (!object_stream_pack(group, level, &dict, &data))
        return pdf_doc_no_memory(err);
    return put_stream(w, w->next_group++, true, &dict, &data, err);
}

static int put_groups(struct writer *w, struct err *err)
{
    AUTO_OBJECT_STREAM struct object_stream group = { 0 };
    size_t bytes = 0;

    for (size_t i = 0; i < w->n_order; i++) {
        uint32_t node = w->order[i].node, number = w->numbers[node];

        w->places[number] =
            (struct object_place){ w->next_group, (uint16_t) group.n, OBJECT_IN_STREAM };
        object_stream_add(&group, number);
        compact_write(node_values_of(w->pack->values, node), NULL, 0, number_of, w, &group.texts);
        buf_putc(&group.texts, '\n');
        bytes += w->order[i].weight; /* its value may have another length by now */
        if (group.n < GROUP_OBJECTS && bytes <= GROUP_BYTES)
            continue;
        bytes = 0;
        if (put_group(w, &group, err) < 0)
            return -1;
    }
    return put_group(w, &group, err);
}

static int put_streams(struct writer *w, struct err *err)
{
    const struct pack *pack = w->pack;

    for (uint32_t i = 0; i < w->graph->n; i++) {
        AUTO_NEW_STREAM struct new_stream stream = { 0 };
        AUTO_BUF struct buf dict = BUF_EMPTY;

        if (!equal_objects_has(pack->objects, i) || !w->graph->nodes[i].stream)
            continue;
        if (pack->make(pack->arg, i, &stream, err) < 0)
            return -1;
        compact_write(node_values_of(pack->values, i), stream.edits, stream.n_edits, number_of, w,
                      &dict);
        if (dict.failed || dict.len < 4)
            return pdf_doc_no_memory(err);
        dict.len -= 2; /* its end: the length follows */
        if (put_stream(w, w->numbers[i], true, &dict, &stream.data, err) < 0)
            return -1;
    }
    return 0;
}

static size_t bytes_for(uint64_t value)
{
    size_t n = 1;

    while (value >>= 8)
        n++;
    return n;
}

/* The identifier: the first part stays, the second says that this is another file. */
static void put_identifier(struct writer *w, const struct buf *rows, struct buf *dict)
{
    AUTO_OBJ struct obj trailer = obj_trailer(w->pack->doc->q);
    AUTO_OBJ struct obj id = obj_key(trailer, "/ID");
    AUTO_OBJ struct obj first = obj_item(id, 0);
    char digest[DIGEST_TEXT];
    const char *bytes;
    size_t n = 0;

    if (!obj_is_string(first) || !(bytes = obj_bytes(first, &n)) || n > 64)
        return;
    buf_puts(dict, "/ID[<");
    for (size_t i = 0; i < n; i++)
        buf_printf(dict, "%02x", (unsigned char) bytes[i]);
    digest_text(rows->data, rows->len, digest);
    buf_printf(dict, "><%.32s>]", digest);
}

static int put_table(struct writer *w, struct err *err)
{
    AUTO_BUF struct buf dict = BUF_EMPTY, rows = BUF_EMPTY, data = BUF_EMPTY;
    uint32_t own = w->n_numbers - 1;
    uint64_t start = w->at;
    size_t width = bytes_for(w->at);

    w->places[own] = (struct object_place){ start, 0, OBJECT_AT_OFFSET };
    object_stream_rows(w->places, w->n_numbers, width, 1, true, &rows);
    if (rows.failed || !flate_pack(rows.data, rows.len, FLATE_BEST, &data))
        return pdf_doc_no_memory(err);
    buf_printf(&dict, "<</Type/XRef/Size %u/W[1 %zu 1]/Root %u 0 R", w->n_numbers, width,
               w->numbers[w->graph->root]);
    if (w->graph->info != GRAPH_NONE)
        buf_printf(&dict, "/Info %u 0 R", number_of(w, w->graph->info));
    if (w->pack->crypt)
        buf_printf(&dict, "/Encrypt %u 0 R", own - 1);
    put_identifier(w, &rows, &dict);
    buf_printf(&dict, "/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns %zu>>", width + 2);
    if (put_stream(w, own, false, &dict, &data, err) < 0)
        return -1;
    buf_free(&dict);
    buf_printf(&dict, "startxref\n%llu\n%%%%EOF\n", (unsigned long long) start);
    return put_buf(w, &dict, err);
}

/* The encryption dictionary, which nothing encrypts: the last object but one. */
static int put_encryption(struct writer *w, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    uint32_t number = w->n_numbers - 2;

    w->places[number] = (struct object_place){ w->at, 0, OBJECT_AT_OFFSET };
    buf_printf(&text, "%u 0 obj\n", number);
    buf_put(&text, w->pack->crypt->encrypt.data, w->pack->crypt->encrypt.len);
    buf_puts(&text, "\nendobj\n");
    return put_buf(w, &text, err);
}

static int put_all(struct writer *w, struct err *err)
{
    const struct pack *pack = w->pack;
    const char *version = qpdf_get_pdf_version(pack->doc->q);
    char head[32];
    int n;

    /* Object streams came with 1.5. */
    if (!version || strlen(version) != 3 || (version[0] == '1' && version[2] < '5'))
        version = "1.5";
    n = snprintf(head, sizeof head, "%%PDF-%s\n%%\xbf\xf7\xa2\xfe\n", version);
    if (write_bytes(w, head, (size_t) n, err) < 0 || number_objects(w, err) < 0 ||
        put_streams(w, err) < 0 || pack->made_all(pack->arg, err) < 0 || put_groups(w, err) < 0 ||
        (pack->crypt && put_encryption(w, err) < 0))
        return -1;
    return put_table(w, err);
}

int pack_write(const struct pack *pack, const char *path, struct err *err)
{
    struct writer w = { .pack = pack, .graph = pack->objects->graph };
    int done, closed;

    w.file = fopen(path, "wbe");
    if (!w.file)
        return err_sys(err, "open the result");
    done = put_all(&w, err);
    closed = fclose(w.file);
    free(w.places);
    free(w.numbers);
    free(w.order);
    if (done == 0 && closed != 0)
        return err_sys(err, "write the result");
    return done;
}
