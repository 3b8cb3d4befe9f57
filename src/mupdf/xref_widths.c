#include "mupdf/xref_widths.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/scope.h"
#include "pdf_syntax/lex.h"

/* Fonts have arrays of the same name, with numbers up to 65535 (9.7.4.3, widths of CID fonts). */
#define WIDEST 65535

/* Whether "/W" is followed by an array that begins with three numbers, one of them too large. Reads
 * characters, not tokens of pdf_syntax/lex.h: a string or comment can be as long as the file, and a
 * hostile file has a "/W" before each of its parentheses. */
static bool is_insane(const char *at, const char *end)
{
    bool wide = false;
    int numbers = 0;

    while (at < end && lex_is_space(*at))
        at++;
    if (at == end || *at++ != '[')
        return false;
    while (at < end && numbers < 3) {
        long value = 0;

        if (lex_is_space(*at)) {
            at++;
            continue;
        }
        if (*at < '0' || *at > '9')
            return false;
        for (; at < end && *at >= '0' && *at <= '9'; at++)
            value = value > WIDEST ? value : value * 10 + (*at - '0');
        wide = wide || value > WIDEST;
        numbers++;
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
    const char *at = data, *end = at + st.st_size;
    /* much faster than searching "/W" */
    while (sane && (at = memchr(at, 'W', (size_t) (end - at)))) {
        at++;
        sane = at - 2 < (const char *) data || at[-2] != '/' || !is_insane(at, end);
    }
    munmap(data, (size_t) st.st_size);
    return sane;
}
