/* content: content streams in fewer bytes that draw the same. */
#include "compress/content/content.h"

#include <string.h>

#include "tap.h"

static void shortens(const char *what, double scale, const char *from, const char *to)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    bool good = content_shorten((const unsigned char *) from, strlen(from), scale, &out);

    ok(good && strcmp(buf_text(&out), to) == 0, "%s", what);
    if (!good || strcmp(buf_text(&out), to) != 0)
        printf("# got: %s\n", good ? buf_text(&out) : "(refused)");
}

static void refuses(const char *what, const char *from)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    ok(!content_shorten((const unsigned char *) from, strlen(from), 1, &out), "%s", what);
}

static void test_tokens(void)
{
    shortens("needless white space and comments are removed", CONTENT_EXACT,
             "q % all\n  1   0 0 rg\r\n[ (a) -20 ( b ) ]  TJ /N  /M  gs Q\n",
             "q 1 0 0 rg[(a)-20( b )]TJ/N/M gs Q");
    shortens("needless digits are removed", CONTENT_EXACT, "0.500 -0.25 +3.0 007 re -0 5. m",
             ".5 -.25 3 7 re 0 5 m");
    shortens("hexadecimal strings become literal ones", CONTENT_EXACT, "<41 28 5c 0d> Tj <4> Tj",
             "(A\\(\\\\\\r)Tj<4>Tj");
    shortens("numbers that readers interpret differently stay", CONTENT_EXACT, "--5 1.2.3 m",
             "--5 1.2.3 m");
    shortens("numbers that readers interpret differently stay apart from the operator before them",
             CONTENT_EXACT, "q --5 1.2.3 m /G gs\n1e5 w", "q --5 1.2.3 m/G gs 1e5 w");
    shortens("an inline image stays as it is", CONTENT_EXACT,
             "q  BI /W 1 /H 1  /BPC 8 /CS /G ID  ( EI  Q",
             "q BI /W 1 /H 1  /BPC 8 /CS /G ID  ( EI\nQ");
    refuses("an operator that PDF does not have is left to readers", "1 0 m 5 zz");
    refuses("a string without end is left to readers", "(abc Tj");
    refuses("operands without an operator are left to readers", "q 1 0 0");
    refuses("an image whose end is seen by what follows, which would come too near",
            "BI /W 1 /H 1 /BPC 8 /CS /G ID x EI             Q (\xe9) Tj");
    refuses("a name of no letters is left to readers", "/ gs");
    refuses("a dictionary's end alone is left to readers", "q > Q");
}

static void test_states(void)
{
    shortens("a state that is set already is not set again", CONTENT_EXACT,
             "0 g 1 w 0 g 1 w /F 9 Tf (a) Tj /F 9 Tf (b) Tj", "0 g 1 w/F 9 Tf(a)Tj(b)Tj");
    shortens("a state is set again after a Q that may have reset it", CONTENT_EXACT,
             "0 g q 1 g Q 1 g 0 g", "0 g q 1 g Q 1 g 0 g");
    shortens("a state that was saved elsewhere is not known", CONTENT_EXACT, "0 g Q 0 g",
             "0 g Q 0 g");
    shortens("a graphics state parameter dictionary may set anything", CONTENT_EXACT,
             "0 g 1 w /G gs 1 w", "0 g 1 w/G gs 1 w");
    shortens("another colour space makes the same colour another", CONTENT_EXACT,
             "0 g /C cs 0 g /C cs 0 scn 0 g", "0 g/C cs 0 g/C cs 0 scn 0 g");
    shortens("an identity matrix is removed", CONTENT_EXACT, "1 0 0 1 0 0 cm 1 0 0 1 0 1 cm",
             "1 0 0 1 0 1 cm");
}

static void test_paths(void)
{
    shortens("a path around a rectangle becomes re", CONTENT_EXACT,
             "10 20 m 30 20 l 30 5.5 l 10 5.5 l h S", "10 20 20 -14.5 re S");
    shortens("a path around a rectangle in the other direction becomes re if it is not stroked",
             CONTENT_EXACT, "10 20 m 10 5 l 30 5 l 30 20 l h W n 10 20 m 10 5 l 30 5 l 30 20 l f",
             "10 5 20 15 re W n 10 5 20 15 re f");
    shortens("a path that is stroked keeps its first corner and its direction", CONTENT_EXACT,
             "10 20 m 10 5 l 30 5 l 30 20 l h S", "10 20 m 10 5 l 30 5 l 30 20 l h S");
    shortens("an open path is not closed for a stroke", CONTENT_EXACT,
             "10 20 m 30 20 l 30 5 l 10 5 l S", "10 20 m 30 20 l 30 5 l 10 5 l S");
    shortens("a path that is no rectangle stays", CONTENT_EXACT,
             "10 20 m 30 20 l 30 5 l 11 5 l h f", "10 20 m 30 20 l 30 5 l 11 5 l h f");
    shortens("a path with more corners than a rectangle stays", CONTENT_EXACT,
             "0 0 m 1 0 l 1 1 l 0 1 l 0 2 l 0 3 l h f", "0 0 m 1 0 l 1 1 l 0 1 l 0 2 l 0 3 l h f");
}

static void test_places(void)
{
    shortens("places keep hundredths of a point", 1, "1.23456 7.0049 m 1.005 2.5 l",
             "1.23 7 m 1 2.5 l");
    shortens("a small factor keeps the digits that large coordinates multiply", 1,
             "0.001968503937 0 0 -0.001968503937 0 405.0 cm 365760.0 205740.25 l",
             ".0019685 0 0 -.0019685 0 405 cm 365760 205740 l");
    shortens("places keep more digits where units are larger", 1,
             "q 100 0 0 100 0 0 cm 1.23456 7 m Q", "q 100 0 0 100 0 0 cm 1.2346 7 m Q");
    shortens("places keep fewer digits where units are smaller", .1, "1.23456 7.04 m", "1.2 7 m");
    shortens("rectangles that touch still touch", 1, "0.004 0 1.003 1 re 1.007 0 1 1 re f",
             "0 0 1.01 1 re 1.01 0 1 1 re f");
    shortens("thin rectangles and lines keep a width", 1, "0 0 5 0.0013 re 0.0013 w",
             "0 0 5 .0013 re .001 w");
    shortens("errors of moves of text do not add up", 1,
             "BT 0.0004 0 Td 0.0004 0 Td 0.0004 0 Td ET", "BT 0 0 Td .001 0 Td 0 0 Td ET");
    shortens("errors of distances between letters do not add up", 1,
             "[(a) .4 (b) .4 (c) .4 (d)] TJ", "[(a)0(b)1(c)0(d)]TJ");
    shortens("colours keep thousandths", 1, "0.12345 0.98765 0 rg 0.33333 scn",
             ".123 .988 0 rg .333 scn");
    shortens("names of patterns stay apart from numbers", 1, "/P 0.12345 scn 0.12345 /P scn",
             "/P .12345 scn .12345/P scn");
}

int main(void)
{
    test_tokens();
    test_states();
    test_paths();
    test_places();
    return done_testing();
}
