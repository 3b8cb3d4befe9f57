#include "base/system/large_pages.h"

#include <stdint.h>
#include <sys/mman.h>

void large_pages_ask(void *memory, size_t n)
{
    uintptr_t begin = (uintptr_t) memory;
    uintptr_t from = (begin + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
    uintptr_t to = (begin + n) & ~(LARGE_PAGE - 1);

    if (memory && from < to) /* an error is ignored: small pages are only slower */
        madvise((char *) memory + (from - begin), to - from, MADV_HUGEPAGE);
}
