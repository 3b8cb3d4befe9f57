#include "declare/value/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/utf8.h"

#define DEEPEST  100 /* limit of groups within each other */
#define LAST     0x10ffff
#define NO_LIMIT -1
#define BIT(at)  (UINT32_C(1) << (at))

struct parser {
    struct pattern *out;
    const char *name, *text;
    size_t n, at;
    bool any_case;
    int depth;
    struct err *err;
};

static int parse_choice(struct parser *p);

/* The number of the character at a byte, from 1. */
static size_t character_at(const struct parser *p, size_t at)
{
    size_t place = 1;

    for (size_t i = 0; i < at && i < p->n; i++)
        place += ((unsigned char) p->text[i] & 0xc0) != 0x80;
    return place;
}

static int refuse_at(const struct parser *p, size_t at, const char *what)
{
    return err_field(p->err, ERR_INVALID_PARAMETER, p->name, "%s: %s at character %zu", p->name,
                     what, character_at(p, at));
}

static int no_room(const struct parser *p)
{
    return err_field(p->err, ERR_INVALID_PARAMETER, p->name,
                     "%s: the pattern is too long, or repeats too much, at character %zu", p->name,
                     character_at(p, p->at));
}

static bool has(const struct parser *p, const char *word)
{
    size_t n = strlen(word);

    return p->n - p->at >= n && memcmp(p->text + p->at, word, n) == 0;
}

static bool skip(struct parser *p, const char *word)
{
    if (!has(p, word))
        return false;
    p->at += strlen(word);
    return true;
}

static int emit(struct parser *p, struct pattern_code code)
{
    struct pattern *out = p->out;

    if (out->n >= PATTERN_CODE || !LIST_ROOM(out->code, out->n, out->cap))
        return no_room(p);
    code.any_case = p->any_case;
    out->code[out->n++] = code;
    return 0;
}

/* Puts an instruction in front of those from `at` on. */
static int insert_code(struct parser *p, size_t at, struct pattern_code code)
{
    struct pattern *out = p->out;

    if (emit(p, code) < 0)
        return -1;
    code = out->code[out->n - 1];
    memmove(out->code + at + 1, out->code + at, (out->n - 1 - at) * sizeof *out->code);
    out->code[at] = code;
    return 0;
}

static int add_item(struct parser *p, struct pattern_item item)
{
    struct pattern *out = p->out;

    if (out->n_items >= PATTERN_CODE || !LIST_ROOM(out->items, out->n_items, out->cap_items))
        return no_room(p);
    out->items[out->n_items++] = item;
    return 0;
}

static int add_range(struct parser *p, uint32_t first, uint32_t last)
{
    return add_item(p, (struct pattern_item){ .first = first, .last = last });
}

/* The bits of the categories whose names begin with `name`. */
static uint32_t categories_of(const char *name, size_t n)
{
    const char *all = PATTERN_CATEGORIES;
    uint32_t bits = 0;

    for (size_t i = 0; n > 0 && n <= 2 && all[2 * i]; i++)
        if (memcmp(all + 2 * i, name, n) == 0)
            bits |= BIT(i);
    return bits;
}

static int add_categories(struct parser *p, const char *names, bool negated)
{
    uint32_t bits = 0;

    for (size_t n; *names; names += n + (names[n] == ' ')) {
        n = strcspn(names, " ");
        bits |= categories_of(names, n);
    }
    return add_item(p, (struct pattern_item){ .categories = bits, .negated = negated });
}

/* \p{Lu}, \p{L}, \pL; the name is next. */
static int parse_property(struct parser *p, bool negated)
{
    size_t from = p->at, n = 1;
    uint32_t bits;

    if (skip(p, "{")) {
        const char *end = memchr(p->text + p->at, '}', p->n - p->at);

        if (!end)
            return refuse_at(p, from, "} is missing after \\p{");
        n = (size_t) (end - p->text) - p->at;
        if (skip(p, "^")) {
            negated = !negated;
            n--;
        }
        bits = categories_of(p->text + p->at, n);
        p->at += n + 1;
    } else {
        bits = p->at < p->n ? categories_of(p->text + p->at, 1) : 0;
        p->at += p->at < p->n;
    }
    if (!bits)
        return refuse_at(p, from, "\\p names no general category, such as L or Lu,");
    return add_item(p, (struct pattern_item){ .categories = bits, .negated = negated });
}

