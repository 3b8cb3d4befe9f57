/* tests of salvage/salvage: what is left of documents that were cut, emptied and mixed up. */
#include "recovery/salvage/salvage.h"

#include <stdlib.h>
#include <time.h>

#include "base/scope.h"
#include "recovery/inflate_repair/zstream.h"
#include "tap.h"

#define HEAD    "%PDF-1.4\n"
#define CATALOG "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
#define TREE    "2 0 obj\n<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>\nendobj\n"
#define PAGE(n, c)                                                                                 \
    n " 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents " c " 0 R>>\nendobj\n"
#define CONTENT(n, text)                                                                           \
    n " 0 obj\n<</Length 999>>\nstream\nBT /F1 9 Tf (" text ") Tj ET\nendstream\nendobj\n"
#define TRAILER "trailer\n<</Root 1 0 R/Size 7>>\n"

static struct buf out;
static struct salvage_report report;
static struct err err;

static bool salvaged_n(const char *text, size_t n)
{
    buf_free(&out);
    return salvage_file(text, n, NULL, &out, &report, &err) == 0;
}

static bool salvaged(const char *text)
{
    return salvaged_n(text, strlen(text));
}

static bool holds(const char *text)
{
    return out.data && memmem(out.data, out.len, text, strlen(text)) != NULL;
}

static void whole_trees(void)
{
    ok(salvaged(HEAD CATALOG TREE PAGE("3", "5") PAGE("4", "6") CONTENT("5", "one")
                    CONTENT("6", "two") TRAILER),
       "a document without a cross-reference table is read");
    is_int(report.pages, 2, "a document without a cross-reference table keeps its pages");
    ok(!report.tree_rebuilt && !report.catalog_rebuilt,
       "a sound page tree and catalog are not rebuilt");
    ok(holds("(one)") && holds("(two)"),
       "contents are read to their ends if their /Length is wrong");
}

static void lost_parts(void)
{
    ok(salvaged(HEAD PAGE("3", "5") PAGE("4", "6") CONTENT("5", "one") CONTENT("6", "two")) &&
           report.pages == 2,
       "pages are found without tree, catalog and trailer");
    ok(report.tree_rebuilt && report.catalog_rebuilt,
       "a lost page tree and a lost catalog are rebuilt");
    ok(salvaged(HEAD CATALOG TREE PAGE("4", "6") CONTENT("6", "two") TRAILER) && report.pages == 1,
       "a document that has lost a page keeps the other one");
    is_int(report.lost_pages, 1, "a lost page is reported");
    ok(salvaged(HEAD CATALOG TREE "3 0 obj <<<<<<0000 9 0 R /Type /Page >> endobj\n" PAGE("4", "6")
                    CONTENT("6", "two") TRAILER) &&
           report.pages == 1 && report.lost_pages == 1,
       "a page that is listed and cannot be read is reported");
    ok(salvaged(HEAD CATALOG TREE "3 0 obj << /Type /Font >> endobj\n" PAGE("4", "6")
                    CONTENT("6", "two") TRAILER) &&
           report.pages == 1 && report.lost_pages == 1,
       "so is something that is listed and is not a page");
    ok(salvaged(HEAD CATALOG TREE "3 0 obj << /Type /Pgae /Parent 2 0 R /MediaBox [0 0 9 9] >> "
                                  "endobj\n" PAGE("4", "6") CONTENT("6", "two") TRAILER) &&
           report.pages == 2 && report.lost_pages == 0,
       "a page that is listed with a wrong type is kept");
    ok(salvaged(HEAD "9 0 obj\n<</Linearized 1/L 90000/N 12>>\nendobj\n" PAGE("3", "5")
                    CONTENT("5", "one")) &&
           report.pages == 1,
       "the beginning of a linearized document has pages");
    is_int(report.lost_pages, 11, "it says how many the document had, so that the others are lost");
    ok(salvaged(CONTENT("6", "two") "5 0 obj << >> endobj") && report.pages == 1 &&
           holds("/Helvetica"),
       "content that no page refers to gets a page and a font");
    ok(!salvaged("%PDF-1.7 and nothing else") && err.code == ERR_CORRUPT_FILE,
       "text without a page is not salvaged");
    ok(!salvaged(""), "an empty file is not salvaged");
}

