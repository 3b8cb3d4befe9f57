#include "write/docx/section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "write/docx/notes.h"

#define EDGE       28.0F /* points from the page's edge to a header or footer, if not known */
#define EDGE_LEAST 4.0F  /* the least margin */
#define ROOMY      3     /* sizes of text between it and footnotes */
#define SLACK      4.0F  /* what programs differ by on a page */

static void put_columns(struct buf *xml, const struct open_section *s)
{
    if (s->n_columns < 2) {
        buf_puts(xml, "<w:cols w:space=\"720\"/>");
        return;
    }
    buf_printf(xml, "<w:cols w:num=\"%zu\" w:equalWidth=\"0\">", s->n_columns);
    for (size_t i = 0; i < s->n_columns; i++) {
        float from = s->columns[i].x0;
        float gap = i + 1 < s->n_columns ? s->columns[i + 1].x0 - s->columns[i].x1 : 0;

        buf_printf(xml, "<w:col w:w=\"%d\" w:space=\"%d\"/>", units_twips(s->columns[i].x1 - from),
                   units_twips(gap));
    }
    buf_puts(xml, "</w:cols>");
}

struct section_name section_part(const char *kind, size_t set, int side)
{
    struct section_name name;

    if (set == SECTION_ONLY_NUMBER || set == SECTION_NO_HEADER)
        snprintf(name.text, sizeof name.text, "%s_%s.xml", kind,
                 set == SECTION_ONLY_NUMBER ? "number" : "none");
    else
        snprintf(name.text, sizeof name.text, "%s%zu.xml", kind, 2 * set + (size_t) side + 1);
    return name;
}

static void refer(struct sections *sections, struct buf *xml, bool foot, const char *type,
                  size_t set, int side, struct section_rels *rels)
{
    const char *kind = foot ? "footer" : "header";
    unsigned *rel = foot ? &rels->foot[side] : &rels->head[side];

    if (foot ? !sections->options->has_foot : !sections->options->has_head)
        return;
    if (*rel == 0)
        *rel = body_relate(sections->body, kind, section_part(kind, set, side).text, false);
    buf_printf(xml, "<w:%sReference w:type=\"%s\" r:id=\"rId%u\"/>", kind, type, *rel);
}

/* The relationships of a set, or NULL without memory. */
static struct section_rels *rels_of(struct sections *sections, size_t set)
{
    if (set >= sections->cap_sets) {
        size_t cap = set * 2 + 8;
        struct section_rels *more = reallocarray(sections->sets, cap, sizeof *more);

        if (!more)
            return NULL;
        sections->sets = more;
        sections->cap_sets = cap;
    }
    while (sections->n_sets <= set)
        sections->sets[sections->n_sets++] = (struct section_rels){ 0 };
    return &sections->sets[set];
}

static void put_references(struct sections *sections, struct buf *xml)
{
    const struct open_section *s = &sections->open;
    struct section_rels *rels = s->set == NO_HEADER_SET ? NULL : rels_of(sections, s->set);

    for (int side = 0; rels && side <= sections->options->alternates; side++)
        for (int foot = 0; foot < 2; foot++)
            refer(sections, xml, foot, side ? "even" : "default", s->set, side, rels);
    for (int foot = 0; (s->no_header || s->only_number) && foot < 2; foot++)
        refer(sections, xml, foot, "first",
              s->only_number ? SECTION_ONLY_NUMBER : SECTION_NO_HEADER, 0,
              s->only_number ? &sections->only_number : &sections->none);
    xml->failed |= s->set != NO_HEADER_SET && !rels;
}

