/* make_type1: a document whose text is set in a Type 1 font of which it shows little. $1: where. */
#include <stdio.h>

#include "pdf_builder.h"
#include "type1_font.h"

#define FILLERS 60

static void put_font(struct buf *font)
{
    static const char *const subrs[] = { "return", NULL };
    static char names[FILLERS][8], codes[FILLERS][120];
    static const char *glyphs[2 * (FILLERS + 6) + 1] = {
        ".notdef",
        "0 250 hsbw endchar",
        "A",
        ("10 500 hsbw 0 20 hstem 0 30 vstem 0 0 rmoveto 300 hlineto 600 vlineto -300 hlineto "
         "closepath endchar"),
        "acute",
        "40 300 hsbw 100 600 rmoveto 150 90 rlineto -90 -10 rlineto closepath endchar",
        "Aacute",
        "10 500 hsbw 40 120 80 65 194 seac",
        "B",
        "0 600 hsbw 50 100 rmoveto 100 200 300 100 50 -300 rrcurveto closepath endchar"
    };

    for (int i = 0; i < FILLERS; i++) {
        snprintf(names[i], sizeof names[i], "g%d", i);
        snprintf(codes[i], sizeof codes[i],
                 "0 %d hsbw 3 %d rmoveto %d hlineto %d %d rlineto "
                 "closepath endchar",
                 400 + i * 7, i * 37 % 91, i * 53 % 97, i * 71 % 89, i);
        glyphs[10 + 2 * i] = names[i];
        glyphs[11 + 2 * i] = codes[i];
    }
    type1_make(font, "StandardEncoding def", subrs, glyphs);
}

int main(int argc, char **argv)
{
    static const char page[] = "BT /F 60 Tf 20 50 Td (AB\\301A) Tj ET";
    AUTO_BUF struct buf font = BUF_EMPTY;
    struct pdf_builder pdf;
    bool written;
    AUTO_FCLOSE FILE *file = argc == 2 ? fopen(argv[1], "wbe") : NULL;

    if (!file)
        return 2;
    put_font(&font);
    pdf_header(&pdf, "1.4");
    pdf_put_stream(&pdf, 1, page, sizeof page - 1, "%s", "");
    pdf_put_stream(&pdf, 2, font.data, font.len, "/Length1 300/Length2 9999/Length3 0");
    static const char *const objects[] = {
        "<</Type/FontDescriptor/FontName/Test/Flags 32/FontBBox[-10 -20 1000 800]/ItalicAngle 0"
        "/Ascent 800/Descent -20/CapHeight 700/StemV 30/CharSet(/A/acute)/FontFile 2 0 R>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Test/FirstChar 65/LastChar 66/Widths[500 600]"
        "/FontDescriptor 3 0 R/Encoding<</Type/Encoding/Differences[193/Aacute]>>>>",
        "<</Type/Page/Parent 6 0 R/MediaBox[0 0 300 200]/Contents 1 0 R"
        "/Resources<</Font<</F 4 0 R>>>>>>",
        "<</Type/Pages/Kids[5 0 R]/Count 1>>",
        "<</Type/Catalog/Pages 6 0 R>>",
    };
    for (size_t i = 0; i < COUNT(objects); i++)
        pdf_put(&pdf, (int) i + 3, objects[i]);
    pdf_end(&pdf, 7);
    written = fwrite(pdf.out.data, 1, pdf.out.len, file) == pdf.out.len;
    buf_free(&pdf.out);
    return written ? 0 : 1;
}