static void put_table(struct buf *font, const char *name, size_t at, size_t n)
{
    buf_puts(font, name);
    for (int i = 0; i < 4; i++)
        buf_putc(font, 0);
    for (int i = 24; i >= 0; i -= 8)
        buf_putc(font, (char) (at >> i));
    for (int i = 24; i >= 0; i -= 8)
        buf_putc(font, (char) (n >> i));
}

/* A program of two glyphs, 500 and 1000 units wide: without the last table's end, and with a table
 * of codes or without one. */
static void put_program(struct buf *font, bool codes)
{
    static const char *const names[] = { "glyf", "head", "hhea", "hmtx", "loca", "maxp" };
    static const size_t sizes[] = { 4, 54, 36, 8, 6, 6 };
    size_t at = 12 + 16 * 8, units, metrics, widths, cmap;

    buf_put(font, "\0\1\0\0\0\10\0\0\0\0\0\0", 12);
    for (size_t i = 0; i < COUNT(names); i++) {
        put_table(font, names[i], at, sizes[i]);
        at += sizes[i];
    }
    put_table(font, codes ? "cmap" : "junk", at, 12 + 6 + 256);
    put_table(font, "post", at + 12 + 6 + 256, 999);
    for (size_t i = 0; i < 4 + 54 + 36 + 8 + 6 + 6 + 12 + 6 + 256; i++)
        buf_putc(font, 0);
    units = 140 + 4 + 18;
    metrics = 140 + 4 + 54 + 34;
    widths = metrics + 2;
    cmap = at;
    font->data[units] = 1000 >> 8;
    font->data[units + 1] = (char) (1000 & 255);
    font->data[metrics + 1] = 2;
    font->data[widths] = 500 >> 8;
    font->data[widths + 1] = (char) (500 & 255);
    font->data[widths + 4] = 1000 >> 8;
    font->data[widths + 5] = (char) (1000 & 255);
    font->data[cmap + 3] = 1;
    font->data[cmap + 5] = 1;
    font->data[cmap + 11] = 12;
    font->data[cmap + 12 + 6 + 2] = 1; /* code 2 is glyph 1 */
}

static bool salvaged_with_program(bool codes)
{
    AUTO_BUF struct buf file = BUF_EMPTY, font = BUF_EMPTY;

    put_program(&font, codes);
    buf_puts(&file, "6 0 obj\n<</Length 999>>\nstream\nq 0 0.5 595 841.5 re W* n BT /F1 9 Tf <02> "
                    "Tj ET Q\nendstream\nendobj\n5 0 obj\n<</Length1 700/Length 700>>\nstream\n");
    buf_put(&file, font.data, font.len);
    buf_puts(&file, "\nendstream\nendobj\n");
    return salvaged_n(file.data, file.len);
}

static void lost_fonts(void)
{
    ok(salvaged_with_program(true) && holds("/Subtype /TrueType") && holds("/Widths [500 500 1000"),
       "a font program that no font refers to gets a font dictionary with its widths");
    ok(holds("/FontFile2 5 0 R"), "a font that was made again has a descriptor with its program");
    ok(holds("/MediaBox [0 0 595.000 842.000"),
       "a page that was made again is as large as its first clip");
    ok(salvaged_with_program(false) && holds("/Identity-H") && holds("/W [0 [500 1000"),
       "a font program without a cmap is addressed by its glyph numbers");
}

#define DIRECT(c) "<</Type/Page/MediaBox[0 0 99 99]/Contents " c " 0 R>>"

