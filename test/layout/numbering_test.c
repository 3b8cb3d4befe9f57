#include "layout/page/numbering.h"

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
    ok(read_text("(3)", &label) && label.open && label.value == 3,
       "a number in brackets is a label");
    ok(read_text("b)", &label) && label.kind == LABEL_LOWER && label.value == 2,
       "a letter with a bracket is a label");
    ok(read_text("iv.", &label) && label.kind == LABEL_ROMAN && label.value == 4,
       "Roman numbers are read");
    ok(read_text("ix.", &label) && label.value == 9, "Roman numbers that subtract are read");
    ok(numbering_read_label(&bullet, 1, &label) && label.bullet == 0x2022,
       "a bullet of a symbol font becomes a Unicode bullet");
    ok(!read_text("12", &label), "a number alone is not a label");
    ok(!read_text("1234.", &label), "a year is not a label");
    ok(!read_text("etc.", &label), "a word is not a label");
    ok(!read_text(".", &label), "a full stop is not a label");
    ok(!read_text("()", &label), "empty brackets are not a label");
}

static void keeps_lists(void)
{
    struct numbering numbering = { 0 };
    struct label label;
    int level;

    label = at("1.", 0);
    is_int(numbering_place(&numbering, &label, &level), 1, "the first label begins a list");
    label = at("2.", 0);
    ok(numbering_place(&numbering, &label, &level) == 1 && level == 0,
       "the next number continues the list");
    label = at("a)", 20);
    ok(numbering_place(&numbering, &label, &level) == 1 && level == 1,
       "a label that is indented is a level below");
    label = at("3.", 0);
    ok(numbering_place(&numbering, &label, &level) == 1 && level == 0,
       "the outer list continues after the inner one");
    label = at("7.", 0);
    is_int(numbering_place(&numbering, &label, &level), 2, "a number out of order is another list");
    is_int(numbering.items[1].levels[0].value, 7, "a list out of order begins with its number");
    label = at("-", 0);
    is_int(numbering_place(&numbering, &label, &level), 3,
           "a label of another kind is another list");
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
    ok(!read_text("1..2", &label) && !read_text("0.5", &label),
       "numbers with points in other places are not labels");
    is_int(level_of(&numbering, "1.", 0), 0, "a number begins a clause");
    is_int(level_of(&numbering, "1.1", 20), 1, "a number of two parts is a clause below");
    is_int(level_of(&numbering, "1.2", 20), 1, "the next number of two parts continues");
    is_int(level_of(&numbering, "(a)", 40), 2, "a letter in brackets is a level below the numbers");
    is_int(level_of(&numbering, "i.", 60), 3,
           "i is a Roman number below letters, not the ninth letter");
    is_int(level_of(&numbering, "ii.", 57), 3,
           "Roman numbers that are aligned on the right continue");
    is_int(level_of(&numbering, "(b)", 40), 2, "the letters continue after the Roman numbers");
    is_int(level_of(&numbering, "1.3", 20), 1,
           "the numbers of two parts continue after the letters");
    is_int(level_of(&numbering, "2.", 0), 0, "the next number continues the clauses");
    is_int(level_of(&numbering, "2.1", 20), 1,
           "numbers of two parts begin again in the next clause");
    label = at("5.1", 20);
    ok(!numbering_continues(&numbering, &label),
       "a number of an unknown clause does not continue the list");
    numbering_free(&numbering);
    level_of(&numbering, "h)", 0);
    is_int(level_of(&numbering, "i)", 0), 0, "i after h continues the letters");
    is_int(numbering.items[0].levels[0].kind, LABEL_LOWER, "i after h is a letter");
    numbering_free(&numbering);
}

int main(void)
{
    reads_labels();
    keeps_lists();
    numbers_levels();
    return done_testing();
}
