#include "layout/paragraph/spans.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "layout/page/bidi.h"
#include "layout/page/unicode.h"

#define COMPOUND_LEAST 4     /* letters of the second part of a compound, at least */
#define MOST_TIGHTER   0.35F /* points between characters */
#define SPACED         0.06F /* sizes between characters: from there on they were meant to be apart */
#define SPARE          0.3F /* points of a full line that programs round away */

struct spans {
    const struct flow *flow;
    struct paragraph *paragraph;
    size_t cap_runs, cap_text;
    size_t n_measured;         /* of the last run */
    float taken, natural;      /* what its characters take, and would take in its family */
    uint32_t last;             /* character */
    float one_size;            /* of all of it, if that was recognized on a scan; or 0 */
    float room;                /* of a paragraph of one line, after it; less than 0: not known */
    float fit;                 /* most room between characters with which each line has place */
    bool rtl;                  /* its lines are read from right to left */
    enum bidi_letter letter;   /* the last letter */
    const struct line *lines;  /* all of them */
    const struct word *before; /* the last word */
};

static bool same_style(const struct style *a, const struct style *b)
{
    if (a->formula || b->formula)
        return a->formula == b->formula;
    return a->font == b->font && fabsf(a->size - b->size) < 0.3F && a->color == b->color &&
           a->highlight == b->highlight && a->script == b->script && a->underline == b->underline &&
           a->strike == b->strike && a->rtl == b->rtl && a->number == b->number &&
           a->total == b->total && a->note == b->note && a->link == b->link && a->field == b->field;
}

/* Whether the line has room for its characters as the family has them: who writes on is not to meet
 * letters that are a bit apart. */
static bool is_spare(const struct spans *spans, float each, const struct run *run)
{
    const struct paragraph *p = spans->paragraph;

    if (spans->room < 0 || p->n_tabs || p->align == ALIGN_BOTH)
        return false;
    return each > 0 ? each < SPACED * run->style.size
                    : spans->natural - spans->taken < spans->room - SPARE * run->style.size;
}

/* How far apart the characters of the last run must stand to take the room they took. */
static void end_run(struct spans *spans)
{
    struct paragraph *p = spans->paragraph;
    struct run *run = p->n_runs ? &p->runs[p->n_runs - 1] : NULL;

    if (run && spans->n_measured > 1) {
        float each = (spans->taken - spans->natural) / (float) spans->n_measured;

        each = fmaxf(fminf(each, run->style.size), -0.3F * run->style.size);
        each = fminf(each, fmaxf(spans->fit, each - MOST_TIGHTER));
        /* Twentieths, as a document has them: no line is to be longer than it was. */
        if (isinf(spans->fit) || roundf(each * 20) / 20 > spans->fit)
            each = floorf(each * 20 + 0.1F) / 20;
        run->style.spacing = fabsf(each) < 0.03F || is_spare(spans, each, run) ? 0 : each;
    }
    spans->n_measured = 0;
    spans->taken = spans->natural = 0;
}

static void put_char(struct spans *spans, uint32_t c, const struct style *style)
{
    struct paragraph *p = spans->paragraph;
    struct run *run = p->n_runs ? &p->runs[p->n_runs - 1] : NULL;
    char utf8[4];
    size_t n = utf8_encode(c, utf8);

    if (!unicode_is_text(c))
        return;
    if (!run || !same_style(&run->style, style)) {
        end_run(spans);
        p->runs =
            arena_grow(spans->flow->arena, p->runs, p->n_runs, &spans->cap_runs, sizeof *p->runs);
        run = &p->runs[p->n_runs++];
        *run = (struct run){ .style = *style };
        spans->cap_text = 0;
    }
    if (run->len + sizeof utf8 + 1 > spans->cap_text) {
        char *more = arena_alloc(spans->flow->arena, spans->cap_text * 2 + 32);

        if (run->len)
            memcpy(more, run->text, run->len);
        run->text = more;
        spans->cap_text = spans->cap_text * 2 + 32;
    }
    memcpy(run->text + run->len, utf8, n);
    run->len += n;
    run->text[run->len] = '\0';
    spans->last = c;
}

