#include "docx/docx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "docx/body.h"
#include "docx/package.h"
#include "docx/parts.h"
#include "docx/proof.h"

#define EDGE_LEAST 4.0F  /* points: the least margin */
#define EDGE       28.0F /* points from the page's edge to a header or footer, if not known */

/* The section that is being written. */
struct open_section {
    float width, height;
    struct margins margins;
    size_t n_columns;
    struct column columns[MODEL_COLUMNS];
    bool next_page; /* how it begins */
    bool first;     /* of the document */
    bool flows;     /* text goes over from page to page */
    float lowest;   /* where it ends, at most */
    float line;     /* height of one */
};

struct docx {
    struct docx_options options;
    const char *path;
    struct package *package;
    struct body body;
    struct open_section section;
    unsigned n_pages, n_pictures;
    unsigned head_rel[2], foot_rel[2]; /* [1]: of pages with even numbers */
    bool first_bare;                   /* the first page has no header or footer */
    bool opened;                       /* there is a section */
    float head_y, foot_y;              /* of header and footer, from their edge */
    const struct sheet *sheet;         /* whose pictures were put in, as: */
    unsigned *rels;
    struct proof written;
    struct buf comments;
};

static const char *const head_names[] = { "header1.xml", "header2.xml" };
static const char *const foot_names[] = { "footer1.xml", "footer2.xml" };

struct docx *docx_open(const char *path, const struct docx_options *options, struct err *err)
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
    docx->body.family = options->family;
    docx->body.size = options->size;
    docx->head_y = options->head_y > 0 ? options->head_y : EDGE;
    docx->foot_y = options->foot_y > 0 ? options->foot_y : EDGE;
    body_relate(&docx->body, "styles", "styles.xml", false);
    body_relate(&docx->body, "settings", "settings.xml", false);
    body_relate(&docx->body, "numbering", "numbering.xml", false);
    for (int side = 0; side <= options->alternates; side++) {
        if (options->has_head)
            docx->head_rel[side] = body_relate(&docx->body, "header", head_names[side], false);
        if (options->has_foot)
            docx->foot_rel[side] = body_relate(&docx->body, "footer", foot_names[side], false);
    }
    buf_puts(&docx->body.xml, XML_HEAD "<w:document " XML_W " " XML_R "><w:body>");
    return docx;
}

void docx_free(struct docx *docx)
{
    if (!docx)
        return;
    package_free(docx->package);
    body_free(&docx->body);
    proof_free(&docx->written);
    buf_free(&docx->comments);
    free(docx->rels);
    free(docx);
}

static void put_columns(struct buf *xml, const struct open_section *s)
{
    if (s->n_columns < 2) {
        buf_puts(xml, "<w:cols w:space=\"720\"/>");
        return;
    }
    buf_printf(xml, "<w:cols w:num=\"%zu\" w:equalWidth=\"0\">", s->n_columns);
    for (size_t i = 0; i < s->n_columns; i++) {
        float from = i == 0 ? s->margins.left : s->columns[i].x0;
        float gap = i + 1 < s->n_columns ? s->columns[i + 1].x0 - s->columns[i].x1 : 0;

        buf_printf(xml, "<w:col w:w=\"%d\" w:space=\"%d\"/>", xml_twips(s->columns[i].x1 - from),
                   xml_twips(gap));
    }
    buf_puts(xml, "</w:cols>");
}