/* The class after a backslash: d, w, s, h or their opposites. 1: it is one, and was added. */
static int parse_named(struct parser *p, char letter)
{
    bool negated = letter >= 'A' && letter <= 'Z';

    switch (letter) {
    case 'd':
    case 'D':
        return add_categories(p, "Nd", negated) < 0 ? -1 : 1;
    case 'w':
    case 'W':
        return add_categories(p, "L M Nd Nl Pc", negated) < 0 ? -1 : 1;
    case 's':
    case 'S':
        return add_categories(p, "Z Cc", negated) < 0 ? -1 : 1;
    case 'p':
    case 'P':
        return parse_property(p, negated) < 0 ? -1 : 1;
    default:
        return 0;
    }
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* \x41 or \x{1F600}: the digits are next. */
static int parse_hex(struct parser *p, uint32_t *out)
{
    size_t from = p->at, digits = 0;
    bool braced = skip(p, "{");

    *out = 0;
    for (; p->at < p->n && digit_of(p->text[p->at]) >= 0 && (braced || digits < 2); digits++) {
        *out = *out * 16 + (uint32_t) digit_of(p->text[p->at++]);
        if (*out > LAST)
            return refuse_at(p, from, "there is no such character:");
    }
    if (digits == 0 || (braced ? !skip(p, "}") : digits != 2))
        return refuse_at(p, from, "\\x needs two digits, or digits in braces,");
    return 0;
}

/* The character after a backslash, which is past. */
static int parse_escape(struct parser *p, uint32_t *out)
{
    static const char from[] = "tnrfva", to[] = "\t\n\r\f\v\a";
    size_t begin = p->at - 1;
    const char *at;
    char c;

    if (p->at == p->n)
        return refuse_at(p, begin, "nothing follows the backslash");
    c = p->text[p->at];
    if (c >= '1' && c <= '9')
        return refuse_at(p, begin, "backreferences cannot be used:");
    if (c == 'x') {
        p->at++;
        return parse_hex(p, out);
    }
    at = strchr(from, c);
    if (at) {
        p->at++;
        *out = (unsigned char) to[at - from];
        return 0;
    }
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '0')
        return refuse_at(p, begin, "there is no such escape:");
    *out = utf8_next(p->text, p->n, &p->at);
    return 0;
}

static int parse_class_char(struct parser *p, uint32_t *out)
{
    if (skip(p, "\\"))
        return parse_escape(p, out);
    *out = utf8_next(p->text, p->n, &p->at);
    return 0;
}

/* [:alpha:] within brackets. 1: it was one. */
static int parse_posix(struct parser *p)
{
    static const struct {
        const char *name, *categories;
    } names[] = { { "[:alpha:]", "L" },    { "[:digit:]", "Nd" }, { "[:alnum:]", "L Nd" },
                  { "[:upper:]", "Lu" },   { "[:lower:]", "Ll" }, { "[:punct:]", "P S" },
                  { "[:space:]", "Z Cc" }, { "[:blank:]", "Zs" }, { "[:word:]", "L M Nd Nl Pc" } };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (skip(p, names[i].name))
            return add_categories(p, names[i].categories, false) < 0 ? -1 : 1;
    return 0;
}

static int parse_class_item(struct parser *p)
{
    size_t from = p->at;
    uint32_t first, last;
    int named = parse_posix(p);

    if (named == 0 && p->n - p->at >= 2 && p->text[p->at] == '\\') {
        p->at += 2;
        named = parse_named(p, p->text[p->at - 1]);
        if (named == 0)
            p->at -= 2;
    }
    if (named != 0)
        return named < 0 ? -1 : 0;
    if (parse_class_char(p, &first) < 0)
        return -1;
    last = first;
    if (p->n - p->at >= 2 && p->text[p->at] == '-' && p->text[p->at + 1] != ']') {
        p->at++;
        if (parse_class_char(p, &last) < 0)
            return -1;
    }
    if (last < first)
        return refuse_at(p, from, "a range of characters runs backwards");
    return add_range(p, first, last);
}

/* After "[". */
static int parse_class(struct parser *p)
{
    size_t begin = p->at - 1, items = p->out->n_items;
    struct pattern_code code = { .op = PATTERN_CLASS, .value = (uint32_t) items };

    code.negated = skip(p, "^");
    do {
        if (p->at >= p->n)
            return refuse_at(p, begin, "] is missing for the [");
        if (parse_class_item(p) < 0)
            return -1;
    } while (!has(p, "]"));
    p->at++;
    code.n = (uint16_t) (p->out->n_items - items);
    return emit(p, code);
}