static void put_text_char(struct spans *spans, uint32_t c, const struct style *style)
{
    uint32_t plain[4];
    size_t n = unicode_plain(c, plain);

    for (size_t i = 0; i < n; i++)
        put_char(spans, plain[i], style);
}

static struct style style_of(const struct word *word, const struct glyph *glyph,
                             const struct line *line)
{
    struct style style = { .font = glyph->font,
                           .size = word->drop_cap ? word->size : glyph->size,
                           .color = glyph->color,
                           .highlight = word->highlight,
                           .underline = drawn_along(&word->under, glyph),
                           .strike = drawn_along(&word->through, glyph),
                           .number = (glyph->flags & GLYPH_NUMBER) != 0,
                           .total = (glyph->flags & GLYPH_TOTAL) != 0,
                           .link = word->link,
                           .note = word->note,
                           .field = word->field,
                           .formula = word->formula };

    style.script = words_script(word, line);
    if (style.script)
        style.size = line->size;
    return style;
}

static void put_glyph(struct spans *spans, uint32_t code, struct style style)
{
    if (spans->one_size > 0)
        style.size = spans->one_size;
    put_text_char(spans, code, &style);
}

static void measure(struct spans *spans, const struct glyph *glyph, float taken,
                    const struct style *style)
{
    float size = spans->one_size > 0 ? spans->one_size : style->size;

    if (glyph->width <= 0 || style->script)
        return;
    spans->taken += taken;
    spans->natural += glyph->width * (size / glyph->size);
    spans->n_measured++;
}

static void put_word(struct spans *spans, const struct word *word, const struct line *line)
{
    size_t *order = ARENA_ARRAY(spans->flow->arena, size_t, word->n_glyphs);

    bidi_digits(word, order);
    for (size_t i = 0; i < word->n_glyphs; i++) {
        const struct glyph *glyph = &word->glyphs[order[i]];
        struct style style = style_of(word, glyph, line);

        put_glyph(spans, glyph->code, style);
        if (order[i] + 1 < word->n_glyphs)
            measure(spans, glyph, glyph[1].x0 - glyph->x0, &style);
    }
}

static void put_space(struct spans *spans, const struct word *before, const struct word *word)
{
    const struct run *run = &spans->paragraph->runs[spans->paragraph->n_runs - 1];
    struct style style = run->style;

    /* An underlined space is between two underlined words. */
    style.number = style.total = false;
    style.formula = NULL;
    style.rtl = style.rtl && spans->rtl;
    style.underline = style.underline && drawn_along(&word->under, word->glyphs);
    style.strike = style.strike && drawn_along(&word->through, word->glyphs);
    if (style.link != word->link)
        style.link = NULL;
    if (style.note != word->note)
        style.note = NULL;
    if (style.field != word->field)
        style.field = NULL;
    if (style.highlight != word->highlight)
        style.highlight = STYLE_PLAIN;
    if (style.script)
        style.script = SCRIPT_NONE;
    (void) before;
    put_char(spans, ' ', &style);
}

static void put_tab(struct spans *spans)
{
    struct style style = spans->paragraph->runs[spans->paragraph->n_runs - 1].style;

    style.underline = style.strike = style.number = style.total = false;
    style.link = NULL;
    style.note = NULL;
    style.field = NULL;
    style.formula = NULL;
    style.highlight = STYLE_PLAIN;
    end_run(spans);
    put_char(spans, '\t', &style);
}

static bool is_letter(uint32_t c)
{
    return (c | 0x20) - 'a' < 26 || (c >= 0xc0 && c < 0x2000 && c != 0xd7 && c != 0xf7);
}

static bool is_lower(uint32_t c)
{
    return c - 'a' < 26 || (c >= 0xdf && c <= 0xff) || (c >= 0x430 && c <= 0x45f);
}

static bool is_upper(uint32_t c)
{
    return is_letter(c) && !is_lower(c) && (c < 0x80 || (c >= 0xc0 && c <= 0xde));
}

