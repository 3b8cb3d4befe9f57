#include "compress/recolour/calculator.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/scope.h"
#include "syntax/pdf/lex.h"

#define MAX_STACK 100 /* values */
#define MAX_DEPTH 32  /* limit of nested braces */
#define MAX_STEPS 20000
#define DEGREE    (M_PI / 180)

static const char *const names[] = {
    "abs",      "add", "atan",     "ceiling", "cos",   "cvi", "cvr",   "div",   "exp",  "floor",
    "idiv",     "ln",  "log",      "mod",     "mul",   "neg", "round", "sin",   "sqrt", "sub",
    "truncate", "and", "bitshift", "eq",      "false", "ge",  "gt",    "le",    "lt",   "ne",
    "not",      "or",  "true",     "xor",     "copy",  "dup", "exch",  "index", "pop",  "roll",
};
enum op {
    ABS,
    ADD,
    ATAN,
    CEILING,
    COS,
    CVI,
    CVR,
    DIV,
    EXP,
    FLOOR,
    IDIV,
    LN,
    LOG,
    MOD,
    MUL,
    NEG,
    ROUND,
    SIN,
    SQRT,
    SUB,
    TRUNCATE,
    AND,
    BITSHIFT,
    EQ,
    FALSE_,
    GE,
    GT,
    LE,
    LT,
    NE,
    NOT,
    OR,
    TRUE_,
    XOR,
    COPY,
    DUP,
    EXCH,
    INDEX,
    POP,
    ROLL,
    PUSH,        /* value */
    JUMP,        /* jump to `to` */
    JUMP_UNLESS, /* pop a value, and jump to `to` if it is 0 */
};

struct step {
    enum op op;
    double value;
    size_t to;
};

struct calculator {
    struct step *steps;
    size_t n, cap;
};

struct parser {
    struct calculator *made;
    struct lex lex;
};

static struct step *add(struct calculator *c, enum op op)
{
    if (c->n >= MAX_STEPS || !LIST_ROOM(c->steps, c->n, c->cap))
        return NULL;
    c->steps[c->n] = (struct step){ .op = op };
    return &c->steps[c->n++];
}

/* Reads a number, an operator or a brace. False at the end, and for a longer word. */
static bool next_word(struct parser *p, char *word, size_t room)
{
    struct lex_token token;

    if (!lex_next(&p->lex, &token) || token.n >= room)
        return false;
    memcpy(word, token.at, token.n);
    word[token.n] = '\0';
    return true;
}

static bool parse_block(struct parser *p, int depth);

/* Parses "{...} if" or "{...} {...} ifelse" after the first brace. */
static bool parse_branch(struct parser *p, int depth)
{
    struct calculator *c = p->made;
    size_t first = c->n, second;
    char word[32];

    if (!add(c, JUMP_UNLESS) || !parse_block(p, depth + 1) || !next_word(p, word, sizeof word))
        return false;
    if (strcmp(word, "if") == 0) {
        c->steps[first].to = c->n;
        return true;
    }
    second = c->n;
    if (strcmp(word, "{") != 0 || !add(c, JUMP))
        return false;
    c->steps[first].to = c->n;
    if (!parse_block(p, depth + 1) || !next_word(p, word, sizeof word) ||
        strcmp(word, "ifelse") != 0)
        return false;
    c->steps[second].to = c->n;
    return true;
}

/* Parses up to the closing brace. */
static bool parse_block(struct parser *p, int depth)
{
    char word[32], *end;

    if (depth > MAX_DEPTH)
        return false;
    while (next_word(p, word, sizeof word)) {
        struct step *step;
        double number = strtod(word, &end);
        size_t i = 0;

        if (strcmp(word, "}") == 0)
            return true;
        if (strcmp(word, "{") == 0) {
            if (!parse_branch(p, depth))
                return false;
            continue;
        }
        if (end != word && *end == '\0' && !isalpha((unsigned char) *word)) {
            step = add(p->made, PUSH);
            if (!step)
                return false;
            step->value = number;
            continue;
        }
        while (i < COUNT(names) && strcmp(word, names[i]) != 0)
            i++;
        if (i == COUNT(names) || !add(p->made, (enum op) i))
            return false;
    }
    return false;
}

struct calculator *calculator_open(const char *text, size_t n)
{
    struct calculator *c = calloc(1, sizeof *c);
    const unsigned char *at = (const unsigned char *) text;
    struct parser p = { c, { at, at + n } };
    char word[32];

    if (c && (!next_word(&p, word, sizeof word) || strcmp(word, "{") != 0 || !parse_block(&p, 0)))
        calculator_close(&c);
    return c;
}

void calculator_close(struct calculator **calculator)
{
    if (*calculator)
        free((*calculator)->steps);
    free(*calculator);
    *calculator = NULL;
}

static int to_int(double value)
{
    return value > -1e9 && value < 1e9 ? (int) value : 0;
}

static double unary(int op, double a)
{
    switch (op) {
    case ABS:
        return fabs(a);
    case CEILING:
        return ceil(a);
    case COS:
        return cos(a * DEGREE);
    case CVI:
    case TRUNCATE:
        return trunc(a);
    case FLOOR:
        return floor(a);
    case LN:
        return a > 0 ? log(a) : 0;
    case LOG:
        return a > 0 ? log10(a) : 0;
    case NEG:
        return -a;
    case ROUND:
        return floor(a + 0.5);
    case SIN:
        return sin(a * DEGREE);
    case SQRT:
        return a > 0 ? sqrt(a) : 0;
    case NOT: /* true is 1 here; other integers are rare */
        return a == 0;
    default:
        return a;
    }
}

