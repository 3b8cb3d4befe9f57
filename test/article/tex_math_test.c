/* tex_math: LaTeX's mathematics as MathML. */
#include "write/mathml/tex_macro.h"
#include "write/mathml/tex_math.h"

#include <stdlib.h>

#include "tap.h"

/* The MathML of a formula, or what is wrong with it; without attributes, so that tests are about
 * the structure. */
static const char *shape(const char *tex)
{
    static char out[4096];
    struct buf html = BUF_EMPTY;
    struct err err = { 0 };
    size_t n = 0;
    bool inside = false;

    if (tex_math(tex, strlen(tex), false, &html, &err) < 0) {
        snprintf(out, sizeof out, "%s", html.len == 0 ? err.msg : "something was written");
        buf_free(&html);
        return out;
    }
    for (const char *p = buf_text(&html); *p && n + 1 < sizeof out; p++) {
        inside = *p == ' ' && strncmp(p, " = ", 3) != 0 ? true : *p == '>' ? false : inside;
        if (!inside)
            out[n++] = *p;
    }
    out[n] = '\0';
    buf_free(&html);
    if (strncmp(out, "<math><mrow>", 12) != 0 || n < 26)
        return out;
    out[n - 14] = '\0'; /* </mrow></math> */
    return out + 12;
}

static bool has(const char *tex, bool display, const char *what)
{
    struct buf html = BUF_EMPTY;
    struct err err = { 0 };
    bool found = tex_math(tex, strlen(tex), display, &html, &err) == 0 &&
                 strstr(buf_text(&html), what) != NULL;

    buf_free(&html);
    return found;
}

static void test_symbols(void)
{
    is_str(shape("x"), "<mi>x</mi>", "a letter is an identifier");
    is_str(shape("12.5"), "<mn>12.5</mn>", "a decimal fraction is one number");
    is_str(shape("\\alpha"), "<mi>α</mi>", "a Greek letter has a command");
    is_str(shape("\\Omega"), "<mi>Ω</mi>", "a Greek capital has one, too");
    ok(has("\\Omega", false, "mathvariant=\"normal\""), "and is upright");
    is_str(shape("a\\le b"), "<mi>a</mi><mo>≤</mo><mi>b</mi>", "a relation is an operator");
    is_str(shape("a<b"), "<mi>a</mi><mo>&lt;</mo><mi>b</mi>", "signs of markup are escaped");
    is_str(shape("\\mathbb{R}"), "<mrow><mi>ℝ</mi></mrow>",
           "a double-struck R has its old code point");
    is_str(shape("\\mathbf{ab}"), "<mi>𝐚𝐛</mi>", "a bold word is one identifier");
    is_str(shape("\\not="), "<mo>≠</mo>", "a relation can be crossed out");
    is_str(shape("é"), "<mi>é</mi>", "a letter that is not ASCII is shown");
    is_str(shape("% all of it"), "", "a comment shows nothing");
    ok(has("-x", false, "form=\"prefix\""), "a minus with nothing before it is a sign");
    ok(has("a=-x", false, "<mo form=\"prefix\" lspace=\"0\" rspace=\"0\">−"),
       "so is one after a relation");
    ok(has("a-x", false, "form=\"infix\" lspace=\"0.2222em\""), "one between two terms is not");
}

static void test_structure(void)
{
    is_str(shape("x^2"), "<msup><mi>x</mi><mn>2</mn></msup>", "a superscript");
    is_str(shape("x_i^2"), "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>",
           "a symbol with both scripts");
    is_str(shape("x^2_i"), "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>",
           "the order of scripts does not matter");
    is_str(shape("x^12"), "<msup><mi>x</mi><mn>1</mn></msup><mn>2</mn>",
           "a script without braces is one digit");
    is_str(shape("f''"), "<msup><mi>f</mi><mrow><mo>′′</mo></mrow></msup>", "primes");
    is_str(shape("\\frac12"), "<mfrac><mn>1</mn><mn>2</mn></mfrac>", "a fraction of two digits");
    is_str(shape("a \\over b"), "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>",
           "a fraction as TeX writes it");
    is_str(shape("\\sqrt[3]{x}"), "<mroot><mrow><mi>x</mi></mrow><mrow><mn>3</mn></mrow></mroot>",
           "a root with its degree");
    is_str(shape("\\sum_{i}^n"),
           "<munderover><mo>∑</mo><mrow><mi>i</mi></mrow><mi>n</mi></munderover>",
           "limits of a sum are above and below it");
    is_str(shape("\\int_0^1"), "<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>",
           "those of an integral are next to it");
    is_str(shape("\\int\\limits_0"), "<munder><mo>∫</mo><mn>0</mn></munder>", "unless it says so");
    is_str(shape("\\lim_x f"), "<munder><mo>lim</mo><mi>x</mi></munder><mi>f</mi>",
           "a function with a limit");
    is_str(shape("\\hat x"), "<mover><mi>x</mi><mo>^</mo></mover>", "an accent");
    is_str(shape("\\text{if $x$}"),
           "<mrow><mtext>if\xC2\xA0</mtext><mi>x</mi><mtext></mtext></mrow>",
           "mathematics in a text in mathematics");
    is_str(shape("\\left(x\\right."), "<mrow><mo>(</mo><mi>x</mi></mrow>",
           "a bracket without a partner");
    is_str(shape("\\begin{matrix}a&b\\\\c\\end{matrix}"),
           "<mrow><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr>"
           "<mtr><mtd><mi>c</mi></mtd></mtr></mtable></mrow>",
           "a matrix");
    is_str(shape("a\\\\b"),
           "<mrow><mtable><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi></mtd></mtr>"
           "</mtable></mrow>",
           "two lines");
    ok(has("a", true, "<math display=\"block\">"), "a formula of its own is a block");
}

