#include "write/highlight/highlight.h"

#include <ctype.h>
#include <string.h>

#include "base/scope.h"

enum {
    DIRECTIVES = 1,    /* lines that begin with '#' are for a preprocessor */
    TRIPLE = 2,        /* strings may begin and end with three quotes, and have several lines */
    ANY_CASE = 4,      /* keywords may be written in capitals */
    WORD_COMMENTS = 8, /* a comment begins after white space only */
    KEYS = 16,         /* a word or string before ':' or '=' is a key */
    MARKUP = 32,       /* tags in angle brackets */
    LINES = 64         /* lines that were added and removed */
};

struct language {
    const char *names, *keywords, *comments, *open, *close, *quotes;
    unsigned flags;
};

static const struct language languages[] = {
#define LANGUAGE(names, keywords, comments, open, close, quotes, flags)                            \
    { names, keywords, comments, open, close, quotes, flags },
#include "write/highlight/languages.def"
#undef LANGUAGE
};

struct code {
    const struct language *language;
    const char *text;
    size_t n, at;
    struct buf *out;
};

/* Whether a list, which is divided by blanks, has a word. */
static bool listed(const char *list, const char *word, size_t n, bool any_case)
{
    for (const char *p = list; *p; p++) {
        size_t i = 0;

        if (*p != ' ')
            continue;
        while (i < n && p[1 + i] && p[1 + i] != ' ' &&
               (p[1 + i] == word[i] ||
                (any_case && tolower((unsigned char) word[i]) == (unsigned char) p[1 + i])))
            i++;
        if (n > 0 && i == n && p[1 + i] == ' ')
            return true;
    }
    return false;
}

static const struct language *find_language(const char *name, size_t n)
{
    char lower[32];

    if (n == 0 || n >= sizeof lower)
        return NULL;
    for (size_t i = 0; i < n; i++)
        lower[i] = (char) tolower((unsigned char) name[i]);
    for (size_t i = 0; i < COUNT(languages); i++)
        if (listed(languages[i].names, lower, n, false))
            return &languages[i];
    return NULL;
}

bool highlight_knows(const char *language, size_t n)
{
    return find_language(language, n) != NULL;
}

/* Appends the text up to `to`, in a class; '\0': in none. */
static void put_classed(struct code *code, size_t to, char class)
{
    if (class)
        buf_printf(code->out, "<span class=\"%c\">", class);
    for (; code->at < to; code->at++)
        buf_put_markup(code->out, code->text[code->at]);
    if (class)
        buf_puts(code->out, "</span>");
}

static bool starts(const struct code *code, const char *what, size_t n)
{
    return n > 0 && code->n - code->at >= n && memcmp(code->text + code->at, what, n) == 0;
}

static size_t line_end(const struct code *code, size_t at)
{
    const char *end = memchr(code->text + at, '\n', code->n - at);

    return end ? (size_t) (end - code->text) : code->n;
}

/* Whether only white space is between the place and the beginning of its line. */
static bool at_line_start(const struct code *code)
{
    size_t i = code->at;

    while (i > 0 && (code->text[i - 1] == ' ' || code->text[i - 1] == '\t'))
        i--;
    return i == 0 || code->text[i - 1] == '\n';
}

static bool after_space(const struct code *code)
{
    return code->at == 0 || isspace((unsigned char) code->text[code->at - 1]);
}

static bool comment(struct code *code)
{
    const struct language *language = code->language;
    const char *found;
    size_t n = strlen(language->open);

    if (starts(code, language->open, n)) {
        found = memmem(code->text + code->at + n, code->n - code->at - n, language->close,
                       strlen(language->close));
        put_classed(code, found ? (size_t) (found - code->text) + strlen(language->close) : code->n,
                    'c');
        return true;
    }
    if ((language->flags & WORD_COMMENTS) && !after_space(code))
        return false;
    for (const char *p = language->comments + 1; *p; p += n + 1) {
        n = strcspn(p, " ");
        if (starts(code, p, n)) {
            put_classed(code, line_end(code, code->at), 'c');
            return true;
        }
    }
    return false;
}

/* Whether what ends at `end` is a key: ':' or '=' comes next. */
static bool is_key(const struct code *code, size_t end)
{
    while (end < code->n && (code->text[end] == ' ' || code->text[end] == '\t'))
        end++;
    return (code->language->flags & KEYS) && end < code->n &&
           (code->text[end] == ':' || code->text[end] == '=');
}

