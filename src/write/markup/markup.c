#include "write/markup/markup.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "layout/formula/formula.h"
#include "layout/page/coverage.h"
#include "layout/page/words.h"
#include "write/markup/listing.h"

#define DEPTH       8  /* limit of nested tables; deeper ones are omitted */
#define LEAST_PIXEL 12 /* points: smaller pictures are decoration */
#define LEAST_ART   36 /* points: smaller drawings are decoration */
#define BEHIND_TEXT                                                                                \
    0.3F              /* of a drawing's area: the words on it make it their background, at least */
#define BEHIND_LINE 4 /* sizes of its text: height of the frame of one line, at most */

static int flush_markup(struct markup *markup, struct err *err)
{
    struct buf *body = &markup->body;

    if (body->failed || markup->notes.failed || markup->said.failed)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the document is too large");
    if (!markup->file)
        return 0;
    if (body->len && fwrite(body->data, 1, body->len, markup->file) != body->len)
        return err_sys(err, "result");
    body->len = 0;
    return 0;
}

static int open_markup(void *to, const struct document_facts *facts,
                       const struct numbering *numbering, struct err *err)
{
    struct markup *markup = to;

    markup->facts = facts;
    markup->numbering = numbering;
    markup->out = &markup->body;
    if (markup->path) {
        markup->file = fopen(markup->path, "wbe");
        if (!markup->file)
            return err_sys(err, "result");
    }
    markup->format->begin(markup);
    return flush_markup(markup, err);
}

/* Adds UTF-8 text to markup->said. */
static void add_said(struct markup *markup, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if ((unsigned char) text[i] > ' ')
            buf_putc(&markup->said, text[i]);
}

static bool is_safe(const char *uri)
{
    static const char *const schemes[] = { "http:", "https:", "mailto:", "tel:", "ftp:" };

    for (size_t i = 0; i < COUNT(schemes); i++)
        if (strncasecmp(uri, schemes[i], strlen(schemes[i])) == 0)
            return true;
    return false;
}

static struct markup_style style_of(const struct markup *markup, const struct run *run)
{
    const struct page_font *font = &markup->fonts[run->style.font];
    const struct page_link *link = run->style.link;

    return (struct markup_style){ .typed = words_is_typed_family(font->family) &&
                                           !listing_is_usual(markup->facts),
                                  .bold = font->bold,
                                  .italic = font->italic,
                                  .underline = run->style.underline,
                                  .strike = run->style.strike,
                                  .script = run->style.script,
                                  .uri = link && link->uri && is_safe(link->uri) ? link->uri : NULL,
                                  .page = link && !link->uri ? link->page + 1 : 0 };
}

static bool same_style(const struct markup_style *a, const struct markup_style *b)
{
    bool same_target = a->uri == b->uri || (a->uri && b->uri && strcmp(a->uri, b->uri) == 0);

    return a->bold == b->bold && a->italic == b->italic && a->underline == b->underline &&
           a->strike == b->strike && a->script == b->script && a->typed == b->typed &&
           same_target && a->page == b->page;
}

static void put_runs(struct markup *markup, const struct paragraph *p, bool trim);

/* The first run of a footnote is its mark, which the format writes itself. */
static void put_note(struct markup *markup, const struct run *run)
{
    const struct footnote *note = run->footnote;
    static const struct markup_style plain = { 0 };
    unsigned number = ++markup->n_notes;
    struct markup before = *markup;

    markup->format->mark(markup, number, run);
    add_said(markup, run->text, run->len);
    markup->out = &markup->notes;
    markup->is_open = false;
    markup->format->note_open(markup, number);
    for (size_t i = 0; i < note->n_paragraphs; i++) {
        struct paragraph p = note->paragraphs[i];

        if (i == 0 && p.n_runs) {
            add_said(markup, p.runs->text, p.runs->len);
            p.runs++;
            p.n_runs--;
        }
        if (i > 0)
            markup->format->text(markup, " ", 1, &plain);
        put_runs(markup, &p, i == 0);
    }
    markup->format->note_close(markup, number);
    markup->out = before.out;
    markup->is_open = before.is_open;
    markup->paragraph = before.paragraph;
}

