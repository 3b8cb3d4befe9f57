/* rewrite: documents that are written in one pass, with new numbers. */
#include "pdf/document/rewrite.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/object/obj.h"
#include "pdf/object/rewrite_text.h"

#include "tap.h"

/* The comment after the version, by which the two writers differ. */
#define OWN_MARK "\xe2\xe3\xcf\xd3"

/* Object 20 is missing, 21 is unused, and 22 has bytes that are counted in the file. */
#define BODY                                                                                       \
    "1 0 obj<</Type/Catalog/Pages 2 0 R/Metadata 8 0 R/List[20 0 R 9 0 R 4 0 R]/Gone 20 0 R"       \
    "/Sig 22 0 R"
#define HEX  "71205120712051207120512071205120"
#define SHOW "q Q q Q q Q q Q "
#define REST                                                                                       \
    ">>endobj\n"                                                                                   \
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"                                           \
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents[4 0 R 5 0 R 6 0 R]"               \
    "/Note(7 0 R)/Turn -90>>endobj\n"                                                              \
    "4 0 obj<</Length 7 0 R/A<</Length 1/Filter/X>>/Filter/ASCIIHexDecode>>stream\n" HEX HEX HEX   \
        HEX HEX ">\nendstream endobj\n"                                                            \
    "5 0 obj<</Length 4>>stream\nq Q \nendstream endobj\n"                                         \
    "6 0 obj<</Filter/DCTDecode/Length 4>>stream\n\xff\xd8\xff\xd9\nendstream endobj\n"            \
    "7 0 obj 9 endobj\n"                                                                           \
    "8 0 obj<</Type/Metadata/Subtype/XML/Filter/ASCIIHexDecode/Length 5>>stream\n"                 \
    "3c3e>\nendstream endobj\n"                                                                    \
    "9 0 obj[true null 1 2 3 0 R]endobj\n"                                                         \
    "21 0 obj(unused)endobj\n"                                                                     \
    "22 0 obj<</ByteRange[0 1 2 3]/Contents<00>>>endobj\n"                                         \
    "trailer<</Root 1 0 R/Size 23/ID[<61><62>]>>\nstartxref\n0\n%%EOF\n"

static const char plain[] = "%PDF-1.4\n" BODY REST;
static const char newer[] = "%PDF-1.7\n" BODY REST;
static const char extended[] =
    "%PDF-1.7\n" BODY "/Extensions<</ADBE<</BaseVersion/1.7/ExtensionLevel 3>>>>" REST;
static const char path[] = "/tmp/rewrite-test.pdf";

/* Writes a document, and reads what was written: its bytes, and as a document. */
static bool write_and_read(const char *text, size_t n, const struct pdf_save *save,
                           struct buf *bytes, struct pdf_doc *again)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    struct err err;

    buf_drop(bytes, bytes->len);
    pdf_doc_close(again);
    if (pdf_doc_open_borrowed(&doc, text, n, NULL, &err) < 0 ||
        pdf_doc_save(&doc, path, save, &err) < 0)
        return false;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 && fdio_read_all(fd, 1 << 20, bytes, &err) == 0 &&
           pdf_doc_open_strict(again, path, NULL, &err) == 0;
}

static bool has(const struct buf *bytes, const char *text)
{
    return memmem(bytes->data, bytes->len, text, strlen(text)) != NULL;
}

/* A stream's data, and its filter. */
static void is_stream(struct obj stream, const char *want, const char *filter, const char *what)
{
    AUTO_OBJ struct obj held = obj_key(stream, "/Filter");
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    if (*filter ? !obj_name_is(held, filter) : !obj_is_null(held))
        ok(false, "%s: filter %s", what, obj_text(held));
    else if (strcmp(filter, "/DCTDecode") == 0)
        ok(obj_stream_raw(stream, &data, &n) && n == strlen(want) && memcmp(data, want, n) == 0,
           "%s", what);
    else
        ok(obj_stream_data(stream, &data, &n) && n == strlen(want) && memcmp(data, want, n) == 0,
           "%s", what);
}

