/* Fractions, roots, sums: what becomes of them, and what only looks like them. */
#include "layout/formula/formula.h"
#include "tap.h"
#include "written.h"

/* A formula as a line: (above)/(below), sqrt(base), base[below][above]. */
static size_t spell(const struct formula *row, char *out, size_t room)
{
    size_t n = 0;

    for (; row; row = row->next) {
        static const char *const before[] = { "", "(", "sqrt(", "", "", "" };
        const struct formula *parts[] = { row->kind == FORMULA_FRACTION ? row->above : row->base,
                                          row->below,
                                          row->kind == FORMULA_FRACTION ? NULL : row->above };

        if (row->kind == FORMULA_TEXT) {
            n += (size_t) snprintf(out + n, room - n, "%.*s", (int) row->len, row->text);
            continue;
        }
        n += (size_t) snprintf(out + n, room - n, "%s", before[row->kind]);
        n += spell(parts[0], out + n, room - n);
        if (row->kind == FORMULA_ROOT)
            n += (size_t) snprintf(out + n, room - n, ")");
        for (int i = 1; i < 3; i++) {
            if (!parts[i])
                continue;
            n += (size_t) snprintf(out + n, room - n,
                                   row->kind == FORMULA_FRACTION ? ")/("
                                   : i == 1                      ? "_["
                                                                 : "^[");
            n += spell(parts[i], out + n, room - n);
            n += (size_t) snprintf(out + n, room - n, row->kind == FORMULA_FRACTION ? ")" : "]");
        }
    }
    return n;
}

/* The runs of the first paragraph, formulas in braces. */
static const char *seen(const struct test_page *t)
{
    static char text[3000];
    const struct paragraph *p = &block(t, 0, 0)->paragraph;
    size_t n = 0;

    text[0] = '\0';
    for (size_t i = 0; i < p->n_runs; i++)
        if (p->runs[i].style.formula) {
            n += (size_t) snprintf(text + n, sizeof text - n, "{");
            n += spell(p->runs[i].style.formula, text + n, sizeof text - n);
            n += (size_t) snprintf(text + n, sizeof text - n, "}");
        } else {
            n += (size_t) snprintf(text + n, sizeof text - n, "%s", p->runs[i].text);
        }
    return text;
}

static void put_code(struct test_page *t, float x, float base, float size, uint32_t code)
{
    put_at(t, x, base, size, "?");
    t->content.glyphs[t->content.n_glyphs - 1].code = code;
}

/* A fraction whose line is from x0 to x1, in a line of text with the baseline 100. */
static void put_fraction(struct test_page *t, float x0, float x1, float size, const char *above,
                         const char *below)
{
    float middle = (x0 + x1) / 2;

    put_at(t, middle - size / 4 * (float) strlen(above), 96.5F - 0.32F * size, size, above);
    put_at(t, middle - size / 4 * (float) strlen(below), 97.7F + 0.7F * size, size, below);
    rule(t, x0, 97.2F, x1, 97.3F);
}

static const char *fraction(float size, const char *above, const char *below, bool beside)
{
    static char text[3000];
    struct test_page t;

    begin(&t);
    put(&t, 50, beside ? 100 : 60, "Let x =");
    put_fraction(&t, 88, 104, size, above, below);
    put(&t, 108, beside ? 100 : 60, "be so");
    snprintf(text, sizeof text, "%s", understand(&t) ? seen(&t) : "");
    end(&t);
    return text;
}

