#include "layout/continuation/references.h"

#include <string.h>

#include "base/scope.h"
#include "layout/continuation/continued_paragraph.h"

#define MARK 4 /* digits of a number */

static bool is_ascii_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The length of a sign that is used as a mark, at the beginning of the text; or 0. */
static size_t sign_length(const char *text, size_t n)
{
    static const char *const signs[] = { "*", "\u2217", "\u2020", "\u2021", "\u00a7", "\u00b6" };
    size_t length;

    for (size_t i = 0; i < COUNT(signs); i++) {
        length = strlen(signs[i]);
        if (n >= length && memcmp(text, signs[i], length) == 0)
            return length;
    }
    return 0;
}

/* A number, or a sign that may stand twice. */
static bool read_mark(const char *text, size_t n, struct mark *mark)
{
    size_t sign = sign_length(text, n);

    *mark = (struct mark){ .text = text };
    while (sign == 0 && mark->n < n && is_ascii_digit(text[mark->n])) {
        if (mark->n == MARK)
            return false;
        mark->number = mark->number * 10 + text[mark->n++] - '0';
    }
    if (sign) {
        mark->n = sign;
        while (mark->n < 3 * sign && mark->n + sign <= n && memcmp(text + mark->n, text, sign) == 0)
            mark->n += sign;
    }
    return mark->n > 0;
}

static bool same_mark(const struct mark *a, const struct mark *b)
{
    return a->n == b->n && memcmp(a->text, b->text, a->n) == 0;
}

/* A run that is raised, and nothing but a mark and blanks. */
static bool is_raised_mark(const struct run *run, struct mark *mark)
{
    size_t from = 0, end = run->len;

    if (run->style.script != SCRIPT_SUPER)
        return false;
    while (from < end && run->text[from] == ' ')
        from++;
    while (end > from && (run->text[end - 1] == ' ' || run->text[end - 1] == '\t'))
        end--;
    return read_mark(run->text + from, end - from, mark) && mark->n == end - from;
}

/* What is above the line of a small fraction (layout/formula/formula.h). */
static bool is_numerator(const struct paragraph *p, size_t run)
{
    return run + 1 < p->n_runs && p->runs[run + 1].text[0] == '/';
}

/* The mark a note begins with: raised, or on the line, without what makes it the number of
 * something else. */
bool references_find_mark(const struct paragraph *p, struct mark *mark)
{
    const struct run *run = &p->runs[0];

    if (is_raised_mark(run, mark))
        return !is_numerator(p, 0);
    return run->style.script == SCRIPT_NONE && read_mark(run->text, run->len, mark) &&
           (mark->n < run->len ? !strchr(".,:;%)-/", run->text[mark->n]) : p->n_runs > 1);
}

static size_t letters_before(const char *text, size_t n)
{
    size_t count = 0;

    while (count < n && ((unsigned) (text[n - 1 - count] | 0x20) - 'a' < 26 ||
                         (unsigned char) text[n - 1 - count] > 0x7f))
        count++;
    return count;
}

/* A power or an index follows a unit or a variable, which are short. */
static bool is_likely(const struct paragraph *p, size_t run)
{
    const struct run *before = run > 0 ? &p->runs[run - 1] : NULL;
    size_t n = before ? before->len : 0;

    if (n == 0 || before->style.script != SCRIPT_NONE)
        return false;
    return strchr(".,;:!?)]\"'", before->text[n - 1]) || letters_before(before->text, n) > 2;
}

void references_add(struct references *references, struct block *blocks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct paragraph *p = &blocks[i].paragraph;
        struct mark mark;

        if (blocks[i].kind == BLOCK_TABLE)
            for (size_t k = 0; k < blocks[i].table.n_cells; k++)
                references_add(references, blocks[i].table.cells[k].blocks,
                               blocks[i].table.cells[k].n_blocks);
        if (blocks[i].kind != BLOCK_PARAGRAPH)
            continue;
        for (size_t k = 0; k < p->n_runs; k++)
            if (is_raised_mark(&p->runs[k], &mark) && !is_numerator(p, k))
                *ARENA_ADD(references->arena, references) = (struct reference){
                    .paragraph = p, .run = k, .mark = mark, .likely = is_likely(p, k)
                };
    }
}

/* The first reference between the two that has the mark and no note. */
static struct reference *find_between(const struct references *references, size_t from, size_t to,
                                      const struct mark *mark, bool likely)
{
    for (size_t i = from; i < to; i++) {
        struct reference *reference = &references->items[i];

        if (same_mark(&reference->mark, mark) && (reference->likely || !likely) &&
            !reference->paragraph->runs[reference->run].footnote)
            return reference;
    }
    return NULL;
}

/* The reference of a note, best from `at` on: where a page has several parts with columns, notes
 * are in the order of the columns. */
static struct reference *find_reference(const struct references *references, size_t at,
                                        const struct mark *mark)
{
    struct reference *found = find_between(references, at, references->n, mark, true);

    if (!found)
        found = find_between(references, 0, at, mark, true);
    return found ? found : find_between(references, at, references->n, mark, false);
}