/* Adds the texts of a formula in the order of its word. */
static void formula_said(struct markup *markup, const struct formula *row)
{
    static const char root[] = "\xe2\x88\x9a";

    for (; row; row = row->next) {
        bool fraction = row->kind == FORMULA_FRACTION;

        if (row->kind == FORMULA_ROOT)
            add_said(markup, root, sizeof root - 1);
        add_said(markup, row->kind == FORMULA_TEXT ? row->text : "",
                 row->kind == FORMULA_TEXT ? row->len : 0);
        formula_said(markup, row->base);
        formula_said(markup, fraction ? row->above : row->below);
        formula_said(markup, fraction ? row->below : row->above);
    }
}

/* Whether a private character (U+E000 to U+F8FF) begins at `text`. */
static bool is_private(const char *text, size_t n)
{
    unsigned char lead = n > 2 ? (unsigned char) *text : 0;

    return lead == 0xee || (lead == 0xef && (unsigned char) text[1] < 0xa4);
}

/* Drops soft hyphens (U+00AD), which mark hyphens at line ends: they are for programs that break
 * lines. Drops private characters, too, such as icons, which mean nothing without their font. */
static void put_visible(struct buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (i + 1 < n && text[i] == '\xc2' && text[i + 1] == '\xad')
            i++;
        else if (is_private(text + i, n - i))
            i += 2;
        else
            buf_putc(out, text[i]);
}

/* Where a link's text is its address, perhaps with the end of the sentence, blanks in it are the
 * ends of lines. */
static void join_address(struct buf *text, const char *uri)
{
    size_t n = strlen(uri), at = 0, from = strspn(buf_text(text), " ");

    for (size_t i = from; i < text->len; i++)
        if (text->data[i] != ' ' &&
            (at < n ? text->data[i] != uri[at++] : !strchr(".,;:)", text->data[i])))
            return;
    if (at < n)
        return;
    for (size_t i = at = from; i < text->len; i++)
        if (text->data[i] != ' ')
            text->data[at++] = text->data[i];
    text->len = at;
}

static bool is_same_style(const struct markup *markup, const struct run *run,
                          const struct markup_style *style)
{
    struct markup_style own = style_of(markup, run);

    return !run->footnote && !run->style.formula && same_style(style, &own);
}

/* Whether a run belongs to the stretch before it. So does the blank between two lines of a link,
 * which can be two links of the file. */
static bool continues_style(const struct markup *markup, const struct paragraph *p, size_t i,
                            const struct markup_style *style)
{
    const struct run *run = &p->runs[i];

    return is_same_style(markup, run, style) ||
           (style->uri && i + 1 < p->n_runs && !run->footnote && !run->style.formula &&
            strcmp(run->text, " ") == 0 && is_same_style(markup, run + 1, style));
}

/* Writes runs of equal style as one stretch. `trim`: without leading blanks. */
static void put_runs(struct markup *markup, const struct paragraph *p, bool trim)
{
    for (size_t i = 0; i < p->n_runs;) {
        const struct run *run = &p->runs[i];
        struct markup_style style = style_of(markup, run);
        AUTO_BUF struct buf text = BUF_EMPTY;

        if (run->footnote) {
            put_note(markup, run);
            i++;
            continue;
        }
        if (run->style.formula) {
            markup->format->formula(markup, run->style.formula);
            formula_said(markup, run->style.formula);
            i++;
            continue;
        }
        do {
            add_said(markup, run->text, run->len);
            put_visible(&text, run->text, run->len);
            run = ++i < p->n_runs ? &p->runs[i] : NULL;
        } while (run && continues_style(markup, p, i, &style));
        if (style.uri)
            join_address(&text, style.uri);
        markup->after = run ? *run->text : '\0';
        if (trim)
            buf_drop(&text, strspn(buf_text(&text), " "));
        trim = false;
        if (text.len)
            markup->format->text(markup, text.data, text.len, &style);
    }
}

/* Counts items in order: a list's label on each level is that of its first item. */
static int count_item(struct markup *markup, const struct paragraph *p, const struct label *label)
{
    if (markup->list != p->list) {
        markup->list = p->list;
        for (int i = 0; i < NUMBERING_LEVELS; i++)
            markup->last[i] = -1;
    }
    for (int i = p->level + 1; i < NUMBERING_LEVELS; i++)
        markup->last[i] = -1;
    markup->last[p->level] = markup->last[p->level] < 0 ? label->value : markup->last[p->level] + 1;
    return markup->last[p->level];
}

/* In how many items of those before it an item is: its level can be deeper, if what is between the
 * levels is not before it. */
