/* salvage_main: IN OUT. What src/salvage makes of a file: for tests, measurements and debuggers. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "salvage/salvage.h"

int main(int argc, char **argv)
{
    struct salvage_report report;
    struct err err;
    struct stat st;
    int in, out;
    const void *data;

    if (argc != 3)
        return 2;
    in = open(argv[1], O_RDONLY | O_CLOEXEC);
    out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (in < 0 || out < 0 || fstat(in, &st) < 0)
        return 2;
    data = mmap(NULL, (size_t) st.st_size, PROT_READ, MAP_PRIVATE, in, 0);
    if (data == MAP_FAILED)
        return 2;
    if (salvage(data, (size_t) st.st_size, out, &report, &err) < 0) {
        printf("error %s %s\n", err_name(err.code), err.msg);
        unlink(argv[2]);
        return 1;
    }
    printf("objects %zu pages %zu lost %zu mended %zu tree %d catalog %d text-mode %d\n",
           report.objects, report.pages, report.lost_pages, report.mended_streams,
           report.tree_rebuilt, report.catalog_rebuilt, report.text_mode);
    return 0;
}
