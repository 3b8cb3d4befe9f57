/* usage: how large images are placed, and which codes are shown, wherever that is said. */
#include "compress/usage/walk_page.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "pdf_builder.h"
#include "tap.h"

static void stream(struct pdf_builder *pdf, int number, const char *entries, const char *data)
{
    pdf_put_stream(pdf, number, data, strlen(data), "%s", entries);
}

/* One page: an image placed directly, in a form, in a pattern and in an appearance. */
static void make(struct pdf_builder *pdf)
{
    pdf_header(pdf, "1.5");
    pdf_put(pdf, 1, "<</Type/Catalog/Pages 2 0 R>>");
    pdf_put(pdf, 2,
            "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]/Resources<</XObject"
            "<</A 5 0 R/F 8 0 R>>/Pattern<</P 9 0 R>>/Font<</T 11 0 R>>>>>>");
    pdf_put(pdf, 3, "<</Type/Page/Parent 2 0 R/Contents 4 0 R/UserUnit 2/Annots[10 0 R]>>");
    stream(pdf, 4, "",
           "q 30 0 0 40 0 0 cm /A Do Q q 2 0 0 2 0 0 cm /F Do Q /Pattern cs /P scn 0 0 9 9 re f "
           "BT /T 12 Tf (a\\102) Tj [(c) -20 <64>] TJ ET BI /W 1 /H 1 ID x EI");
    stream(pdf, 5, "/Type/XObject/Subtype/Image/Width 1/Height 1/SMask 6 0 R", "");
    stream(pdf, 6, "/Type/XObject/Subtype/Image/Width 1/Height 1", "");
    stream(pdf, 7, "/Type/XObject/Subtype/Image/Width 1/Height 1", "");
    stream(pdf, 8,
           "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Matrix[0 3 -3 0 0 0]"
           "/Resources<</XObject<</B 7 0 R>>>>",
           "5 0 0 6 0 0 cm /B Do");
    stream(pdf, 9, "/PatternType 1/Matrix[10 0 0 10 0 0]/Resources<</XObject<</B 7 0 R>>>>",
           "1 0 0 9 0 0 cm /B Do");
    pdf_put(pdf, 10, "<</Type/Annot/Subtype/Stamp/Rect[0 0 100 50]/AP<</N 12 0 R>>>>");
    pdf_put(pdf, 11, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
    stream(pdf, 12, "/Type/XObject/Subtype/Form/BBox[0 0 10 10]/Resources<</XObject<</C 13 0 R>>>>",
           "10 0 0 10 0 0 cm /C Do");
    stream(pdf, 13, "/Type/XObject/Subtype/Image/Width 1/Height 1", "");
    pdf_end(pdf, 1);
}

static bool placed(const struct usage *usage, int id, double width, double height)
{
    const struct usage_image *image = usage_image(usage, (int64_t) id << 20);

    if (image)
        printf("# %d: %g x %g\n", id, image->width, image->height);
    return image && fabs(image->width - width) < 0.01 && fabs(image->height - height) < 0.01;
}

/* What images cover of the page of 400 by 400 units: two in the content, one in the pattern and one
 * in the appearance. */
static bool shares(const struct usage *usage, int id)
{
    const struct usage_image *image = usage_image(usage, (int64_t) id << 20);
    double all = (60.0 * 80 + 60 * 72 + 20 * 180 + 200 * 100) / (400 * 400);

    return image && fabs(image->share - all) < 0.0001;
}

static void ignore(void *arg, double fraction)
{
    (void) arg, (void) fraction;
}

int main(void)
{
    struct pdf_builder pdf;
    struct pdf_doc doc;
    struct usage usage;
    struct err err;
    char path[] = "/tmp/usage-XXXXXX";
    int fd = mkstemp(path);
    const struct usage_font *font;

    make(&pdf);
    ok(fd >= 0 && write(fd, pdf.out.data, pdf.out.len) == (ssize_t) pdf.out.len &&
           pdf_doc_open(&doc, path, NULL, NULL, &err) == 0 &&
           walk_pages(&usage, &doc, ignore, NULL, &err) == 0,
       "the usage of a document is found");
    ok(!usage.partial, "the usage of the whole document is found");
    ok(placed(&usage, 5, 60, 80), "an image on a page has its size in its UserUnit");
    ok(placed(&usage, 6, 60, 80) && usage_image(&usage, (int64_t) 6 << 20)->mask,
       "a mask has the size of its image");
    ok(placed(&usage, 7, 60, 180), "an image in a form and a pattern has the larger of both sizes");
    ok(placed(&usage, 13, 200, 100), "an image in an appearance is as large as its annotation");
    ok(shares(&usage, 5) && shares(&usage, 6) && shares(&usage, 7) && shares(&usage, 13),
       "each image has the share of the page that all cover");
    font = usage_font(&usage, (int64_t) 11 << 20);
    ok(font && usage_has_code(font, 'a') && usage_has_code(font, 'B') &&
           usage_has_code(font, 'c') && usage_has_code(font, 'd') && !usage_has_code(font, 'e'),
       "the codes that are shown are found, and no others");
    usage_free(&usage);
    pdf_doc_close(&doc);
    buf_free(&pdf.out);
    close(fd);
    unlink(path);
    return done_testing();
}