/* The run's text from `from` to `end` as a run of its own. */
static struct run part_of(struct arena *arena, const struct run *run, size_t from, size_t end)
{
    struct run part = { .style = run->style, .len = end - from };

    part.text = arena_alloc(arena, part.len + 1);
    memcpy(part.text, run->text + from, part.len);
    return part;
}

/* Gives the mark in the run a run of its own; its number. */
static size_t part_mark(struct arena *arena, struct paragraph *p, size_t number,
                        const struct mark *mark)
{
    const struct run *run = &p->runs[number];
    size_t from = (size_t) (mark->text - run->text), end = from + mark->n;
    struct run *runs = ARENA_ARRAY(arena, struct run, p->n_runs + 2);
    size_t n = number, at;

    memcpy(runs, p->runs, n * sizeof *runs);
    if (from > 0) {
        runs[n] = part_of(arena, run, 0, from);
        runs[n++].style.script = SCRIPT_NONE;
    }
    at = n;
    runs[n] = part_of(arena, run, from, end);
    runs[n++].style.link = NULL; /* it leads to its note by itself */
    if (end < run->len) {
        runs[n] = part_of(arena, run, end, run->len);
        runs[n++].style.script = SCRIPT_NONE;
    }
    memcpy(runs + n, p->runs + number + 1, (p->n_runs - number - 1) * sizeof *runs);
    p->n_runs += n - number - 1;
    p->runs = runs;
    return at;
}

/* What has the mark before it with white between them: at the indent of the other lines. */
static void put_tab(struct arena *arena, struct paragraph *p)
{
    struct run *run = p->n_runs > 1 ? &p->runs[1] : NULL;
    char *text;

    if (!run || p->first > -2 || run->len == 0 || run->text[0] == ' ' || run->text[0] == '\t')
        return;
    text = arena_alloc(arena, run->len + 2);
    *text = '\t';
    memcpy(text + 1, run->text, run->len);
    run->text = text;
    run->len++;
}

static void add_paragraph(struct arena *arena, struct footnote *note, const struct paragraph *p)
{
    note->paragraphs = arena_grow(arena, note->paragraphs, note->n_paragraphs,
                                  &note->cap_paragraphs, sizeof *note->paragraphs);
    note->paragraphs[note->n_paragraphs++] = *p;
}

static struct footnote *make_note(struct arena *arena, struct paragraph *p, const struct mark *mark)
{
    struct footnote *note = ARENA_NEW(arena, struct footnote);
    bool raised = p->runs[0].style.script == SCRIPT_SUPER;
    size_t at;

    note->number = mark->number;
    at = part_mark(arena, p, 0, mark);
    p->runs += at;
    p->n_runs -= at;
    if (!raised)
        put_tab(arena, p);
    add_paragraph(arena, note, p);
    return note;
}

/* References in one paragraph are found by their place in it, which changes with each. */
static void refer(struct references *references, struct reference *reference,
                  const struct footnote *note)
{
    struct paragraph *p = reference->paragraph;
    size_t before = p->n_runs,
           at = part_mark(references->arena, p, reference->run, &reference->mark);

    p->runs[at].footnote = note;
    reference->run = at;
    for (struct reference *next = reference + 1;
         next < references->items + references->n && next->paragraph == p; next++)
        next->run += p->n_runs - before;
}

struct footnote *references_note(struct references *references, struct reference *reference,
                                 struct paragraph *p, const struct mark *mark)
{
    struct footnote *note = make_note(references->arena, p, mark);

    refer(references, reference, note);
    references->next = (size_t) (reference - references->items) + 1;
    return note;
}

void references_pass(struct references *references)
{
    for (size_t i = 0; i < references->n; i++) {
        const struct reference *reference = &references->items[i];

        if (reference->paragraph->runs[reference->run].footnote)
            references->next = i + 1;
    }
}

struct reference *references_find(const struct references *references, size_t at,
                                  const struct paragraph *p, const struct mark *last,
                                  struct mark *mark)
{
    if (!references_find_mark(p, mark) ||
        (last->number && mark->number && mark->number != last->number + 1))
        return NULL;
    return find_reference(references, at, mark);
}

bool references_is_raised(const struct paragraph *p)
{
    struct mark mark;

    return is_raised_mark(&p->runs[0], &mark);
}

void references_add_footnote(struct arena *arena, struct footnote *note, const struct paragraph *p)
{
    struct paragraph *last = &note->paragraphs[note->n_paragraphs - 1];

    if (continued_paragraph_is(last, p)) {
        continued_paragraph_append(arena, last, p);
    } else {
        add_paragraph(arena, note, p);
    }
}

bool references_footnote_goes_on(const struct footnote *note, const struct paragraph *p, bool ruled)
{
    return note && (ruled || continued_paragraph_is(&note->paragraphs[note->n_paragraphs - 1], p));
}