static bool is_digit(uint32_t c)
{
    return c - '0' < 10;
}

static bool is_hyphen(uint32_t c)
{
    return c == '-' || c == 0x2010;
}

/* Whether the hyphen a word ends with is its own, as in "X-", "B2-" or "state-of-": words are not
 * broken after one letter, nor where they have a hyphen already. */
static bool keeps_hyphen(const struct word *word)
{
    size_t letters = 0;

    for (size_t i = word->n_glyphs - 1; i-- > 0;) {
        uint32_t c = word->glyphs[i].code;

        if (is_hyphen(c) || is_digit(c))
            return true;
        if (!is_letter(c))
            break;
        letters++;
    }
    return letters < 2;
}

/* Whether the page has the n characters after a hyphen in the middle of a line, and nothing more of
 * a word after them. */
static bool is_compounded(const struct page_content *content, const struct glyph *part, size_t n)
{
    for (size_t i = 0; i + n < content->n_glyphs; i++) {
        const struct glyph *hyphen = &content->glyphs[i], *next = hyphen + 1;
        size_t same = 0;

        if (!is_hyphen(hyphen->code) || fabsf(next->base - hyphen->base) > 0.1F * hyphen->size ||
            fabsf(next->x0 - hyphen->x1) > 0.1F * hyphen->size)
            continue;
        while (same < n && next[same].code == part[same].code)
            same++;
        if (same == n && (i + n + 1 == content->n_glyphs || !is_letter(next[n].code) ||
                          fabsf(next[n].base - hyphen->base) > 0.1F * hyphen->size))
            return true;
    }
    return false;
}

/* Whether a hyphen at the end of a line is one of a compound: the page has the same second part
 * after a hyphen elsewhere, as in "domain-specific" and "language-specific". */
static bool is_compound(const struct spans *spans, const struct word *word)
{
    size_t n = 0;

    while (n < word->n_glyphs && is_letter(word->glyphs[n].code))
        n++;
    return n >= COMPOUND_LEAST && is_compounded(spans->flow->content, word->glyphs, n);
}

/* Whether the letters of a word before its last glyph, or all of it, end with these. */
static bool ends_with(const struct word *word, size_t n, const char *letters)
{
    size_t length = strlen(letters);

    for (size_t i = 0; i < length; i++)
        if (n < length || (word->glyphs[n - length + i].code | 0x20) != (uint32_t) letters[i])
            return false;
    return true;
}

static bool is_any_part(const struct word *word, size_t n, const char *const *words, size_t n_words)
{
    for (size_t i = 0; i < n_words; i++)
        if (n == strlen(words[i]) && ends_with(word, n, words[i]))
            return true;
    return false;
}

/* Whether two parts are an English compound in whatever text: an adverb and a participle, as in
 * "randomly-selected", or one of those that are never written as one word. */
static bool is_known_compound(const struct word *first, const struct word *second)
{
    static const char *const terms[] = { "long", "short", "medium", "near" };
    static const char *const known[] = { "well", "best", "little", "lesser" };
    static const char *const after_all[] = { "based", "driven", "oriented" };
    static const char *const term[] = { "term" }, *const are_known[] = { "known" };
    static const char *const prefixes[] = { "dis", "mis", "over" };
    size_t n_first = first->n_glyphs - 1, n = 0;

    while (n < second->n_glyphs && is_lower(second->glyphs[n].code))
        n++;
    if (n_first > 4 && n > 4 && ends_with(first, n_first, "ly") &&
        !ends_with(first, n_first, "poly"))
        return ends_with(second, n, "ed") || ends_with(second, n, "ing");
    if (is_any_part(second, n, term, COUNT(term)))
        return is_any_part(first, n_first, terms, COUNT(terms));
    if (is_any_part(second, n, are_known, COUNT(are_known)))
        return is_any_part(first, n_first, known, COUNT(known));
    return n_first > 2 && is_any_part(second, n, after_all, COUNT(after_all)) &&
           !is_any_part(first, n_first, prefixes, COUNT(prefixes));
}

