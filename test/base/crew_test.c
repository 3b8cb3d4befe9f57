#include "base/system/crew.h"

#include <stdatomic.h>

#include "tap.h"

static atomic_int done;

static void work(void *arg)
{
    atomic_fetch_add(&done, *(int *) arg);
}

int main(void)
{
    struct err err;
    struct crew *crew = crew_new("test", 4, &err);
    int one = 1, failed = 0;

    ok(crew != NULL, "a crew can be had");
    for (int i = 0; i < 1000; i++)
        failed += crew_add(crew, work, &one) < 0;
    crew_free(crew);
    is_int(failed, 0, "tasks are taken");
    is_int(atomic_load(&done), 1000, "all are done before the crew goes, each once");
    crew_free(NULL);
    return done_testing();
}
