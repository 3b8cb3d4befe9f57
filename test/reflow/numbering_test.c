#include "reflow/numbering.h"

#include "tap.h"

static bool read_text(const char *text, struct label *label)
{
    uint32_t codes[16];
    size_t n = 0;

    for (; text[n] && n < 16; n++)
        codes[n] = (unsigned char) text[n];
    return label_read(codes, n, label);
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
    ok(label_read(&bullet, 1, &label) && label.bullet == 0x2022,
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

int main(void)
{
    reads_labels();
    keeps_lists();
    return done_testing();
}
