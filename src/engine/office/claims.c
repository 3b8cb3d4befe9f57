#include "engine/office/claims.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/scope.h"

/* As LibreOffice writes them: metadata of PDF/A-1 has no filter, nor has a catalog. */
#define LEVEL_A "<pdfaid:conformance>A</pdfaid:conformance>"
#define LEVEL_B "<pdfaid:conformance>B</pdfaid:conformance>"
#define MARKED  "/MarkInfo<</Marked true>>"

static void replace_claim(char *data, size_t n, const char *claim, const char *instead)
{
    size_t len = strlen(claim);
    char *at = memmem(data, n, claim, len);

    if (!at)
        return;
    if (instead)
        memcpy(at, instead, len);
    else
        memset(at, ' ', len);
}

int claims_mend(const char *path, struct err *err)
{
    AUTO_CLOSE int fd = open(path, O_RDWR | O_CLOEXEC);
    struct stat st;
    char *data;
    size_t n;

    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(err, "LibreOffice's PDF");
    n = (size_t) st.st_size;
    data = n ? mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : NULL;
    if (data == MAP_FAILED)
        return err_sys(err, "LibreOffice's PDF");
    if (!data)
        return 0;
    replace_claim(data, n, LEVEL_A, LEVEL_B);
    if (!memmem(data, n, "/StructTreeRoot", 15))
        replace_claim(data, n, MARKED, NULL);
    munmap(data, n);
    return 0;
}
