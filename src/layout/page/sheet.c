#include "layout/page/sheet.h"

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
    for (size_t i = 0; i < sheet->n_notes; i++) {
        free(sheet->notes[i].author);
        free(sheet->notes[i].text);
    }
    free(sheet->notes);
    for (size_t i = 0; i < sheet->n_fields; i++) {
        free(sheet->fields[i].name);
        free(sheet->fields[i].options);
    }
    free(sheet->fields);
    free(sheet->unread);
    free(sheet->art);
    free(sheet->own_fonts);
    *sheet = (struct sheet){ 0 };
}