static int parse_backslash(struct parser *p)
{
    struct pattern_code code = { .op = PATTERN_CHAR };
    size_t items = p->out->n_items;
    char letter = p->at < p->n ? p->text[p->at] : '\0';
    int named;

    if (letter == 'b' || letter == 'B') {
        p->at++;
        code.op = letter == 'b' ? PATTERN_WORD_EDGE : PATTERN_NO_WORD_EDGE;
        return emit(p, code);
    }
    p->at += p->at < p->n;
    named = parse_named(p, letter);
    if (named < 0)
        return -1;
    if (named == 0) {
        p->at -= letter != '\0';
        if (parse_escape(p, &code.value) < 0)
            return -1;
    } else {
        code = (struct pattern_code){ .op = PATTERN_CLASS, .value = (uint32_t) items, .n = 1 };
    }
    return emit(p, code);
}

/* The kinds of groups, after "(?". */
static int begin_group(struct parser *p, size_t begin)
{
    static const char *const looks[] = { "=", "!", "<=", "<!" };
    bool off;

    for (size_t i = 0; i < 4; i++)
        if (has(p, looks[i]))
            return refuse_at(p, begin, "lookaround cannot be used:");
    if (skip(p, "P<") || skip(p, "<")) {
        const char *end = memchr(p->text + p->at, '>', p->n - p->at);

        if (!end)
            return refuse_at(p, begin, "> is missing after the name of a group");
        p->at = (size_t) (end - p->text) + 1;
        return 0;
    }
    off = skip(p, "-");
    if (skip(p, "i"))
        p->any_case = !off;
    if (!skip(p, ":"))
        return refuse_at(p, begin, "there is no such kind of group:");
    return 0;
}

/* After "(". */
static int parse_group(struct parser *p)
{
    size_t begin = p->at - 1;
    bool any_case = p->any_case;

    if (++p->depth > DEEPEST)
        return refuse_at(p, begin, "too many groups are within each other");
    if (skip(p, "?") && begin_group(p, begin) < 0)
        return -1;
    if (parse_choice(p) < 0)
        return -1;
    if (!skip(p, ")"))
        return refuse_at(p, begin, ") is missing for the (");
    p->any_case = any_case;
    p->depth--;
    return 0;
}

/* \Q...\E is text; \Q is past. */
static int parse_quoted(struct parser *p)
{
    while (p->at < p->n && !skip(p, "\\E"))
        if (emit(p, (struct pattern_code){ .op = PATTERN_CHAR,
                                           .value = utf8_next(p->text, p->n, &p->at) }) < 0)
            return -1;
    return 0;
}

static int parse_atom(struct parser *p)
{
    size_t begin = p->at;
    struct pattern_code code = { .op = PATTERN_CHAR };

    if (skip(p, "\\Q"))
        return parse_quoted(p);
    code.value = utf8_next(p->text, p->n, &p->at);
    switch (code.value) {
    case '(':
        return parse_group(p);
    case '[':
        return parse_class(p);
    case '\\':
        return parse_backslash(p);
    case '*':
    case '+':
    case '?':
        return refuse_at(p, begin, "there is nothing to repeat");
    case '.':
        code.op = PATTERN_ANY;
        break;
    case '^':
        code.op = PATTERN_LINE_BEGIN;
        break;
    case '$':
        code.op = PATTERN_LINE_END;
        break;
    default:
        break;
    }
    return emit(p, code);
}

static int copy_code(struct parser *p, size_t from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pattern_code code = p->out->code[from + i];
        bool any_case = code.any_case;

        if (emit(p, code) < 0)
            return -1;
        p->out->code[p->out->n - 1].any_case = any_case;
    }
    return 0;
}

static struct pattern_code split_code(int on, int past, bool few)
{
    return (struct pattern_code){ .op = PATTERN_SPLIT, .x = few ? past : on, .y = few ? on : past };
}

/* The last n instructions any number of times; at least once with `once`. */
static int loop(struct parser *p, size_t n, bool once, bool few)
{
    size_t from = p->out->n - n;

    if (once)
        return emit(p, split_code(-(int) n, 1, few));
    if (insert_code(p, from, split_code(1, (int) n + 2, few)) < 0)
        return -1;
    return emit(p, (struct pattern_code){ .op = PATTERN_JUMP, .x = -(int) n - 1 });
}

