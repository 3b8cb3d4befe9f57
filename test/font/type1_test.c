/* type1: fonts become CFF whose outlines, as HarfBuzz draws them, are those of their charstrings.
 */
#include "font/type1.h"

#include <hb.h>
#include <math.h>

#include "font/cff.h"
#include "tap.h"
#include "type1_font.h"

#define ALL UINT64_MAX

static const char *const no_subrs[] = { NULL };
static const char *const subrs[] = { "3 0 callothersubr pop pop setcurrentpoint return",
                                     "0 1 callothersubr return",
                                     "0 2 callothersubr return",
                                     "return",
                                     "1 3 callothersubr pop callsubr return",
                                     "100 50 hstem return",
                                     NULL };
static const char *const glyphs[] = {
    ".notdef",
    "0 250 hsbw endchar",
    "A",
    /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma): one charstring */
    "10 500 hsbw 0 20 hstem 0 30 vstem 0 0 rmoveto 100 hlineto 200 vlineto -100 hlineto closepath "
    "endchar",
    "acute",
    "40 300 hsbw 100 600 rmoveto 50 60 rlineto -20 -10 rlineto closepath endchar",
    "Aacute",
    "10 500 hsbw 40 120 80 65 194 seac",
    "flex",
    "0 600 hsbw 50 100 rmoveto 1 callsubr 30 0 rmoveto 2 callsubr -20 0 rmoveto 2 callsubr "
    "10 5 rmoveto 2 callsubr 10 0 rmoveto 2 callsubr 10 0 rmoveto 2 callsubr 10 -5 rmoveto "
    "2 callsubr 10 0 rmoveto 2 callsubr 50 110 100 0 callsubr 0 50 rlineto closepath endchar",
    "half",
    "0 7 2 div hsbw 1 2 div 100 rmoveto 10 vlineto 10 3 div hlineto closepath endchar",
    "hints",
    "0 500 hsbw 0 20 hstem 5 0 rmoveto 50 hlineto 5 4 callsubr 60 vlineto 1 2 3 4 5 6 rrcurveto "
    "7 8 9 10 vhcurveto 7 8 9 10 hvcurveto closepath endchar",
    NULL,
};

static void move(hb_draw_funcs_t *f, void *out, hb_draw_state_t *s, float x, float y, void *arg)
{
    (void) f, (void) s, (void) arg;
    buf_printf(out, "M%g,%g", (double) x, (double) y);
}

static void line(hb_draw_funcs_t *f, void *out, hb_draw_state_t *s, float x, float y, void *arg)
{
    (void) f, (void) s, (void) arg;
    buf_printf(out, "L%g,%g", (double) x, (double) y);
}

/* NOLINTNEXTLINE(readability-function-size): HarfBuzz's parameters */
static void curve(hb_draw_funcs_t *f, void *out, hb_draw_state_t *s, float x1, float y1, float x2,
                  float y2, float x, float y, void *arg)
{
    (void) f, (void) s, (void) arg;
    buf_printf(out, "C%g,%g,%g,%g,%g,%g", (double) x1, (double) y1, (double) x2, (double) y2,
               (double) x, (double) y);
}

static void draw(const struct buf *font, unsigned glyph, struct buf *path)
{
    struct cff cff = { 0 };
    struct buf wrapped = BUF_EMPTY;
    hb_draw_funcs_t *funcs = hb_draw_funcs_create();

    if (cff_open(&cff, font->data, font->len) && cff_wrap(&cff, &wrapped)) {
        hb_blob_t *blob = hb_blob_create(wrapped.data, (unsigned) wrapped.len,
                                         HB_MEMORY_MODE_READONLY, NULL, NULL);
        hb_face_t *face = hb_face_create(blob, 0);
        hb_font_t *drawn = hb_font_create(face);

        hb_draw_funcs_set_move_to_func(funcs, move, NULL, NULL);
        hb_draw_funcs_set_line_to_func(funcs, line, NULL, NULL);
        hb_draw_funcs_set_cubic_to_func(funcs, curve, NULL, NULL);
        hb_font_get_glyph_shape(drawn, glyph, funcs, path);
        hb_font_destroy(drawn);
        hb_face_destroy(face);
        hb_blob_destroy(blob);
    }
    hb_draw_funcs_destroy(funcs);
    cff_close(&cff);
    buf_free(&wrapped);
}

static bool convert(const struct buf *in, uint64_t keep, struct buf *out)
{
    AUTO_TYPE1 struct type1 font = { 0 };
    AUTO_FREE uint64_t *bits = calloc(TYPE1_GLYPHS / 64, sizeof *bits);

    bits[0] = keep;
    return type1_open(&font, in->data, in->len) && type1_to_cff(&font, bits, out);
}

static void glyph_is(const struct buf *cff, const char *name, const char *want, const char *what)
{
    AUTO_CFF struct cff font = { 0 };
    AUTO_BUF struct buf path = BUF_EMPTY;

    if (cff_open(&font, cff->data, cff->len))
        draw(cff, cff_glyph_of_name(&font, name), &path);
    is_str(buf_text(&path), want, "%s", what);
}

static void draws_the_same(void)
{
    AUTO_BUF struct buf in = BUF_EMPTY, out = BUF_EMPTY;

    type1_make(&in, "StandardEncoding def", subrs, glyphs);
    ok(convert(&in, ALL, &out), "a font becomes CFF");
    glyph_is(&out, "A", "M10,0L110,0L110,200L10,200L10,0", "lines begin at the side bearing");
    glyph_is(&out, "Aacute", "M10,0L110,0L110,200L10,200L10,0M230,680L280,740L260,730L230,680",
             "an accent is placed where seac says");
    glyph_is(&out, "flex", "M50,100C60,100,70,105,80,105C90,105,100,100,110,100L110,150L50,100",
             "flex is two curves");
    glyph_is(&out, "half", "M0.5,100L0.5,110L3.83333,110L0.5,100",
             "quotients of div stay fractions");
    glyph_is(&out, "hints",
             "M5,0L55,0L55,60C56,62,59,66,64,72C64,79,72,88,82,88C89,88,97,97,97,107L5,0",
             "changes of hints do not change the outline");
}

