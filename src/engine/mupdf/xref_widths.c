#include "engine/mupdf/xref_widths.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/scope.h"
#include "syntax/pdf/lex.h"

/* Fonts have arrays of the same name, with numbers up to 65535 (9.7.4.3, widths of CID fonts). */
#define WIDEST 65535

struct reader {
    struct lex lex;
    const unsigned char *commented; /* the end of the last comments that were skipped */
};

/* Skips white space and comments. A line of a hostile file may have a "/W" before each of its
 * percent signs: its end is searched once. */
static void skip_space(struct reader *r)
{
    while (r->lex.at < r->lex.end && lex_is_space(*r->lex.at))
        r->lex.at++;
    if (r->lex.at == r->lex.end || *r->lex.at != '%')
        return;
    if (r->lex.at < r->commented)
        r->lex.at = r->commented;
    else
        lex_skip_space(&r->lex);
    r->commented = r->lex.at;
}

/* Whether a number of any length is too large. */
static bool is_wide(const struct lex_token *token)
{
    long value = 0;

    for (size_t i = token->at[0] == '+'; i < token->n && value <= WIDEST; i++) {
        if (token->at[i] < '0' || token->at[i] > '9')
            break;
        value = value * 10 + (token->at[i] - '0');
    }
    return value > WIDEST;
}

/* Whether "/W" is followed by an array that begins with three numbers, one of them too large. Reads
 * no other tokens: a string can be as long as the file, and a hostile file has a "/W" before each
 * of its parentheses. */
static bool is_insane(struct reader *r, const unsigned char *at)
{
    struct lex_token token;
    bool wide = false;

    r->lex.at = at;
    skip_space(r);
    if (r->lex.at == r->lex.end || *r->lex.at++ != '[')
        return false;
    for (int numbers = 0; numbers < 3; numbers++) {
        skip_space(r);
        if (r->lex.at == r->lex.end || !strchr("+-.0123456789", *r->lex.at) ||
            !lex_next(&r->lex, &token))
            return false;
        wide = wide || is_wide(&token);
    }
    return wide;
}

bool xref_widths_are_sane(const char *path)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    bool sane = true;

    if (fd < 0 || fstat(fd, &st) < 0 || st.st_size <= 0)
        return false;
    void *data = mmap(NULL, (size_t) st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return false;
    const unsigned char *start = data, *end = start + st.st_size, *at = start;
    struct reader r = { .lex = { .end = end }, .commented = start };
    /* much faster than searching "/W" */
    while (sane && (at = memchr(at, 'W', (size_t) (end - at)))) {
        at++;
        sane = at - start < 2 || at[-2] != '/' || !is_insane(&r, at);
    }
    munmap(data, (size_t) st.st_size);
    return sane;
}
