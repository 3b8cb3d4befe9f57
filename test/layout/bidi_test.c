/* The order in which lines with text from right to left are read. */
#include <fribidi.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "layout/page/bidi.h"
#include "tap.h"

#define MOST 40

/* Letters of the tests: small letters are Hebrew ones, capitals Latin ones; in Arabic text, small
 * letters are Arabic ones. */
static uint32_t code_of(char c, bool arabic)
{
    return c >= 'a' && c <= 'z' ? (arabic ? 0x628U : 0x5d0U) + (uint32_t) (c - 'a') % 20
                                : (unsigned char) c;
}

static void order(const char *drawn, bool rtl, bool arabic, const unsigned *file, char *read)
{
    struct bidi_sign signs[MOST] = { { 0 } };
    enum bidi_letter last = BIDI_NONE;
    size_t places[MOST], n = strlen(drawn);

    for (size_t i = 0; i < n; i++)
        signs[i] = (struct bidi_sign){ .code = code_of(drawn[i], arabic),
                                       .drawn = file ? file[i] : (uint32_t) i };
    bidi_order(signs, n, rtl, &last, places);
    for (size_t i = 0; i < n; i++) {
        char c = drawn[places[i]];

        read[i] = !signs[places[i]].odd ? c : c == '(' ? ')' : c == ')' ? '(' : c;
    }
    read[n] = '\0';
}

/* What is drawn from left to right, in the shapes that it has, is read so. */
static void reads(const char *drawn, bool rtl, const char *wanted, const char *what)
{
    char read[MOST + 1];

    order(drawn, rtl, false, NULL, read);
    is_str(read, wanted, "%s", what);
}

static void reads_lines(void)
{
    reads("AB CD", false, "AB CD", "a line from left to right is read so");
    reads("ab cd", true, "dc ba", "a line from right to left is read so");
    reads("ab XY cd", true, "dc XY ba", "words from left to right in it are read so");
    reads("XY ab cd ZW", false, "XY dc ba ZW", "words from right to left in another are read so");
    reads("12/10/39 :ab", true, "ba: 12/10/39", "a date is read from left to right");
    reads("050-123 :ab", true, "ba: 050-123", "so is a telephone number");
    reads("(17% ab) ", true, " (ba 17%)", "a percentage with its sign, in brackets");
    reads("-90.50 ab", true, "ba -90.50", "a number with a minus at its left");
    reads("90.50- ab", true, "ba -90.50", "and at its right, where the algorithm puts it");
    reads("ab ,(3 cd) ef", true, "fe (dc 3), ba", "a comma after a bracket stays there");
    reads(".OF-a", true, "a-OF.", "a word of letters of both directions, and a full stop");
    reads("AB 20 cd", true, "dc AB 20", "a number after a Latin word is the word's");
    reads("AB ,20 cd", true, "dc 20, AB", "but not where the comma is its own");
    reads("10 AB cd", true, "dc 10 AB", "a number before a Latin word is read before it");
    reads("ab AB (12) cd", true, "dc AB (12) ba", "brackets after a Latin word are its own");
    reads("ab (AB) cd", true, "dc (AB) ba", "those around one are not");
    reads("ab 1 2 cd", true, "dc 2 1 ba", "numbers follow one another from right to left");
    reads("5-ab XY", false, "ba-5 XY", "a number that touches a word is the word's");
    reads("X 5 ab Y", false, "X 5 ba Y", "one that does not is not, from left to right");
}

static void reads_arabic(void)
{
    static const unsigned backwards[] = { 5, 6, 4, 1, 2, 0, 0, 0 };
    char read[MOST + 1];

    order("123-050 :a", true, true, NULL, read);
    is_str(read, "a: 050-123", "after Arabic letters, a hyphen divides numbers");
    order("%16 a", true, true, NULL, read);
    is_str(read, "a 16%", "and a percent sign does not join them");
    order("12/03 a", true, true, NULL, read);
    is_str(read, "a 12/03", "a date is one number all the same");
    order("AB 12", true, false, backwards, read);
    is_str(read, "12 AB", "a number that was drawn before a Latin word is read before it");
}

/* What fribidi shows of a text from left to right, in the shapes that it shows. */
static bool show(const FriBidiChar *text, FriBidiStrIndex n, bool rtl, FriBidiChar *shown)
{
    FriBidiCharType types[MOST];
    FriBidiBracketType brackets[MOST];
    FriBidiLevel levels[MOST];
    FriBidiParType base = rtl ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR;

    fribidi_get_bidi_types(text, n, types);
    fribidi_get_bracket_types(text, n, types, brackets);
    memcpy(shown, text, sizeof *text * (size_t) n);
    if (!fribidi_get_par_embedding_levels_ex(types, brackets, n, &base, levels))
        return false;
    fribidi_shape_mirroring(levels, n, shown);
    return fribidi_reorder_line(FRIBIDI_FLAGS_DEFAULT, types, n, 0, base, levels, shown, NULL) != 0;
}

