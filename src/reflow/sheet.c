#include "reflow/sheet.h"

#include <stdlib.h>

void sheet_free(struct sheet *sheet)
{
    for (size_t i = 0; i < sheet->n_pictures; i++)
        free(sheet->pictures[i].bytes);
    for (size_t i = 0; i < sheet->n_links; i++)
        free(sheet->links[i].uri);
    free(sheet->glyphs);
    free(sheet->fills);
    free(sheet->pictures);
    free(sheet->links);
    free(sheet->art);
    *sheet = (struct sheet){ 0 };
}
