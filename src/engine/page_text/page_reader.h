/*
 * page_reader: reads the pages of a document as page contents (struct page_content,
 * layout/page/page_content.h). Must be used by the thread that owns the document.
 */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_text/font_map.h"
#include "engine/page_text/struct_tree.h"
#include "engine/page_text/tagging.h"
#include "engine/page_text/text_reading.h"
#include "layout/page/page_content.h"

struct page_reader {
    struct mupdf_document *doc;
    struct font_map fonts;
    struct font_shapes shapes;
    struct png_writer *writer;
    struct struct_tree tags;
    bool tagged_headings;
    enum page_fields fields; /* those of forms that are wanted */
    bool bare;               /* pictures have only their places */
    bool unread;             /* only links and fields are read, not the content of pages */
    bool lent;               /* the tags belong to another reader */
    fz_font *font;           /* the font of the last glyph */
    size_t font_at;          /* index of that font among those of the page */
    bool font_bold;          /* the last font lookup was for bold */
    bool font_scanned;       /* the last font is that of recognised text */
    struct text_reading reading;
    struct tagging *tagging;  /* of the page that is being read; NULL: it is not tagged */
    int page_object;          /* object number of the page that is being read */
    struct tagging_mark mark; /* what its current marked content says */
    uint8_t language;         /* of that, or else of the structure; 0: none */
    uint32_t tag;             /* the structure tag of the current marked content */
    fz_display_list *list;    /* the page that was drawn last, or NULL */
    size_t list_page;         /* its number */
    /* degrees by which the page that was read has to be rotated (engine/page_text/page_turn.h) */
    int turn;
};

enum page_reader_what {
    PAGE_READER_TEXT, /* only glyphs */
    PAGE_READER_ALL,
};

/* Opens a reader of `doc`, which must outlive it, and reads the tags. ERR_INTERNAL without memory.
 */
int page_reader_open(struct page_reader *reader, struct mupdf_document *doc, struct err *err);
/* Opens a reader for another thread: `doc` is its own, and was opened from the same file as
 * others->doc. Only the tags are shared, which never change. */
int page_reader_open_again(struct page_reader *reader, struct mupdf_document *doc,
                           const struct page_reader *others, struct err *err);
void page_reader_close(struct page_reader *reader);

/*
 * Reads a page, which the caller frees (page_content_free). A damaged page is read as far as
 * possible and marked `damaged`. Pictures that cannot be read are omitted. content->fonts is
 * borrowed until the next page is read. Fails with ERR_LIMIT_EXCEEDED.
 */
int page_reader_read(struct page_reader *reader, size_t number, enum page_reader_what what,
                     struct page_content *content, struct err *err);
/* The two halves of page_reader_read. After the first, glyphs have the page's own fonts; the
 * second, to be called with the reader that was opened first and in the order of pages, assigns
 * the document's. */
int page_reader_read_apart(struct page_reader *reader, size_t number, enum page_reader_what what,
                           struct page_content *content, struct err *err);
int page_reader_adopt(struct page_reader *reader, struct page_content *content, struct err *err);
/* Frees the page that was drawn last. */
void page_reader_forget(struct page_reader *reader);

/* Says in the content which objects could not be read since damage_begin (engine/mupdf/damage.h).
 */
void page_reader_put_damage(const struct page_reader *reader, struct page_content *content);

enum page_reader_part {
    PAGE_READER_DRAWINGS,  /* neither text nor pictures */
    PAGE_READER_UNWRITTEN, /* pictures and drawings, without text */
    PAGE_READER_SEEN,      /* everything that is visible */
};

/* Draws a part of what is in `area` of the page as one picture, and adds it to the content's
 * pictures, in front of everything else (its `order` is the greatest). */
int page_reader_draw(struct page_reader *reader, struct page_content *content, struct area area,
                     double dpi, enum page_reader_part part, struct err *err);
