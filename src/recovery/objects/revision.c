#include "recovery/objects/revision.h"

#include <ctype.h>
#include <string.h>

#include "syntax/pdf/lex.h"

#define DICT 4096 /* bytes in which a cross-reference stream says what it is */

/* Skips a word, of which the end of the file may have cut some, but not its first `least` bytes. */
static bool skip_cut_word(struct syntax *s, const char *word, size_t least)
{
    size_t n = strlen(word);

    if (n > s->n - s->at)
        n = s->n - s->at;
    if (n < least || memcmp(s->data + s->at, word, n) != 0)
        return false;
    s->at += n;
    return true;
}

bool revision_is_header(struct syntax s)
{
    uint64_t number, generation;

    if (!syntax_unsigned(&s, &number) || s.at >= s.n || !lex_is_space(s.data[s.at]))
        return false;
    syntax_skip_space(&s);
    if (!syntax_unsigned(&s, &generation) || s.at >= s.n || !lex_is_space(s.data[s.at]))
        return false;
    syntax_skip_space(&s);
    return skip_cut_word(&s, "obj", 1) &&
           (s.at >= s.n || !lex_is_regular(s.data[s.at]) || isdigit(s.data[s.at]));
}

bool revision_is_table(struct syntax s)
{
    uint64_t number;

    if (!syntax_skip_word(&s, "xref"))
        return false;
    if (s.at < s.n && !lex_is_space(s.data[s.at]))
        return false;
    syntax_skip_space(&s);
    return s.at >= s.n || syntax_unsigned(&s, &number);
}

bool revision_is_start(struct syntax s)
{
    syntax_skip_space(&s);
    return revision_is_table(s) ||
           (revision_is_header(s) &&
            memmem(s.data + s.at, s.n - s.at < DICT ? s.n - s.at : DICT, "/XRef", 5));
}

size_t revision_end(const unsigned char *file, size_t n, size_t header, size_t at)
{
    struct syntax s = { .data = file, .n = n, .at = at + strlen("startxref") };
    uint64_t offset;
    size_t end;

    syntax_skip_space(&s);
    if (!syntax_unsigned(&s, &offset) || offset == 0 || offset >= at ||
        header + (size_t) offset >= at ||
        !revision_is_start(
            (struct syntax){ .data = file, .n = at, .at = header + (size_t) offset }))
        return 0;
    end = s.at;
    while (s.at < n && lex_is_space(file[s.at]))
        s.at++;
    return skip_cut_word(&s, "%%EOF", 1) ? s.at : end;
}
