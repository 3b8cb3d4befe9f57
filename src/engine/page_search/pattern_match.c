#include "engine/page_search/pattern_match.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

struct pattern_thread {
    int at;       /* the instruction */
    size_t begin; /* of the match */
};

struct list {
    struct pattern_thread *items;
    size_t n;
};

/* The bit of a character's category: utf8proc numbers them in the order of PATTERN_CATEGORIES, but
 * that Cn has 0. */
static int category_of(uint32_t code)
{
    return ((int) utf8proc_category((utf8proc_int32_t) code) + 29) % 30;
}

bool pattern_match_is_word(uint32_t code)
{
    int at = category_of(code);

    return at <= 9 || at == 11; /* L, M, Nd, Nl, Pc */
}

static bool class_holds(const struct pattern *pattern, const struct pattern_code *code, uint32_t c)
{
    for (size_t i = 0; i < code->n; i++) {
        const struct pattern_item *item = &pattern->items[code->value + i];

        if (item->categories ? ((item->categories >> category_of(c) & 1) != 0) != item->negated
                             : c >= item->first && c <= item->last)
            return true;
    }
    return false;
}

static uint32_t other_case(uint32_t c)
{
    uint32_t lower = (uint32_t) utf8proc_tolower((utf8proc_int32_t) c);

    return lower != c ? lower : (uint32_t) utf8proc_toupper((utf8proc_int32_t) c);
}

static bool accepts(const struct pattern *pattern, const struct pattern_code *code, uint32_t c)
{
    switch ((int) code->op) {
    case PATTERN_ANY:
        return true;
    case PATTERN_CHAR:
        return c == code->value || (code->any_case && other_case(c) == code->value) ||
               (code->any_case && utf8proc_tolower((utf8proc_int32_t) c) ==
                                      utf8proc_tolower((utf8proc_int32_t) code->value));
    case PATTERN_CLASS:
        return (class_holds(pattern, code, c) ||
                (code->any_case && class_holds(pattern, code, other_case(c)))) != code->negated;
    default:
        return false;
    }
}

static bool is_edge(const struct pattern_text *text, size_t at)
{
    bool before = at > 0 && pattern_match_is_word(text->codes[at - 1]);
    bool after = at < text->n && pattern_match_is_word(text->codes[at]);

    return before != after;
}

/* Whether an instruction that needs no character lets a match pass here. */
static bool passes(const struct pattern_code *code, const struct pattern_text *text, size_t at)
{
    bool begins = at == 0 || at == text->n || (text->line && text->line[at]);

    switch ((int) code->op) {
    case PATTERN_LINE_BEGIN:
        return begins && (at < text->n || at == 0);
    case PATTERN_LINE_END:
        /* A space is in place of the break between two lines. */
        return begins ||
               (text->line && at + 1 < text->n && text->line[at + 1] && text->codes[at] == ' ');
    case PATTERN_WORD_EDGE:
        return is_edge(text, at);
    case PATTERN_NO_WORD_EDGE:
        return !is_edge(text, at);
    default:
        return false;
    }
}

/* Adds a way and all that it leads to without a character, the preferred ones first. */
static void follow(struct pattern_match *match, struct list *list, int from, size_t begin,
                   const struct pattern_text *text, size_t at)
{
    const struct pattern_code *code = match->pattern->code;
    size_t n = 0;

    match->stack[n++] = (size_t) from;
    while (n) {
        int pc = (int) match->stack[--n];

        if (match->seen[pc] == match->turn)
            continue;
        match->seen[pc] = match->turn;
        switch ((int) code[pc].op) {
        case PATTERN_JUMP:
            match->stack[n++] = (size_t) (pc + code[pc].x);
            break;
        case PATTERN_SPLIT:
            match->stack[n++] = (size_t) (pc + code[pc].y);
            match->stack[n++] = (size_t) (pc + code[pc].x);
            break;
        case PATTERN_CHAR:
        case PATTERN_CLASS:
        case PATTERN_ANY:
        case PATTERN_MATCH:
            list->items[list->n++] = (struct pattern_thread){ pc, begin };
            break;
        default:
            if (passes(&code[pc], text, at))
                match->stack[n++] = (size_t) pc + 1;
        }
    }
}

