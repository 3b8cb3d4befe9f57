#include <math.h>

#include "tap.h"
#include "written.h"

static void joins_lines(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 100, 100, "These are the lines of a paragraph that is long eno-");
    put(&t, 100, 112, "ugh to go over several of them, until its last one");
    put(&t, 100, 124, "ends early.");
    put(&t, 100, 148, "The next one begins after some white, and it is also");
    put(&t, 100, 160, "of two lines.");
    ok(understand(&t), "a page of two paragraphs is understood");
    is_int(block(&t, 0, 0)->kind == BLOCK_PARAGRAPH ? t.page.sections[0].blocks.n : 0, 2,
           "it has two blocks");
    is_str(text_of(block(&t, 0, 0)),
           "These are the lines of a paragraph that is long eno\xc2\xad"
           "ugh to go over several of them, until its last one ends early.",
           "lines become one text, and the hyphen at a line's end a soft one");
    ok(fabsf(block(&t, 0, 0)->paragraph.line - 12) < 0.01F, "the leading is its line height");
    ok(fabsf(block(&t, 0, 1)->paragraph.before - 12) < 1, "white before it is space before it");
    end(&t);
}

static void keeps_code(void)
{
    static const struct page_font typed = { .source = "Courier", .family = "Courier New" };
    struct test_page t;

    begin(&t);
    t.content.fonts = &typed;
    put(&t, 100, 100, "a long call(of_a_function, with, arguments, that, go, far) {");
    put(&t, 110, 112, "then(one, line, of, this, program, that, goes, as, far) {");
    put(&t, 120, 124, "and(another);");
    ok(understand(&t), "lines of a program are understood");
    is_int((int) t.page.sections[0].blocks.n, 3, "each is a paragraph of its own");
    end(&t);
    begin(&t);
    t.content.fonts = &typed;
    for (int i = 0; i < 2; i++) {
        rule(&t, 100, 100 + 50 * (float) i, 500, 100 + 50 * (float) i);
        rule(&t, 100 + 400 * (float) i, 100, 100 + 400 * (float) i, 150);
    }
    put(&t, 110, 120, "$ run(this, program)");
    put(&t, 110, 132, "what_it_says_is_here");
    ok(understand(&t), "and so are those in a box");
    is_int((int) (block(&t, 0, 0)->kind == BLOCK_TABLE ? block(&t, 0, 0)->table.cells[0].n_blocks
                                                       : t.page.sections[0].blocks.n),
           2, "they are two as well");
    end(&t);
}

static void spaces_lines(void)
{
    static const char text[] = "a line of words that takes as much room as it took";
    struct test_page t;
    float natural = 0, back = 0, spacing, width;

    begin(&t);
    put(&t, 100, 100, text);
    /* Spaces are narrower than letters. */
    for (size_t i = 0; i < t.content.n_glyphs; i++) {
        struct glyph *glyph = &t.content.glyphs[i];

        glyph->x0 -= back;
        back += text[i] == ' ' ? 2 : 0;
        glyph->x1 -= back;
        glyph->width = text[i] == ' ' ? 2.5F : 4.2F;
        natural += glyph->width;
    }
    ok(understand(&t), "a line in another font is understood");
    spacing = block(&t, 0, 0)->paragraph.runs[0].style.spacing;
    width = natural + spacing * (float) strlen(text);
    ok(width < 5 * (float) strlen(text) - back + 0.1F, "it is no longer than it was");
    ok(width > 5 * (float) strlen(text) - back - 3, "and not much shorter");
    end(&t);
}

static void finds_columns(void)
{
    struct test_page t;

    begin(&t);
    put_at(&t, 100, 80, 20, "A title over both of the columns");
    for (int i = 0; i < 8; i++) {
        put(&t, 50, 120 + 12 * (float) i,
            i < 7 ? "the left column has running text in lines" : "until it ends.");
        put(&t, 320, 120 + 12 * (float) i, "and the right one has its own that goes on");
    }
    ok(understand(&t), "a page of two columns is understood");
    is_int(t.page.n_sections, 2, "it has two sections");
    is_int(t.page.sections[0].n_columns, 1, "one for the title");
    is_int(t.page.sections[t.page.n_sections - 1].n_columns, 2, "and one of two columns");
    ok(block(&t, 1, 1)->column_break, "the second column begins with a break");
    ok(strncmp(text_of(block(&t, 1, 0)), "the left", 8) == 0 &&
           !strstr(text_of(block(&t, 1, 0)), "right"),
       "columns are read one after the other");
    is_int(block(&t, 0, 0)->paragraph.heading, 1, "the title is a heading");
    end(&t);
}

