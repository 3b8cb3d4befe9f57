#include "pdf/update/update.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/id.h"
#include "base/list.h"
#include "base/scope.h"
#include "pdf/document/doc.h"

#define MAX_NUMBER 8388606     /* ISO 32000-1, Annex C */
#define MAX_OFFSET 9999999999L /* ten digits in a table */
#define ID_BYTES   16

int update_check(struct update *update, struct err *err)
{
    pdf_doc_warn(update->doc);
    if (!update->doc->repaired)
        return 0;
    return err_set(err, ERR_CORRUPT_FILE,
                   "the document is damaged, and nothing can be added to it as it is: run repair "
                   "first");
}

/* False if another object has the number of the cross-reference stream: which of them is meant
 * then depends on the reader. */
static bool is_alone(struct pdf_doc *doc, const struct section *section)
{
    if (section->number == 0)
        return true;
    AUTO_OBJ struct obj obj = obj_by_id(doc->q, section->number, 0);

    return obj_is_null(obj) || obj_is_stream(obj);
}

int update_start(struct update *update, struct pdf_doc *doc, int fd, int64_t bytes, struct err *err)
{
    *update = (struct update){ .doc = doc, .bytes = bytes };
    if (update_check(update, err) < 0 || section_find(fd, bytes, &update->section, err) < 0)
        return -1;
    if (!is_alone(doc, &update->section))
        return err_set(err, ERR_CORRUPT_FILE,
                       "the document's cross-reference stream has another object's number: run "
                       "repair first");
    if (doc->encrypted && crypt_start(&update->crypt, doc, err) < 0)
        return -1;
    update->encrypted = doc->encrypted;
    update->next = pdf_doc_next_number(doc);
    if (!update->section.newline)
        buf_putc(&update->added, '\n');
    return 0;
}

void update_end(struct update *update)
{
    buf_free(&update->added);
    crypt_end(&update->crypt);
    free(update->entries);
    *update = (struct update){ 0 };
}

int update_number(struct update *update, int *number, struct err *err)
{
    if (update->next <= 0 || update->next > MAX_NUMBER)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document has too many objects");
    *number = update->next++;
    return 0;
}

/* The offset of the next byte, counted from the header. */
static int64_t position(const struct update *update)
{
    return update->bytes - update->section.header + (int64_t) update->added.len;
}

static int enter(struct update *update, int id, int gen, struct err *err)
{
    if (!LIST_ROOM(update->entries, update->n, update->cap))
        return pdf_doc_no_memory(err);
    if (position(update) > MAX_OFFSET)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large to be added to");
    update->entries[update->n++] = (struct update_entry){ id, gen, position(update) };
    return 0;
}

int update_open(struct update *update, int id, int gen, struct serial *serial, struct err *err)
{
    if (enter(update, id, gen, err) < 0)
        return -1;
    *serial = (struct serial){ .out = &update->added,
                               .crypt = update->encrypted ? &update->crypt : NULL,
                               .id = id,
                               .gen = gen };
    buf_printf(&update->added, "%d %d obj\n", id, gen);
    return 0;
}

bool update_has(const struct update *update, struct obj obj)
{
    for (size_t i = 0; i < update->n; i++)
        if (update->entries[i].id == OBJ_NUMBER(obj_id(obj)))
            return true;
    return false;
}

int update_reopen(struct update *update, struct obj obj, struct serial *serial, struct err *err)
{
    if (!obj_is_indirect(obj) || update_has(update, obj))
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "the document's pages and form share objects in a way that cannot be added "
                       "to: run repair first");
    return update_open(update, OBJ_NUMBER(obj_id(obj)), OBJ_GEN(obj_id(obj)), serial, err);
}

int update_close(struct update *update, struct err *err)
{
    buf_puts(&update->added, "\nendobj\n");
    return update->added.failed ? pdf_doc_no_memory(err) : 0;
}

int update_stream(struct update *update, int id, const char *dict, const void *data, size_t n,
                  struct err *err)
{
    AUTO_BUF struct buf secret = BUF_EMPTY;
    struct serial serial;

    if (update_open(update, id, 0, &serial, err) < 0)
        return -1;
    if (update->encrypted) {
        crypt_put(&update->crypt, update->crypt.streams, id, 0, data, n, &secret);
        data = secret.data;
        n = secret.len;
        update->added.failed |= secret.failed;
    }
    buf_printf(&update->added, "<<%s/Length %zu>>\nstream\n", dict, n);
    buf_put(&update->added, data, n);
    buf_puts(&update->added, "\nendstream");
    return update_close(update, err);
}

static int by_number(const void *x, const void *y)
{
    const struct update_entry *a = x, *b = y;

    return (a->id > b->id) - (a->id < b->id);
}

/* The number of entries from `at` on with consecutive numbers. */
static size_t run_length(const struct update *update, size_t at)
{
    size_t n = 1;

    while (at + n < update->n && update->entries[at + n].id == update->entries[at].id + (int) n)
        n++;
    return n;
}

