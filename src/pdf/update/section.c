#include "pdf/update/section.h"

#include <ctype.h>
#include <string.h>

#include "base/fdio.h"
#include "base/num.h"
#include "syntax/pdf/lex.h"

#define HEAD  1024 /* bytes in which readers search the header */
#define TAIL  1054 /* bytes in which they search startxref */
#define BLANK 32   /* blanks that they skip before a section */

#define MAX_NUMBER 8388606 /* of an object: ISO 32000-1, Annex C */

static int corrupt(struct err *err)
{
    return err_set(err, ERR_CORRUPT_FILE,
                   "the document's cross-reference table is damaged: run repair first");
}

/* Reads the number after the word `text` of n bytes, which ends with a NUL. Both must be
 * separate tokens: otherwise some readers ignore this startxref and search an earlier one. */
static bool number_behind(const char *text, size_t n, int64_t *out)
{
    size_t blanks = strspn(text + n, " \t\r\n\f"), digits;

    text += n + blanks;
    digits = strspn(text, "0123456789");
    return blanks > 0 && !lex_is_regular(text[digits]) &&
           num_parse_i64(text, digits, 0, INT64_MAX / 2, out);
}

static int find_end(int fd, int64_t bytes, struct section *section, struct err *err)
{
    char tail[TAIL + 1];
    int64_t from = bytes > TAIL ? bytes - TAIL : 0;
    ssize_t n = fdio_read_at(fd, tail, TAIL, from, err);
    char *last = NULL, *at = tail;

    if (n < 0)
        return -1;
    tail[n] = 0;
    section->newline = n > 0 && (tail[n - 1] == '\n' || tail[n - 1] == '\r');
    while ((at = memmem(at, (size_t) (tail + n - at), "startxref", 9)))
        last = at++;
    if (!last || (last > tail && lex_is_regular(last[-1])) ||
        !number_behind(last, 9, &section->offset))
        return corrupt(err);
    return 0;
}

int section_find(int fd, int64_t bytes, struct section *section, struct err *err)
{
    char head[HEAD + 1], start[BLANK + 8];
    int64_t number;
    ssize_t n;

    *section = (struct section){ 0 };
    if (find_end(fd, bytes, section, err) < 0 || (n = fdio_read_at(fd, head, HEAD, 0, err)) < 0)
        return -1;
    char *header = memmem(head, (size_t) n, "%PDF-", 5);
    if (!header)
        return corrupt(err);
    section->header = header - head;
    if (section->offset <= 0 || section->offset >= bytes - section->header)
        return corrupt(err);
    n = fdio_read_at(fd, start, sizeof start - 1, section->header + section->offset, err);
    if (n < 0)
        return -1;
    start[n] = 0;
    const char *at = start;
    while (at < start + n && lex_is_space(*at))
        at++;
    section->stream = isdigit((unsigned char) *at);
    if (section->stream && num_parse_i64(at, strspn(at, "0123456789"), 1, MAX_NUMBER, &number))
        section->number = (int) number;
    if (!section->stream && strncmp(at, "xref", 4) != 0)
        return corrupt(err);
    return 0;
}