static void takes_a_part(void)
{
    static const char encoding[] = "256 array 0 1 255 {1 index exch /.notdef put} for\n"
                                   "dup 5 /hints put\ndup 3 /A put\nreadonly def";
    AUTO_BUF struct buf in = BUF_EMPTY, out = BUF_EMPTY, whole = BUF_EMPTY, twice = BUF_EMPTY;
    AUTO_CFF struct cff part = { 0 }, all = { 0 }, other = { 0 };

    type1_make(&in, encoding, subrs, glyphs);
    ok(convert(&in, 1 << 1, &out) && convert(&in, ALL, &whole), "a subset of a font becomes CFF");
    ok(out.len < whole.len && cff_open(&part, out.data, out.len),
       "the subset is smaller than the whole font, and can be read");
    is_int((long) part.n_glyphs, 2, "the subset has .notdef and the one glyph");
    is_int(part.codes[3], 1, "the glyph of the subset keeps its code");
    is_int(part.codes[5], 0, "the subset has no code of another glyph");
    ok(cff_open(&all, whole.data, whole.len) && all.codes[5] == cff_glyph_of_name(&all, "hints"),
       "in the whole font codes belong to the glyphs with their names");
    glyph_is(&out, "A", "M10,0L110,0L110,200L10,200L10,0",
             "the glyph of the subset looks as before");
    buf_free(&in);
    type1_make(&in, "256 array\ndup 3 /A put\ndup 200 /A put\nreadonly def", subrs, glyphs);
    ok(convert(&in, ALL, &twice) && !cff_open(&other, twice.data, twice.len),
       "a second code of a glyph becomes a supplement, which cff_open refuses");
}

static bool refuses(const char *code)
{
    const char *const list[] = { ".notdef", "0 250 hsbw endchar", "x", code, NULL };
    AUTO_BUF struct buf in = BUF_EMPTY, out = BUF_EMPTY;

    type1_make(&in, "StandardEncoding def", subrs, list);
    return !convert(&in, ALL, &out);
}

static void refuses_what_it_does_not_know(void)
{
    ok(!refuses("0 9 hsbw 1 1 rmoveto 5 hlineto closepath endchar"), "a plain glyph is accepted");
    ok(refuses("0 9 hsbw 1 14 callothersubr endchar"),
       "another procedure of callothersubr is refused");
    ok(refuses("0 9 hsbw 5 hlineto endchar"), "a line without a current point is refused");
    ok(refuses("0 9 hsbw 9 callsubr endchar"), "a call of a missing subroutine is refused");
    ok(refuses("0 9 hsbw 1 1 rmoveto 5 0 div hlineto endchar"), "a division by zero is refused");
    ok(refuses("0 9 hsbw 0 0 0 65 65 seac"), "a seac with a missing component is refused");
    ok(refuses("0 9 hsbw 1 1 rmoveto 40000 hlineto endchar"),
       "a coordinate beyond the limit is refused");
    ok(refuses("0 9 hsbw 1 callsubr endchar"), "flex that does not end is refused");
    ok(refuses("0 9 hsbw pop endchar"), "a pop of a missing result is refused");
    ok(refuses("0 9 hsbw"), "a glyph without endchar is refused");
    ok(refuses("1 2 3 0 9 hsbw endchar"), "operands that no operator uses are refused");
}

static bool takes_encoding(const char *encoding)
{
    AUTO_BUF struct buf in = BUF_EMPTY, out = BUF_EMPTY;

    type1_make(&in, encoding, subrs, glyphs);
    return convert(&in, ALL, &out);
}

static void takes_two_encodings(void)
{
    ok(takes_encoding("256 array\ndup 65 /A put\nreadonly def\n/Encoding StandardEncoding def"),
       "a second encoding that includes the first is ignored");
    ok(!takes_encoding("256 array\ndup 66 /A put\nreadonly def\n/Encoding StandardEncoding def"),
       "a second encoding that contradicts the first is refused");
    ok(!takes_encoding("StandardEncoding def\n/Encoding 256 array\ndup 66 /A put\nreadonly def"),
       "an array after the standard encoding is refused");
}

/* Nothing but the sanitizers judges what comes of these. */
static void survives_damage(void)
{
    AUTO_BUF struct buf in = BUF_EMPTY;
    size_t good = 0;

    type1_make(&in, "StandardEncoding def", subrs, glyphs);
    for (size_t i = 0; i < in.len; i++) {
        AUTO_BUF struct buf out = BUF_EMPTY, shorter = BUF_EMPTY;
        struct buf cut = { .data = in.data, .len = i };
        char before = in.data[i];

        good += convert(&cut, ALL, &shorter);
        in.data[i] = (char) (before ^ (1 << i % 8));
        good += convert(&in, ALL, &out);
        in.data[i] = before;
    }
    ok(good < 2 * in.len, "damaged fonts do no harm");
}

int main(void)
{
    AUTO_BUF struct buf in = BUF_EMPTY, out = BUF_EMPTY;

    draws_the_same();
    takes_a_part();
    takes_two_encodings();
    refuses_what_it_does_not_know();
    type1_make(&in, "256 array\ndup 1 /A put\n", no_subrs, glyphs);
    ok(!convert(&in, ALL, &out), "an encoding without an end is refused");
    survives_damage();
    return done_testing();
}
