/* inline_images: which inline images become XObjects, what these say, and what stays inline. */
#include "compress/images/inline_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/scope.h"
#include "pdf/object/obj.h"
#include "pdf_builder.h"
#include "tap.h"

#define SIDE 64

/* An inline image with n bytes of data. */
static void image(struct buf *out, const char *dict, size_t n)
{
    buf_printf(out, "q BI %s ID ", dict);
    for (size_t i = 0; i < n; i++)
        buf_putc(out, (char) ('a' + i * 7 % 19));
    buf_puts(out, "\nEI Q ");
}

static void make(struct pdf_builder *pdf)
{
    AUTO_BUF struct buf page = BUF_EMPTY, form = BUF_EMPTY, shared = BUF_EMPTY;
    size_t n = (size_t) SIDE * SIDE;

    buf_puts(&page, "0 g ");
    image(&page, "/W 64/H 64/BPC 8/CS/G/I true", n);
    image(&page, "/W 64/H 64/BPC 8/CS[/I/RGB 1<ff000000ff00>]", n);
    image(&page, "/W 64/H 64/BPC 8/CS/Mine", n);
    image(&page, "/W 64/H 64/BPC 8/CS/Missing", n);
    image(&page, "/W 65/H 64/BPC 8/CS/G", n);
    image(&page, "/W 63/H 64/BPC 8/CS/G", n);
    image(&page, "/W 64/H 8/BPC 8/CS/G", n / 8);
    image(&page, "/W 64/H 64/BPC 8/CS/G/F/Fl", n);
    image(&form, "/W 256/H 128/IM true/D[1 0]", n);
    image(&shared, "/W 64/H 64/BPC 8/CS/G", n);
    pdf_header(pdf, "1.5");
    pdf_put(pdf, 1, "<</Type/Catalog/Pages 2 0 R>>");
    pdf_put(pdf, 2,
            "<</Type/Pages/Kids[3 0 R 6 0 R 7 0 R]/Count 3/MediaBox[0 0 200 200]/Resources"
            "<</XObject<</I1 5 0 R>>/ColorSpace<</Mine/DeviceGray>>>>>>");
    pdf_put(pdf, 3, "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>");
    pdf_put_stream(pdf, 4, page.data, page.len, "%s", "");
    pdf_put_stream(pdf, 5, form.data, form.len, "%s",
                   "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<>>");
    pdf_put(pdf, 6, "<</Type/Page/Parent 2 0 R/Contents 8 0 R/Resources<<>>>>");
    pdf_put(pdf, 7, "<</Type/Page/Parent 2 0 R/Contents 8 0 R/Resources<<>>>>");
    pdf_put_stream(pdf, 8, shared.data, shared.len, "%s", "");
    pdf_end(pdf, 1);
}

static size_t count(const char *text, size_t n, const char *word)
{
    size_t found = 0;

    for (size_t i = 0; i + strlen(word) <= n; i++)
        found += memcmp(text + i, word, strlen(word)) == 0;
    return found;
}

static struct obj named(struct obj resources, const char *name)
{
    AUTO_OBJ struct obj all = obj_key(resources, "/XObject");

    return obj_key(all, name);
}

static size_t words(qpdf_data q, int id, const char *word)
{
    AUTO_OBJ struct obj content = obj_by_id(q, id, 0);
    AUTO_FREE unsigned char *data = NULL;
    size_t n = 0;

    return obj_stream_data(content, &data, &n) ? count((char *) data, n, word) : SIZE_MAX;
}

static void check_page(qpdf_data q)
{
    AUTO_OBJ struct obj pages = obj_by_id(q, 2, 0);
    AUTO_OBJ struct obj resources = obj_key(pages, "/Resources");
    AUTO_OBJ struct obj before = named(resources, "/I1");
    AUTO_OBJ struct obj gray = named(resources, "/I2");
    AUTO_OBJ struct obj indexed = named(resources, "/I3");
    AUTO_OBJ struct obj mine = named(resources, "/I4");
    AUTO_OBJ struct obj space = obj_key(indexed, "/ColorSpace");
    AUTO_OBJ struct obj smooth = obj_key(gray, "/Interpolate");
    AUTO_FREE unsigned char *data = NULL;
    bool on = false;
    size_t n = 0;

    is_int((long) words(q, 4, " Do"), 3, "large images that are understood are moved");
    is_int((long) words(q, 4, " ID "), 5,
           "short images, damaged ones and those of unknown colours stay inline");
    ok(obj_key_is(before, "/Subtype", "/Form"), "a name that is used already keeps its object");
    ok(obj_key_is(gray, "/ColorSpace", "/DeviceGray") && obj_is_bool(smooth, &on) && on,
       "abbreviations are written in full");
    ok(obj_stream_data(gray, &data, &n) && n >= (size_t) SIDE * SIDE && data[0] == 'a' &&
           data[1] == 'h',
       "a moved image has the same samples");
    is_str(obj_text(space), "[ /Indexed /DeviceRGB 1 <ff000000ff00> ]",
           "a moved image keeps its palette");
    ok(obj_key_is(mine, "/ColorSpace", "/DeviceGray"), "a named colour space is looked up");
}

int main(void)
{
    struct pdf_builder pdf;
    struct pdf_doc doc;
    struct idmap before = { 0 };
    struct err err;
    char path[] = "/tmp/inline-images-XXXXXX";
    int fd = mkstemp(path);

    make(&pdf);
    ok(fd >= 0 && write(fd, pdf.out.data, pdf.out.len) == (ssize_t) pdf.out.len &&
           pdf_doc_open(&doc, path, NULL, NULL, &err) == 0 &&
           inline_images_move(&doc, &before, &err) == 0,
       "a document is changed");
    check_page(doc.q);
    is_int((long) words(doc.q, 5, " Do"), 1, "an image of a form is moved to its resources");
    is_int((long) words(doc.q, 8, " Do"), 0, "content that pages share stays");
    idmap_free(&before);
    pdf_doc_close(&doc);
    buf_free(&pdf.out);
    close(fd);
    unlink(path);
    return done_testing();
}