/* Which characters a match can begin with. Conditions are taken to hold. */
static void find_first(struct pattern_match *match)
{
    static const uint32_t none;
    const struct pattern_text text = { .codes = &none };
    struct list list = { .items = match->now };

    for (size_t i = 0; i < match->pattern->n; i++)
        match->first_unknown |=
            match->pattern->code[i].op > PATTERN_JUMP && match->pattern->code[i].op < PATTERN_MATCH;
    match->turn++;
    follow(match, &list, 0, 0, &text, 0);
    for (size_t i = 0; i < list.n; i++) {
        const struct pattern_code *code = &match->pattern->code[list.items[i].at];

        match->first_unknown |= code->op == PATTERN_MATCH;
        match->first_other |= code->op != PATTERN_CHAR || code->value >= 128 || code->any_case;
        for (uint32_t c = 0; c < 128; c++)
            match->first[c] |= accepts(match->pattern, code, c);
    }
}

int pattern_match_open(struct pattern_match *match, const struct pattern *pattern, struct err *err)
{
    *match = (struct pattern_match){ .pattern = pattern };
    match->now = calloc(pattern->n, sizeof *match->now);
    match->next = calloc(pattern->n, sizeof *match->next);
    match->stack = calloc(2 * pattern->n + 2, sizeof *match->stack);
    match->seen = calloc(pattern->n, sizeof *match->seen);
    if (!match->now || !match->next || !match->stack || !match->seen)
        return err_sys(err, "pattern");
    find_first(match);
    return 0;
}

void pattern_match_close(struct pattern_match *match)
{
    free(match->now);
    free(match->next);
    free(match->stack);
    free(match->seen);
    *match = (struct pattern_match){ 0 };
}

static bool may_begin(const struct pattern_match *match, const struct pattern_text *text, size_t at)
{
    if (at == text->n)
        return false;
    return match->first_unknown ||
           (text->codes[at] < 128 ? match->first[text->codes[at]] : match->first_other);
}

static void new_turn(struct pattern_match *match)
{
    if (++match->turn == 0) {
        memset(match->seen, 0, match->pattern->n * sizeof *match->seen);
        match->turn = 1;
    }
}

/* Moves all ways over the character at `at`. A match ends the ways that are less preferred. */
static bool step(struct pattern_match *match, struct list *now, struct list *next,
                 const struct pattern_text *text, size_t at, size_t *begin, size_t *end)
{
    const struct pattern_code *code = match->pattern->code;

    next->n = 0;
    new_turn(match);
    for (size_t i = 0; i < now->n; i++) {
        const struct pattern_thread *way = &now->items[i];

        if (code[way->at].op == PATTERN_MATCH) {
            if (at == way->begin)
                continue;
            *begin = way->begin;
            *end = at;
            return true;
        }
        if (at < text->n && at - way->begin < PATTERN_MATCH_LONGEST &&
            accepts(match->pattern, &code[way->at], text->codes[at]))
            follow(match, next, way->at + 1, way->begin, text, at + 1);
    }
    return false;
}

bool pattern_match_find(struct pattern_match *match, const struct pattern_text *text, size_t from,
                        size_t *begin, size_t *end)
{
    struct list now = { .items = match->now }, next = { .items = match->next };
    bool found = false;

    new_turn(match);
    for (size_t at = from; at <= text->n; at++) {
        struct list other;

        if (now.n == 0 && found)
            break;
        if (now.n == 0)
            new_turn(match);
        while (now.n == 0 && at < text->n && !may_begin(match, text, at))
            at++;
        if (!found && may_begin(match, text, at))
            follow(match, &now, 0, at, text, at);
        found |= step(match, &now, &next, text, at, begin, end);
        other = now;
        now = next;
        next = other;
    }
    return found;
}
