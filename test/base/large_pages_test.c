#include "base/system/large_pages.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"

/* Bytes of the mappings between these two that are to have large pages (hg; proc(5), smaps). */
static size_t asked(const char *from, const char *to)
{
    FILE *maps = fopen("/proc/self/smaps", "re");
    uintptr_t begin = 0, end = 0;
    size_t bytes = 0;
    char line[512];

    while (maps && fgets(line, sizeof line, maps)) {
        char *rest;
        uintptr_t number = (uintptr_t) strtoull(line, &rest, 16);

        if (rest > line && *rest == '-') {
            begin = number;
            end = (uintptr_t) strtoull(rest + 1, NULL, 16);
        }
        if (strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " hg") && begin >= (uintptr_t) from &&
            end <= (uintptr_t) to)
            bytes += end - begin;
    }
    if (maps)
        fclose(maps);
    return bytes;
}

int main(void)
{
    size_t n = 5 * LARGE_PAGE;
    char *room = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *first = room + LARGE_PAGE - (uintptr_t) room % LARGE_PAGE; /* a boundary */

    large_pages_ask(first - 100, LARGE_PAGE);
    large_pages_ask(NULL, n);
    ok(asked(room, room + n) == 0, "nothing is asked for what has no whole large page");
    large_pages_ask(first - 100, 2 * LARGE_PAGE + 200);
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0)
        ok(asked(first, first + 2 * LARGE_PAGE) == 2 * LARGE_PAGE &&
               asked(room, room + n) == 2 * LARGE_PAGE,
           "large pages are asked for those that lie within, and no others");
    return done_testing();
}
