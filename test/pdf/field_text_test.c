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

int main(void)
{
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