/* Into how many pieces a line is cut whose words stand that far from each other. */
static size_t count_pieces(const char *const *texts, const float *spaces, size_t n, bool justified)
{
    struct page_content content = { .width = 600, .height = 800, .fonts = &font, .n_fonts = 1 };
    struct arena arena = { 0 };
    struct word *words, *all[8];
    struct line_list lines;
    size_t n_words, pieces;
    float x = 100;

    for (size_t i = 0; i < n; i++) {
        put_letters(&content, x, 100, SIZE, texts[i]);
        x += SIZE / 2 * (float) strlen(texts[i]) + spaces[i];
    }
    words = words_find(&arena, &content, &n_words);
    for (size_t i = 0; i < n_words; i++)
        all[i] = &words[i];
    lines = words_make_lines(&arena, &content, all, n_words, true);
    pieces = words_cut_lines(&arena, &content, &lines, 0.85F, justified).n;
    arena_free(&arena);
    page_content_free(&content);
    return pieces;
}

static void cuts_lines(void)
{
    static const char *const words[] = { "two",  "columns", "have", "lines",
                                         "like", "this",    "one",  "here" };
    static const char *const labels[] = { "0", "20", "40", "60", "80" };
    static const float even[] = { 14, 14, 14, 30, 12, 12, 12, 0 }, uneven[] = { 14, 9, 16, 11, 0 };

    is_int((int) count_pieces(words, even, 8, false), 8, "lines are cut at wide spaces");
    is_int((int) count_pieces(words, even, 8, true), 2,
           "but between columns alone where those are even, as in justified lines");
    is_int((int) count_pieces(words, uneven, 5, true), 5, "cells do not stand evenly");
    is_int((int) count_pieces(labels, even, 4, true), 4, "and labels of an axis are no words");
}

/* How many words glyphs are, each half as wide as it is high. */
static size_t count_words(const uint32_t *codes, const float *x, size_t n)
{
    struct page_content content = { .width = 600, .height = 800, .fonts = &font, .n_fonts = 1 };
    struct arena arena = { 0 };
    size_t n_words;

    for (size_t i = 0; i < n; i++)
        put_letters(&content, x[i], 100, SIZE, "x");
    for (size_t i = 0; i < n; i++) {
        content.glyphs[i].code = codes[i];
        content.glyphs[i].flags = i == 0 ? GLYPH_FIRST : 0;
    }
    words_find(&arena, &content, &n_words);
    arena_free(&arena);
    page_content_free(&content);
    return n_words;
}

static void divides_directions(void)
{
    static const uint32_t digit_first[] = { '1', 0x5d0, 0x5d1, 0x5d2 };
    static const uint32_t digit_last[] = { 0x5d0, 0x5d1, 0x5d2, '1' };
    const float w = SIZE / 2, far[] = { 0, 100, 100 + w, 100 + 2 * w };
    const float near[] = { 0, 3 * w, 2 * w, w }, end[] = { 2 * w, w, 0, 3 * w };
    const float end_far[] = { 2 * w, w, 0, 100 };

    is_int((int) count_words(digit_first, far, 4), 2,
           "a number of another column is apart from the Hebrew word at its right");
    is_int((int) count_words(digit_last, end_far, 4), 2, "as is one at the right of the word");
    is_int((int) count_words(digit_first, near, 4), 1,
           "a sign is part of the Hebrew word next to it, which is read from its other end");
    is_int((int) count_words(digit_last, end, 4), 1, "also after it");
}

static void finds_tables(void)
{
    struct test_page t;
    const struct table *table;

    begin(&t);
    for (int i = 0; i < 3; i++)
        rule(&t, 100, 100 + 20 * (float) i, 300, 100 + 20 * (float) i);
    rule(&t, 100, 100, 100, 140);
    rule(&t, 300, 100, 300, 140);
    rule(&t, 200, 120, 200, 140); /* the first row is one cell */
    put(&t, 110, 114, "head");
    put(&t, 110, 134, "left");
    put(&t, 210, 134, "right");
    ok(understand(&t), "a page with a ruled table is understood");
    table = &block(&t, 0, 0)->table;
    if (!ok(block(&t, 0, 0)->kind == BLOCK_TABLE, "it has a table")) {
        end(&t);
        return;
    }
    ok(table->n_rows == 2 && table->n_columns == 2, "of two rows and columns");
    ok(table->n_cells == 3 && table->cells[0].columns == 2, "the first cell spans both");
    is_str(text_of(&table->cells[2].blocks[0]), "right", "words are in their cells");
    ok(table->cells[0].top.width > 0 && table->cells[2].left.width > 0, "with their borders");
    end(&t);
}

