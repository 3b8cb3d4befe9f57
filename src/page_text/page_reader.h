/*
 * sheets: the pages of a document as sheets (page/sheet.h): what is on them, ready for being
 * understood. For the thread that has the document.
 */
#pragma once

#include "mupdf/mupdf_document.h"
#include "page/sheet.h"
#include "page_text/font_map.h"
#include "page_text/struct_tree.h"
#include "page_text/tagging.h"
#include "page_text/text_reading.h"

struct page_reader {
    struct mupdf_document *doc;
    struct font_map fonts;
    struct png_writer *writer;
    struct struct_tree tags;
    bool tagged_headings;
    bool lent;     /* the tags are another's */
    fz_font *font; /* of the last glyph, and its number on the page */
    size_t font_at;
    bool font_bold; /* it was asked for as bold */
    struct text_reading reading;
    struct tagging *tagging; /* of the page that is read; NULL: it is not tagged */
    int page_object, mcid;
    uint32_t tag;          /* of that marked content */
    fz_display_list *list; /* of the page that was drawn last; or NULL */
    size_t list_page;
};

enum page_reader_what {
    PAGE_READER_TEXT, /* glyphs alone */
    PAGE_READER_ALL,
};

int page_reader_open(struct page_reader *sheets, struct mupdf_document *doc, struct err *err);
/* For another thread: `doc` is its own, and was opened from what others->doc was. Only the tags are
 * shared, which nobody changes. */
int page_reader_open_again(struct page_reader *sheets, struct mupdf_document *doc,
                           const struct page_reader *others, struct err *err);
void page_reader_close(struct page_reader *sheets);

/*
 * Reads a page, which the caller frees (sheet_free). A page that is damaged is read as far as it
 * can be: `damaged` says so. Pictures that cannot be read are left out. sheet->fonts is borrowed
 * until the next page is read. ERR_LIMIT_EXCEEDED.
 */
int page_reader_read(struct page_reader *sheets, size_t number, enum page_reader_what what,
                     struct sheet *sheet, struct err *err);
/* The two halves of that. What the first one reads is not yet of the document's fonts: the second
 * one, with the sheets that were opened first, sees to that, page after page in order. */
int page_reader_read_apart(struct page_reader *sheets, size_t number, enum page_reader_what what,
                           struct sheet *sheet, struct err *err);
int page_reader_adopt(struct page_reader *sheets, struct sheet *sheet, struct err *err);
/* Forgets the page that was drawn last. */
void page_reader_forget(struct page_reader *sheets);
/* A part of the page as one picture, which is added to the sheet's. `bare`: without its text and
 * pictures. */
int page_reader_draw(struct page_reader *sheets, struct sheet *sheet, struct area area, double dpi,
                     bool bare, struct err *err);