static void direct_objects(void)
{
    ok(salvaged(HEAD CONTENT("5", "one") CONTENT("6", "two") PAGE("8", "7") CONTENT(
           "7", "three") "trailer\n<</Root<</Type/Catalog/Lang(en)/Pages<</Type/Pages/Count 3/Kids["
                         "<</Type/Pages/Count 2/Kids[" DIRECT("5") DIRECT("6") "]>>8 0 R]>>>>>>\n"),
       "a catalog that is written in the trailer is found");
    is_int(report.pages, 3, "pages that are written in a /Kids array are found");
    ok(!report.catalog_rebuilt && holds("/Lang (en)"),
       "a catalog that is written in the trailer keeps its entries");
    ok(memmem(memmem(out.data, out.len, "(one)", 5), out.len / 3, "(two)", 5) != NULL,
       "pages that are written in a /Kids array keep their order");
    ok(salvaged(HEAD CATALOG "2 0 obj\n<</Type/Pages/Count 2/Kids[3 0 R" DIRECT(
           "6") "]>>\nendobj\n" PAGE("3", "5") CONTENT("5", "one") CONTENT("6", "two") TRAILER) &&
           report.pages == 2 && !report.tree_rebuilt,
       "a page that is written in a /Kids array between references is found");
    ok(salvaged(HEAD CATALOG TREE PAGE("3", "5") PAGE("4", "6") CONTENT("5", "one")
                    CONTENT("6", "two") "trailer\n<</Root<</Type/Catalog/Pages 2 0 R>>>>\n"
                                        "trailer\n<</Root 1 0 R>>\n") &&
           report.pages == 2 && report.objects == 6,
       "a later trailer that refers to a catalog is followed");
    ok(salvaged(HEAD CATALOG TREE PAGE("3", "5") PAGE("4", "6") CONTENT("5", "one") CONTENT(
           "6", "two") "7 0 obj\n<</FT/Tx/Kids[<</Type/Annot/Contents(a)>>]>>\nendobj\n" TRAILER) &&
           report.pages == 2 && holds("/Kids [<<"),
       "widgets that are written in a field's /Kids stay there");
}

static void mixed_up(void)
{
    ok(salvaged(HEAD CATALOG
                "2 0 obj\n<</Type/Pages/Count 2/Kids[2 0 R 3 0 R 2 0 R]>>\nendobj\n" PAGE("3", "5")
                    CONTENT("5", "one") TRAILER) &&
           report.pages == 1,
       "a tree that leads back into itself ends");
    ok(salvaged(HEAD CATALOG TREE PAGE("3", "5") PAGE("4", "6") CONTENT("5", "one")
                    CONTENT("6", "two") TRAILER CONTENT("5", "new")) &&
           holds("(new)") && !holds("(one)"),
       "of two objects with one number the later one is used");
    ok(salvaged(HEAD CATALOG TREE PAGE("3", "5") PAGE("4", "6") CONTENT("5", "one")
                    CONTENT("6", "two") TRAILER "5 0 obj\n<</Length 4") &&
           holds("(one)"),
       "of two objects with one number the earlier one is used if the later one is incomplete");
    ok(salvaged("1 0 obj<</Kids[1 0 R]/Count 1/Parent 1 0 R>>endobj 2 0 obj<</Type/Page/Parent 1 0 "
                "R>>endobj") &&
           report.pages == 1,
       "a node that is its own parent is climbed once");
}

static void far_numbers(void)
{
    ok(salvaged(HEAD PAGE("3", "5") CONTENT("5", "one") PAGE("8000000", "8000001")
                    CONTENT("8000001", "two")) &&
           report.pages == 2 && holds("(two)"),
       "objects with great numbers are kept");
    ok(out.len < 2000 && holds("\n8000000 ") && holds("\nxref\n0 "),
       "nothing is written for unused numbers between objects");
}

static void key_lengths(void)
{
    ok(salvaged(HEAD PAGE("3", "5") CONTENT(
           "5", "one") "9 0 obj<</Filter/Standard/V 4/R 4/Length 7/O(o)/U(u)/P -4>>endobj") &&
           holds("/Length 128 "),
       "a wrong /Length of the encryption key is corrected");
    ok(salvaged(HEAD PAGE("3", "5") CONTENT(
           "5", "one") "9 0 obj<</Filter/Standard/V 2/R 3/Length 64/O(o)/U(u)/P -4>>endobj") &&
           holds("/Length 64"),
       "a possible /Length of the encryption key is not changed");
}

/* What ends an object stands in a content: it was read for ever once. */
static void object_in_content(void)
{
    ok(salvaged(HEAD CATALOG TREE PAGE("3", "5") PAGE("4", "6")
                    CONTENT("6", "two") "5 0 obj\n<</Length 9>>\nstream\n0 g E 8 0 obj<</Size 4>> "
                                        "BT ET\nendstream\nendobj\n" TRAILER),
       "another object's header in a content is passed over");
}

