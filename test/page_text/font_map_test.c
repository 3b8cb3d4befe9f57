/* Characters whose widths are known in every font. */
#include "engine/page_text/font_map.h"

#include "tap.h"

int main(void)
{
    struct font_map fonts = { 0 };

    is_int((int) font_map_width(&fonts, 0, 0xac00), 1, "Hangul is as wide as it is high");
    is_int((int) font_map_width(&fonts, 0, 0x4e00), 1, "ideographs too");
    is_int((int) font_map_width(&fonts, 0, 'a'), 0, "of a font that is not known nothing else is");
    return done_testing();
}
