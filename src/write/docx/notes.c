#include "write/docx/notes.h"

#include <math.h>

#include "write/docx/runs.h"

#define LEAST 4  /* points: a line between text and notes takes that */
#define MOST  10 /* and no more, as there may be pages without so much room */
#define ADDED 4  /* what LibreOffice adds to it */

void notes_open(struct notes *notes, const char *family, float size)
{
    *notes = (struct notes){ .next = 1,
                             .body = { .family = family, .size = size, .style = NOTES_STYLE } };
}

void notes_begin(struct notes *notes, const struct page *page)
{
    if (notes->n == 0) {
        notes->gap = page->notes.gap;
        notes->ruled = page->notes.ruled;
    }
    notes->page = 0;
}

void notes_put(struct notes *notes, struct body *text, const struct run *mark)
{
    const struct footnote *note = mark->footnote;
    bool counted = note->number > 0 && note->number == notes->next;

    if (counted) {
        notes->counts = true;
        notes->page = notes->page ? notes->page : note->number;
        notes->next = note->number + 1;
    }
    notes->n++;
    runs_reference(text, mark, notes->n, counted);
    buf_printf(&notes->body.xml, "<w:footnote w:id=\"%u\">", notes->n);
    notes->body.fonts = text->fonts;
    notes->body.noted_by_number = counted;
    for (size_t i = 0; i < note->n_paragraphs; i++) {
        const struct paragraph *p = &note->paragraphs[i];

        if (notes->size <= 0)
            notes->size = p->runs[p->n_runs - 1].style.size;
        body_paragraph(&notes->body, p, 0);
    }
    buf_puts(&notes->body.xml, "</w:footnote>");
}

/* The separator between text and footnotes is a paragraph. */
static void put_separator(const struct notes *notes, const char *type, int id, bool line,
                          struct buf *xml)
{
    buf_printf(xml,
               "<w:footnote w:type=\"%s\" w:id=\"%d\"><w:p><w:pPr><w:spacing w:before=\"0\" "
               "w:after=\"0\" w:line=\"%d\" w:lineRule=\"exact\"/></w:pPr>",
               type, id, units_twips(fminf(fmaxf(notes->gap - ADDED, LEAST), MOST)));
    if (line)
        buf_printf(xml, "<w:r><w:%s/></w:r>", type);
    buf_puts(xml, "</w:p></w:footnote>");
}

static void put_head(const struct notes *notes, struct buf *xml)
{
    buf_puts(xml, XML_HEAD "<w:footnotes " XML_W " " XML_R ">");
    put_separator(notes, "separator", -1, notes->ruled, xml);
    put_separator(notes, "continuationSeparator", 0, notes->ruled, xml);
}

void notes_read(const struct notes *notes, struct buf *text)
{
    struct proof proof = { .keep = true, .number = notes->page };

    proof_add(&proof, 0);
    proof_feed(&proof, notes->body.xml.data, notes->body.xml.len);
    buf_put(text, proof.text.data, proof.text.len);
    proof_free(&proof);
}

int notes_flush(struct notes *notes, struct package *package, bool end, struct err *err)
{
    struct buf *xml = &notes->body.xml;
    bool first = notes->written.n_sums == 0;
    struct buf head = BUF_EMPTY;
    int done = 0;

    if (notes->n == 0)
        return 0;
    if (first) {
        put_head(notes, &head);
        proof_feed(&notes->written, head.data, head.len);
    }
    if (end)
        buf_puts(xml, "</w:footnotes>");
    proof_feed(&notes->written, xml->data, xml->len);
    if (xml->failed || head.failed || notes->body.rels.failed)
        done = err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large");
    if (done == 0)
        done = package_stream(package, NOTES_PART, head.data, head.len, err);
    if (done == 0)
        done = package_stream(package, NOTES_PART, xml->data, xml->len, err);
    buf_free(&head);
    xml->len = 0;
    return done;
}

void notes_free(struct notes *notes)
{
    body_free(&notes->body);
    proof_free(&notes->written);
}