/* A page of 99 x 99 points whose dictionary holds `more`, whose content, object 5, is `content`. */
static bool shown(const char *more, const char *content, const char *objects)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_puts(&text, HEAD CATALOG "2 0 obj\n<</Type/Pages/Count 1/Kids[3 0 R]>>\nendobj\n");
    buf_printf(&text,
               "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]%s>>\nendobj\n"
               "5 0 obj\n<</Length %zu>>\nstream\n%s\nendstream\nendobj\n%s" TRAILER,
               more, strlen(content), content, objects);
    return salvaged(buf_text(&text)) && report.pages == 1;
}

static void lost_contents(void)
{
    ok(shown("/Contents 6 0 R", "0 g", "6 0 obj<</A 1>>endobj\n") && !holds("/Contents"),
       "an object in /Contents that is not a stream is removed");
    ok(shown("/Contents[6 0 R 5 0 R 9 0 R]", "0 g", "6 0 obj<</A 1>>endobj\n") &&
           holds("/Contents [5 0 R ]"),
       "a stream in /Contents stays where others are removed");
    ok(shown("/Contents 5 0 R/Annots[77 0 R]/Resources 5 0 R", "0 g", "") &&
           holds("/Annots [null ]") && holds("/Contents 5 0 R"),
       "references to missing objects are removed");
    ok(shown("/Contents 5 0 R/A(6 0 R \\( 77 0 R)", "0 g", "") && holds("(6 0 R \\( 77 0 R)"),
       "text in a string that looks like a reference stays");
    ok(shown("/Contents 5 0 R/A 77 0 R", "0 g",
             "9 0 obj<</Filter/Standard/V 2/R 3/Length 64/O(o)/U(u)/P -4>>endobj\n") &&
           holds("/A 77 0 R"),
       "references to objects in an encrypted file stay, which may be in its object streams");
    ok(salvaged("5 0 obj<</Length 70>>stream\nBT /F1 9 Tf (one) Tj >> odd (two) Tj ET\nendstream "
                "endobj 6 0 obj << >> endobj") &&
           holds("(one)") && holds("(two)") && !holds("odd"),
       "content that no page refers to is cleaned, too");
}

/* An image may have the name of a key that leads away from the page. */
static void sureness_by_names(void)
{
    static const char cut[] = "8 0 obj<</Subtype/Image/Width 9/Height 5/Length 7>>stream\nx";
    static const char whole[] =
        "8 0 obj<</Subtype/Image/Width 9/Height 5/Length 1>>stream\nx\nendstream endobj\n";

    ok(shown("/Contents 5 0 R/Resources<</XObject<</P 8 0 R>>>>", "/P Do", whole) &&
           report.sure[0] == SALVAGE_COMPLETE,
       "a page whose image is whole is complete");
    ok(shown("/Contents 5 0 R/Resources<</XObject<</P 8 0 R>>>>", "/P Do", cut) &&
           report.sure[0] == SALVAGE_PARTIAL,
       "a page whose image is damaged is partial, even if the image has the name of a key");
}

/* Of two pages one is damaged: the other one's content keeps its bytes, packed as it was. */
static void sound_pages_stay(void)
{
    AUTO_BUF struct buf text = BUF_EMPTY, packed = BUF_EMPTY;
    char content[900];

    for (size_t i = 0; i < sizeof content; i++)
        content[i] = "0123456789 gm\n"[(i * i >> 2) % 14];
    if (!zstream_pack(content, sizeof content, &packed))
        return;
    buf_puts(&text, HEAD CATALOG TREE PAGE("3", "5") PAGE("4", "6"));
    for (int number = 5; number <= 6; number++) {
        buf_printf(&text, "%d 0 obj\n<</Filter/FlateDecode/Length %zu>>\nstream\n", number,
                   packed.len);
        if (number == 6)
            packed.data[packed.len / 2] ^= 0x11;
        buf_put(&text, packed.data, packed.len);
        if (number == 6)
            packed.data[packed.len / 2] ^= 0x11;
        buf_puts(&text, "\nendstream\nendobj\n");
    }
    buf_puts(&text, TRAILER);
    ok(salvaged_n(text.data, text.len) && report.pages == 2 && report.mended_streams == 1,
       "a document with one damaged content of two is salvaged");
    ok(report.sure[0] == SALVAGE_COMPLETE && report.sure[1] == SALVAGE_PARTIAL,
       "the page without damage is complete, the other one is partial");
    ok(memmem(out.data, out.len, packed.data, packed.len) != NULL,
       "the content of the page without damage is the same byte for byte");
}

