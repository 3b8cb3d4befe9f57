#include "recovery/salvage/cut_update.h"

#include <string.h>

#include "recovery/objects/revision.h"
#include "syntax/pdf/lex.h"
#include "syntax/pdf/syntax.h"

#define HEAD      1024 /* bytes in which readers search the header */
#define REVISIONS 256  /* limit of the startxref that are looked at */

/* The last place of a word that begins before `until`; `n` if there is none. */
static size_t find_last(const unsigned char *file, size_t n, size_t until, const char *word)
{
    size_t length = strlen(word);

    for (size_t i = until; i > 0;) {
        const unsigned char *found = memrchr(file, word[0], i);

        if (!found)
            return n;
        i = (size_t) (found - file);
        if (n - i >= length && memcmp(found, word, length) == 0)
            return i;
    }
    return n;
}

static bool are_blanks(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!lex_is_space(bytes[i]))
            return false;
    return true;
}

bool cut_update_is_excluded(const unsigned char *end, size_t n)
{
    size_t eof = find_last(end, n, n, "%%EOF");

    return eof < n && are_blanks(end + eof + 5, n - eof - 5);
}

static bool is_trailer(struct syntax s)
{
    if (!syntax_skip_word(&s, "trailer"))
        return false;
    syntax_skip_space(&s);
    return s.at >= s.n || syntax_skip_word(&s, "<<");
}

static bool is_startxref(struct syntax s)
{
    uint64_t offset;

    if (!syntax_skip_word(&s, "startxref"))
        return false;
    syntax_skip_space(&s);
    return s.at >= s.n || syntax_unsigned(&s, &offset);
}

/* Whether one of the parts of an update begins at the start of one of the lines from `at` on. */
static bool has_part(const unsigned char *file, size_t n, size_t at)
{
    struct syntax s = { .data = file, .n = n, .at = at };

    while (s.at < n) {
        while (s.at < n && lex_is_space(file[s.at]))
            s.at++;
        if (revision_is_header(s) || revision_is_table(s) || is_trailer(s) || is_startxref(s))
            return true;
        while (s.at < n && file[s.at] != '\n' && file[s.at] != '\r')
            s.at++;
    }
    return false;
}

static size_t header_of(const unsigned char *file, size_t n)
{
    const unsigned char *header = memmem(file, n < HEAD ? n : HEAD, "%PDF-", 5);

    return header ? (size_t) (header - file) : 0;
}

bool cut_update_find(const unsigned char *file, size_t n, size_t *whole)
{
    size_t at = n, end = 0;

    for (int i = 0; i < REVISIONS && end == 0; i++) {
        at = find_last(file, n, at, "startxref");
        if (at == n)
            return false;
        end = revision_end(file, n, 0, at);
        if (end == 0)
            end = revision_end(file, n, header_of(file, n), at);
    }
    *whole = end;
    return end > 0 && has_part(file, n, end);
}