/* Where a line ends with a hyphen, a word goes on in the next: without the hyphen if it was broken
 * there. False: there is a space between the two. */
static bool undo_hyphen(struct spans *spans, const struct word *before, const struct word *word)
{
    struct run *run = &spans->paragraph->runs[spans->paragraph->n_runs - 1];
    uint32_t c = before->glyphs[before->n_glyphs - 1].code, next = word->glyphs->code, last;
    bool shouted;

    if (c == 0xad)
        return true; /* it is in the run already */
    if (!is_hyphen(c) || before->n_glyphs < 2 || !(is_letter(next) || is_digit(next)))
        return false;
    last = before->glyphs[before->n_glyphs - 2].code;
    shouted =
        is_upper(last) && is_upper(next) && word->n_glyphs > 1 && is_upper(word->glyphs[1].code);
    if (!is_letter(last) || keeps_hyphen(before) || is_compound(spans, word) ||
        is_known_compound(before, word) || !(is_lower(next) || shouted))
        return is_letter(last) || is_digit(last);
    run->len -= c == '-' ? 1 : 3;
    run->text[run->len] = '\0';
    /* Where it may be broken again (Unicode, SOFT HYPHEN). */
    put_char(spans, 0xad, &run->style);
    return true;
}

static float space_width(const struct flow *flow, const struct word *word)
{
    const char *family = flow->content->fonts[word->glyphs->font].family;

    return word->size * (strcmp(family, "Arial") == 0 ? 0.278F : 0.25F);
}

static bool is_at_tab(const struct spans *spans, const struct word *word)
{
    const struct paragraph *p = spans->paragraph;

    for (size_t i = 0; i < p->n_tabs; i++)
        if (word->role == ROLE_AFTER_DOTS ||
            fabsf(word->area.x0 - spans->flow->column.x0 - p->tabs[i].from) < 0.5F)
            return true;
    return false;
}

/* Between two words of a line; `first`: the second is the first of the next line. */
static void put_gap(struct spans *spans, const struct word *before, const struct word *word,
                    bool first)
{
    const struct paragraph *p = spans->paragraph;
    uint32_t a = before->glyphs[before->n_glyphs - 1].code, b = word->glyphs->code;
    float gap = word->area.x0 - before->area.x1, size = fmaxf(word->size, before->size);

    if (before->drop_cap)
        return;
    if (first) {
        if (!undo_hyphen(spans, before, word) &&
            is_spaced(a, b, words_have_space_after(spans->flow->content, before)))
            put_space(spans, before, word);
        return;
    }
    if (spans->flow->plain) {
        put_space(spans, before, word);
        return;
    }
    if (is_at_tab(spans, word)) {
        put_tab(spans);
        return;
    }
    if (gap > 0.13F * size || (word->space && gap > 0.05F * size)) {
        const struct run *run = &p->runs[p->n_runs - 1];

        if (p->align != ALIGN_BOTH && spans->n_measured && gap < 0.45F * size &&
            strcmp(spans->flow->content->fonts[run->style.font].family, "Courier New") != 0) {
            const struct glyph *last = &before->glyphs[before->n_glyphs - 1];

            /* The last character and the space, each with room after it. */
            spans->taken += gap + (last->x1 - last->x0);
            spans->natural += last->width > 0 ? last->width : last->x1 - last->x0;
            spans->natural +=
                last->size *
                (strcmp(spans->flow->content->fonts[run->style.font].family, "Arial") == 0 ? 0.278F
                                                                                           : 0.25F);
            spans->n_measured += 2;
        }
        put_space(spans, before, word);
    }
}

/* Word does not make spaces narrower to fill a line: what a typesetter did with spaces has to be
 * done between characters, or the line's last word goes to the next one. */