static void orphans(void)
{
    static const char tree[] = "2 0 obj<</Type/Pages/Count 3/Kids[3 0 R 4 0 R]>>endobj ";

    AUTO_BUF struct buf text = BUF_EMPTY;

    buf_printf(&text, "%s%s%s", tree, PAGE("3", "5") CONTENT("5", "one") CONTENT("6", "two"),
               "7 0 obj<</Type/Font/Subtype/Type3/CharProcs<</a 6 0 R>>>>endobj ");
    ok(salvaged(buf_text(&text)) && report.pages == 1,
       "a glyph of a Type 3 font is not taken for the content of a lost page");
    buf_free(&text);
    buf_printf(&text, "%s%s%s", tree, PAGE("3", "5") CONTENT("5", "one") CONTENT("6", "two"),
               "7 0 obj[6 0 R]endobj ");
    ok(salvaged(buf_text(&text)) && report.pages == 2,
       "content that only an array refers to becomes a page");
}

/* A block of the file that came into the data of a stream: from its beginning to behind a page. */
static void moved_blocks(void)
{
    static const char block[] =
        HEAD CATALOG "2 0 obj\n<</Type/Pages/Count 1/Kids[3 0 R]>>\nendobj\n" PAGE("3", "6");
    AUTO_BUF struct buf text = BUF_EMPTY, packed = BUF_EMPTY;
    char noise[3000];

    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (char) (i * i >> 3);
    if (!zstream_pack(noise, sizeof noise, &packed) || packed.len < 2 * sizeof block) {
        ok(false, "noise is packed to %zu bytes", packed.len);
        return;
    }
    for (int damaged = 1; damaged >= 0; damaged--) {
        buf_free(&text);
        buf_printf(&text, "5 0 obj<</Filter/FlateDecode/Length %zu>>stream\n", packed.len);
        buf_put(&text, packed.data, packed.len);
        buf_puts(&text, "\nendstream endobj " CONTENT("6", "one"));
        if (damaged)
            memcpy(text.data + 100, block, sizeof block - 1);
        ok(salvaged_n(text.data, text.len) && report.pages == 1,
           "a document with objects inside a stream has one page");
        ok(holds("/Pages 2 0 R") == (damaged == 1),
           damaged ? "objects in damaged data are found"
                   : "objects in sound data are not taken from it");
    }
}

static void lost_resources(void)
{
    static const char font[] = "8 0 obj<</Type/Font/Subtype/Type3/A 1>>endobj\n";
    static const char picture[] =
        "8 0 obj<</Subtype/Image/Width 9/Height 5/Length 1>>stream\nx\nendstream endobj\n";

    ok(shown("/Contents 5 0 R/Resources<</Font 15 0 R>>", "/F1 9 Tf (one) Tj", font) &&
           holds("/Font <</F1 8 0 R >>"),
       "a missing font is replaced by the font that nothing refers to");
    ok(shown("/Contents 5 0 R/A 8 0 R/Resources<</Font 15 0 R>>", "/F1 9 Tf (one) Tj", font) &&
           holds("/BaseFont /Helvetica"),
       "a missing font is not replaced by a font that something refers to");
    ok(shown("/Contents 5 0 R/Resources<</XObject 15 0 R>>", "/P Do", picture) &&
           holds("/XObject <</P 8 0 R >>"),
       "a missing image is replaced by the image that nothing refers to");
    ok(shown("/Contents 5 0 R/Resources<</XObject 15 0 R>>", "/P Do", "") && holds("/Form"),
       "a missing image without a replacement becomes an empty form");
    ok(shown(
           "/Contents 5 0 R/Resources<</ColorSpace<</C 77 0 R/D 78 0 R>>/ExtGState<</G 79 0 R>>>>",
           "/C cs 1 sc /D CS .1 .2 .3 .4 SC /G gs", "") &&
           holds("77 0 obj\n/DeviceGray") && holds("78 0 obj\n/DeviceCMYK") &&
           holds("79 0 obj\n<</Type /ExtGState>>"),
       "a missing colour space becomes one with as many components as it is used with");
    ok(shown("/Contents 5 0 R", "/F1 9 Tf (one) Tj /DeviceRGB cs", "") && holds("/Font <</F1 <<") &&
           !holds("/ColorSpace"),
       "a page without resources gets the fonts it names, but no device colour spaces");
    ok(shown("/Contents 5 0 R/Resources<</Font<</F2 8 0 R>>>>", "/F1 9 Tf (one) Tj", font) &&
           holds("/F2 8 0 R") && holds("/F1 <<") && holds("Helvetica"),
       "a font that a sound page does not have is added to its resources");
    ok(shown("/Contents 5 0 R/Resources<</Font<</F1 8 0 R>>>>", "/F1 9 Tf (one) Tj", font) &&
           !holds("Helvetica"),
       "a font that a page has is not added again");
    ok(shown("/Contents 5 0 R/Resources<</XObject<</Q 8 0 R>>>>", "/P Do", picture) &&
           !holds("/Form"),
       "an image that a sound page does not have is not added");
}