static void check_objects(struct pdf_doc *doc)
{
    AUTO_OBJ struct obj root = obj_root(doc->q);
    AUTO_OBJ struct obj trailer = obj_trailer(doc->q);
    AUTO_OBJ struct obj id = obj_key(trailer, "/ID");
    AUTO_OBJ struct obj first_id = obj_item(id, 0);
    AUTO_OBJ struct obj list = obj_key(root, "/List");
    AUTO_OBJ struct obj missing = obj_item(list, 0);
    AUTO_OBJ struct obj array = obj_item(list, 1);
    AUTO_OBJ struct obj page = obj_page(doc->q, 0);
    AUTO_OBJ struct obj linked = obj_item(array, 4);
    AUTO_OBJ struct obj note = obj_key(page, "/Note");
    AUTO_OBJ struct obj contents = obj_key(page, "/Contents");
    AUTO_OBJ struct obj hex = obj_item(contents, 0), none = obj_item(contents, 1),
                        jpeg = obj_item(contents, 2);
    AUTO_OBJ struct obj metadata = obj_key(root, "/Metadata");
    AUTO_OBJ struct obj inner = obj_key(hex, "/A");
    long long turn = 0;

    ok(obj_is_null(missing) && !obj_is_indirect(missing) && !obj_has(root, "/Gone"),
       "what is missing is null");
    ok(obj_count(array) == 5 && obj_id(linked) == obj_id(page), "references lead where they led");
    is_str(obj_text(note), "(7 0 R)", "a text that looks like one stays");
    ok(obj_key_int(page, "/Turn", &turn) && turn == -90, "and so do numbers");
    is_str(obj_text(inner), "<< /Filter /X /Length 1 >>", "an inner dictionary keeps its keys");
    is_str(obj_text(first_id), "(a)", "the first part of the identifier stays");
    is_stream(hex, SHOW SHOW SHOW SHOW SHOW, "/FlateDecode",
              "hexadecimal data is compressed instead");
    is_stream(none, "q Q ", "", "what gets no shorter by that is not");
    is_stream(jpeg, "\xff\xd8\xff\xd9", "/DCTDecode", "a picture stays as it is");
    is_stream(metadata, "<>", "", "metadata has no filter");
}

static bool number(void *arg, int id, int gen, unsigned *to)
{
    *to = (unsigned) (id + gen == 7 ? 0 : id + 100);
    return id < *(int *) arg;
}

static void check_text(void)
{
    static const char *const without[] = { "/B", "/C", NULL };
    AUTO_BUF struct buf out = BUF_EMPTY;
    static const char text[] =
        "<< /A [ 1 2 0 R 3 4 0 R ] /B 9 0 R /C << /D (>>) >> /D /B /E 7 0 R >>";
    static const char all[] = "1 2 3 0 R 4 5 0 R";
    int most = 8;

    ok(rewrite_text(text, sizeof text - 1, without, number, &most, &out), "text is rewritten");
    is_str(buf_text(&out), "<< /A [ 1 102 0 R 3 104 0 R ] /D /B /E null >>",
           "without the keys that are left out, and what they refer to");
    buf_drop(&out, out.len);
    ok(rewrite_text(all, sizeof all - 1, NULL, number, &most, &out), "numbers before a reference");
    is_str(buf_text(&out), "1 2 103 0 R 4 105 0 R", "are no part of it");
    most = 4;
    ok(!rewrite_text(all, sizeof all - 1, NULL, number, &most, &out),
       "what has no number stops it");
}

int main(void)
{
    static const struct pdf_save archive = { .archive = true };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_BUF struct buf bytes = BUF_EMPTY;

    ok(write_and_read(plain, sizeof plain - 1, NULL, &bytes, &doc) && doc.n_pages == 1 &&
           has(&bytes, "%PDF-1.5\n%" OWN_MARK),
       "a document is written");
    check_objects(&doc);
    ok(has(&bytes, "/ByteRange") && !has(&bytes, "/MediaBox"),
       "only what is counted in the file is outside of object streams");
    ok(!has(&bytes, "unused") && pdf_doc_next_number(&doc) == 12, "unused objects are left out");
    ok(write_and_read(newer, sizeof newer - 1, NULL, &bytes, &doc) &&
           has(&bytes, "%PDF-1.7\n%" OWN_MARK),
       "the version stays");
    ok(write_and_read(plain, sizeof plain - 1, &archive, &bytes, &doc) &&
           has(&bytes, "%PDF-1.7\n%" OWN_MARK),
       "or is the one asked for");
    ok(write_and_read(extended, sizeof extended - 1, NULL, &bytes, &doc) && !has(&bytes, OWN_MARK),
       "what has an extension is for the other writer");
    check_text();
    unlink(path);
    return done_testing();
}
