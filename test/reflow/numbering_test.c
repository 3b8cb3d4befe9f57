#include "page/numbering.h"

#include "tap.h"

static bool read_text(const char *text, struct label *label)
{
    uint32_t codes[16];
    size_t n = 0;

    for (; text[n] && n < 16; n++)
        codes[n] = (unsigned char) text[n];
    return numbering_read_label(codes, n, label);
}

static struct label at(const char *text, float x)
{
    struct label label = { 0 };

    read_text(text, &label);
    label.x = x;
    label.text = x + 18;
    return label;
}

static void reads_labels(void)
{
    struct label label;
    uint32_t bullet = 0xf0b7;

    ok(read_text("12.", &label) && label.kind == LABEL_DECIMAL && label.value == 12,
       "a number with a full stop is a label");
    ok(read_text("(3)", &label) && label.open && label.value == 3, "so is one in brackets");
    ok(read_text("b)", &label) && label.kind == LABEL_LOWER && label.value == 2, "and a letter");
    ok(read_text("iv.", &label) && label.kind == LABEL_ROMAN && label.value == 4,
       "Roman numbers are read");
    ok(read_text("ix.", &label) && label.value == 9, "those that subtract too");
    ok(numbering_read_label(&bullet, 1, &label) && label.bullet == 0x2022,
       "a symbol font's bullet is the bullet it looks like");
    ok(!read_text("12", &label), "a number alone is none");
    ok(!read_text("1234.", &label), "nor is a year");
    ok(!read_text("etc.", &label), "nor is a word");
    ok(!read_text(".", &label), "nor is a full stop");
    ok(!read_text("()", &label), "nor are empty brackets");
}

static void keeps_lists(void)
{
    struct numbering numbering = { 0 };
    struct label label;
    int level;

    label = at("1.", 0);
    is_int(numbering_place(&numbering, &label, &level), 1, "the first label begins a list");
    label = at("2.", 0);
    ok(numbering_place(&numbering, &label, &level) == 1 && level == 0, "the next number goes on");
    label = at("a)", 20);
    ok(numbering_place(&numbering, &label, &level) == 1 && level == 1,
       "one further in is a level below");
    label = at("3.", 0);
    ok(numbering_place(&numbering, &label, &level) == 1 && level == 0, "and the outer one goes on");
    label = at("7.", 0);
    is_int(numbering_place(&numbering, &label, &level), 2, "a number out of order is another list");
    is_int(numbering.items[1].levels[0].value, 7, "which begins with it");
    label = at("-", 0);
    is_int(numbering_place(&numbering, &label, &level), 3, "so is one of another kind");
    numbering_free(&numbering);
}

static int level_of(struct numbering *numbering, const char *text, float x)
{
    struct label label = at(text, x);
    int level;

    numbering_resolve(numbering, &label);
    return numbering_place(numbering, &label, &level) == 1 ? level : -1;
}

static void numbers_levels(void)
{
    struct numbering numbering = { 0 };
    struct label label = at("1.2", 0);

    ok(label.kind == LABEL_OUTLINE && label.depth == 2 && label.parent == 1 && label.value == 2,
       "a number with those of the levels above is a label");
    ok(!read_text("1..2", &label) && !read_text("0.5", &label), "not all that has a point is");
    is_int(level_of(&numbering, "1.", 0), 0, "a clause");
    is_int(level_of(&numbering, "1.1", 20), 1, "has clauses below it");
    is_int(level_of(&numbering, "1.2", 20), 1, "one after the other");
    is_int(level_of(&numbering, "(a)", 40), 2, "with letters");
    is_int(level_of(&numbering, "i.", 60), 3, "and what is a Roman number, and no ninth letter");
    is_int(level_of(&numbering, "ii.", 57), 3, "even where it is even on the right");
    is_int(level_of(&numbering, "(b)", 40), 2, "back to the letters");
    is_int(level_of(&numbering, "1.3", 20), 1, "and to the number");
    is_int(level_of(&numbering, "2.", 0), 0, "the next clause");
    is_int(level_of(&numbering, "2.1", 20), 1, "begins anew");
    label = at("5.1", 20);
    ok(!numbering_continues(&numbering, &label), "a number of no clause is no part of it");
    numbering_free(&numbering);
    level_of(&numbering, "h)", 0);
    is_int(level_of(&numbering, "i)", 0), 0, "after h there is a letter");
    is_int(numbering.items[0].levels[0].kind, LABEL_LOWER, "and it is of that list");
    numbering_free(&numbering);
}

int main(void)
{
    reads_labels();
    keeps_lists();
    numbers_levels();
    return done_testing();
}