/* A string may hold any byte: so may what a page has from above, which is written anew. */
static void nul_bytes(void)
{
    static const char tree[] =
        "2 0 obj<</Type/Pages/Count 9/Kids[3 0 R]/Resources<</A(b\0c)/D 1>>>>endobj "
        "3 0 obj<</Parent 2 0 R/Contents 5 0 R>>endobj "
        "5 0 obj<<>>stream\n0 g\nendstream endobj "
        "6 0 obj<</Filter[/FlateDecodf(e\0f)]/G 1>>stream\nx\nendstream endobj ";

    ok(salvaged_n(tree, sizeof tree - 1) && report.pages == 1 &&
           memmem(out.data, out.len, "(b\0c) /D 1", 10),
       "inherited strings with NUL bytes are kept whole");
    ok(memmem(out.data, out.len, "(e\0f) ]", 7) && holds("/G 1"),
       "strings with NUL bytes in arrays are kept whole");
}

static void lost_scans(void)
{
    static const char scan[] =
        "8 0 obj<</Subtype/Image/Width 20/Height 20/Length 1>>stream\nx\nendstream endobj\n";
    static const char wide[] =
        "8 0 obj<</Subtype/Image/Width 20/Height 9/Length 1>>stream\nx\nendstream endobj\n";
    static const char page[] = "/Contents 5 0 R/Resources<</XObject<</P 8 0 R>>>>";
    static const char drawn[] = "q 99 0 0 99 0 0 cm /P Do Q";

    ok(shown(page, "BT 3 Tr (one) Tj ET >> odd", scan) && holds(drawn),
       "a scan that damaged content does not draw is drawn again");
    ok(shown(page, "BT 3 Tr (one) Tj ET", scan) && !holds(drawn),
       "a scan that sound content does not draw is not drawn");
    ok(shown(page, "BT 3 Tr (one) Tj ET /P Do >> odd", scan) && !holds(drawn),
       "a scan that damaged content draws is not drawn twice");
    ok(shown(page, "BT 3 Tr (one) Tj ET >> odd", wide) && !holds(drawn),
       "an image with other proportions than the page is not drawn");
}

static void known_dictionaries(void)
{
    ok(shown("/Contents 5 0 R", "0 g",
             "8 0 obj<</Filter/BlateDecode/Length 1>>stream\nx\n"
             "endstream endobj\n") &&
           holds("/Filter [/FlateDecode ]"),
       "a filter's name with one wrong character is corrected");
    ok(shown("/Contents 5 0 R", "0 g",
             "8 0 obj<</Filter[/A85/DCTDecodf]/Length 1>>stream\nx\n"
             "endstream endobj\n") &&
           holds("/Filter [/A85 /DCTDecode ]"),
       "a filter's name with one wrong character is corrected in an array");
    ok(shown("/Contents 5 0 R", "0 g",
             "8 0 obj<</Filter/MineDecode/Length 1>>stream\nx\n"
             "endstream endobj\n") &&
           holds("/Filter /MineDecode"),
       "a filter's name that is not similar to a known one is not changed");
    ok(shown("/Contents 5 0 R", "0 g",
             "8 0 obj<</Type/Font/BaseFont/Courier/FirstChar 33/LastChar 35"
             "/Widths[600 600$600]>>endobj\n") &&
           !holds("/Widths") && !holds("/FirstChar"),
       "incomplete widths of a standard font are removed");
    ok(shown("/Contents 5 0 R", "0 g",
             "8 0 obj<</Type/Font/BaseFont/Courier/FirstChar 33/LastChar 35"
             "/Widths[600 600 600]>>endobj\n") &&
           holds("/Widths"),
       "complete widths of a standard font are kept");
    ok(shown("/Contents 5 0 R", "0 g",
             "8 0 obj<</Subtype/Link/Dest[77 0 R/Fit]/B 1>>endobj\n"
             "9 0 obj<</Title(a)/A<</S/GoTo/D[77 0 R/Fit]>>/C 2>>endobj\n") &&
           !holds("/Fit") && holds("/B 1") && holds("/C 2"),
       "destinations on a lost page are removed");
    ok(shown("/Contents 5 0 R", "0 g", "8 0 obj<</Subtype/Link/Dest[3 0 R/Fit]/B 1>>endobj\n") &&
           holds("/Dest [3 0 R /Fit ]"),
       "destinations on other pages are kept");
}