/* The last n instructions `least` to `most` times. */
static int repeat_last(struct parser *p, size_t n, int least, int most, bool few)
{
    size_t from = p->out->n - n, rest;

    if (most == 0) {
        p->out->n = from;
        return 0;
    }
    if (most == NO_LIMIT && least <= 1)
        return loop(p, n, least == 1, few);
    for (int i = 1; i < least; i++)
        if (copy_code(p, from, n) < 0)
            return -1;
    if (most == NO_LIMIT)
        return loop(p, n, true, few);
    rest = (size_t) (most - (least ? least : 1));
    /* Each of the others is optional, and leads to the end if it is left out. */
    for (size_t i = 0; i < rest; i++)
        if (emit(p, split_code(1, (int) ((rest - i) * (n + 1)), few)) < 0 ||
            copy_code(p, from, n) < 0)
            return -1;
    if (least == 0)
        return insert_code(p, from, split_code(1, (int) (p->out->n - from) + 1, few));
    return 0;
}

static bool read_amount(struct parser *p, int *out)
{
    size_t begin = p->at;

    *out = 0;
    for (; p->at < p->n && p->text[p->at] >= '0' && p->text[p->at] <= '9'; p->at++)
        *out = *out > PATTERN_REPEAT ? *out : *out * 10 + (p->text[p->at] - '0');
    return p->at > begin;
}

/* {n}, {n,} or {n,m}. 0: it is neither of them, so that the brace is a character. */
static int read_braces(struct parser *p, int *least, int *most)
{
    size_t begin = p->at;

    if (!skip(p, "{") || !read_amount(p, least)) {
        p->at = begin;
        return 0;
    }
    *most = *least;
    if (skip(p, ",") && !read_amount(p, most))
        *most = NO_LIMIT;
    if (!skip(p, "}")) {
        p->at = begin;
        return 0;
    }
    if (*least > PATTERN_REPEAT || *most > PATTERN_REPEAT)
        return refuse_at(p, begin, "at most 1000 repetitions are possible:");
    if (*most != NO_LIMIT && *most < *least)
        return refuse_at(p, begin, "the numbers of repetitions run backwards");
    return 1;
}

static int parse_piece(struct parser *p)
{
    size_t from = p->out->n;

    if (parse_atom(p) < 0)
        return -1;
    for (bool repeated = false;; repeated = true) {
        size_t begin = p->at;
        int least = 0, most = NO_LIMIT, found = 1;

        if (skip(p, "*"))
            least = 0;
        else if (skip(p, "+"))
            least = 1;
        else if (skip(p, "?"))
            most = 1;
        else
            found = read_braces(p, &least, &most);
        if (found <= 0)
            return found;
        if (repeated)
            return refuse_at(p, begin, "a repetition is repeated");
        if (repeat_last(p, p->out->n - from, least, most, skip(p, "?")) < 0)
            return -1;
    }
}

static int parse_sequence(struct parser *p)
{
    while (p->at < p->n && !has(p, "|") && !has(p, ")"))
        if (parse_piece(p) < 0)
            return -1;
    return 0;
}

static int parse_choice(struct parser *p)
{
    size_t from = p->out->n;

    if (parse_sequence(p) < 0)
        return -1;
    while (skip(p, "|")) {
        size_t jump;

        /* The choices so far, or the next one. */
        if (insert_code(p, from, split_code(1, (int) (p->out->n - from) + 2, false)) < 0 ||
            emit(p, (struct pattern_code){ .op = PATTERN_JUMP }) < 0)
            return -1;
        jump = p->out->n - 1;
        if (parse_sequence(p) < 0)
            return -1;
        p->out->code[jump].x = (int) (p->out->n - jump);
    }
    return 0;
}

int pattern_compile(struct pattern *pattern, const char *name, const char *text, size_t n,
                    bool any_case, struct err *err)
{
    struct parser p = {
        .out = pattern, .name = name, .text = text, .n = n, .any_case = any_case, .err = err
    };

    *pattern = (struct pattern){ 0 };
    if (!utf8_is_valid(text, n))
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s is not UTF-8", name);
    if (parse_choice(&p) < 0)
        return -1;
    if (p.at < n)
        return refuse_at(&p, p.at, "( is missing for the )");
    return emit(&p, (struct pattern_code){ .op = PATTERN_MATCH });
}

void pattern_free(struct pattern *pattern)
{
    free(pattern->code);
    free(pattern->items);
    *pattern = (struct pattern){ 0 };
}

static bool is_white_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool pattern_next_line(const char *text, size_t *at, const char **line, size_t *n)
{
    while (is_white_space(text[*at]))
        ++*at;
    *line = text + *at;
    *n = strcspn(*line, "\n");
    *at += *n;
    while (*n && is_white_space((*line)[*n - 1]))
        --*n;
    return *n > 0;
}