static void finds_lists(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 100, 100, "1.");
    put(&t, 118, 100, "The first");
    put(&t, 100, 114, "2.");
    put(&t, 118, 114, "The second");
    ok(understand(&t), "a page with a list is understood");
    is_int(block(&t, 0, 1)->paragraph.list, 1, "its items are a list's");
    is_str(text_of(block(&t, 0, 1)), "The second", "without their labels");
    end(&t);
}

static void underlines(void)
{
    struct test_page t;
    const struct paragraph *p;

    begin(&t);
    put(&t, 100, 100, "half-of");
    rule(&t, 100, 101, 120, 101);
    ok(understand(&t), "a page with a line under a part of a word is understood");
    p = &block(&t, 0, 0)->paragraph;
    ok(p->n_runs == 2 && p->runs[0].style.underline && !p->runs[1].style.underline,
       "that part alone is underlined");
    end(&t);
    begin(&t);
    put(&t, 100, 100, "[5][6]");
    rule(&t, 115, 104, 129.5F, 104);
    ok(understand(&t), "a page with a line further below a part of a word is understood");
    p = &block(&t, 0, 0)->paragraph;
    ok(p->n_runs == 2 && !p->runs[0].style.underline && p->runs[1].style.underline,
       "a line that is as long as some letters of the word underlines these");
    end(&t);
    begin(&t);
    put(&t, 100, 100, "both words and a third");
    rule(&t, 100, 103, 149.5F, 103);
    ok(understand(&t), "a page with a line further below two words is understood");
    p = &block(&t, 0, 0)->paragraph;
    ok(p->n_runs == 2 && p->runs[0].style.underline && p->runs[0].len == 10 &&
           !p->runs[1].style.underline,
       "a line that is as long as two words underlines both");
    end(&t);
    begin(&t);
    for (int i = 0; i < 3; i++)
        rule(&t, 100, 100 + 14 * (float) i, 300, 100 + 14 * (float) i);
    rule(&t, 100, 100, 100, 128);
    rule(&t, 200, 100, 200, 128);
    rule(&t, 300, 100, 300, 128);
    put(&t, 110, 112, "near");
    put(&t, 210, 112, "its");
    put(&t, 110, 126, "lower");
    put(&t, 210, 126, "line");
    ok(understand(&t) && block(&t, 0, 0)->kind == BLOCK_TABLE, "a low table is understood");
    p = &block(&t, 0, 0)->table.cells[0].blocks[0].paragraph;
    ok(!p->runs[0].style.underline, "its lines do not underline what is above them");
    end(&t);
}

static void keeps_hyphens(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 100, 100, "These are lines that end where a word goes on, as X-");
    put(&t, 100, 112, "ray does, and in the next one there is a state-of-");
    put(&t, 100, 124, "the-art method, and then somebody wrote of Baden-");
    put(&t, 100, 136, "Baden, and then there came what they called HEAD-");
    put(&t, 100, 148, "LINES.");
    ok(understand(&t), "a page with hyphens is understood");
    is_str(
        text_of(block(&t, 0, 0)),
        "These are lines that end where a word goes on, as X-ray does, and in the next one there "
        "is a state-of-the-art method, and then somebody wrote of Baden-Baden, and then there came "
        "what they called HEAD\xc2\xadLINES.",
        "hyphens that are a word's own stay, without a space");
    end(&t);
    begin(&t);
    put(&t, 100, 100, "They took people who were put into a randomly-");
    put(&t, 100, 112, "selected group, and kept what they had for a long-");
    put(&t, 100, 124, "term study, as rules are that were made with a multi-");
    put(&t, 100, 136, "ply of plans.");
    ok(understand(&t), "a page with compounds is understood");
    is_str(
        text_of(block(&t, 0, 0)),
        "They took people who were put into a randomly-selected group, and kept what they had for "
        "a long-term study, as rules are that were made with a multi\xc2\xadply of plans.",
        "so do those of an adverb with a participle, and of some other compounds");
    end(&t);
}

