/* salvage_main: IN OUT. What src/recovery/salvage makes of a file: for tests, measurements and
 * debuggers. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "recovery/salvage/salvage.h"

int main(int argc, char **argv)
{
    AUTO_BUF struct buf document = BUF_EMPTY;
    struct salvage_report report;
    struct err err;
    struct stat st;
    const void *data;
    int in, out;

    in = argc == 3 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    if (in < 0 || fstat(in, &st) < 0)
        return 2;
    data = mmap(NULL, (size_t) st.st_size + 1, PROT_READ, MAP_PRIVATE, in, 0);
    if (data == MAP_FAILED)
        return 2;
    if (salvage_file(data, (size_t) st.st_size, NULL, &document, &report, &err) < 0) {
        printf("error %s %s\n", err_name(err.code), err.msg);
        return 1;
    }
    out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (out < 0 || fdio_write(out, document.data, document.len, &err) < 0)
        return 2;
    printf("objects %zu pages %zu lost %zu mended %zu tree %d catalog %d text-mode %d\n",
           report.objects, report.pages, report.lost_pages, report.mended_streams,
           report.tree_rebuilt, report.catalog_rebuilt, report.text_mode);
    return 0;
}