static int nest(struct markup *markup, const struct paragraph *p)
{
    if (markup->list != p->list)
        markup->n_inside = 0;
    while (markup->n_inside && markup->inside[markup->n_inside - 1] >= p->level)
        markup->n_inside--;
    markup->inside[markup->n_inside] = p->level;
    return markup->n_inside++;
}

static struct markup_paragraph paragraph_of(struct markup *markup, const struct paragraph *p)
{
    struct markup_paragraph made = { .rtl = p->rtl, .align = p->align };

    if (p->heading) {
        made.block = MARKUP_HEADING;
        made.heading = p->heading;
    } else if (p->list && (size_t) p->list <= markup->numbering->n && p->level < NUMBERING_LEVELS) {
        made.block = MARKUP_ITEM;
        made.list = p->list;
        made.level = nest(markup, p);
        made.label = &markup->numbering->items[p->list - 1].levels[p->level];
        made.value = count_item(markup, p, made.label);
    }
    if (made.block != MARKUP_ITEM)
        markup->n_inside = 0;
    return made;
}

static void close_paragraph(struct markup *markup)
{
    if (markup->is_open)
        markup->format->close(markup, &markup->paragraph);
    markup->is_open = false;
}

static void end_table(struct markup *markup)
{
    if (markup->table_open && markup->format->table_end)
        markup->format->table_end(markup);
    markup->table_open = false;
}

static void put_paragraph(struct markup *markup, const struct paragraph *p)
{
    end_table(markup);
    if (markup->continues && markup->is_open) {
        markup->continues = false;
        put_runs(markup, p, false);
        return;
    }
    close_paragraph(markup);
    markup->continues = false;
    if (p->n_runs == 0)
        return;
    markup->paragraph = paragraph_of(markup, p);
    markup->is_open = true;
    markup->format->open(markup, &markup->paragraph);
    put_runs(markup, p, false);
}

static void put_markup_table(struct markup *markup, const struct table *table)
{
    bool rest = markup->table_open && table->continues;

    if (!rest)
        end_table(markup);
    close_paragraph(markup);
    markup->n_inside = 0;
    markup->table_open = false;
    markup->format->table(markup, table, rest);
    markup->table_open = table->continued;
}

static bool is_worth(const struct page_picture *picture)
{
    float least = picture->vector && !picture->chart ? LEAST_ART : LEAST_PIXEL;

    return area_width(&picture->area) >= least && area_height(&picture->area) >= least;
}

/* Whether a drawing is only the frame or the background of text: it goes around the page, a large
 * part of its area is words, it is not higher than a line of text with its padding, or all text on
 * it is a program. */
static bool is_background(const struct markup *markup, const struct page *page,
                          const struct page_picture *picture)
{
    const struct area *a = &picture->area;
    float covered = 0, size = 0;
    bool typed = !listing_is_usual(markup->facts);

    if (picture->chart || !(picture->vector || picture->whole))
        return false;
    if (picture->border)
        return true;
    for (size_t i = 0; i < page->n_words; i++) {
        const struct word *word = &page->words[i];
        struct place at = words_middle(word);

        if (!area_has(a, at.x, at.y) || word->rotated)
            continue;
        covered += area_width(&word->area) * word->size;
        typed = typed && words_is_typed_family(markup->fonts[word->glyphs->font].family);
        size = word->size > size ? word->size : size;
    }
    return covered > BEHIND_TEXT * area_width(a) * area_height(a) ||
           (covered > 0 && (typed || area_height(a) < BEHIND_LINE * size));
}

/* The words in a chart, as a paragraph, where its picture is not written. */
static void put_chart_text(struct markup *markup, const struct page_picture *picture)
{
    static const struct markup_style plain = { 0 };

    if (!picture->chart || !picture->text || !*picture->text)
        return;
    markup->paragraph = (struct markup_paragraph){ 0 };
    markup->is_open = true;
    markup->format->open(markup, &markup->paragraph);
    markup->after = '\0';
    markup->format->text(markup, picture->text, strlen(picture->text), &plain);
    close_paragraph(markup);
}

static int put_figure(struct markup *markup, const struct page *page, const struct figure *figure,
                      struct err *err)
{
    const struct page_picture *picture = figure->picture;
    bool shown = markup->format->picture && !figure->pale && is_worth(picture) &&
                 !is_background(markup, page, picture);
    int wrote = 0;