/* CT_SectPr of the open section. */
static void put_section(const struct docx *docx, struct buf *xml)
{
    const struct open_section *s = &docx->section;
    float bottom = s->margins.bottom;

    /* Where pages are filled they take as much as they had, and not a line more. */
    if (s->flows)
        bottom = fmaxf(s->height - s->lowest - 0.45F * s->line, EDGE_LEAST);
    buf_puts(xml, "<w:sectPr>");
    for (int side = 0; side < 2 && s->next_page; side++) {
        if (docx->head_rel[side])
            buf_printf(xml, "<w:headerReference w:type=\"%s\" r:id=\"rId%u\"/>",
                       side ? "even" : "default", docx->head_rel[side]);
        if (docx->foot_rel[side])
            buf_printf(xml, "<w:footerReference w:type=\"%s\" r:id=\"rId%u\"/>",
                       side ? "even" : "default", docx->foot_rel[side]);
    }
    buf_printf(xml, "<w:type w:val=\"%s\"/><w:pgSz w:w=\"%d\" w:h=\"%d\"%s/>",
               s->next_page ? "nextPage" : "continuous", xml_twips(s->width), xml_twips(s->height),
               s->width > s->height ? " w:orient=\"landscape\"" : "");
    buf_printf(xml,
               "<w:pgMar w:top=\"%d\" w:right=\"%d\" w:bottom=\"%d\" w:left=\"%d\" w:header=\"%d\" "
               "w:footer=\"%d\" w:gutter=\"0\"/>",
               xml_twips(s->margins.top), xml_twips(s->margins.right), xml_twips(bottom),
               xml_twips(s->margins.left), xml_twips(docx->head_y), xml_twips(docx->foot_y));
    if (docx->section.first && docx->options.first_number > 1)
        buf_printf(xml, "<w:pgNumType w:start=\"%d\"/>", docx->options.first_number);
    put_columns(xml, s);
    if (docx->section.first && docx->first_bare)
        buf_puts(xml, "<w:titlePg/>");
    buf_puts(xml, "</w:sectPr>");
}

/* The open section ends with the paragraph that was written last. */
static void end_section(struct docx *docx)
{
    struct body *body = &docx->body;
    struct buf rest = BUF_EMPTY;

    if (body->section_at == 0)
        body_spacer(body, 1);
    buf_put(&rest, body->xml.data + body->section_at, body->xml.len - body->section_at);
    body->xml.len = body->section_at;
    put_section(docx, &body->xml);
    buf_put(&body->xml, rest.data, rest.len);
    body->xml.failed |= rest.failed;
    body->section_at = 0;
    buf_free(&rest);
}

static bool same_size(const struct open_section *s, const struct page *page)
{
    return fabsf(s->width - page->width) < 0.5F && fabsf(s->height - page->height) < 0.5F;
}

/* Whether the page can be one of the section's, which has one bottom margin: exact where text goes
 * over from page to page, else one with some room. */
static bool fits_section(const struct open_section *s, const struct page *page)
{
    if (!same_size(s, page) || page->before != SEAM_BREAK)
        return same_size(s, page);
    return s->flows
               ? page->after != SEAM_BREAK || (page->n_sections < 2 && page->end < s->lowest + 1)
               : page->after == SEAM_BREAK;
}

static void begin_section(struct docx *docx, const struct page *page, const struct section *from,
                          bool new_page)
{
    struct open_section *s = &docx->section;

    if (docx->opened && from->n_columns == 1 && s->n_columns == 1 &&
        (new_page ? fits_section(s, page) : same_size(s, page))) {
        docx->body.break_before = new_page && page->before == SEAM_BREAK;
        s->lowest = fmaxf(s->lowest, page->end);
        return;
    }
    if (docx->opened)
        end_section(docx);
    *s = (struct open_section){ .width = page->width,
                                .height = page->height,
                                .margins = page->margins,
                                .n_columns = from->n_columns,
                                .next_page = new_page,
                                .first = !docx->opened,
                                .flows = page->after != SEAM_BREAK,
                                .lowest = page->end,
                                .line = 1.2F * docx->options.size };
    docx->opened = true;
    memcpy(s->columns, from->columns, sizeof s->columns);
    if (s->n_columns > 1) {
        s->margins.left = fminf(s->columns[0].x0, s->margins.left);
        if (new_page)
            s->margins.top += from->before;
        s->margins.right = fmaxf(page->width - s->columns[s->n_columns - 1].x1, 0);
    }
}

/* What was written can go, but for the paragraph a section may have to end with. */
static int flush(struct docx *docx, struct err *err)
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
    if (package_main(docx->package, body->xml.data, n, err) < 0)
        return -1;
    buf_drop(&body->xml, n);
    if (body->section_at)
        body->section_at -= n;
    return 0;
}

static int put_pictures(struct docx *docx, const struct sheet *sheet, struct err *err)
{
    if (docx->sheet == sheet)
        return 0;
    free(docx->rels);
    docx->rels = calloc(sheet->n_pictures + 1, sizeof *docx->rels);
    if (!docx->rels)
        return err_sys(err, "pictures");
    for (size_t i = 0; i < sheet->n_pictures; i++) {
        const struct sheet_picture *picture = &sheet->pictures[i];
        char name[64];

        snprintf(name, sizeof name, "media/image%u.%s", ++docx->n_pictures, picture->extension);
        docx->rels[i] = body_relate(&docx->body, "image", name, false);
        snprintf(name, sizeof name, "word/media/image%u.%s", docx->n_pictures, picture->extension);
        if (package_part(docx->package, name, picture->bytes, picture->n_bytes, true, err) < 0)
            return -1;
    }
    docx->sheet = sheet;
    return 0;
}

