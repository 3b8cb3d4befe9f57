#include "engine/page_search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "engine/page_search/presets.h"

#define LONG_TEXT 6 /* characters of a text that is also looked for where a line cuts it */

static struct search_term *add_term(struct search *search, const char *kind, struct err *err)
{
    if (!LIST_ROOM(search->terms, search->n, search->cap)) {
        err_sys(err, "search");
        return NULL;
    }
    search->terms[search->n] = (struct search_term){ .kind = kind, .preset = -1 };
    return &search->terms[search->n++];
}

static int compile(struct search_term *term, const char *name, const char *text, size_t n,
                   bool any_case, struct err *err)
{
    return pattern_compile(&term->pattern, name, text, n, any_case, err);
}

/* Writes a plain text as a pattern. Spaces may be missing in what is searched: fonts and writers
 * leave them out. */
static void put_literal(struct buf *out, const struct plain_text *plain,
                        const struct search_wish *wish)
{
    bool any_case = !wish->match_case;

    for (size_t i = 0; i < plain->n; i++) {
        uint32_t c = plain->codes[i];
        bool doubled = i + 1 < plain->n && (c == 's' || c == 'S') &&
                       (plain->codes[i + 1] == 's' || plain->codes[i + 1] == 'S');

        if (c == ' ') {
            buf_puts(out, wish->joined ? "[ _.+,\\-]{0,2}" : " ?");
        } else if (any_case && (c == 0xdf || c == 0x1e9e || doubled)) {
            buf_puts(out, "(?:ss|\xc3\x9f|\xe1\xba\x9e)");
            i += doubled;
        } else {
            if (c < 128 && !pattern_match_is_word(c))
                buf_putc(out, '\\');
            utf8_put(c, out);
        }
    }
}

static int add_text_term(struct search *search, const struct search_wish *wish, const char *text,
                         size_t n, struct err *err)
{
    struct search_term *term = add_term(search, "text", err);
    AUTO_FREE uint32_t *codes = calloc(n + 1, sizeof *codes);
    AUTO_BUF struct buf pattern = BUF_EMPTY;
    struct plain_source source = { .codes = codes };

    if (!term || !codes)
        return err_sys(err, "search");
    for (size_t at = 0; at < n;)
        codes[source.n++] = utf8_next(text, n, &at);
    if (!plain_text_make(&search->plain, &source, PLAIN_WORDS))
        return err_sys(err, "search");
    while (search->plain.n && search->plain.codes[search->plain.n - 1] == ' ')
        search->plain.n--;
    if (search->plain.n == 0)
        return err_field(err, ERR_INVALID_PARAMETER, "text", "text has no visible character");
    put_literal(&pattern, &search->plain, wish);
    term->whole = wish->whole_words;
    term->joined = wish->joined;
    term->long_text = search->plain.n >= LONG_TEXT;
    return compile(term, "text", buf_text(&pattern), pattern.len, !wish->match_case, err);
}

static int add_pattern(struct search *search, const struct search_wish *wish, const char *text,
                       size_t n, struct err *err)
{
    struct search_term *term = add_term(search, "pattern", err);

    if (!term)
        return -1;
    term->whole = wish->whole_words;
    return compile(term, "pattern", text, n, !wish->match_case, err);
}

static int add_presets(struct search *search, const struct search_wish *wish, struct err *err)
{
    for (int i = 0; i < PRESETS_MOST && presets_names[i]; i++) {
        struct search_term *term;

        if (!(wish->presets >> i & 1))
            continue;
        term = add_term(search, presets_names[i], err);
        if (!term)
            return -1;
        term->preset = i;
        if (compile(term, "preset", presets_pattern((size_t) i),
                    strlen(presets_pattern((size_t) i)), true, err) < 0)
            return -1;
    }
    return 0;
}

int search_open(struct search *search, const struct search_wish *wish, struct err *err)
{
    const char *line;
    size_t n;

    *search = (struct search){ 0 };
    for (size_t at = 0; wish->text && pattern_next_line(wish->text, &at, &line, &n);)
        if (add_text_term(search, wish, line, n, err) < 0)
            return -1;
    for (size_t at = 0; wish->pattern && pattern_next_line(wish->pattern, &at, &line, &n);)
        if (add_pattern(search, wish, line, n, err) < 0)
            return -1;
    if (add_presets(search, wish, err) < 0)
        return -1;
    /* The list does not move any more. */
    for (size_t i = 0; i < search->n; i++)
        if (pattern_match_open(&search->terms[i].match, &search->terms[i].pattern, err) < 0)
            return -1;
    return 0;
}

void search_close(struct search *search)
{
    for (size_t i = 0; i < search->n; i++) {
        pattern_match_close(&search->terms[i].match);
        pattern_free(&search->terms[i].pattern);
    }
    free(search->terms);
    plain_text_free(&search->plain);
    *search = (struct search){ 0 };
}

/* Whether there is no end of a word before a character. */
static bool is_within_word(const struct plain_text *plain, size_t at, bool joined)
{
    bool cut = at > 0 && at < plain->n;

    for (size_t i = at - 1; cut && i <= at; i++)
        cut = pattern_match_is_word(plain->codes[i]) && !(joined && plain->codes[i] == '_');
    return cut;
}

/* Whether a match does not begin or end within a word. */
static bool is_whole_word(const struct plain_text *plain, size_t begin, size_t end, bool joined)
{
    bool cut_before = is_within_word(plain, begin, joined);
    bool cut_after = is_within_word(plain, end, joined);

    return !cut_before && !cut_after;
}

static void look_for(const struct search *search, struct search_term *term, search_found *found,
                     void *arg)
{
    const struct plain_text *plain = &search->plain;
    const struct pattern_text text = { plain->codes, plain->line, plain->n };

    for (size_t from = 0, begin, end;
         pattern_match_find(&term->match, &text, from, &begin, &end);) {
        size_t n = term->preset < 0
                       ? end - begin
                       : presets_check((size_t) term->preset, plain->codes + begin, end - begin);

        if (n == 0 || (term->whole && !is_whole_word(plain, begin, begin + n, term->joined))) {
            from = begin + 1;
            continue;
        }
        found(arg, term, plain->from[begin], (size_t) plain->to[begin + n - 1] + 1);
        from = begin + n;
    }
}

static int search_ways(struct search *search, const struct plain_source *source,
                       search_found *found, void *arg, struct err *err)
{
    static const enum plain_breaks ways[] = { PLAIN_WORDS, PLAIN_SIGNS, PLAIN_JOINED };
    bool any_long = false;

    for (size_t i = 0; i < search->n; i++)
        any_long |= search->terms[i].long_text;
    for (size_t way = 0; way < COUNT(ways); way++) {
        if (way > 0 && !(ways[way] == PLAIN_SIGNS ? plain_text_has_signs(source) : any_long))
            continue;
        if (!plain_text_make(&search->plain, source, ways[way]))
            return err_sys(err, "search");
        for (size_t i = 0; i < search->n; i++)
            if (ways[way] != PLAIN_JOINED || search->terms[i].long_text) {
                search->terms[i].hyphens = source->hyphens;
                look_for(search, &search->terms[i], found, arg);
            }
    }
    return 0;
}

int search_source(struct search *search, const struct plain_source *source, search_found *found,
                  void *arg, struct err *err)
{
    struct plain_source drawn = *source;

    drawn.hyphens = true;
    if (search_ways(search, source, found, arg, err) < 0)
        return -1;
    return plain_text_has_soft_hyphens(source) ? search_ways(search, &drawn, found, arg, err) : 0;
}