static void fractions(void)
{
    struct test_page t;
    const struct paragraph *p;

    is_str(fraction(10, "a+b", "cd", true), "Let x = {(a+b)/(cd)} be so",
           "a fraction becomes a formula");
    is_str(fraction(7, "abcd", "ef", true), "Let x = abcd/ef be so",
           "a small fraction in a line of text becomes text with a slash");
    is_str(fraction(10, "a+b", "cd", false), "Let x =\tbe so",
           "a fraction without text beside its line is not a formula");
    ok(!strchr(fraction(10, "a", "b", true), '{'),
       "text that is much shorter than the line is not a fraction");

    begin(&t);
    put(&t, 50, 100, "Let x =");
    put_fraction(&t, 88, 108, 10, "a", "bcd");
    put_at(&t, 100.5F, 89, 6, "2n");
    understand(&t);
    p = &block(&t, 0, 0)->paragraph;
    is_str(seen(&t), "Let x = {(a^[2n])/(bcd)}", "a raised part of a fraction is raised");
    ok(p->tall && p->over > 3 && p->under > 3, "a line with a fraction is marked as tall");
    ok(t.content.fills[0].claimed_by == OWNER_FORMULA, "the line of a fraction is used");
    end(&t);

    begin(&t);
    put(&t, 50, 100, "Let x =");
    put(&t, 92, 93, "abcdefg");
    rule(&t, 88, 97.2F, 128, 97.3F);
    put(&t, 88, 112, "1 +    c");
    put(&t, 108, 105.5F, "a");
    rule(&t, 107.5F, 109.2F, 113.5F, 109.3F);
    put(&t, 108, 117, "b");
    understand(&t);
    is_str(seen(&t), "Let x = {(abcdefg)/(1 +(a)/(b) c)}", "a fraction may be in another");
    end(&t);
}

/* Fractions in fractions, so many. */
static void nest(struct test_page *t, int n)
{
    begin(t);
    put(t, 50, 100, "x =");
    for (int i = 0; i < n; i++) {
        float base = 93 - 10 * (float) i, half = 20 + 10 * (float) (n - i);

        put(t, 200 - half + 1, base, "+");
        put(t, 200 + half - 6, base, "+");
        put(t, 195, base + 11.5F, "ab");
        rule(t, 200 - half, base + 4, 200 + half, base + 4.1F);
    }
    put(t, 195, 93 - 10 * (float) (n - 1), "cd");
    understand(t);
}

static void limits(void)
{
    struct test_page t;
    int deepest = 0;

    begin(&t);
    put(&t, 50, 100, "Let x =");
    put_code(&t, 95, 100, 10, 0x2211);
    put_at(&t, 94.5F, 111, 6, "i=1");
    t.content.glyphs[t.content.n_glyphs - 1].x1 = 102;
    put_at(&t, 96, 88, 6, "n");
    put(&t, 106, 100, "f(x).");
    understand(&t);
    is_str(seen(&t), "Let x = {\u2211_[i=1]^[n]} f(x).", "a sum has its limits");
    end(&t);

    begin(&t);
    put(&t, 50, 100, "Let x =");
    put(&t, 90, 100, "max");
    put_at(&t, 94.5F, 107, 6, "i<n");
    put(&t, 110, 100, "f(x).");
    understand(&t);
    is_str(seen(&t), "Let x = {max_[i<n]} f(x).", "a named operator has its limits");
    end(&t);

    begin(&t);
    put(&t, 50, 100, "Let x =");
    put_code(&t, 90, 100, 10, 0x221a);
    put(&t, 95, 100, "ab+c");
    rule(&t, 95, 91, 115, 91.1F);
    understand(&t);
    is_str(seen(&t), "Let x = {sqrt(ab+c)}", "a root goes as far as its line");
    end(&t);

    nest(&t, 12);
    for (size_t i = 0; i < t.page.n_words; i++)
        if (t.page.words[i].formula && t.page.words[i].formula->depth > deepest)
            deepest = t.page.words[i].formula->depth;
    ok(deepest <= 6, "formulas are nested at most six levels deep");
    end(&t);
}

static void others(void)
{
    struct test_page t;
    size_t formulas = 0;

    begin(&t);
    put(&t, 50, 100, "A title");
    rule(&t, 50, 102, 85, 102.1F);
    put(&t, 50, 114, "By whom");
    put(&t, 50, 140, "Name      and more that is a line of text");
    rule(&t, 50, 143, 70, 143.1F);
    put(&t, 50, 152, "Date      and more that is a line of text");
    understand(&t);
    for (size_t i = 0; i < t.page.n_words; i++)
        formulas += t.page.words[i].formula != NULL;
    ok(formulas == 0, "lines below words are not fractions");
    end(&t);
}

int main(void)
{
    fractions();
    limits();
    others();
    return done_testing();
}
