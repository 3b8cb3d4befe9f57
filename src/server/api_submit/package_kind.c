#include "server/api_submit/package_kind.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/scope.h"

#define TAIL 65536 /* bytes of the file's end: where a ZIP lists its members */
#define HEAD 128   /* OpenDocument: its type, uncompressed, in the first member */

/* A member that every document of the kind has, and that no other has. */
static const struct {
    const char *sign, *kind;
} members[] = { { "word/document.xml", "docx" },
                { "xl/workbook.xml", "xlsx" },
                { "ppt/presentation.xml", "pptx" } },
  types[] = { { "application/vnd.oasis.opendocument.text", "odt" },
              { "application/vnd.oasis.opendocument.spreadsheet", "ods" },
              { "application/vnd.oasis.opendocument.presentation", "odp" } };

const char *package_kind(int fd)
{
    struct stat st;
    char bytes[TAIL];
    ssize_t n = pread(fd, bytes, HEAD, 0);

    for (size_t i = 0; n > 0 && i < COUNT(types); i++)
        if (memmem(bytes, (size_t) n, types[i].sign, strlen(types[i].sign)))
            return types[i].kind;
    if (fstat(fd, &st) < 0)
        return "zip";
    n = pread(fd, bytes, sizeof bytes, st.st_size > TAIL ? st.st_size - TAIL : 0);
    for (size_t i = 0; n > 0 && i < COUNT(members); i++)
        if (memmem(bytes, (size_t) n, members[i].sign, strlen(members[i].sign)))
            return members[i].kind;
    return "zip";
}
