#include "write/docx/docx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/page/coverage.h"
#include "write/docx/headers.h"
#include "write/docx/notes.h"
#include "write/docx/parts.h"
#include "write/docx/proof.h"
#include "write/docx/section.h"
#include "write/opc/package.h"

#define MAIN "word/document.xml"

struct docx {
    struct document_facts options;
    const char *path;
    struct package *package;
    struct body body;
    struct sections sections;
    unsigned n_pages, n_pictures, n_noted; /* n_noted: pictures of comments */
    const struct page_content *content;    /* whose pictures were put in, as: */
    unsigned *rels;
    struct proof written;
    struct buf comments, comment_rels;
    unsigned *note_rels;
    struct notes notes;
    bool even; /* there are columns that end at one height */
};

struct docx *docx_open(const char *path, const struct document_facts *options, struct err *err)
{
    struct docx *docx = calloc(1, sizeof *docx);

    if (!docx) {
        err_sys(err, "document");
        return NULL;
    }
    docx->options = *options;
    docx->path = path;
    docx->package = package_open(path, err);
    if (!docx->package) {
        free(docx);
        return NULL;
    }
    docx->body.exact = options->exact;
    docx->body.comments = &docx->comments;
    docx->body.notes = &docx->notes;
    docx->body.put_note = notes_put;
    notes_open(&docx->notes, options->family, options->size);
    docx->body.family = options->family;
    docx->body.size = options->size;
    docx->sections = (struct sections){ .body = &docx->body, .options = &docx->options };
    body_relate(&docx->body, "styles", "styles.xml", false);
    body_relate(&docx->body, "settings", "settings.xml", false);
    body_relate(&docx->body, "numbering", "numbering.xml", false);
    buf_puts(&docx->body.xml,
             XML_HEAD "<w:document " XML_W " " XML_R " " XML_W14_IGNORABLE "><w:body>");
    return docx;
}

void docx_free(struct docx *docx)
{
    if (!docx)
        return;
    package_free(docx->package);
    body_free(&docx->body);
    notes_free(&docx->notes);
    proof_free(&docx->written);
    buf_free(&docx->comments);
    buf_free(&docx->comment_rels);
    free(docx->note_rels);
    free(docx->sections.sets);
    free(docx->rels);
    free(docx);
}

