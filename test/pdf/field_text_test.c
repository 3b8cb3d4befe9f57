/* Tests of pdf_forms/field_text: what a default appearance string says. */
#include "pdf/forms/field_text.h"

#include <string.h>

#include "tap.h"

/* Whether the font, its size and the colour are these. */
static void styles(const char *appearance, const char *want, const char *sentence)
{
    struct field_text text = { 0 };
    char got[200];

    field_text_style(&text, appearance, strlen(appearance));
    snprintf(got, sizeof got, "%s %g %s %06X", text.font_name, text.size, text.colour, text.rgb);
    is_str(got, want, "%s", sentence);
}

/* The operators that show a value in a field of that height, which is 150 wide. */
static void shows(struct field_text text, const char *value, const char *want, const char *sentence)
{
    struct field_font font;
    struct buf out = BUF_EMPTY, coded = BUF_EMPTY;

    field_font_standard(&font, "/Helv");
    text.font = &font;
    text.width = 150;
    text.edge = 1;
    buf_puts(&coded, value);
    field_text_put(&text, &coded, &out);
    if (!strstr(buf_text(&out), want))
        is_str(buf_text(&out), want, "%s", sentence);
    else
        ok(true, "%s", sentence);
    buf_free(&out);
    buf_free(&coded);
}

/* The places are those in files that Acrobat 10, 11 and DC wrote. */
static void places(void)
{
    shows((struct field_text){ .height = 22, .size = 12 }, "a", "1 0 0 1 2.000 6.548 Tm",
          "a line is centred by the box of its font");
    shows((struct field_text){ .height = 156.024, .size = 12 }, "a", "2.000 73.560 Tm",
          "in a high field, too");
    shows((struct field_text){ .height = 107.104, .size = 8, .lines = true }, "a\nb",
          "2.000 95.856 Tm <61> Tj\n1 0 0 1 2.000 86.608 Tm",
          "lines begin below twice the border, with the distance of the font's box");
    shows((struct field_text){ .height = 156.024, .lines = true }, "a", "2.000 140.152 Tm",
          "lines of an automatic size begin with 12 points");
    shows((struct field_text){ .height = 72, .size = 12, .n_options = 2 }, "a\nb",
          "2.000 59.612 Tm <61> Tj\n1 0 0 1 2.000 45.740 Tm", "a list begins at its border");
    shows((struct field_text){ .height = 37.46 }, "a", "/F 26.267 Tf\n1 0 0 1 2.000 8.985 Tm",
          "an automatic size is the height within the border by 1.35");
}

int main(void)
{
    places();
    styles("", " 0  000000", "an empty string sets nothing");
    styles("/Helv 12 Tf 0 g", "/Helv 12 0.0000 g 000000", "font, size and gray level are read");
    styles("1 0 0 rg /F#31 0 Tf", "/F1 0 1.0000 0.0000 0.0000 rg FF0000", "an RGB colour is read");
    styles("0 0 0 1 k /F1 9.5 Tf", "/F1 9.5 0.0000 0.0000 0.0000 1.0000 k 000000",
           "a CMYK colour is read");
    styles("0 g/Helv 8 Tf(Tf)0.5 g", "/Helv 8 0.5000 g 808080",
           "white space is needed between regular characters only");
    styles("/Helv 12 Tf % 1 0 0 rg\n", "/Helv 12  000000", "comments set nothing");
    styles("2 g /Helv -1 Tf", "/Helv 0 0.0000 g 000000", "what is out of range counts as 0");
    styles("g rg k Tf 5 Tf (a) 5 Tf", " 0  000000", "operators without operands set nothing");
    return done_testing();
}
