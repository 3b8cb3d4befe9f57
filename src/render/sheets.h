/*
 * sheets: the pages of a document as sheets (page/sheet.h): what is on them, ready for being
 * understood. For the thread that has the document.
 */
#pragma once

#include "page/sheet.h"
#include "render/document.h"
#include "render/families.h"
#include "render/reading.h"
#include "render/tagging.h"
#include "render/tags.h"

struct sheets {
    struct document *doc;
    struct families fonts;
    struct png_writer *writer;
    struct tags tags;
    bool tagged_headings;
    bool lent;     /* the tags are another's */
    fz_font *font; /* of the last glyph, and its number on the page */
    size_t font_at;
    bool font_bold; /* it was asked for as bold */
    struct reading reading;
    struct tagging *tagging; /* of the page that is read; NULL: it is not tagged */
    int page_object, mcid;
    uint32_t tag;          /* of that marked content */
    fz_display_list *list; /* of the page that was drawn last; or NULL */
    size_t list_page;
};

enum sheets_what {
    SHEETS_TEXT, /* glyphs alone */
    SHEETS_ALL,
};

int sheets_open(struct sheets *sheets, struct document *doc, struct err *err);
/* For another thread: `doc` is its own, and was opened from what others->doc was. Only the tags are
 * shared, which nobody changes. */
int sheets_open_again(struct sheets *sheets, struct document *doc, const struct sheets *others,
                      struct err *err);
void sheets_close(struct sheets *sheets);

/*
 * Reads a page, which the caller frees (sheet_free). A page that is damaged is read as far as it
 * can be: `damaged` says so. Pictures that cannot be read are left out. sheet->fonts is borrowed
 * until the next page is read. ERR_LIMIT_EXCEEDED.
 */
int sheets_read(struct sheets *sheets, size_t number, enum sheets_what what, struct sheet *sheet,
                struct err *err);
/* The two halves of that. What the first one reads is not yet of the document's fonts: the second
 * one, with the sheets that were opened first, sees to that, page after page in order. */
int sheets_read_apart(struct sheets *sheets, size_t number, enum sheets_what what,
                      struct sheet *sheet, struct err *err);
int sheets_adopt(struct sheets *sheets, struct sheet *sheet, struct err *err);
/* Forgets the page that was drawn last. */
void sheets_forget(struct sheets *sheets);
/* A part of the page as one picture, which is added to the sheet's. `bare`: without its text and
 * pictures. */
int sheets_draw(struct sheets *sheets, struct sheet *sheet, struct area area, double dpi, bool bare,
                struct err *err);
