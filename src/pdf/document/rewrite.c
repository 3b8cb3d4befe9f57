#include "pdf/document/rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/digest.h"
#include "base/scope.h"
#include "pdf/document/writer.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"
#include "pdf/object/rewrite_text.h"
#include "syntax/inflate/flate.h"

#define STREAM_BYTES (32 << 20)  /* of a stream that is held in memory, some times over */
#define RECODE_BYTES (256 << 10) /* of data whose filter is replaced */
#define ID_BYTES     64
#define TREE_DEPTH   60

struct rewrite {
    qpdf_data q;
    struct pdf_writer writer;
    struct idmap numbers; /* of objects by their old ids; 0: it is null */
    struct waiting {
        struct obj obj;
        unsigned number;
    } * waiting; /* a stack of those that have a number and are not written */
    size_t n, cap;
    struct buf text; /* of the object that is written */
    struct err *err;
};

/* The object waits to be written: the handle becomes the stack's. */
static bool push(struct rewrite *r, struct obj *obj, unsigned number)
{
    if (r->n == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 256;
        struct waiting *more = reallocarray(r->waiting, cap, sizeof *more);

        if (!more)
            return false;
        r->waiting = more;
        r->cap = cap;
    }
    r->waiting[r->n++] = (struct waiting){ *obj, number };
    *obj = OBJ_NONE;
    return true;
}

static bool give_number(void *arg, int id, int gen, unsigned *number)
{
    struct rewrite *r = arg;
    int64_t key = (int64_t) id << 20 | gen;
    size_t known = idmap_find(&r->numbers, key);

    if (known != IDMAP_NONE) {
        *number = (unsigned) known;
        return true;
    }
    AUTO_OBJ struct obj obj = obj_by_id(r->q, id, gen);
    *number = 0;
    if (!obj_is_null(obj) && (*number = pdf_writer_number(&r->writer, r->err)) == 0)
        return false;
    if (idmap_add(&r->numbers, key, *number) && (*number == 0 || push(r, &obj, *number)))
        return true;
    pdf_doc_no_memory(r->err);
    return false;
}

/* What waits since there were `first` will be written in the other order. */
static void turn_round(struct rewrite *r, size_t first)
{
    for (size_t i = first, k = r->n; i + 1 < k; i++) {
        struct waiting last = r->waiting[--k];

        r->waiting[k] = r->waiting[i];
        r->waiting[i] = last;
    }
}

/* Appends an object's text to r->text. What it is the first to refer to is written next, in that
 * order. */
static int translate_text(struct rewrite *r, struct obj obj, const char *const *without)
{
    AUTO_BUF struct buf old = BUF_EMPTY;
    size_t first = r->n;

    buf_puts(&old, obj_value_text(obj)); /* copied: qpdf keeps its text until the next call */
    if (old.failed)
        return pdf_doc_no_memory(r->err);
    if (!rewrite_text(buf_text(&old), old.len, without, give_number, r, &r->text))
        return -1;
    turn_round(r, first);
    return r->text.failed ? pdf_doc_no_memory(r->err) : 0;
}

static bool filter_is_among(const char *name, size_t n, const char *const *names)
{
    while (*names && (strlen(*names) != n || memcmp(name, *names, n) != 0))
        names++;
    return *names != NULL;
}

enum coding { CODING_KEPT, CODING_REPLACED, CODING_NONE };

/* What becomes of data with this filter alone; CODING_NONE of what is Flate. */
static enum coding coding_of_filter(struct obj filter)
{
    static const char *const flate[] = { "/FlateDecode", "/Fl", NULL };
    static const char *const replaced[] = { "/LZWDecode",      "/LZW", "/ASCII85Decode", "/A85",
                                            "/ASCIIHexDecode", "/AHx", "/Crypt",         NULL };
    const char *name;
    size_t n;

    if (!qpdf_oh_get_value_as_name(filter.q, filter.oh, &name, &n))
        return CODING_KEPT;
    if (filter_is_among(name, n, flate))
        return CODING_NONE;
    return filter_is_among(name, n, replaced) ? CODING_REPLACED : CODING_KEPT;
}

/* What becomes of a stream's filters: see rewrite.h. */
static enum coding coding_of(struct obj filters)
{
    enum coding coding = CODING_KEPT;
    int n = obj_count(filters);