/* What was written can go, but for the paragraph a section may have to end with. */
static int flush_body(struct docx *docx, struct err *err)
{
    struct body *body = &docx->body;
    size_t n = body->xml.len;

    if (body->section_at) {
        n = body->section_at;
        while (n > 4 && memcmp(body->xml.data + n, "<w:p>", 5) != 0)
            n--;
        if (memcmp(body->xml.data + n, "<w:p>", 5) != 0)
            n = 0;
    }
    if (body->xml.failed || body->rels.failed || body->floats.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large");
    if (package_stream(docx->package, MAIN, body->xml.data, n, err) < 0)
        return -1;
    buf_drop(&body->xml, n);
    if (body->section_at)
        body->section_at -= n;
    return 0;
}

/* Writes the pictures of comments, of which there may be more than the document then has. */
static int put_note_pictures(struct docx *docx, const struct page_content *content, struct err *err)
{
    free(docx->note_rels);
    docx->note_rels = calloc(content->n_notes + 1, sizeof *docx->note_rels);
    if (!docx->note_rels)
        return err_sys(err, "comments");
    for (size_t i = 0; i < content->n_notes; i++) {
        const struct page_note *note = &content->notes[i];
        char name[64];

        if (!note->picture)
            continue;
        docx->note_rels[i] = ++docx->n_noted;
        snprintf(name, sizeof name, "media/comment%u.png", docx->n_noted);
        parts_relation(&docx->comment_rels, docx->n_noted, "image", name, false);
        snprintf(name, sizeof name, "word/media/comment%u.png", docx->n_noted);
        if (package_part(docx->package, name, note->picture, note->n_picture, true, err) < 0)
            return -1;
    }
    return 0;
}

static int put_pictures(struct docx *docx, const struct page_content *content, struct err *err)
{
    if (docx->content == content)
        return 0;
    free(docx->rels);
    docx->rels = calloc(content->n_pictures + 1, sizeof *docx->rels);
    if (!docx->rels)
        return err_sys(err, "pictures");
    for (size_t i = 0; i < content->n_pictures; i++) {
        const struct page_picture *picture = &content->pictures[i];
        char name[64];

        if (!picture->bytes)
            continue;
        snprintf(name, sizeof name, "media/image%u.%s", ++docx->n_pictures, picture->extension);
        docx->rels[i] = body_relate(&docx->body, "image", name, false);
        snprintf(name, sizeof name, "word/media/image%u.%s", docx->n_pictures, picture->extension);
        if (package_part(docx->package, name, picture->bytes, picture->n_bytes, true, err) < 0)
            return -1;
    }
    docx->content = content;
    return put_note_pictures(docx, content, err);
}

/* Writes what has a fixed place on the page, next to the text. */
static void put_aside(struct body *body, const struct page *page)
{
    for (size_t k = 0; k < page->n_floats; k++)
        body_figure(body, &page->floats[k].figure);
    for (size_t k = 0; k < page->n_text_boxes; k++)
        body_text_box(body, &page->text_boxes[k]);
}

/* Whether what has a fixed place on a page that begins within a paragraph hangs on the next one,
 * which is on the page even if a line more, or less, of the first is. */
static bool hangs_late(const struct page *page, const struct section *section)
{
    return page->before == TRANSITION_SAME && section->blocks.n > 1 &&
           section->blocks.items[1].kind == BLOCK_PARAGRAPH &&
           section->blocks.items[1].paragraph.area.y0 < page->height / 2;
}

/* A page that begins within a paragraph or a table. False: it has to begin otherwise. */
static bool go_on(struct docx *docx, const struct page *page)
{
    struct body *body = &docx->body;
    const struct section *section;
    bool late;

    if ((page->before != TRANSITION_SAME && page->before != TRANSITION_TABLE) ||
        page->n_sections == 0)
        return false;
    section = &page->sections[0];
    late = hangs_late(page, section);
    if (!late)
        put_aside(body, page);
    body->bookmark = docx->n_pages;
    if (page->before == TRANSITION_TABLE) {
        body_table(body, &section->blocks.items[0].table);
    } else if (!body_go_on(body, &section->blocks.items[0].paragraph)) {
        body->floats.len = 0;
        return false;
    }
    section_go_on(&docx->sections, page);
    if (late)
        put_aside(body, page);
    body_blocks(body, section->blocks.items + 1, section->blocks.n - 1);
    return true;
}

/* What a page begins with: its section, and what is not in the text. */
static void begin_page(struct docx *docx, const struct page *page, const struct section *section)
{
    struct body *body = &docx->body;

    section_begin(&docx->sections, page, section, true);
    put_aside(body, page);
    body->bookmark = docx->n_pages;
}

/* A further part of a page. */
static void begin_part(struct docx *docx, const struct page *page, const struct section *section)
{
    struct body *body = &docx->body;

    if (docx->options.exact)
        return;
    /* LibreOffice takes an empty paragraph that ends a section away: the space is another. */
    if (section->before > 0.5F) {
        body_spacer(body, section->before > 2 ? section->before - 1 : 1);
        body_spacer(body, 1);
    }
    section_begin(&docx->sections, page, section, false);
}

static void put_section(struct docx *docx, const struct section *section, bool begun)
{
    struct body *body = &docx->body;

    docx->even |= section->even;
    if (section->blocks.n == 0)
        body_spacer(body, 1);
    if (begun)
        section_lift_first(body, section);
    body_blocks(body, section->blocks.items, section->blocks.n);
}

static void put_page(struct docx *docx, const struct page *page)
{
    static const struct section empty = { .n_columns = 1 };
    struct body *body = &docx->body;
    bool exact = docx->options.exact;
    const struct section *first = page->n_sections ? &page->sections[0] : &empty;

    if (page->before != TRANSITION_TABLE)
        body_table_end(body);
    if (!go_on(docx, page)) {
        /* LibreOffice makes those columns equal that do not begin their page. */
        bool apart = first->even && page->before == TRANSITION_BREAK && !exact;

        begin_page(docx, page, exact || apart ? &empty : first);
        if (apart) {
            body_spacer(body, 1);
            begin_part(docx, page, first);
        }
        /* What is in frames needs a paragraph to hang on. */
        if (exact)
            body_spacer(body, 1);
        put_section(docx, first, page->before == TRANSITION_BREAK);
    }
    for (size_t i = 1; i < page->n_sections; i++) {
        begin_part(docx, page, &page->sections[i]);
        put_section(docx, &page->sections[i], true);
    }
    /* Word makes columns equal before another part of the page, and fills the page before a new
     * one. */
    if (page->even_end && !exact) {
        begin_part(docx, page, &empty);
        body_spacer(body, 1);
    }
    /* Nor is the last paragraph of a page in a frame, for LibreOffice. */
    if (exact)
        body_spacer(body, 1);
}

/* Whether the page's words can be read in what was written of it. */
static bool prove(struct docx *docx, const struct page *page)
{
    struct proof proof = { .keep = true, .first = docx->notes.page };
    struct proof *all = &docx->written;
    bool holds;

    proof_feed(&proof, docx->body.xml.data, docx->body.xml.len);
    notes_read(&docx->notes, &proof.text);
    holds = page->plain || coverage_holds(&proof.text, page->words, page->n_words);
    if (holds)
        proof_add(all, proof.n_sums ? proof.sums[proof.n_sums - 1] : 0);
    proof_free(&proof);
    return holds;
}

int docx_page(struct docx *docx, const struct page *page, const struct page_content *content,
              struct err *err)
{
    struct body *body = &docx->body;
    struct docx before;
    struct buf xml = BUF_EMPTY;

    if (put_pictures(docx, content, err) < 0)
        return -1;
    body->fonts = content->fonts;
    body->content = content;
    body->pictures = content->pictures;
    body->picture_rels = docx->rels;
    body->note_rels = docx->note_rels;
    before = *docx;
    buf_put(&xml, body->xml.data, body->xml.len);
    docx->n_pages++;
    notes_begin(&docx->notes, page);
    put_page(docx, page);
    if (!body->xml.failed && !prove(docx, page)) {
        /* Restores the state; unused relationships to links do no harm. */
        buf_free(&body->xml);
        before.body.rels = body->rels;
        before.body.floats = body->floats;
        before.body.n_rels = body->n_rels;
        before.body.n_drawings = body->n_drawings;
        before.written = docx->written;
        before.sections.sets = docx->sections.sets;
        before.sections.n_sets = docx->sections.n_sets;
        before.sections.cap_sets = docx->sections.cap_sets;
        before.sections.only_number = docx->sections.only_number;
        before.sections.none = docx->sections.none;
        docx->notes.body.xml.len = 0;
        before.notes.body = docx->notes.body;
        docx->comments.len = before.comments.len;
        before.comments = docx->comments;
        *docx = before;
        body->xml = xml;
        body->floats.len = 0;
        return 1;
    }
    buf_free(&xml);
    docx->content = NULL;
    body->noted = NULL;
    body->picture_rels = NULL;
    body->note_rels = NULL;
    body->content = NULL;
    return notes_flush(&docx->notes, docx->package, false, err) < 0 ? -1 : flush_body(docx, err);
}

static int put_part(struct docx *docx, const char *name, struct buf *xml, struct err *err)
{
    int done = xml->failed ? err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large")
                           : package_part(docx->package, name, xml->data, xml->len, false, err);

    buf_free(xml);
    return done;
}

static int put_comments(struct docx *docx, struct err *err)
{
    struct buf xml = BUF_EMPTY;

    if (docx->comments.len == 0)
        return 0;
    buf_puts(&xml, XML_HEAD "<w:comments " XML_W " " XML_R ">");
    buf_put(&xml, docx->comments.data, docx->comments.len);
    buf_puts(&xml, "</w:comments>");
    body_relate(&docx->body, "comments", "comments.xml", false);
    if (put_part(docx, "word/comments.xml", &xml, err) < 0)
        return -1;
    return docx->n_noted ? package_rels(docx->package, "word/_rels/comments.xml.rels",
                                        &docx->comment_rels, err)
                         : 0;
}

/* What they are goes to `types`. */
static int put_notes(struct docx *docx, struct buf *types, struct err *err)
{
    struct notes *notes = &docx->notes;

    if (notes->n == 0)
        return 0;
    parts_type(types, "footnotes.xml", "footnotes");
    body_relate(&docx->body, "footnotes", "footnotes.xml", false);
    if (notes_flush(notes, docx->package, true, err) < 0)
        return -1;
    return notes->body.n_rels ? package_rels(docx->package, "word/_rels/footnotes.xml.rels",
                                             &notes->body.rels, err)
                              : 0;
}

int docx_end(struct docx *docx, const struct numbering *numbering,
             const struct header_sets *headers, const struct page_font *fonts, struct err *err)
{
    struct body *body = &docx->body;
    struct buf xml = BUF_EMPTY, types = BUF_EMPTY;
    const struct parts_settings settings = { .alternates = docx->options.alternates,
                                             .mirrored = docx->options.mirrored,
                                             .even = docx->even,
                                             .notes = docx->notes.n > 0 };

    section_put(&docx->sections, &body->xml);
    buf_puts(&body->xml, "</w:body></w:document>");
    body->section_at = 0;
    if (flush_body(docx, err) < 0)
        return -1;
    if (headers_put(docx->package, &docx->sections, headers, fonts, &types, err) < 0 ||
        put_comments(docx, err) < 0 || put_notes(docx, &types, err) < 0) {
        buf_free(&types);
        return -1;
    }
    parts_content_types(&xml, &types, docx->comments.len > 0);
    buf_free(&types);
    if (put_part(docx, "[Content_Types].xml", &xml, err) < 0)
        return -1;
    parts_package_rels(&xml);
    if (put_part(docx, "_rels/.rels", &xml, err) < 0)
        return -1;
    parts_styles(&xml, docx->options.family, docx->options.size, body->headings, docx->notes.size,
                 fonts);
    if (put_part(docx, "word/styles.xml", &xml, err) < 0)
        return -1;
    parts_settings(&xml, &settings);
    if (put_part(docx, "word/settings.xml", &xml, err) < 0)
        return -1;
    parts_numbering(&xml, numbering, fonts);
    if (put_part(docx, "word/numbering.xml", &xml, err) < 0)
        return -1;
    if (package_rels(docx->package, "word/_rels/document.xml.rels", &body->rels, err) < 0)
        return -1;
    if (package_end(docx->package, err) < 0)
        return -1;
    if (docx->notes.n && proof_file(docx->path, NOTES_PART, &docx->notes.written, err) < 0)
        return -1;
    return proof_file(docx->path, MAIN, &docx->written, err);
}

static int begin_document(void *to, const struct document_facts *facts,
                          const struct numbering *numbering, struct err *err)
{
    struct docx_target *target = to;

    target->numbering = numbering;
    target->docx = docx_open(target->path, facts, err);
    return target->docx ? 0 : -1;
}

static int write_docx_page(void *to, const struct page *page, const struct page_content *content,
                           struct err *err)
{
    struct docx_target *target = to;

    return docx_page(target->docx, page, content, err);
}

static int end_document(void *to, const struct header_sets *headers, const struct page_font *fonts,
                        struct err *err)
{
    struct docx_target *target = to;

    return docx_end(target->docx, target->numbering, headers, fonts, err);
}

struct writer docx_writer(struct docx_target *target)
{
    return (struct writer){ begin_document, write_docx_page, end_document, target };
}