/* Any byte changed, any length: it ends, and what comes out begins like a document. */
static void every_byte(void)
{
    static const char text[] = HEAD CATALOG TREE PAGE("3", "5") PAGE("4", "6") CONTENT("5", "one")
        CONTENT("6", "two") TRAILER;
    char copy[sizeof text];
    bool good = true;

    for (size_t i = 0; i < sizeof text; i++) {
        memcpy(copy, text, sizeof text);
        copy[i] = (char) (copy[i] ^ (1 << i % 8));
        good = good && salvaged_n(copy, sizeof copy) && report.pages > 0;
        salvaged_n(text, i);
        good = good && (out.len == 0 || holds("%PDF-1.7"));
    }
    ok(good, "with any bit changed pages are found, and any shorter file gives a PDF or nothing");
}

/* Processor seconds that a document of one piece over and over takes. */
static double storm(const char *piece)
{
    size_t n = strlen(piece), times = (2U << 20) / n;
    struct buf text = BUF_EMPTY;
    clock_t start = clock();

    buf_puts(&text, HEAD PAGE("3", "5") CONTENT("5", "one"));
    for (size_t i = 0; i < times; i++)
        buf_put(&text, piece, n);
    salvaged_n(text.data, text.len);
    buf_free(&text);
    return (double) (clock() - start) / CLOCKS_PER_SEC;
}

/* Each of these once took minutes: what has no end was looked for again and again. */
static void storms(void)
{
    static const char *const pieces[] = { "1 0 obj<</Length 99>>stream\n",
                                          "1 0 obj<<>>stream\nendobj ",
                                          "1 0 obj(\n",
                                          "1 0 obj%",
                                          "1 0 obj 5 %",
                                          "obj %",
                                          "trailer(" };

    for (size_t i = 0; i < COUNT(pieces); i++) {
        double took = storm(pieces[i]);

        if (!ok(took < 10, "a file of \"%.8s\" over and over takes less than 10 seconds",
                pieces[i]))
            printf("# %.1f s\n", took);
        is_int(report.pages, 1, "the page before the repeated text is found");
    }
}

/* The node that all pages are under was read again for each of them. */
static void flat_tree(void)
{
    struct buf text = BUF_EMPTY;
    clock_t start = clock();

    buf_puts(&text, HEAD CATALOG "2 0 obj\n<</Type/Pages/MediaBox[0 0 9 9]/Count 7/Kids[");
    for (int i = 3; i < 9003; i++)
        buf_printf(&text, "%d 0 R ", i);
    buf_puts(&text, "]>>\nendobj\n");
    for (int i = 3; i < 9003; i++)
        buf_printf(&text, "%d 0 obj\n<</Type/Page/Parent 2 0 R>>\nendobj\n", i);
    ok(salvaged_n(text.data, text.len) && report.pages == 9000,
       "a page tree of one node may have 9000 pages");
    ok(clock() - start < 5 * CLOCKS_PER_SEC,
       "a page tree of one node with 9000 pages takes less than 5 seconds");
    buf_free(&text);
}

int main(void)
{
    whole_trees();
    lost_parts();
    lost_fonts();
    direct_objects();
    mixed_up();
    far_numbers();
    key_lengths();
    object_in_content();
    lost_contents();
    sureness_by_names();
    sound_pages_stay();
    orphans();
    moved_blocks();
    lost_resources();
    lost_scans();
    nul_bytes();
    known_dictionaries();
    every_byte();
    flat_tree();
    buf_free(&out);
    storms();
    return done_testing();
}
