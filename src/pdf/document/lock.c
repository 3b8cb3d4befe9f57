#include "pdf/document/lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "pdf/document/crypt.h"
#include "pdf/document/crypt_filters.h"
#include "pdf/document/crypt_text.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"
#include "recovery/objects/rebuild.h"

struct locked {
    struct pdf_doc *plain;
    struct crypt crypt;
    struct crypt_filters filters;
    size_t *offsets;
    int n; /* number of objects; the encryption dictionary is the next one */
    struct buf *out;
};

static int open_shell(void *arg, struct buf *shell, struct err *err)
{
    struct lock *lock = arg;
    struct crypt crypt;

    pdf_doc_close(&lock->shell); /* of another document in the same file */
    if (pdf_doc_open_memory(&lock->shell, shell, lock->password, err) < 0)
        return -1;
    if (!lock->shell.encrypted)
        return err_set(err, ERR_CORRUPT_FILE, "the document's encryption cannot be read");
    /* What could not be encrypted again is not opened either. */
    if (crypt_start(&crypt, &lock->shell, err) < 0)
        return -1;
    crypt_end(&crypt);
    return 0;
}

static bool read_locked(void *arg, uint32_t number, struct buf *text, struct buf *data)
{
    struct lock *lock = arg;
    AUTO_OBJ struct obj obj = obj_by_id(lock->shell.q, (int) number, 0);
    AUTO_FREE unsigned char *bytes = NULL;
    size_t n = 0;

    if (!obj_is_stream(obj)) {
        buf_puts(text, obj_text(obj));
        return !obj_is_null(obj);
    }
    AUTO_OBJ struct obj dict = obj_dict(obj);
    if (!obj_stream_raw(obj, &bytes, &n))
        return false;
    buf_puts(text, obj_text(dict));
    buf_put(data, bytes, n);
    return true;
}

static void put_stream(struct locked *l, int number, struct obj stream)
{
    AUTO_OBJ struct obj dict = obj_dict(stream);
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_BUF struct buf secret = BUF_EMPTY;
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;
    enum crypt_method method;

    if (!obj_stream_raw(stream, &data, &n))
        n = 0;
    if (!crypt_filters_method(&l->filters, stream, &method))
        method = l->crypt.streams; /* not that of a document that was opened */
    crypt_put(&l->crypt, method, number, 0, data, n, &secret);
    crypt_filters_unmark(stream);
    obj_set_int(dict, "/Length", (long long) secret.len);
    buf_puts(&text, obj_text(dict));
    crypt_strings(&l->crypt, number, &text);
    buf_put(l->out, text.data, text.len);
    buf_puts(l->out, "\nstream\n");
    buf_put(l->out, secret.data, secret.len);
    buf_puts(l->out, "\nendstream");
    l->out->failed |= text.failed || secret.failed;
}

static void put_object(struct locked *l, int number)
{
    AUTO_OBJ struct obj obj = obj_by_id(l->plain->q, number, 0);
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (obj_is_null(obj))
        return;
    l->offsets[number] = l->out->len;
    buf_printf(l->out, "%d 0 obj\n", number);
    if (obj_is_stream(obj)) {
        put_stream(l, number, obj);
    } else {
        buf_puts(&text, obj_text(obj));
        crypt_strings(&l->crypt, number, &text);
        buf_put(l->out, text.data, text.len);
        l->out->failed |= text.failed;
    }
    buf_puts(l->out, "\nendobj\n");
}

static void put_key(struct buf *out, struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);

    if (obj_is_null(value))
        return;
    buf_printf(out, "%s ", key);
    if (obj_is_indirect(value))
        buf_printf(out, "%d 0 R ", OBJ_NUMBER(obj_id(value)));
    else
        buf_puts(out, obj_text(value));
}

static void put_frame(struct locked *l, struct obj from, struct obj encrypt)
{
    AUTO_OBJ struct obj trailer = obj_trailer(l->plain->q);
    AUTO_OBJ struct obj id = obj_key(from, "/ID");
    size_t xref;

    l->offsets[l->n] = l->out->len;
    buf_printf(l->out, "%d 0 obj\n%s\nendobj\n", l->n, obj_text(encrypt));
    xref = l->out->len;
    rebuild_xref(l->out, l->offsets, (size_t) l->n + 1);
    buf_printf(l->out, "trailer\n<</Size %d /Encrypt %d 0 R ", l->n + 1, l->n);
    put_key(l->out, trailer, "/Root");
    put_key(l->out, trailer, "/Info");
    if (!obj_is_null(id)) /* as it was: the key depends on it, and it is not encrypted */
        buf_printf(l->out, "/ID %s", obj_text(id));
    buf_printf(l->out, ">>\nstartxref\n%zu\n%%%%EOF\n", xref);
}

static int encrypt(struct locked *l, struct pdf_doc *like, struct err *err)
{
    AUTO_OBJ struct obj trailer = obj_trailer(like->q);
    AUTO_OBJ struct obj key = obj_key(trailer, "/Encrypt");
    const char *version = qpdf_get_pdf_version(l->plain->q);

    if (crypt_start(&l->crypt, like, err) < 0)
        return -1;
    if (!crypt_filters_open(&l->filters, &l->crypt, key, l->plain->q, l->n))
        return pdf_doc_no_memory(err);
    buf_printf(l->out, "%%PDF-%s\n%%\xe2\xe3\xcf\xd3\n",
               version && *version == '2' ? "2.0" : "1.7");
    for (int i = 1; i < l->n; i++)
        put_object(l, i);
    crypt_filters_close(&l->filters);
    qpdf_oh_make_direct(like->q, key.oh);
    put_frame(l, trailer, key);
    crypt_end(&l->crypt);
    return l->out->failed ? pdf_doc_no_memory(err) : 0;
}

int lock_encrypt(struct pdf_doc *like, struct buf *plain, struct buf *out, struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_FREE size_t *offsets = NULL;
    struct locked locked = { .plain = &doc, .out = out };

    if (pdf_doc_open_memory(&doc, plain, NULL, err) < 0)
        return -1;
    locked.n = pdf_doc_next_number(&doc);
    locked.offsets = offsets = calloc((size_t) locked.n + 1, sizeof *offsets);
    return offsets ? encrypt(&locked, like, err) : pdf_doc_no_memory(err);
}

static int close_document(void *arg, struct buf *plain, struct buf *out, struct err *err)
{
    struct lock *lock = arg;

    return lock_encrypt(&lock->shell, plain, out, err);
}

struct salvage_lock lock_of(struct lock *lock)
{
    return (struct salvage_lock){
        .arg = lock, .open = open_shell, .read = read_locked, .close = close_document
    };
}

void lock_end(struct lock *lock)
{
    pdf_doc_close(&lock->shell);
}
