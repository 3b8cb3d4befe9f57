#include "engine/page_text/page_turn.h"

#include <math.h>

#define LEAST  100          /* characters: labels of drawings have fewer */
#define ASIDE  20           /* at most every twentieth character has another direction */
#define ANGLES 0.02F        /* of a unit vector: lines that go exactly up or down */
#define KEY    "PlatenTurn" /* of a page that was rotated */

int page_turn_find(const fz_stext_page *text)
{
    size_t up = 0, down = 0, all = 0;

    for (const fz_stext_block *block = text->first_block; block; block = block->next) {
        if (block->type != FZ_STEXT_BLOCK_TEXT)
            continue;
        for (const fz_stext_line *line = block->u.t.first_line; line; line = line->next) {
            size_t n = 0;

            for (const fz_stext_char *c = line->first_char; c; c = c->next)
                n++;
            all += n;
            /* Lines of vertical writing go down, and are upright. */
            if (line->wmode == 0 && fabsf(line->dir.x) < ANGLES)
                *(line->dir.y < 0 ? &up : &down) += n;
        }
    }
    if (all < LEAST)
        return 0;
    return (all - up) * ASIDE <= all ? 90 : (all - down) * ASIDE <= all ? 270 : 0;
}

int page_turn_read(fz_context *ctx, pdf_document *pdf, size_t number)
{
    pdf_obj *page = pdf_lookup_page_obj(ctx, pdf, (int) number);
    int rotate =
        pdf_to_int(ctx, pdf_dict_get_inheritable(ctx, page, PDF_NAME(Rotate))) / 90 * 90 % 360;

    return rotate < 0 ? rotate + 360 : rotate;
}

void page_turn_set(fz_context *ctx, pdf_document *pdf, size_t number, int rotate)
{
    pdf_obj *page = pdf_lookup_page_obj(ctx, pdf, (int) number);
    int made = page_turn_made(ctx, pdf, number) + rotate - page_turn_read(ctx, pdf, number);

    pdf_dict_put_int(ctx, page, PDF_NAME(Rotate), rotate);
    pdf_dict_puts_drop(ctx, page, KEY, pdf_new_int(ctx, (made % 360 + 360) % 360));
}

int page_turn_made(fz_context *ctx, pdf_document *pdf, size_t number)
{
    return pdf_to_int(ctx, pdf_dict_gets(ctx, pdf_lookup_page_obj(ctx, pdf, (int) number), KEY));
}
