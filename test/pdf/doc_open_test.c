/* doc: documents that are read as a whole when they are opened. */
#include "pdf/document/doc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pdf/object/obj.h"

#include "tap.h"

/* The page's content stands far from the rest, which a reader may still have in a buffer. */
static const char head[] = "%PDF-1.4\n4 0 obj\n<</Length 13>>\nstream\n"
                           "0 0 5 5 re f \nendstream\nendobj\n%";
static const char tail[] = "\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
                           "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n"
                           "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>\n"
                           "endobj\ntrailer\n<</Root 1 0 R/Size 5>>\n";

static bool make(int fd)
{
    struct buf text = BUF_EMPTY;
    bool made;

    buf_put(&text, head, sizeof head - 1);
    for (int i = 0; i < 100000; i++)
        buf_putc(&text, 'x');
    buf_put(&text, tail, sizeof tail - 1);
    made = pwrite(fd, text.data, text.len, 0) == (ssize_t) text.len;
    buf_free(&text);
    return made;
}

/* Whether the content of the page can be read. */
static bool has_content(struct pdf_doc *doc)
{
    AUTO_OBJ struct obj content = obj_by_id(doc->q, 4, 0);
    unsigned char *data = NULL;
    size_t n = 0;
    bool has =
        obj_stream_data(content, &data, &n) && n >= 11 && memcmp(data, "0 0 5 5 re", 10) == 0;

    free(data);
    return has;
}

int main(void)
{
    char path[] = "/tmp/doc-open-XXXXXX";
    int fd = mkstemp(path);
    struct pdf_doc doc;
    struct err err;

    ok(fd >= 0 && make(fd) && pdf_doc_open_whole_as_is(&doc, path, NULL, &err) == 0 &&
           doc.n_pages == 1,
       "a document is opened");
    ok(ftruncate(fd, 0) == 0 && has_content(&doc), "its file is not read again");
    pdf_doc_close(&doc);
    ok(pdf_doc_open_whole(&doc, path, NULL, NULL, &err) < 0 && err.code == ERR_CORRUPT_FILE,
       "an empty file is not a document");
    /* It ends with zeroes: too many to be read at once. */
    ok(ftruncate(fd, 33 << 20) == 0 && make(fd) &&
           pdf_doc_open_whole_as_is(&doc, path, NULL, &err) == 0 && doc.memory == NULL &&
           has_content(&doc),
       "a large file is not read into memory");
    pdf_doc_close(&doc);
    ok(pdf_doc_open_whole(&doc, "/nowhere", NULL, NULL, &err) < 0, "a missing file is an error");
    close(fd);
    unlink(path);
    return done_testing();
}
