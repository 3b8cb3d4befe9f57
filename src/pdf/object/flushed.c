#include "pdf/object/flushed.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"

#define READ_BYTES (64 << 10)

static bool ends_flushed(const char *bytes, size_t n)
{
    static const char word[] = "endstream", block[] = { 0, 0, '\xff', '\xff' };
    const char *end = memmem(bytes, n, word, sizeof word - 1);

    if (!end)
        return false;
    n = (size_t) (end - bytes);
    if (n > 0 && bytes[n - 1] == '\n')
        n--;
    if (n > 0 && bytes[n - 1] == '\r')
        n--;
    return n >= sizeof block && memcmp(bytes + n - sizeof block, block, sizeof block) == 0;
}

bool flushed_in(const char *document, size_t n, long long offset)
{
    if (offset < 0 || (unsigned long long) offset >= n)
        return false;
    n -= (size_t) offset;
    return ends_flushed(document + offset, n < READ_BYTES ? n : READ_BYTES);
}

bool flushed_in_file(const char *path, long long offset)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    char bytes[READ_BYTES];
    ssize_t n = fd < 0 || offset < 0 ? -1 : pread(fd, bytes, sizeof bytes, offset);

    return n > 0 && ends_flushed(bytes, (size_t) n);
}