    if (picture->text)
        add_said(markup, picture->text, strlen(picture->text));
    if (!shown && !picture->chart)
        return 0;
    end_table(markup);
    close_paragraph(markup);
    markup->n_inside = 0;
    if (shown && (wrote = markup->format->picture(markup, picture, err)) < 0)
        return -1;
    if (!wrote)
        put_chart_text(markup, picture);
    return 0;
}

void markup_blocks(struct markup *markup, const struct block *blocks, size_t n)
{
    struct markup before = *markup;

    markup->is_open = false;
    markup->n_inside = 0;
    for (size_t i = 0; i < n; i++) {
        if (blocks[i].kind == BLOCK_PARAGRAPH) {
            put_paragraph(markup, &blocks[i].paragraph);
        } else if (blocks[i].kind == BLOCK_TABLE && markup->depth < DEPTH) {
            close_paragraph(markup);
            markup->depth++;
            markup->format->table(markup, &blocks[i].table, false);
            markup->depth--;
        }
    }
    close_paragraph(markup);
    markup->is_open = before.is_open;
    markup->paragraph = before.paragraph;
    markup->n_inside = 0;
}

static const struct area *area_of(const struct block *block)
{
    return block->kind == BLOCK_PARAGRAPH ? &block->paragraph.area
           : block->kind == BLOCK_TABLE   ? &block->table.area
                                          : &block->figure.picture->area;
}

/* Writes pictures with a fixed place before the first block of their column that begins below
 * their top. `at` NULL: all remaining ones. */
static int put_floats(struct markup *markup, const struct page *page, const struct area *at,
                      bool *done, struct err *err)
{
    for (size_t i = 0; i < page->n_floats; i++) {
        const struct figure *figure = &page->floats[i].figure;
        const struct area *area = &figure->picture->area;

        if (done[i] || (at && (area->y0 >= at->y0 || area->x0 >= at->x1 || at->x0 >= area->x1)))
            continue;
        done[i] = true;
        if (put_figure(markup, page, figure, err) < 0)
            return -1;
    }
    return 0;
}

static int put_block(struct markup *markup, const struct page *page, const struct block *block,
                     bool *floats, struct err *err)
{
    /* Pictures next to the rest of a table come after it. */
    bool rest = block->kind == BLOCK_TABLE && block->table.continues;

    if (!markup->continues && !rest && put_floats(markup, page, area_of(block), floats, err) < 0)
        return -1;
    if (block->kind == BLOCK_FIGURE)
        return put_figure(markup, page, &block->figure, err);
    if (block->kind == BLOCK_PARAGRAPH) {
        put_paragraph(markup, &block->paragraph);
        return 0;
    }
    put_markup_table(markup, &block->table);
    return 0;
}

/* Writes the listing that begins with a block; returns how many blocks it has, or 0. */
static int put_listing(struct markup *markup, const struct page *page,
                       const struct section *section, size_t at, bool *floats, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    const struct block *block = &section->blocks.items[at];
    size_t n;

    if (markup->continues)
        return 0;
    n = listing_find(markup, page, block, section->blocks.n - at, &text);
    if (n == 0)
        return 0;
    if (put_floats(markup, page, area_of(block), floats, err) < 0)
        return -1;
    end_table(markup);
    close_paragraph(markup);
    markup->n_inside = 0;
    add_said(markup, buf_text(&text), text.len);
    markup->format->listing(markup, buf_text(&text), text.len);
    return (int) n;
}

static int put_blocks(struct markup *markup, const struct page *page, const struct section *section,
                      bool *floats, struct err *err)
{
    for (size_t i = 0; i < section->blocks.n;) {
        int n = put_listing(markup, page, section, i, floats, err);

        if (n < 0 ||
            (n == 0 && put_block(markup, page, &section->blocks.items[i], floats, err) < 0))
            return -1;
        i += n ? (size_t) n : 1;
    }
    return 0;
}

static int put_sections(struct markup *markup, const struct page *page, bool *floats,
                        struct err *err)
{
    for (size_t i = 0; i < page->n_sections; i++)
        if (put_blocks(markup, page, &page->sections[i], floats, err) < 0)
            return -1;
    for (size_t i = 0; i < page->n_text_boxes; i++)
        put_paragraph(markup, &page->text_boxes[i].paragraph);
    return put_floats(markup, page, NULL, floats, err);
}

