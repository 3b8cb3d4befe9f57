#include "pdf/update/serial.h"

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "tap.h"

static const char sample[] = "%PDF-1.4\n"
                             "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
                             "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
                             "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
                             "trailer<</Root 1 0 R/Size 4>>\nstartxref\n0\n%%EOF\n";

static struct pdf_doc doc;

static const char *text_of(const char *utf8)
{
    static struct buf out;
    struct serial serial = { .out = &out };

    buf_drop(&out, out.len);
    serial_text(&serial, utf8);
    return buf_text(&out);
}

/* An object of ours, written. */
static const char *put(const char *text, const struct serial_change *changes, size_t n)
{
    static struct buf out;
    struct serial serial = { .out = &out };
    struct err err;
    AUTO_OBJ struct obj obj = obj_parse(doc.q, text);

    buf_drop(&out, out.len);
    if ((n ? serial_dict(&serial, obj, changes, n, &err) : serial_put(&serial, obj, &err)) < 0)
        return err_name(err.code);
    return buf_text(&out);
}

int main(void)
{
    AUTO_BUF struct buf pdf = BUF_EMPTY, deep = BUF_EMPTY;
    struct err err;
    const struct serial_change changes[] = { { "/B", "[5 0 R]" }, { "/C", NULL }, { "", "no" } };

    buf_puts(&pdf, sample);
    if (pdf_doc_open_memory(&doc, &pdf, NULL, &err) < 0)
        return 2;
    is_str(text_of("Jane (Doe) \\"), "(Jane \\(Doe\\) \\\\)", "ASCII becomes a literal string");
    is_str(text_of("\xc3\xa9"), "<feff00e9>", "other text becomes UTF-16");
    is_str(text_of("\xf0\x9f\x94\x91"), "<feffd83ddd11>",
           "characters beyond U+FFFF become surrogates");
    is_str(text_of(""), "()", "an empty text becomes an empty string");
    is_str(text_of("a\nb"), "<610a62>", "line feeds are kept in a hexadecimal string");

    is_str(put("[1 -2.5 true null /A#20b (x) <00ff>]", NULL, 0),
           "[1 -2.5 true null /A#20b (x) <00ff> ]", "an array of all types of objects is written");
    is_str(put("<</A 1/B 2/C 3>>", changes, COUNT(changes)), "<</A 1/B [5 0 R]>>",
           "keys are changed, added and removed");
    is_str(put("<</A<</B 2>>>>", changes, COUNT(changes)), "<</A <</B 2>>/B [5 0 R]>>",
           "keys of nested dictionaries are not changed");
    for (int i = 0; i < 150; i++)
        buf_putc(&deep, '[');
    for (int i = 0; i < 150; i++)
        buf_putc(&deep, ']');
    is_str(put(buf_text(&deep), NULL, 0), "limit_exceeded",
           "an object that is nested too deeply is refused");
    pdf_doc_close(&doc);
    return done_testing();
}
