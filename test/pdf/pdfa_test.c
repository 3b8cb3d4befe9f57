/* pdfa: documents as Chromium prints them, each with one thing that PDF/A-2 forbids. */
#include "pdf/pdfa/pdfa.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/object/obj.h"
#include "pdf_builder.h"
#include "tap.h"

/* What differs between the documents; NULL: as it is right. */
struct parts {
    const char *content, *resources, *widths, *glyph, *map, *catalog, *annots;
};

static struct err why;
static char left_out[200];
static bool outline_acts;

static void put_document(struct pdf_builder *pdf, const struct parts *p)
{
    const char *content = p->content ? p->content : "BT /F 10 Tf 20 20 Td (A) Tj ET";
    const char *glyph = p->glyph ? p->glyph : "500 0 0 0 500 500 d1 0 0 500 500 re f";
    const char *map = p->map ? p->map : "1 beginbfchar <41> <0041> endbfchar";
    char text[1000];

    pdf_header(pdf, "1.5");
    snprintf(text, sizeof text, "<</Type/Catalog/Pages 2 0 R%s>>", p->catalog ? p->catalog : "");
    pdf_put(pdf, 1, text);
    pdf_put(pdf, 2, "<</Type/Pages/Kids[3 0 R]/Count 1>>");
    snprintf(text, sizeof text,
             "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R"
             "/Resources<</Font<</F 5 0 R>>%s>>%s>>",
             p->resources ? p->resources : "", p->annots ? p->annots : "");
    pdf_put(pdf, 3, text);
    pdf_put_stream(pdf, 4, content, strlen(content), "%s", "");
    snprintf(text, sizeof text,
             "<</Type/Font/Subtype/Type3/FontBBox[0 0 0 0]/FontMatrix[.001 0 0 .001 0 0]"
             "/FirstChar 65/LastChar 65/Widths[%s]/Encoding<</Differences[65/a]>>"
             "/CharProcs<</a 6 0 R>>/Resources<<>>/ToUnicode 7 0 R>>",
             p->widths ? p->widths : "500");
    pdf_put(pdf, 5, text);
    pdf_put_stream(pdf, 6, glyph, strlen(glyph), "%s", "");
    pdf_put_stream(pdf, 7, map, strlen(map), "%s", "");
    pdf_put(pdf, 8, "<</Type/Outlines/First 9 0 R/Last 9 0 R/Count 1>>");
    pdf_put(pdf, 9, "<</Title(A)/Parent 8 0 R/Next 9 0 R/A<</S/JavaScript/JS(x)>>>>");
    pdf_put(pdf, 10, "<</Title(A)/Parent 11 0 R/A<</S/JavaScript/JS(x)>>>>");
    pdf_put(pdf, 11, "<</Type/Outlines/First 10 0 R/Last 10 0 R/Count 1>>");
    pdf_end(pdf, 1);
}

/* Makes PDF/A of the document, saves it, and verifies it. */
static bool conforms(const struct parts *parts, bool unicode)
{
    const struct pdfa_kind kind = {
        .printed = true, .unicode = unicode, .field = "pdfa", .advice = "do something else"
    };
    static const struct pdf_save save = { .same_id = true, .archive = true };
    char from[] = "/tmp/pdfa_test-XXXXXX", to[] = "/tmp/pdfa_test-XXXXXX";
    AUTO_CLOSE int in = mkstemp(from), out = mkstemp(to);
    AUTO_BUF struct buf left = BUF_EMPTY;
    struct pdf_builder pdf;
    bool done;

    put_document(&pdf, parts);
    if (fdio_write(in, pdf.out.data, pdf.out.len, &why) < 0 || out < 0)
        return false;
    {
        AUTO_PDF_DOC struct pdf_doc doc = { 0 };

        done = pdf_doc_open(&doc, from, NULL, NULL, &why) == 0 &&
               pdfa_make(&doc, &kind, &left, &why) == 0 &&
               pdf_doc_save(&doc, to, &save, &why) == 0 && pdfa_verify(to, &kind, &why) == 0;
        AUTO_OBJ struct obj item = obj_by_id(doc.q, 10, 0);
        outline_acts = obj_has(item, "/A");
    }
    snprintf(left_out, sizeof left_out, "%s", buf_text(&left));
    buf_free(&pdf.out);
    unlink(from);
    unlink(to);
    return done;
}