static void test_errors(void)
{
    is_str(shape("\\foo"), "the command \\foo is not known", "an unknown command is named");
    is_str(shape("a \\newcommand{\\x}{y}"), "the command \\newcommand is not known",
           "definitions are not read");
    is_str(shape("\\begin{foo}\\end{foo}"), "the environment foo is not known",
           "an unknown environment is named");
    is_str(shape("{a"), "a brace is not closed", "a brace that is not closed");
    is_str(shape("a}"), "a group or a bracket ends that did not begin",
           "a brace that closes nothing");
    is_str(shape("\\frac{1}"), "an argument is missing", "a fraction of one part");
    is_str(shape("\\left(a"), "\\left has no \\right", "a bracket that is not closed");
    is_str(shape("x^a^b"), "a symbol has two superscripts or two subscripts", "two superscripts");
    is_str(shape("\\begin{matrix}a"), "the environment matrix does not end",
           "an environment that does not end");
    is_str(shape("\\textcolor{\"><script>}{x}"), "something is missing after \\textcolor",
           "a colour that is none");
    is_str(shape("\\text{<b>}"), "<mrow><mtext>&lt;b&gt;</mtext></mrow>", "markup is text");
}

static void test_depth(void)
{
    char deep[3000];
    size_t n = 0;

    for (int i = 0; i < 200; i++)
        n += (size_t) snprintf(deep + n, sizeof deep - n, "\\sqrt{");
    is_str(shape(deep), "groups are nested too deeply", "the depth of groups has a limit");
}

/* A formula with what its commands are defined as, or what is wrong with it. */
static const char *expanded(const char *tex)
{
    static char out[4096];
    struct tex_macros macros = { 0 };
    struct buf text = BUF_EMPTY;
    struct err err = { 0 };
    bool defines;
    int done = tex_macros_expand(&macros, tex, strlen(tex), &text, &defines, &err);

    snprintf(out, sizeof out, "%s", done < 0 ? err.msg : buf_text(&text));
    buf_free(&text);
    tex_macros_free(&macros);
    return out;
}

static void test_macros(void)
{
    char wide[600];
    size_t n = 0;

    is_str(expanded("\\newcommand{\\R}{\\mathbb{R}}\\R"), "\\mathbb{R}", "a command is defined");
    is_str(expanded("\\newcommand*\\a{\\alpha}\\a x"), "\\alpha x",
           "a letter after it is not part of its name");
    is_str(expanded("\\def\\x{y}\\alpha\\x"), "\\alpha y", "nor is a letter that it becomes");
    is_str(expanded("\\newcommand{\\p}[2]{(#1)^{#2}}\\p{a}b"), "(a)^{b}",
           "arguments are groups or symbols");
    is_str(expanded("\\newcommand{\\p}[2][2]{#2^#1}\\p x+\\p[3]x"), "x^2+x^3",
           "the first may be optional");
    is_str(expanded("\\def\\v#1{\\mathbf#1}\\v x"), "\\mathbf x",
           "an argument is not part of a name");
    is_str(expanded("\\def\\a{b}\\def\\c{\\a\\a}\\c"), "bb", "a definition may use another");
    is_str(expanded("\\DeclareMathOperator*{\\am}{arg\\,min}\\am_x"),
           "\\operatorname*{arg\\,min}_x", "an operator has a name");
    is_str(expanded("\\def\\n{a+b}x^\\n+\\sqrt\\n+\\alpha\\n"), "x^{a+b}+\\sqrt{a+b}+\\alpha a+b",
           "as an argument it is one");
    is_str(expanded("\\providecommand{\\a}{x}\\a\\%%\\a\n"), "x\\%%\\a\n",
           "a comment is left alone");
    is_str(expanded("\\def\\a{b}\\renewcommand{\\a}{c}"), "the command \\a is defined in two ways",
           "two definitions");
    is_str(expanded("\\def\\a{\\a}\\a"),
           "the command \\a is defined by itself, or by too many others", "a definition by itself");
    is_str(expanded("\\newcommand{\\a}[1]{#1}\\a"), "an argument of \\a is missing",
           "a missing argument");
    is_str(shape("\\operatorname*{arg\\,min}_x"),
           "<munder><mrow><mspace></mspace><mtext>arg\u2009min</mtext><mspace></mspace></"
           "mrow><mi>x</mi></munder>",
           "a thin space may be in a name");
    is_str(expanded("\\newcommand{\\a"), "the definition of a command cannot be read",
           "a definition that does not end");
    for (char c = 'a'; c < 'l'; c++)
        n += (size_t) snprintf(wide + n, sizeof wide - n, "\\def\\%c{\\%c\\%c\\%c\\%c}", c, c + 1,
                               c + 1, c + 1, c + 1);
    snprintf(wide + n, sizeof wide - n, "\\def\\l{x}\\a");
    is_str(expanded(wide), "the commands that are defined become too much",
           "a formula has a limit");
}

int main(void)
{
    test_macros();
    test_symbols();
    test_structure();
    test_errors();
    test_depth();
    return done_testing();
}
