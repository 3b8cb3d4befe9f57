#include "compress/recolour/calculator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

/* The value on top after running a text on 0.25 and 4; NAN if it is none, or ends badly. */
static double result(const char *text)
{
    struct calculator *calculator = calculator_open(text, strlen(text));
    const double in[] = { 0.25, 4 };
    double out = NAN;

    if (calculator && !calculator_run(calculator, in, 2, &out, 1))
        out = NAN;
    calculator_close(&calculator);
    return out;
}

static int is(const char *text, double want)
{
    double got = result(text);

    return isnan(want) ? isnan(got) : fabs(got - want) < 1e-9;
}

int main(void)
{
    ok(is("{}", 4), "an empty procedure leaves what went in");
    ok(is("{ add }", 4.25), "operators take their operands from the stack");
    ok(is("{ exch 2 mul 1 exch sub }", 0.5), "exch turns the two topmost round");
    ok(is("{ 1 2 3 3 1 roll pop pop }", 3), "roll moves upwards by a positive number");
    ok(is("{ 1 2 3 3 -1 roll }", 1), "and downwards by a negative one");
    ok(is("{ 7 8 9 2 index }", 7), "index counts from the top");
    ok(is("{ 5 6 2 copy add add }", 17), "copy doubles the topmost");
    ok(is("{ 2 gt { 7 } { 8 } ifelse }", 7), "ifelse takes the first if it is so");
    ok(is("{ 9 gt { 7 } { 8 } ifelse }", 8), "else the second");
    ok(is("{ 9 gt { 7 } if }", 0.25), "if leaves out what is not so");
    ok(is("{ 30 sin }", 0.5), "angles are degrees");
    ok(is("{ 7 2 idiv 7 2 mod add }", 4), "integers divide to integers");
    ok(is("{ % a comment }\n 3 }", 3), "comments end with their line");
    ok(is("{ 1 0 div }", 0), "a division by zero is no number");
    ok(is("{ pop pop pop }", NAN), "an empty stack fails");
    ok(is("{ 1 2 3 -2 copy }", NAN), "so does a negative count");
    ok(is("{ 1000 1 roll }", NAN), "and a roll of more than there is");
    ok(is("{ 1 { 2 }", NAN), "a brace that is not closed is no program");
    ok(is("{ frobnicate }", NAN), "nor is an unknown operator");
    ok(is("{ { 1 } }", NAN), "nor a procedure that nothing runs");
    ok(is("{ infinity }", NAN), "nor is a number in words one");
    ok(is("{ 1e-1 -.5 sub }", 0.6), "numbers may have an exponent, as in PostScript");
    return done_testing();
}