/* Whether what is read of the n shapes would be shown by them again. */
static bool is_shown_again(const FriBidiChar *shown, FriBidiStrIndex n, bool rtl)
{
    struct bidi_sign signs[MOST] = { { 0 } };
    enum bidi_letter last = BIDI_NONE;
    size_t places[MOST];
    FriBidiChar read[MOST], again[MOST];

    for (FriBidiStrIndex i = 0; i < n; i++)
        signs[i] = (struct bidi_sign){ .code = shown[i], .drawn = (uint32_t) i };
    bidi_order(signs, (size_t) n, rtl, &last, places);
    for (FriBidiStrIndex i = 0; i < n; i++) {
        uint32_t code = signs[places[i]].code, mirrored = bidi_mirrored(code);

        read[i] = signs[places[i]].odd && mirrored ? mirrored : code;
    }
    return show(read, n, rtl, again) && memcmp(shown, again, sizeof *shown * (size_t) n) == 0;
}

/* Words of a line, of which each is followed by a space. The last are not in lines from left to
 * right: the brackets are then on another level than the letters in them. */
static const char *const some_words[] = { "ab",   "cde:", "12/10", "1,250.00", "abc,", "5%",
                                          "XYZ",  "c-Q",  "A.B",   "050-123",  "(3),", "d.e.",
                                          "f\"g", "7.",   "-ab",   "[h]",      "(fg)" };
#define BRACKETED 2

/* Lines of words at random, shown by fribidi, are read so that it shows the same again. */
static void inverts(bool rtl, bool arabic)
{
    size_t wrong = 0, lines = 0;
    unsigned seed = 1;

    for (int line = 0; line < 3000; line++) {
        FriBidiChar text[MOST], shown[MOST];
        FriBidiStrIndex n = 0;

        text[n++] = code_of('k', arabic);
        for (int word = 0; word < 4; word++) {
            const char *letters;

            seed = seed * 1103515245U + 12345U;
            letters = some_words[(seed >> 16) % (COUNT(some_words) - (rtl ? 0 : BRACKETED))];
            text[n++] = ' ';
            while (*letters)
                text[n++] = code_of(*letters++, arabic);
        }
        text[n++] = ' ';
        text[n++] = code_of(rtl ? 'm' : 'Z', arabic);
        if (!rtl)
            text[0] = 'K';
        lines++;
        wrong += !show(text, n, rtl, shown) || !is_shown_again(shown, n, rtl);
    }
    ok(wrong == 0, "%s lines from %s are read so that they look the same (%zu of %zu do not)",
       arabic ? "Arabic" : "Hebrew", rtl ? "right to left" : "left to right", wrong, lines);
}

/* A word of glyphs that stand from left to right as `codes` says, each 5 points wide, drawn in the
 * other direction if `logical`; what is read of it. */
static bool reads_word(const uint32_t *codes, const uint32_t *wanted, bool logical)
{
    static struct arena arena;
    struct glyph glyphs[MOST] = { { 0 } };
    struct word word = { .glyphs = glyphs, .size = 10 }, *words[] = { &word };
    struct line line = { .words = { .items = words, .n = 1 } };
    enum bidi_letter last = BIDI_NONE;
    struct bidi_item *items;
    size_t n;
    bool same;

    while (word.n_glyphs < MOST && codes[word.n_glyphs])
        word.n_glyphs++;
    for (size_t i = 0; i < word.n_glyphs; i++) {
        size_t at = logical ? word.n_glyphs - 1 - i : i;

        glyphs[at] = (struct glyph){
            .code = codes[i], .x0 = 5 * (float) i, .x1 = 5 * (float) i + 5, .size = 10
        };
    }
    items = bidi_read(&arena, &line, 0, true, NULL, &last, &n);
    same = n == word.n_glyphs;
    for (size_t i = 0; i < n && same; i++)
        same = items[i].code == wanted[i];
    arena_free(&arena);
    return same;
}

static void reads_words(void)
{
    static const uint32_t year[] = { 0x6f1, 0x6f4, 0x6f0, 0x6f2, 0 };
    static const uint32_t date[] = { 0x661, 0x664, '/', 0x665, 0x661, 0 };
    static const uint32_t drawn[] = { 0x6f1, 0x6f2, 0x6f3, 0x635, 0 };
    static const uint32_t read[] = { 0x635, 0x6f1, 0x6f2, 0x6f3, 0 };
    static const uint32_t word[] = { 0x5d2, 0x5d1, 0x5d0, 0 },
                          turned[] = { 0x5d0, 0x5d1, 0x5d2, 0 };
    static const uint32_t shapes[] = { '(', 0x5d0, ')', 0x5d1, 0 },
                          signs[] = { ')', 0x5d0, '(', 0x5d1, 0 },
                          bracketed[] = { 0x5d1, '(', 0x5d0, ')', 0 };

    ok(reads_word(year, year, false), "a number of Persian digits is read from left to right");
    ok(reads_word(year, year, true), "and so is one that was drawn from right to left");
    ok(reads_word(date, date, false), "a date of Arabic digits is read from left to right");
    ok(reads_word(drawn, read, false), "a number after a letter is read after it");
    ok(reads_word(drawn, read, true), "and so is one of a word that was drawn from right to left");
    ok(reads_word(word, turned, false), "letters are read from right to left");
    ok(reads_word(word, turned, true), "in whichever order they were drawn");
    ok(reads_word(shapes, bracketed, false), "brackets that the file has as shapes are mirrored");
    ok(reads_word(signs, bracketed, false), "and those that it has as characters are not");
}

int main(void)
{
    reads_lines();
    reads_arabic();
    reads_words();
    inverts(true, false);
    inverts(true, true);
    inverts(false, false);
    inverts(false, true);
    return done_testing();
}