/* A page that begins within a paragraph. False: it has to begin otherwise. */
static bool go_on(struct docx *docx, const struct page *page)
{
    const struct section *section = &page->sections[0];
    struct body *body = &docx->body;

    if (page->before != SEAM_SAME)
        return false;
    for (size_t k = 0; k < page->n_floats; k++)
        body_figure(body, &page->floats[k].figure);
    body->bookmark = docx->n_pages;
    if (!body_go_on(body, &section->blocks.items[0].paragraph)) {
        body->floats.len = 0;
        return false;
    }
    docx->section.lowest = fmaxf(docx->section.lowest, page->end);
    body_blocks(body, section->blocks.items + 1, section->blocks.n - 1);
    return true;
}

static void put_page(struct docx *docx, const struct page *page)
{
    static const struct section empty = { .n_columns = 1 };
    struct body *body = &docx->body;
    size_t n = page->n_sections ? page->n_sections : 1;

    if (go_on(docx, page))
        return;
    for (size_t i = 0; i < n; i++) {
        const struct section *section = page->n_sections ? &page->sections[i] : &empty;

        /* LibreOffice takes an empty paragraph that ends a section away: the space is another. */
        if (i > 0 && section->before > 0.5F && !docx->options.exact) {
            body_spacer(body, section->before > 2 ? section->before - 1 : 1);
            body_spacer(body, 1);
        }
        if (!docx->options.exact || i == 0)
            begin_section(docx, page, docx->options.exact ? &empty : section, i == 0);
        if (i == 0)
            for (size_t k = 0; k < page->n_floats; k++)
                body_figure(body, &page->floats[k].figure);
        for (size_t k = 0; i == 0 && k < page->n_turned; k++)
            body_turned(body, &page->turned[k]);
        if (i == 0)
            body->bookmark = docx->n_pages;
        if (section->blocks.n == 0 || section->blocks.items[0].kind == BLOCK_TABLE)
            body_spacer(body, section->blocks.n ? section->blocks.items[0].table.before : 1);
        body_lift_first(body, section);
        /* What is in frames needs a paragraph to hang on. */
        if (docx->options.exact && i == 0)
            body_spacer(body, 1);
        body_blocks(body, section->blocks.items, section->blocks.n);
    }
    /* Nor is the last paragraph of a page in a frame, for LibreOffice. */
    if (docx->options.exact)
        body_spacer(body, 1);
}

/* Whether the page's words can be read in what was written of it. */
static bool prove(struct docx *docx, const struct page *page)
{
    struct proof proof = { .keep = true };
    struct proof *all = &docx->written;
    bool holds;

    proof_feed(&proof, docx->body.xml.data, docx->body.xml.len);
    holds = page->plain || proof_holds(&proof.text, page->words, page->n_words);
    if (holds)
        proof_add(all, proof.n_sums ? proof.sums[proof.n_sums - 1] : 0);
    proof_free(&proof);
    return holds;
}

int docx_page(struct docx *docx, const struct page *page, const struct sheet *sheet,
              struct err *err)
{
    struct body *body = &docx->body;
    struct docx before;
    struct buf xml = BUF_EMPTY;

    if (put_pictures(docx, sheet, err) < 0)
        return -1;
    body->fonts = sheet->fonts;
    body->sheet = sheet;
    body->pictures = sheet->pictures;
    body->picture_rels = docx->rels;
    before = *docx;
    buf_put(&xml, body->xml.data, body->xml.len);
    if (docx->n_pages++ == 0)
        docx->first_bare = page->bare && (docx->head_rel[0] || docx->foot_rel[0]);
    put_page(docx, page);
    if (!body->xml.failed && !prove(docx, page)) {
        /* As it was; relations to links that are not there harm nobody. */
        buf_free(&body->xml);
        before.body.rels = body->rels;
        before.body.floats = body->floats;
        before.body.n_rels = body->n_rels;
        before.body.n_drawings = body->n_drawings;
        before.written = docx->written;
        docx->comments.len = before.comments.len;
        before.comments = docx->comments;
        *docx = before;
        body->xml = xml;
        body->floats.len = 0;
        return 1;
    }
    buf_free(&xml);
    docx->sheet = NULL;
    body->noted = NULL;
    body->picture_rels = NULL;
    body->sheet = NULL;
    return flush(docx, err);
}