    if (n == 0 && (obj_is_null(filters) || obj_is_array(filters)))
        return CODING_NONE;
    if (n == 0)
        return coding_of_filter(filters) == CODING_REPLACED ? CODING_REPLACED : CODING_KEPT;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj filter = obj_item_in(filters, i);
        enum coding one = coding_of_filter(filter);

        if (one == CODING_KEPT)
            return CODING_KEPT;
        if (one == CODING_REPLACED)
            coding = CODING_REPLACED;
    }
    return n > 1 ? CODING_REPLACED : coding;
}

struct data {
    unsigned char *bytes;
    size_t n;
    struct buf packed;
};

static void data_free(struct data *data)
{
    free(data->bytes);
    buf_free(&data->packed);
}

/* Reads a stream's data. 1: it is for qpdf's writer, which also reads or refuses what is packed
 * more than INFLATION_MOST. */
static int read_data(struct obj stream, struct obj dict, enum coding coding, bool packed,
                     struct data *data, struct err *err)
{
    AUTO_OBJ struct obj bytes = obj_key_in(dict, "/Length");
    long long length = 0;
    bool read;

    obj_is_int(bytes, &length);
    if (length > (coding == CODING_REPLACED ? RECODE_BYTES : STREAM_BYTES))
        return 1;
    read = coding == CODING_REPLACED ? obj_stream_unpacked(stream, &data->bytes, &data->n)
                                     : obj_stream_raw(stream, &data->bytes, &data->n);
    if (!read || data->n > STREAM_BYTES)
        return 1;
    if (packed && !flate_pack(data->bytes, data->n, FLATE_QUICK, &data->packed))
        return pdf_doc_no_memory(err);
    if (data->packed.len >= data->n)
        buf_free(&data->packed);
    return 0;
}

static int put_recoded(struct rewrite *r, struct obj stream, unsigned number)
{
    static const char *const kept[] = { "/Length", NULL };
    static const char *const replaced[] = { "/Length", "/Filter", "/DecodeParms", NULL };
    AUTO_OBJ struct obj dict = obj_dict(stream);
    AUTO_OBJ struct obj filters = obj_key_in(dict, "/Filter");
    AUTO_OBJ struct obj type = obj_key_in(dict, "/Type");
    __attribute__((cleanup(data_free))) struct data data = { .packed = BUF_EMPTY };
    enum coding coding = coding_of(filters);
    bool packed = coding != CODING_KEPT;
    int done;

    if (obj_name_is(type, "/Metadata")) {
        packed = false;
        coding = coding == CODING_KEPT ? CODING_REPLACED : coding;
    }
    done = read_data(stream, dict, coding, packed, &data, r->err);
    if (done != 0)
        return done;
    if (translate_text(r, dict, coding == CODING_KEPT ? kept : replaced) < 0)
        return -1;
    if (r->text.len < 4)
        return 1;
    r->text.len -= 2; /* the end of the dictionary */
    if (data.packed.len)
        buf_puts(&r->text, "/Filter/FlateDecode");
    buf_putc(&r->text, '\0');
    if (r->text.failed)
        return pdf_doc_no_memory(r->err);
    struct iovec piece = data.packed.len ? (struct iovec){ data.packed.data, data.packed.len }
                                         : (struct iovec){ data.bytes, data.n };
    return pdf_writer_stream(&r->writer, number, r->text.data + 2, &piece, 1, r->err);
}

static bool is_written(const struct rewrite *r, unsigned number)
{
    return r->writer.places[number].kind != OBJECT_FREE;
}

static int put_object(struct rewrite *r, struct obj obj, unsigned number)
{
    buf_drop(&r->text, r->text.len);
    if (obj_is_stream(obj))
        return put_recoded(r, obj, number);
    if (translate_text(r, obj, NULL) < 0)
        return -1;
    /* The bytes of a signature are counted in the file. */
    if (strstr(buf_text(&r->text), "/ByteRange"))
        return pdf_writer_alone(&r->writer, number, &r->text, r->err);
    return pdf_writer_object(&r->writer, number, buf_text(&r->text), r->err);
}

/* Writes the nodes of the page tree, and no page: together in few object streams, readers have them
 * at once. The kids of a node that has as many as pages are not looked at. */
