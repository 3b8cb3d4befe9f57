#include "engine/ocr/one_thread.h"

struct parts {
    unsigned next, n;
};

static struct parts parts; /* of the innermost call of GOMP_parallel_sections */

void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel_sections(void (*run)(void *), void *data, unsigned threads, unsigned n,
                            unsigned flags);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags)
{
    (void) threads, (void) flags;
    run(data);
}

void GOMP_parallel_sections(void (*run)(void *), void *data, unsigned threads, unsigned n,
                            unsigned flags)
{
    struct parts outer = parts;

    (void) threads, (void) flags;
    parts = (struct parts){ .n = n };
    run(data);
    parts = outer;
}

unsigned GOMP_sections_next(void)
{
    return parts.next < parts.n ? ++parts.next : 0;
}

void GOMP_sections_end_nowait(void) {}

void one_thread_use(void) {}