static double shift(int value, int by)
{
    if (by <= -31 || by >= 31)
        return 0;
    return by >= 0 ? (double) (int) ((unsigned) value << by) : (double) (value >> -by);
}

static double binary(int op, double a, double b)
{
    int i = to_int(a), j = to_int(b);
    double angle;

    switch (op) {
    case ADD:
        return a + b;
    case SUB:
        return a - b;
    case MUL:
        return a * b;
    case DIV:
        return b != 0 ? a / b : 0;
    case IDIV:
        return j != 0 ? i / j : 0;
    case MOD:
        return j != 0 ? i % j : 0;
    case ATAN:
        angle = atan2(a, b) / DEGREE;
        return angle < 0 ? angle + 360 : angle;
    case EXP:
        return pow(a, b);
    case AND:
        return i & j;
    case OR:
        return i | j;
    case XOR:
        return i ^ j;
    case BITSHIFT:
        return shift(i, j);
    case EQ:
        return a == b;
    case NE:
        return a != b;
    case GE:
        return a >= b;
    case GT:
        return a > b;
    case LE:
        return a <= b;
    default:
        return a < b;
    }
}

struct stack {
    double values[MAX_STACK];
    size_t n;
};

static bool push(struct stack *s, double value)
{
    if (s->n == MAX_STACK)
        return false;
    s->values[s->n++] = isfinite(value) ? value : 0;
    return true;
}

static bool roll(struct stack *s)
{
    int n, by;
    double moved[MAX_STACK];

    if (s->n < 2)
        return false;
    by = to_int(s->values[--s->n]);
    n = to_int(s->values[--s->n]);
    if (n < 0 || (size_t) n > s->n)
        return false;
    if (n == 0)
        return true;
    by = (by % n + n) % n;
    memcpy(moved, s->values + s->n - n, (size_t) n * sizeof *moved);
    for (int i = 0; i < n; i++)
        s->values[s->n - (size_t) n + (size_t) ((i + by) % n)] = moved[i];
    return true;
}

/* Executes stack operators; -1 if the operator is another one. */
static int move(struct stack *s, int op)
{
    double top = s->n > 0 ? s->values[s->n - 1] : 0;
    int count = to_int(top);

    if (op == TRUE_ || op == FALSE_)
        return push(s, op == TRUE_);
    if (op != COPY && op != DUP && op != EXCH && op != INDEX && op != POP && op != ROLL)
        return -1;
    if (s->n == 0)
        return 0;
    switch (op) {
    case DUP:
        return push(s, top);
    case POP:
        s->n--;
        return 1;
    case ROLL:
        return roll(s);
    case EXCH:
        if (s->n < 2)
            return 0;
        s->values[s->n - 1] = s->values[s->n - 2];
        s->values[s->n - 2] = top;
        return 1;
    case INDEX:
        s->n--;
        return count >= 0 && (size_t) count < s->n && push(s, s->values[s->n - 1 - (size_t) count]);
    default:
        s->n--;
        if (count < 0 || (size_t) count > s->n || s->n + (size_t) count > MAX_STACK)
            return 0;
        memcpy(s->values + s->n, s->values + s->n - count, (size_t) count * sizeof *s->values);
        s->n += (size_t) count;
        return 1;
    }
}

static bool run_step(struct stack *s, const struct step *step, size_t *at)
{
    static const char unary_ops[] = { ABS, CEILING, COS, CVI, CVR,  FLOOR,    LN,
                                      LOG, ROUND,   SIN, NEG, SQRT, TRUNCATE, NOT };
    int moved;

    if (step->op == PUSH)
        return push(s, step->value);
    if (step->op == JUMP || (step->op == JUMP_UNLESS && s->n > 0 && s->values[--s->n] == 0))
        *at = step->to;
    if (step->op == JUMP || step->op == JUMP_UNLESS)
        return true;
    moved = move(s, (int) step->op);
    if (moved >= 0)
        return moved;
    if (memchr(unary_ops, (int) step->op, sizeof unary_ops)) {
        if (s->n < 1)
            return false;
        s->values[s->n - 1] = unary((int) step->op, s->values[s->n - 1]);
        return true;
    }
    if (s->n < 2)
        return false;
    s->n -= 2;
    return push(s, binary((int) step->op, s->values[s->n], s->values[s->n + 1]));
}

bool calculator_run(const struct calculator *calculator, const double *in, size_t n_in, double *out,
                    size_t n_out)
{
    struct stack stack = { .n = 0 };

    for (size_t i = 0; i < n_in; i++)
        if (!push(&stack, in[i]))
            return false;
    for (size_t at = 0; at < calculator->n;) { /* all jumps are forwards, so it ends */
        const struct step *step = &calculator->steps[at++];

        if (!run_step(&stack, step, &at))
            return false;
    }
    if (stack.n < n_out)
        return false;
    memcpy(out, stack.values + stack.n - n_out, n_out * sizeof *out);
    return true;
}