static bool string(struct code *code)
{
    char quote = code->text[code->at];
    char three[3] = { quote, quote, quote };
    bool triple = (code->language->flags & TRIPLE) && starts(code, three, 3);
    size_t end = code->at + (triple ? 3 : 1);

    if (!strchr(code->language->quotes, quote))
        return false;
    for (; end < code->n; end++) {
        if (code->text[end] == '\\' && end + 1 < code->n) {
            end++;
        } else if (code->text[end] == '\n' && !triple && quote != '`') {
            break; /* a quote that does not end in its line */
        } else if (code->text[end] == quote &&
                   (!triple || (code->n - end >= 3 && memcmp(code->text + end, three, 3) == 0))) {
            end += triple ? 3 : 1;
            break;
        }
    }
    put_classed(code, end, is_key(code, end) ? 't' : 's');
    return true;
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char) c) || c == '_' || (unsigned char) c >= 0x80;
}

static void word(struct code *code)
{
    const struct language *language = code->language;
    const char *from = code->text + code->at;
    size_t end = code->at;
    bool digit = isdigit((unsigned char) *from), keyword;

    while (end < code->n && (is_word_byte(code->text[end]) || (digit && code->text[end] == '.') ||
                             ((language->flags & KEYS) && !digit && code->text[end] == '-')))
        end++;
    keyword = listed(language->keywords, from, end - code->at, language->flags & ANY_CASE);
    put_classed(code, end, digit ? 'n' : is_key(code, end) ? 't' : keyword ? 'k' : '\0');
}

static void plain_token(struct code *code)
{
    char c = code->text[code->at];

    if (comment(code) || string(code))
        return;
    if (c == '#' && (code->language->flags & DIRECTIVES) && at_line_start(code)) {
        size_t end = code->at + 1;

        while (end < code->n && (is_word_byte(code->text[end]) || code->text[end] == ' '))
            if (is_word_byte(code->text[end++]) &&
                (end >= code->n || !is_word_byte(code->text[end])))
                break;
        put_classed(code, end, 'k');
    } else if (is_word_byte(c)) {
        word(code);
    } else {
        put_classed(code, code->at + 1, '\0');
    }
}

/* A tag: its name and the names and values of its attributes. */
static void tag(struct code *code)
{
    size_t end = code->at + 1;

    while (end < code->n && (strchr("/?!", code->text[end]) && code->text[end]))
        end++;
    while (end < code->n && (is_word_byte(code->text[end]) || strchr(":-.", code->text[end])))
        end++;
    put_classed(code, end, 'k');
    while (code->at < code->n && code->text[code->at] != '>') {
        char c = code->text[code->at];
        const char *close = c == '"' || c == '\''
                                ? memchr(code->text + code->at + 1, c, code->n - code->at - 1)
                                : NULL;

        end = code->at + 1;
        if (close) {
            put_classed(code, (size_t) (close - code->text) + 1, 's');
        } else if (is_word_byte(c)) {
            while (end < code->n &&
                   (is_word_byte(code->text[end]) || strchr(":-.", code->text[end])))
                end++;
            put_classed(code, end, 't');
        } else {
            put_classed(code, end, '\0');
        }
    }
    if (code->at < code->n)
        put_classed(code, code->at + 1, 'k');
}

static void markup_token(struct code *code)
{
    char next = code->at + 1 < code->n ? code->text[code->at + 1] : '\0';

    if (comment(code))
        return;
    if (code->text[code->at] == '<' && (isalpha((unsigned char) next) || strchr("/?!", next)) &&
        next)
        tag(code);
    else
        put_classed(code, code->at + 1, '\0');
}

static void line(struct code *code)
{
    char c = code->text[code->at];

    put_classed(code, line_end(code, code->at),
                c == '+'   ? 'i'
                : c == '-' ? 'd'
                : c == '@' ? 'k'
                           : '\0');
    if (code->at < code->n)
        put_classed(code, code->at + 1, '\0');
}

void highlight_code(const char *language, size_t n_language, const char *text, size_t n,
                    struct buf *out)
{
    struct code code = { find_language(language, n_language), text, n, 0, out };

    if (!code.language)
        put_classed(&code, n, '\0');
    while (code.at < n)
        if (code.language->flags & MARKUP)
            markup_token(&code);
        else if (code.language->flags & LINES)
            line(&code);
        else
            plain_token(&code);
}
