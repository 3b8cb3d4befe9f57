#include "pdf/update/update.h"

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf_builder.h"
#include "tap.h"

static struct pdf_builder sample;
static struct pdf_doc doc;
static int fd = -1;

/* Returns the file's descriptor. */
static int open_as_file(struct pdf_doc *out, const char *data, size_t n, struct err *err)
{
    AUTO_CLOSE int file = fdio_memory_file(err);
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0 || fdio_write(file, data, n, err) < 0 ||
        pdf_doc_open_as_is(out, path, NULL, err) < 0)
        return -1;
    return scope_take_fd(&file);
}

static int start(struct update *update, struct err *err)
{
    pdf_header(&sample, "1.4");
    pdf_put(&sample, 1, "<</Type/Catalog/Pages 2 0 R>>");
    pdf_put(&sample, 2, "<</Type/Pages/Kids[3 0 R]/Count 1>>");
    pdf_put(&sample, 3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>");
    pdf_end(&sample, 1);
    if ((fd = open_as_file(&doc, sample.out.data, sample.out.len, err)) < 0)
        return -1;
    return update_start(update, &doc, fd, (int64_t) sample.out.len, err);
}

/* The document and what was added, read again by qpdf without mending anything. */
static bool reads(const struct update *update, int number, const char *key)
{
    AUTO_BUF struct buf all = BUF_EMPTY;
    AUTO_PDF_DOC struct pdf_doc again = { 0 };
    struct err err;

    buf_put(&all, sample.out.data, sample.out.len);
    buf_put(&all, update->added.data, update->added.len);
    AUTO_CLOSE int file = open_as_file(&again, all.data, all.len, &err);
    if (file < 0)
        return false;
    AUTO_OBJ struct obj obj = obj_by_id(again.q, number, 0);
    return !again.repaired && again.n_pages == 1 && obj_has(obj, key);
}

int main(void)
{
    AUTO_UPDATE struct update update = { 0 };
    struct serial serial;
    struct err err;
    int number = 0;

    if (start(&update, &err) < 0) {
        printf("# %s\n", err.msg);
        return 2;
    }
    AUTO_OBJ struct obj page = obj_page(doc.q, 0);
    const struct serial_change change = { "/Rotate", "90" };
    is_int(update_number(&update, &number, &err), 0, "a new object has a number");
    is_int(number, 4, "a new object has the number of the trailer's /Size");
    ok(update_stream(&update, number, "/New true", "data", 4, &err) == 0, "a stream is added");
    ok(update_reopen(&update, page, &serial, &err) == 0 &&
           serial_dict(&serial, page, &change, 1, &err) == 0 && update_close(&update, &err) == 0,
       "a changed object is written");
    ok(update_has(&update, page), "update_has knows an object that was written");
    is_int(update_reopen(&update, page, &serial, &err), -1, "an object cannot be written twice");
    is_int(err.code, ERR_UNSUPPORTED_CONTENT,
           "the error of a second write is ERR_UNSUPPORTED_CONTENT");
    ok(update_finish(&update, &err) == 0, "the update is finished");
    ok(reads(&update, 4, "/New"), "the new object can be read");
    ok(reads(&update, 3, "/Rotate"), "the changed object can be read");
    ok(!reads(&update, 3, "/New"), "a changed object has no other keys");
    update_end(&update);
    update_start(&update, &doc, fd, (int64_t) sample.out.len, &err);
    doc.repaired = true;
    is_int(update_check(&update, &err), -1, "a document that had to be repaired is refused");
    is_int(err.code, ERR_CORRUPT_FILE, "the error for a repaired document is ERR_CORRUPT_FILE");
    pdf_doc_close(&doc);
    close(fd);
    buf_free(&sample.out);
    return done_testing();
}
