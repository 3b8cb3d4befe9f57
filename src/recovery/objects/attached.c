#include "recovery/objects/attached.h"

#include <string.h>

#include "recovery/objects/revision.h"
#include "syntax/pdf/lex.h"

#define HEAD      1024  /* bytes in which readers search the header */
#define REVISIONS 10000 /* limit of the startxref that are looked at */

static const unsigned char *find(const unsigned char *from, const unsigned char *end,
                                 const char *word)
{
    return from < end ? memmem(from, (size_t) (end - from), word, strlen(word)) : NULL;
}

static const unsigned char *header_in(const unsigned char *data, size_t n)
{
    const unsigned char *end = data + (n < HEAD ? n : HEAD);
    const unsigned char *header = find(data, end, "%PDF-");

    return header ? header : find(data, end, "%FDF-");
}

bool attached_begins(const unsigned char *data, size_t n)
{
    return header_in(data, n) != NULL;
}

/* The end of the attached file's last revision whose startxref leads, counted from the file's own
 * header, to a cross-reference table; 0: there is none. */
static size_t last_revision(const unsigned char *file, size_t n, size_t header)
{
    const unsigned char *at = file + header, *end = file + n;
    size_t last = 0;

    for (int i = 0; i < REVISIONS && (at = find(at, end, "startxref")); i++) {
        size_t revision = revision_end(file, n, header, (size_t) (at - file));

        last = revision ? revision : last;
        at++;
    }
    return last;
}

/* Whether the word "stream" at `at` begins the data of a stream. */
static bool begins_stream(const unsigned char *from, const unsigned char *at,
                          const unsigned char *end)
{
    if (end - at <= 6 || (at[6] != '\r' && at[6] != '\n'))
        return false;
    while (at > from && lex_is_space(at[-1]))
        at--;
    return at - from >= 2 && memcmp(at - 2, ">>", 2) == 0;
}

/* The "endstream" that belongs to no stream of the attached file; NULL: there is none. */
static const unsigned char *matching_end(const unsigned char *from, const unsigned char *end)
{
    size_t depth = 1;

    for (const unsigned char *at = from; (at = find(at, end, "stream")); at += 6) {
        if (at - from >= 3 && memcmp(at - 3, "end", 3) == 0 && --depth == 0)
            return at - 3;
        depth += begins_stream(from, at, end);
    }
    return NULL;
}

size_t attached_end(const unsigned char *file, size_t n, size_t from, uint64_t length)
{
    const unsigned char *header = header_in(file + from, n - from);
    size_t revision = header ? last_revision(file, n, (size_t) (header - file)) : 0;
    const unsigned char *end = revision ? find(file + revision, file + n, "endstream")
                                        : matching_end(file + from, file + n);

    if (!end && !revision && length > 0 && length < n - from)
        end = find(file + from + length, file + n, "endstream");
    return end ? (size_t) (end - file) : n;
}