static void hangs_references(void)
{
    struct test_page t;
    const struct paragraph *p;

    begin(&t);
    put(&t, 100, 100, "[1]");
    put(&t, 120, 100, "A. Author and B. Writer, what they found out about all");
    put(&t, 120, 112, "of it, and where it was printed.");
    put(&t, 100, 130, "[2]");
    put(&t, 120, 130, "C. Another, of whom there is less to say.");
    ok(understand(&t), "a page with references is understood");
    p = &block(&t, 0, 0)->paragraph;
    is_str(text_of(block(&t, 0, 0)),
           "[1]\tA. Author and B. Writer, what they found out about all of it, and where it was "
           "printed.",
           "their lines go on below the text");
    ok(p->first < -15 && p->n_tabs == 1, "which hangs on the number");
    end(&t);
}

/* The mark of a footnote stands higher, and a tab before the text. */
static void hangs_marks(void)
{
    struct test_page t;

    begin(&t);
    put_at(&t, 100, 96, 6, "1");
    put(&t, 130, 100, "The note that belongs to it");
    ok(understand(&t), "a page with a footnote is understood");
    is_int(t.page.sections[0].blocks.n, 1, "mark and text are one paragraph");
    is_int(block(&t, 0, 0)->paragraph.runs[0].style.script, SCRIPT_SUPER, "with the mark raised");
    end(&t);
}

static void finds_sidebars(void)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 9; i++)
        put(&t, 200, 100 + 13 * (float) i,
            "the text has long lines that go on and on, to the edge");
    for (int i = 0; i < 9; i++)
        put(&t, 200, 240 + 13 * (float) i, "and after some white it has more of them, to the edge");
    for (int i = 0; i < 3; i++)
        put(&t, 40, 105 + 11 * (float) i, "a note in the margin");
    for (int i = 0; i < 20; i++)
        put(&t, 200, 400 + 13 * (float) i, "12");
    ok(understand(&t), "a page with a note in its margin is understood");
    is_int(t.page.sections[0].n_columns, 2, "the note is a column");
    ok(!strstr(text_of(block(&t, 0, 0)), "text") && strstr(text_of(block(&t, 0, 1)), "on and on"),
       "and its lines are not between those of the text");
    end(&t);
}

static void loses_nothing(void)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 300; i++)
        put_at(&t, (float) (i * 37 % 560), (float) (i * 101 % 780) + 10, (float) (i % 17) + 3,
               "word");
    ok(understand(&t), "a page of words all over is understood");
    end(&t);
    begin(&t);
    ok(understand(&t), "so is an empty one");
    end(&t);
}

/* Lines that are all as long as others, so that a paragraph may go on in each. */
static void divides_glued_notes(void)
{
    static const char *const notes[] = {
        "7Their report of the year was full of words and of other things also",
        "8Harbour and market were near, and the river was not far from either"
    };
    struct test_page t;
    size_t n;

    begin(&t);
    for (size_t i = 0; i < 20; i++)
        put(&t, 100, 100 + 12 * (float) i,
            "the lines of the text are all as long as the others are");
    for (size_t i = 0; i < 2; i++)
        put_at(&t, 100, 400 + 10 * (float) i, 8, notes[i]);
    ok(understand(&t), "notes whose numbers are not raised are understood");
    n = t.page.sections[0].blocks.n;
    ok(n > 1 && t.page.sections[0].blocks.items[n - 1].paragraph.n_lines == 1,
       "the next number right before a capital letter begins the next note");
    end(&t);
}

/* A page alone: its last line is a footer unless it is as wide and large as the text. */
static void keeps_last_line(bool wide)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 40; i++)
        put(&t, 50, 100 + 16 * (float) i,
            "This is a line of the text that is as wide as all other lines of the page are");
    put(&t, 50, 750,
        wide ? "And this one begins the last paragraph, of which the end is on another page,"
             : "What is below all");
    ok(understand(&t), "a page alone is understood");
    is_int(t.page.header_set == NO_HEADER_SET, wide, "its last line is %s",
           wide ? "text if it looks like it" : "a footer if it is short");
    end(&t);
}

/* TeX lets a line that it cannot break stand out at the right: the others are full all the same. */
static void joins_beside_overfull(void)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 4; i++)
        put(&t, 50, 100 + 12 * (float) i, "which is a line of the text that goes on to the margin");
    put(&t, 50, 148, "and this one has a word that is toolongforanyprogramtobreakit");
    for (int i = 5; i < 8; i++)
        put(&t, 50, 100 + 12 * (float) i, "which is a line of the text that goes on to the margin");
    put(&t, 50, 196, "with a last one.");
    ok(understand(&t), "a page with a line that is too long is understood");
    is_int(t.page.sections[0].blocks.n, 1, "its text is one paragraph");
    end(&t);
}