static int put_page(struct markup *markup, const struct page *page, struct err *err)
{
    AUTO_FREE bool *floats = calloc(page->n_floats + 1, sizeof *floats);
    bool joined = page->after == TRANSITION_SAME;

    if (!floats)
        return err_sys(err, "pictures");
    markup->continues = page->before == TRANSITION_SAME && markup->is_open;
    if (!markup->continues)
        close_paragraph(markup);
    if (page->before != TRANSITION_TABLE)
        end_table(markup);
    markup->format->page(markup);
    if (put_sections(markup, page, floats, err) < 0)
        return -1;
    if (!joined)
        close_paragraph(markup);
    return 0;
}

/* A page that lost words is undone as if it had not been written. */
static int write_markup_page(void *to, const struct page *page, const struct page_content *content,
                             struct err *err)
{
    struct markup *markup = to;
    struct markup before = *markup;

    markup->fonts = content->fonts;
    markup->content = content;
    markup->page++;
    markup->said.len = 0;
    if (put_page(markup, page, err) < 0)
        return -1;
    if (!page->plain && !coverage_holds(&markup->said, page->words, page->n_words)) {
        struct markup after = *markup;

        *markup = before;
        markup->body = after.body;
        markup->body.len = before.body.len;
        markup->notes = after.notes;
        markup->notes.len = before.notes.len;
        markup->said = after.said;
        return 1;
    }
    markup->content = NULL;
    return flush_markup(markup, err);
}

static int end_document(void *to, const struct header_sets *headers, const struct page_font *fonts,
                        struct err *err)
{
    struct markup *markup = to;
    FILE *file;

    (void) headers;
    (void) fonts;
    close_paragraph(markup);
    end_table(markup);
    markup->format->end(markup);
    if (flush_markup(markup, err) < 0)
        return -1;
    file = markup->file;
    markup->file = NULL;
    return !file || fclose(file) == 0 ? 0 : err_sys(err, "result");
}

struct writer markup_writer(struct markup *markup)
{
    return (struct writer){ open_markup, write_markup_page, end_document, markup };
}

void markup_free(struct markup *markup)
{
    if (markup->file)
        fclose(markup->file);
    buf_free(&markup->body);
    buf_free(&markup->notes);
    buf_free(&markup->said);
}

static void put_roman(int value, char *out, size_t cap)
{
    static const struct {
        int value;
        const char *digits;
    } parts[] = { { 1000, "m" }, { 900, "cm" }, { 500, "d" }, { 400, "cd" }, { 100, "c" },
                  { 90, "xc" },  { 50, "l" },   { 40, "xl" }, { 10, "x" },   { 9, "ix" },
                  { 5, "v" },    { 4, "iv" },   { 1, "i" } };
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < COUNT(parts) && value < 4000; i++)
        for (; value >= parts[i].value && n + 3 < cap; value -= parts[i].value)
            n += (size_t) snprintf(out + n, cap - n, "%s", parts[i].digits);
}

bool markup_says_something(const struct label *label)
{
    static const uint32_t ticks[] = { 0x2610, 0x2611, 0x2713, 0x2714, 0x2717, 0x2718 };

    for (size_t i = 0; i < COUNT(ticks); i++)
        if (label->kind == LABEL_BULLET && (label->mixed || label->bullet == ticks[i]))
            return true;
    return false;
}

void markup_label(const struct markup_paragraph *paragraph, char *out, size_t cap)
{
    const struct label *label = paragraph->label;
    char number[24] = "";
    int value = paragraph->value;

    if (label->kind == LABEL_BULLET || label->kind == LABEL_NONE) {
        out[label->bullet && cap > 4 ? utf8_encode(label->bullet, out) : 0] = '\0';
        return;
    }
    if (label->kind == LABEL_ROMAN)
        put_roman(value, number, sizeof number);
    else if ((label->kind == LABEL_LOWER || label->kind == LABEL_UPPER) && value > 0 && value <= 26)
        snprintf(number, sizeof number, "%c", (label->kind == LABEL_LOWER ? 'a' : 'A') + value - 1);
    else if (label->kind == LABEL_OUTLINE)
        snprintf(number, sizeof number, "%d.%d", label->parent, value);
    else
        snprintf(number, sizeof number, "%d", value);
    if (label->close)
        snprintf(out, cap, "%s%s%c", label->open ? "(" : "", number, label->close);
    else
        snprintf(out, cap, "%s%s", label->open ? "(" : "", number);
}
