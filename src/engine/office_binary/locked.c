#include "engine/office_binary/locked.h"

#include "base/fdio.h"
#include "base/octets.h"
#include "base/scope.h"
#include "engine/office_binary/ole.h"

#define FIB_BYTES   32
#define FLAGS       10     /* in the file information block */
#define ENCRYPTED   0x0100 /* fEncrypted */
#define FIRST_BYTES 8192   /* of a workbook: the record comes before all that is encrypted */
#define FILE_PASS   0x2f
#define END         0x0a

/* Whether there is such a record before the end of the first substream. */
static bool has_file_pass(const char *at, size_t bytes)
{
    const char *end = at + bytes;

    while (end - at >= 4) {
        unsigned type = octets_le16(at), n = octets_le16(at + 2);

        if (type == FILE_PASS || type == END)
            return type == FILE_PASS;
        if ((size_t) (end - at) - 4 < n)
            return false;
        at += 4 + n;
    }
    return false;
}

static int read_compound(int fd, bool *locked, struct err *err)
{
    AUTO_BUF struct buf fib = BUF_EMPTY, book = BUF_EMPTY;
    AUTO_OLE struct ole *ole = ole_open(fd, err);
    int found;

    if (!ole || ole_read(ole, "WordDocument", FIB_BYTES, &fib, err) < 0)
        return -1;
    found = ole_read(ole, "Workbook", FIRST_BYTES, &book, err);
    if (found == 0)
        found = ole_read(ole, "Book", FIRST_BYTES, &book, err);
    *locked = (fib.len >= FLAGS + 2 && octets_le16(fib.data + FLAGS) & ENCRYPTED) ||
              has_file_pass(buf_text(&book), book.len);
    return found < 0 ? -1 : 0;
}

int locked_document(int fd, bool *locked, struct err *err)
{
    char head[FIRST_BYTES];
    ssize_t n = fdio_read_at(fd, head, sizeof head, 0, err);

    *locked = false;
    if (n <= 0)
        return n < 0 ? -1 : 0;
    if (head[0] != 9)
        return read_compound(fd, locked, err);
    *locked = has_file_pass(head, (size_t) n); /* BIFF2 to BIFF4, in no compound file */
    return 0;
}