static int put_nodes(struct rewrite *r, struct obj node, int depth)
{
    AUTO_OBJ struct obj kids = obj_key(node, "/Kids");
    int n = obj_count(kids), done;
    long long count = -1;
    unsigned number;

    if (depth == TREE_DEPTH || !obj_is_indirect(node) || !obj_is_array(kids))
        return 0;
    if (!give_number(r, OBJ_NUMBER(obj_id(node)), OBJ_GEN(obj_id(node)), &number))
        return -1;
    if (number == 0 || is_written(r, number))
        return 0;
    done = put_object(r, node, number);
    for (int i = 0; done == 0 && obj_key_int(node, "/Count", &count) && count != n && i < n; i++) {
        AUTO_OBJ struct obj kid = obj_item(kids, i);

        done = put_nodes(r, kid, depth + 1);
    }
    return done;
}

/* The identifier: its first part stays, the second says that this is another file. */
static void put_identifier(const struct rewrite *r, struct obj trailer, struct buf *keys)
{
    AUTO_OBJ struct obj id = obj_key(trailer, "/ID");
    AUTO_OBJ struct obj first = obj_item(id, 0);
    struct timespec now = { 0 };
    struct digest digest;
    char text[DIGEST_TEXT];
    const char *bytes;
    size_t n = 0;

    clock_gettime(CLOCK_REALTIME, &now);
    digest_start(&digest);
    digest_add(&digest, &now, sizeof now);
    digest_add(&digest, r->writer.places, r->writer.n * sizeof *r->writer.places);
    digest_end(&digest, text);
    bytes = obj_is_string(first) ? obj_bytes(first, &n) : NULL;
    buf_puts(keys, "/ID[<");
    for (size_t i = 0; i < n && n <= ID_BYTES; i++)
        buf_printf(keys, "%02x", (unsigned char) bytes[i]);
    buf_printf(keys, "%.32s><%.32s>]", n > 0 && n <= ID_BYTES ? "" : text, text);
}

/* Writes all objects, and the trailer without what only the cross-reference table of the input
 * had. */
static int put_document(struct rewrite *r)
{
    static const char *const without[] = { "/ID",   "/Encrypt", "/Prev",   "/Index",
                                           "/W",    "/Length",  "/Filter", "/DecodeParms",
                                           "/Type", "/XRefStm", "/Size",   NULL };
    AUTO_OBJ struct obj trailer = obj_trailer(r->q);
    AUTO_OBJ struct obj root = obj_root(r->q);
    AUTO_OBJ struct obj tree = obj_key(root, "/Pages");
    AUTO_BUF struct buf keys = BUF_EMPTY;
    int done;

    if (translate_text(r, trailer, without) < 0)
        return -1;
    if (r->text.len < 4 || r->n == 0)
        return 1;
    buf_put(&keys, r->text.data + 2, r->text.len - 4);
    done = put_nodes(r, tree, 0);
    turn_round(r, 0);
    while (done == 0 && r->n > 0) {
        struct waiting next = r->waiting[--r->n];

        if (!is_written(r, next.number))
            done = put_object(r, next.obj, next.number);
        obj_drop(&next.obj);
    }
    put_identifier(r, trailer, &keys);
    if (keys.failed)
        return pdf_doc_no_memory(r->err);
    return done == 0 ? pdf_writer_finish(&r->writer, buf_text(&keys), r->err) : done;
}

static void rewrite_end(struct rewrite *r)
{
    while (r->n > 0)
        obj_drop(&r->waiting[--r->n].obj);
    free(r->waiting);
    idmap_free(&r->numbers);
    buf_free(&r->text);
    pdf_writer_close(&r->writer);
}

/* An extension names the version that it extends; qpdf's writer knows when both must change. */
static bool is_extended(qpdf_data q)
{
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj extensions = obj_key(root, "/Extensions");

    return obj_has(extensions, "/ADBE");
}

int rewrite_document(struct pdf_doc *doc, const char *path, const char *version, struct err *err)
{
    __attribute__((cleanup(rewrite_end))) struct rewrite r = { .q = doc->q,
                                                               .writer = { .fd = -1 },
                                                               .err = err };
    int done;

    if (is_extended(doc->q))
        return 1;
    if (pdf_writer_open(&r.writer, path, version, err) < 0)
        return -1;
    done = put_document(&r);
    if (done >= 0 && qpdf_has_error(doc->q)) {
        qpdf_get_error(doc->q);
        return 1;
    }
    return done;
}