/* Entries of two levels, without dots to the page number where they are chapters. */
static void keeps_contents(bool leftwards)
{
    static const char *entries[] = { "Introduction", "Features",  "Use",     "Parts",
                                     "Names",        "Interface", "Signals", "Wires" };
    struct test_page t;
    const struct paragraph *p;

    begin(&t);
    put(&t, 100, 60, "Contents");
    for (int i = 0; i < 8; i++) {
        float base = 100 + 14 * (float) (i > 6 ? i + 1 : i), x = i % 4 ? 120 : 100;

        put(&t, x, base, i % 4 ? "1.1" : "1");
        put(&t, x + 24, base, entries[i]);
        /* A title that goes on in the next line. */
        if (i == 6) {
            put(&t, x + 24, base + 14, "of the interface");
            base += 14;
        }
        for (int k = 0; i % 4 && k < 36; k++)
            put(&t, 220 + 6 * (float) (leftwards ? 35 - k : k), base, ".");
        put(&t, 455, base, "7");
    }
    ok(understand(&t), "a table of contents is understood%s",
       leftwards ? ", drawn from the page number to the left" : "");
    if (ok(t.page.sections[0].blocks.n == 10, "its lines are blocks of their own") &&
        ok(block(&t, 0, 2)->kind == BLOCK_PARAGRAPH, "and not rows of a table")) {
        p = &block(&t, 0, 2)->paragraph;
        is_str(text_of(block(&t, 0, 2)), "1.1 Features\t7", "a tab is before the page number");
        ok(p->n_tabs == 1 && p->tabs[0].dots, "its dots are the leader of the tab");
    }
    end(&t);
}

/* Hyphens of compounds whose second part is after a hyphen elsewhere on the page. */
static void keeps_compounds(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 100, 100, "a domain-specific text that is about what is language-");
    put(&t, 100, 112, "specific, which is what most of them are not, and pecu-");
    put(&t, 100, 124, "liar.");
    ok(understand(&t), "a page with compounds is understood");
    is_str(text_of(block(&t, 0, 0)),
           "a domain-specific text that is about what is language-specific, which is what most of "
           "them are not, and pecu\xc2\xadliar.",
           "the hyphen of a compound stays where another one has its second part");
    end(&t);
}

/* Lines that end long before the margin, within a word and within a sentence. */
static void joins_ragged(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 100, 100,
        "The first line of the page goes as far as the margin of the page on the right.");
    put(&t, 100, 130, "This is a text of which the lines end early, in a demonstra-");
    put(&t, 100, 142, "tor of what a box that is narrower than the page makes of them");
    put(&t, 100, 154, "if it has none of its own.");
    ok(understand(&t), "a page with lines that end early is understood");
    is_int(t.page.sections[0].blocks.n, 2,
           "they are one paragraph, as a word and a sentence go on");
    end(&t);
}

/* The section headings of many papers are capitals in the middle of the column. */
static void finds_capitals(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 50, 100,
        "This is a line of the text that is as wide as all other lines of the page are");
    put(&t, 50, 112, "and the last one of the paragraph.");
    put(&t, 202.5F, 142, "II. RELATED WORK");
    for (int i = 0; i < 4; i++)
        put(&t, 50, 166 + 12 * (float) i,
            "This is a line of the text that is as wide as all other lines of the page are");
    ok(understand(&t), "a page with a heading in capitals is understood");
    ok(block(&t, 0, 1)->paragraph.heading > 0, "capitals in the middle above text are a heading");
    ok(block(&t, 0, 0)->paragraph.heading == 0,
       "the text under a heading in capitals is not a heading");
    end(&t);
}

int main(void)
{
    keeps_compounds();
    joins_ragged();
    finds_capitals();
    joins_lines();
    joins_beside_overfull();
    keeps_contents(false);
    keeps_contents(true);
    keeps_code();
    spaces_lines();
    finds_columns();
    cuts_lines();
    divides_directions();
    finds_tables();
    finds_lists();
    underlines();
    keeps_hyphens();
    hangs_references();
    hangs_marks();
    finds_sidebars();
    loses_nothing();
    divides_glued_notes();
    keeps_last_line(true);
    keeps_last_line(false);
    return done_testing();
}