void section_put(struct sections *sections, struct buf *xml)
{
    const struct document_facts *options = sections->options;
    const struct open_section *s = &sections->open;
    float bottom = s->margins.bottom;

    float spare = !s->full ? 0.36F : s->several ? 1.5F : 2.7F;

    /* Footnotes stand where the page ends. Where pages are filled they take as much as they had,
     * and not a line more: but for two, or one on each of several, where what is too much would be
     * on a page of its own. */
    if (s->flows || (s->notes && !s->tight))
        bottom = fmaxf(s->height - s->lowest - spare * options->size, EDGE_LEAST);
    buf_puts(xml, "<w:sectPr>");
    if (s->next_page)
        put_references(sections, xml);
    /* As Word does, all sections say where the first one begins. */
    if (s->note || sections->start)
        buf_printf(xml, "<w:footnotePr><w:numStart w:val=\"%d\"/>%s</w:footnotePr>",
                   s->note ? s->note : sections->start,
                   s->noted ? "<w:numRestart w:val=\"eachSect\"/>" : "");
    buf_printf(xml, "<w:type w:val=\"%s\"/><w:pgSz w:w=\"%d\" w:h=\"%d\"%s/>",
               s->next_page ? "nextPage" : "continuous", units_twips(s->width),
               units_twips(s->height), s->width > s->height ? " w:orient=\"landscape\"" : "");
    buf_printf(xml,
               "<w:pgMar w:top=\"%d\" w:right=\"%d\" w:bottom=\"%d\" w:left=\"%d\" w:header=\"%d\" "
               "w:footer=\"%d\" w:gutter=\"0\"/>",
               units_twips(s->margins.top), units_twips(s->margins.right), units_twips(bottom),
               units_twips(s->margins.left),
               units_twips(options->head_y > 0 ? options->head_y : EDGE),
               units_twips(options->foot_y > 0 ? options->foot_y : EDGE));
    if (s->number >= 0)
        buf_printf(xml, "<w:pgNumType w:start=\"%d\"/>", s->number);
    put_columns(xml, s);
    if (s->next_page && (s->no_header || s->only_number))
        buf_puts(xml, "<w:titlePg/>");
    buf_puts(xml, "</w:sectPr>");
}

/* The open section ends with the paragraph that was written last. */
static void end_section(struct sections *sections)
{
    struct body *body = sections->body;
    struct buf rest = BUF_EMPTY;

    if (body->section_at == 0)
        body_spacer(body, 1);
    buf_put(&rest, body->xml.data + body->section_at, body->xml.len - body->section_at);
    body->xml.len = body->section_at;
    section_put(sections, &body->xml);
    buf_put(&body->xml, rest.data, rest.len);
    body->xml.failed |= rest.failed;
    body->section_at = 0;
    buf_free(&rest);
}

static bool same_size(const struct open_section *s, const struct page *page)
{
    return fabsf(s->width - page->width) < 0.5F && fabsf(s->height - page->height) < 0.5F;
}

/* A section's sides as its first page has them: where pages are mirrored, Word takes what it says
 * of the left for what is inside. */
static struct margins margins_of(const struct sections *sections, const struct page *page)
{
    struct margins margins = page->margins;

    if (sections->options->mirrored && page->even) {
        margins.left = page->margins.right;
        margins.right = page->margins.left;
    }
    return margins;
}

/* Whether the page does not have the number that comes. */
static bool jumps(const struct sections *sections, const struct page *page)
{
    return page->number >= 0 && page->number != sections->number + 1;
}

static bool begins_chapter(const struct page *page)
{
    const struct section *first = page->n_sections ? &page->sections[0] : NULL;

    return first && first->blocks.n && first->blocks.items[0].kind == BLOCK_PARAGRAPH &&
           first->blocks.items[0].paragraph.heading == 1;
}

/* Whether the page can be one of the section's, which has one set of headers, and one bottom
 * margin: exact where text goes over from page to page, else one with some room. */
static bool fits(const struct sections *sections, const struct page *page)
{
    const struct open_section *s = &sections->open;
    struct margins margins = margins_of(sections, page);

    if (!same_size(s, page))
        return false;
    if (page->before != TRANSITION_BREAK)
        return true;
    if (page->no_header || page->only_number || jumps(sections, page) ||
        (sections->body->notes->n > 0 && begins_chapter(page)) ||
        (page->header_set != NO_HEADER_SET && s->set != page->header_set &&
         (s->set != NO_HEADER_SET || !s->next_page)))
        return false;
    if (fabsf(margins.top - s->margins.top) > 0.5F || fabsf(margins.left - s->margins.left) > 0.5F)
        return false;
    return s->flows ? page->after != TRANSITION_BREAK ||
                          (page->n_sections < 2 && page->end < s->lowest - SLACK)
                    : page->after == TRANSITION_BREAK;
}