/* Keeps the first identifier and replaces the second, which names this version (14.4). */
static void put_id(struct update *update, struct buf *out)
{
    AUTO_OBJ struct obj trailer = obj_trailer(update->doc->q);
    AUTO_OBJ struct obj id = obj_key(trailer, "/ID");
    AUTO_OBJ struct obj first = obj_item(id, 0);
    struct serial serial = { .out = out };
    unsigned char fresh[ID_BYTES];
    size_t n = 0;
    const char *bytes = obj_is_string(first) ? obj_bytes(first, &n) : NULL;

    id_random(fresh, sizeof fresh);
    buf_putc(out, '[');
    if (bytes)
        serial_string(&serial, bytes, n);
    else
        serial_string(&serial, fresh, sizeof fresh);
    serial_string(&serial, fresh, sizeof fresh);
    buf_putc(out, ']');
}

/* Writes the last trailer's entries with ours, without those of a cross-reference stream. */
static int put_trailer(struct update *update, const char *more, struct err *err)
{
    AUTO_OBJ struct obj trailer = obj_trailer(update->doc->q);
    AUTO_BUF struct buf id = BUF_EMPTY;
    char prev[32], size[16];
    struct serial serial = { .out = &update->added };

    snprintf(prev, sizeof prev, "%" PRId64, update->section.offset);
    snprintf(size, sizeof size, "%d", update->next);
    put_id(update, &id);
    const struct serial_change changes[] = {
        { "/Prev", prev },        { "/Size", size },         { "/ID", buf_text(&id) },
        { "/XRefStm", NULL },     { "/Type", NULL },         { "/W", NULL },
        { "/Index", NULL },       { "/Length", NULL },       { "/Filter", NULL },
        { "/DecodeParms", NULL }, { "/DL", NULL },           { "/F", NULL },
        { "/FFilter", NULL },     { "/FDecodeParms", NULL },
    };
    if (id.failed)
        return pdf_doc_no_memory(err);
    if (serial_dict(&serial, trailer, changes, COUNT(changes), err) < 0)
        return -1;
    if (*more) { /* inside the dictionary */
        update->added.len -= 2;
        buf_printf(&update->added, "%s>>", more);
    }
    return 0;
}

static int put_xref_table(struct update *update, struct err *err)
{
    buf_puts(&update->added, "xref\n");
    for (size_t i = 0; i < update->n;) {
        size_t n = run_length(update, i);

        buf_printf(&update->added, "%d %zu\n", update->entries[i].id, n);
        for (; n > 0; n--, i++)
            buf_printf(&update->added, "%010" PRId64 " %05d n \n", update->entries[i].offset,
                       update->entries[i].gen);
    }
    buf_puts(&update->added, "trailer\n");
    return put_trailer(update, "", err);
}

/* Writes a row: type 1 (one byte), offset (five), generation (two). */
static void put_row(struct buf *out, const struct update_entry *entry)
{
    buf_putc(out, 1);
    for (int shift = 32; shift >= 0; shift -= 8)
        buf_putc(out, (char) (entry->offset >> shift));
    buf_putc(out, (char) (entry->gen >> 8));
    buf_putc(out, (char) entry->gen);
}

static int put_stream(struct update *update, int number, struct err *err)
{
    AUTO_BUF struct buf rows = BUF_EMPTY, keys = BUF_EMPTY;

    for (size_t i = 0; i < update->n; i++)
        put_row(&rows, &update->entries[i]);
    buf_puts(&keys, "/Type/XRef/W[1 5 2]/Index[");
    for (size_t i = 0; i < update->n; i += run_length(update, i))
        buf_printf(&keys, "%s%d %zu", i ? " " : "", update->entries[i].id, run_length(update, i));
    buf_printf(&keys, "]/Length %zu", rows.len);
    buf_printf(&update->added, "%d 0 obj\n", number);
    if (rows.failed || keys.failed)
        return pdf_doc_no_memory(err);
    if (put_trailer(update, keys.data, err) < 0)
        return -1;
    buf_puts(&update->added, "\nstream\n");
    buf_put(&update->added, rows.data, rows.len);
    buf_puts(&update->added, "\nendstream\nendobj\n");
    return 0;
}

int update_finish(struct update *update, struct err *err)
{
    int64_t start;
    int number = 0;

    if (update->n == 0) { /* a table without entries is not a valid one (7.5.4) */
        buf_free(&update->added);
        return 0;
    }
    if (update->section.stream && (update_number(update, &number, err) < 0))
        return -1;
    start = position(update);
    if (number && enter(update, number, 0, err) < 0)
        return -1;
    qsort(update->entries, update->n, sizeof *update->entries, by_number);
    if ((number ? put_stream(update, number, err) : put_xref_table(update, err)) < 0)
        return -1;
    buf_printf(&update->added, "startxref\n%" PRId64 "\n%%%%EOF\n", start);
    return update->added.failed ? pdf_doc_no_memory(err) : 0;
}