static float find_fit(const struct flow *flow, const struct line *lines, size_t n, enum align align)
{
    float fit = INFINITY, widest = 0, spare = align == ALIGN_BOTH ? SPARE : 0;

    for (size_t i = 0; i < n; i++)
        widest = fmaxf(widest, area_width(&lines[i].area));
    for (size_t i = 0; n > 1 && i < n; i++) {
        float natural = 0, chars = 0;
        /* The last line may take all the room there is, but no more. */
        float room = i + 1 < n ? area_width(&lines[i].area) : widest;

        for (size_t k = 0; k < lines[i].words.n; k++) {
            const struct word *word = lines[i].words.items[k];

            if (k)
                natural += space_width(flow, word);
            for (size_t g = 0; g < word->n_glyphs; g++)
                natural += word->glyphs[g].width > 0 ? word->glyphs[g].width
                                                     : word->glyphs[g].x1 - word->glyphs[g].x0;
            chars += (float) word->n_glyphs + 1;
        }
        fit = fminf(fit, (room - spare - natural) / chars);
    }
    return fit;
}

static void put_line(struct spans *spans, const struct line *line, size_t skip)
{
    for (size_t i = skip; i < line->words.n; i++) {
        const struct word *word = line->words.items[i];

        if (spans->before && spans->paragraph->n_runs)
            put_gap(spans, spans->before, word, i == skip && line != spans->lines);
        put_word(spans, word, line);
        spans->before = word;
    }
}

/* Between the lines of a paragraph in which one is from right to left: a word is not broken there,
 * but after a hyphen. */
static void put_line_end(struct spans *spans, const struct word *word)
{
    const struct run *run = &spans->paragraph->runs[spans->paragraph->n_runs - 1];

    if ((is_hyphen(spans->last) || spans->last == 0x5be) && run->len > 1 &&
        run->text[run->len - 2] != ' ')
        return;
    put_space(spans, spans->before, word);
}

/* A line with text from right to left, or in a paragraph that is. */
static void put_mixed_line(struct spans *spans, const struct line *line, size_t skip)
{
    bool *tabs =
        spans->paragraph->n_tabs ? ARENA_ARRAY(spans->flow->arena, bool, line->words.n) : NULL;
    struct bidi_item *items;
    size_t n;

    for (size_t i = 0; tabs && i < line->words.n; i++)
        tabs[i] = is_at_tab(spans, line->words.items[i]);
    items = bidi_read(spans->flow->arena, line, skip, spans->rtl, tabs, &spans->letter, &n);
    if (n && spans->before && spans->paragraph->n_runs && line != spans->lines)
        put_line_end(spans, items[0].word);
    for (size_t i = 0; i < n; i++) {
        const struct bidi_item *item = &items[i];

        if (!item->glyphs && item->code == '\t')
            put_tab(spans);
        else if (!item->glyphs && spans->paragraph->n_runs)
            put_space(spans, spans->before, i + 1 < n ? items[i + 1].word : item->word);
        for (size_t k = 0; k < item->n_glyphs; k++) {
            const struct glyph *glyph = &item->glyphs[k];
            struct style style = style_of(item->word, glyph, line);

            style.rtl = item->rtl;
            put_glyph(spans, k ? glyph->code : item->code, style);
            if (k == 0)
                measure(spans, glyph, glyph->x1 - glyph->x0, &style);
        }
        spans->before = item->word;
    }
}

void spans_make(const struct flow *flow, const struct line *lines, size_t n, size_t skip,
                struct paragraph *paragraph)
{
    struct spans spans = { .flow = flow, .paragraph = paragraph, .lines = lines };

    spans.fit = find_fit(flow, lines, n, paragraph->align);
    spans.room = n == 1 && !flow->in_cell ? fmaxf(paragraph->room, 0) : -1;
    spans.rtl = bidi_is_rtl(flow->content, lines, n, &flow->column);
    if (flow->content->n_hidden * 2 > flow->content->n_glyphs)
        spans.one_size = lines[0].size;
    for (size_t i = 0; i < n; i++)
        if (spans.rtl || bidi_has_letters(&lines[i]))
            put_mixed_line(&spans, &lines[i], i == 0 ? skip : 0);
        else
            put_line(&spans, &lines[i], i == 0 ? skip : 0);
    end_run(&spans);
}
