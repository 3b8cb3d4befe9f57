/*
 * sheets: the pages of a document as sheets (reflow/sheet.h): what is on them, ready for being
 * understood. For the thread that has the document.
 */
#pragma once

#include "reflow/sheet.h"
#include "render/document.h"
#include "render/families.h"

struct sheets {
    struct document *doc;
    struct families fonts;
    struct png_writer *writer;
};

enum sheets_what {
    SHEETS_TEXT, /* glyphs alone */
    SHEETS_ALL,
};

int sheets_open(struct sheets *sheets, struct document *doc, struct err *err);
void sheets_close(struct sheets *sheets);

/*
 * Reads a page, which the caller frees (sheet_free). A page that is damaged is read as far as it
 * can be: `damaged` says so. Pictures that cannot be read are left out. sheet->fonts is borrowed
 * until the next page is read. ERR_LIMIT_EXCEEDED.
 */
int sheets_read(struct sheets *sheets, size_t number, enum sheets_what what, struct sheet *sheet,
                struct err *err);
/* A part of the page as one picture, which is added to the sheet's. `bare`: without its text and
 * pictures. */
int sheets_draw(struct sheets *sheets, struct sheet *sheet, struct area area, double dpi, bool bare,
                struct err *err);