static bool refuses(struct parts parts, bool unicode, const char *what)
{
    bool refused = !conforms(&parts, unicode) && strstr(why.msg, what) &&
                   (why.code == ERR_UNSUPPORTED_CONTENT);

    if (!refused)
        printf("# %s\n", why.msg);
    return refused;
}

static void test_fonts(void)
{
    ok(conforms(&(struct parts){ 0 }, true), "text with its glyphs conforms, at level U, too");
    ok(refuses((struct parts){ .content = "BT /F 10 Tf (B) Tj ET" }, false,
               "page 1 has text in the font without a name, with characters for which it has no"),
       "text without a glyph does not");
    ok(refuses((struct parts){ .widths = "502" }, false, "widths"),
       "nor does one whose widths are other than those of its glyphs");
    ok(conforms(&(struct parts){ .widths = "500.9" }, false), "but for one thousandth");
    ok(refuses((struct parts){ .map = "1 beginbfchar <42> <0041> endbfchar" }, true,
               "not known as characters"),
       "nor, at level U, one whose characters are not known");
    ok(conforms(&(struct parts){ .map = "1 beginbfchar <42> <0041> endbfchar" }, false),
       "which is right at level B");
    ok(refuses((struct parts){ .map = "1 beginbfchar <41> <FEFF> endbfchar" }, true,
               "not known as characters"),
       "characters that are none do not count");
    ok(conforms(&(struct parts){ .map = "1 beginbfrange <40> <42> <0040> endbfrange" }, true),
       "ranges of characters do");
    ok(refuses((struct parts){ .glyph = "500 0 0 0 500 500 d1 /X Do" }, false, "names something"),
       "the content of glyphs is checked");
    ok(refuses((struct parts){ .content = "BT (A) Tj ET" }, false, "font lacks"),
       "so is text without a font");
}

static void test_paint(void)
{
    ok(conforms(
           &(struct parts){ .content = "/Pattern cs /P scn 0 0 9 9 re f",
                            .resources =
                                "/Pattern<</P<</PatternType 2/Shading<</ShadingType 2/ColorSpace"
                                "/DeviceRGB/Coords[0 0 1 1]/Function<</FunctionType 2/N 1"
                                "/Domain[0 1]/C0[0 0 0]/C1[1 1 1]>>>>>>>>" },
           false),
       "gradients conform");
    ok(refuses((struct parts){ .resources = "/Pattern<</P<</PatternType 2/Shading<</ShadingType 2"
                                            "/ColorSpace/DeviceCMYK>>>>>>" },
               false, "CMYK"),
       "those of colours in CMYK do not");
    ok(refuses((struct parts){ .content = "/P scn" }, false, "pattern"),
       "nor do patterns that are not there");
    ok(refuses((struct parts){ .resources = "/ExtGState<</G<</TR/Identity>>>>" }, false,
               "graphics state"),
       "nor transfer functions");
}

static void test_rest(void)
{
    char address[600] = "/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Launch>>>>]";

    ok(conforms(&(struct parts){ .annots = address }, false) && strstr(left_out, "links"),
       "links that start programs are left out");
    ok(conforms(&(struct parts){ .catalog = "/Outlines 11 0 R" }, false) && !outline_acts &&
           strstr(left_out, "actions"),
       "so are actions of the outline");
    ok(refuses((struct parts){ .catalog = "/Outlines 8 0 R" }, false, "outline"),
       "an outline that never ends is refused");
    ok(conforms(&(struct parts){ .catalog = "/OpenAction<</S/JavaScript/JS(x)>>" }, false) &&
           strstr(left_out, "actions"),
       "actions of the document are left out");
    ok(refuses((struct parts){ .catalog = "/StructTreeRoot<</Type/StructTreeRoot/K<</AF[]>>>>" },
               false, "attachments"),
       "attachments of tags are refused");
    ok(refuses((struct parts){ .annots = "/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 9 9]>>]" },
               false, "annotations"),
       "so are notes");
}

int main(void)
{
    test_fonts();
    test_paint();
    test_rest();
    return done_testing();
}