static int put_part(struct docx *docx, const char *name, struct buf *xml, struct err *err)
{
    int done = xml->failed ? err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large")
                           : package_part(docx->package, name, xml->data, xml->len, false, err);

    buf_free(xml);
    return done;
}

static int put_rels(struct docx *docx, const char *name, const struct buf *rels, struct err *err)
{
    struct buf xml = BUF_EMPTY;

    buf_puts(&xml, XML_HEAD "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/"
                            "relationships\">");
    buf_put(&xml, rels->data, rels->len);
    buf_puts(&xml, "</Relationships>");
    return put_part(docx, name, &xml, err);
}

/* A header or footer. */
static int put_furniture(struct docx *docx, const char *name, const char *element,
                         const struct block_list *blocks, const struct sheet_font *fonts,
                         struct err *err)
{
    struct body body = { .fonts = fonts,
                         .family = docx->options.family,
                         .size = docx->options.size };
    char rels[64];
    int done;

    buf_printf(&body.xml, XML_HEAD "<w:%s " XML_W " " XML_R ">", element);
    if (blocks->n)
        body_blocks(&body, blocks->items, blocks->n);
    else
        body_spacer(&body, 1);
    buf_printf(&body.xml, "</w:%s>", element);
    snprintf(rels, sizeof rels, "word/%s", name);
    done = package_part(docx->package, rels, body.xml.data, body.xml.len, false, err);
    if (done == 0 && body.n_rels) {
        snprintf(rels, sizeof rels, "word/_rels/%s.rels", name);
        done = put_rels(docx, rels, &body.rels, err);
    }
    body_free(&body);
    return done;
}

int docx_end(struct docx *docx, const struct numbering *numbering,
             const struct furniture *furniture, const struct sheet_font *fonts, struct err *err)
{
    struct body *body = &docx->body;
    struct buf xml = BUF_EMPTY;

    put_section(docx, &body->xml);
    buf_puts(&body->xml, "</w:body></w:document>");
    body->section_at = 0;
    if (flush(docx, err) < 0)
        return -1;
    for (int side = 0; side < 2; side++)
        if ((docx->head_rel[side] && put_furniture(docx, head_names[side], "hdr",
                                                   &furniture->head[side], fonts, err) < 0) ||
            (docx->foot_rel[side] &&
             put_furniture(docx, foot_names[side], "ftr", &furniture->foot[side], fonts, err) < 0))
            return -1;
    if (docx->comments.len) {
        buf_puts(&xml, XML_HEAD "<w:comments " XML_W ">");
        buf_put(&xml, docx->comments.data, docx->comments.len);
        buf_puts(&xml, "</w:comments>");
        body_relate(body, "comments", "comments.xml", false);
        if (put_part(docx, "word/comments.xml", &xml, err) < 0)
            return -1;
    }
    parts_content_types(&xml, &(struct parts_present){ .head = docx->options.has_head,
                                                       .foot = docx->options.has_foot,
                                                       .alternates = docx->options.alternates,
                                                       .comments = docx->comments.len > 0 });
    if (put_part(docx, "[Content_Types].xml", &xml, err) < 0)
        return -1;
    parts_package_rels(&xml);
    if (put_part(docx, "_rels/.rels", &xml, err) < 0)
        return -1;
    parts_styles(&xml, docx->options.family, docx->options.size);
    if (put_part(docx, "word/styles.xml", &xml, err) < 0)
        return -1;
    parts_settings(&xml, docx->options.alternates);
    if (put_part(docx, "word/settings.xml", &xml, err) < 0)
        return -1;
    parts_numbering(&xml, numbering, fonts);
    if (put_part(docx, "word/numbering.xml", &xml, err) < 0)
        return -1;
    if (put_rels(docx, "word/_rels/document.xml.rels", &body->rels, err) < 0)
        return -1;
    if (package_end(docx->package, "word/document.xml", err) < 0)
        return -1;
    return proof_file(docx->path, &docx->written, err);
}