/* A part of a page with columns of its own. */
static void open_columns(struct open_section *s, const struct page *page,
                         const struct section *from, bool swapped)
{
    float left, right;

    memcpy(s->columns, from->columns, sizeof s->columns);
    if (s->n_columns < 2)
        return;
    left = s->columns[0].x0 = fminf(s->columns[0].x0, page->margins.left);
    right = fmaxf(page->width - s->columns[s->n_columns - 1].x1, 0);
    s->margins.left = swapped ? right : left;
    s->margins.right = swapped ? left : right;
    if (s->next_page)
        s->margins.top += from->before;
}

/* Footnote numbers restart with their chapter, which LibreOffice recognises by its heading. The
 * first of all may have any number. */
static void count_notes(struct sections *sections, const struct page *page)
{
    struct open_section *s = &sections->open;
    float room = ROOMY * sections->options->size;
    bool roomy = page->notes.last && page->notes.gap > room;
    struct notes *notes = sections->body->notes;
    int first = page->notes.first;

    if (first && first != notes->next && !s->counts && (s->chapter || !notes->counts)) {
        s->note = notes->next = first;
        s->noted = notes->counts;
        if (!notes->counts)
            sections->start = first;
    }
    s->counts |= first > 0;
    s->notes |= roomy;
    s->tight |= !roomy && (page->notes.last || page->end > s->height - s->margins.bottom - room);
}

/* The page is one of the section's. */
static void grow_section(struct sections *sections, const struct page *page)
{
    struct open_section *s = &sections->open;

    count_notes(sections, page);
    s->lowest = fmaxf(s->lowest, page->end);
    s->full = page->full && page->after == TRANSITION_BREAK && page->end > s->lowest - SLACK;
    s->several = true;
    s->set = s->set == NO_HEADER_SET ? page->header_set : s->set;
}

void section_begin(struct sections *sections, const struct page *page, const struct section *from,
                   bool new_page)
{
    struct open_section *s = &sections->open;
    size_t set = page->header_set;

    if (sections->opened && from->n_columns == s->n_columns &&
        (from->n_columns > 1 ? new_page && page->before != TRANSITION_BREAK
         : new_page          ? fits(sections, page)
                             : same_size(s, page))) {
        sections->number += new_page;
        sections->body->break_before = new_page && page->before == TRANSITION_BREAK;
        grow_section(sections, page);
        return;
    }
    if (sections->opened)
        end_section(sections);
    /* The rest of a page goes on with what its first part has. */
    if (!new_page)
        set = s->set;
    *s = (struct open_section){ .width = page->width,
                                .height = page->height,
                                .margins = margins_of(sections, page),
                                .n_columns = from->n_columns,
                                .next_page = new_page,
                                .first = !sections->opened,
                                .flows = page->after != TRANSITION_BREAK || page->fixed_end,
                                .full = page->full && page->after == TRANSITION_BREAK,
                                .lowest = page->end,
                                .set = set,
                                .number = -1,
                                .no_header = page->no_header,
                                .only_number = page->only_number,
                                .chapter = new_page && begins_chapter(page) };
    sections->opened = true;
    if (new_page)
        count_notes(sections, page);
    if (s->first && page->number != 0 && sections->options->first_number > 1)
        s->number = sections->options->first_number;
    else if (new_page && jumps(sections, page))
        s->number = page->number;
    sections->number = s->number >= 0 ? s->number : sections->number + new_page;
    open_columns(s, page, from, sections->options->mirrored && page->even);
}

void section_go_on(struct sections *sections, const struct page *page)
{
    sections->number++;
    grow_section(sections, page);
}

/* LibreOffice takes the space before the first paragraph of a section for that above all of its
 * columns: it becomes a line of that height. */
void section_lift_first(struct body *body, const struct section *section)
{
    struct block *first = section->blocks.items;
    float *before = section->n_columns < 2 || section->blocks.n == 0 ? NULL
                    : first->kind == BLOCK_PARAGRAPH                 ? &first->paragraph.before
                    : first->kind == BLOCK_FIGURE                    ? &first->figure.before
                                                                     : NULL;

    if (!before || *before < 1)
        return;
    body_spacer(body, *before);
    *before = 0;
}
