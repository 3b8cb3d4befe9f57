/* Tests of pdf/idmap. */
#include "pdf/object/idmap.h"

#include "tap.h"

int main(void)
{
    AUTO_IDMAP struct idmap map = { 0 };
    bool all = true;

    is_int(idmap_find(&map, 7), IDMAP_NONE, "an empty map knows nothing");
    for (int64_t i = 1; i <= 100000; i++)
        all &= idmap_add(&map, i << 20, (size_t) i);
    for (int64_t i = 1; i <= 100000; i++)
        all &= idmap_find(&map, i << 20) == (size_t) i;
    ok(all, "100000 ids that were added are found");
    is_int(idmap_find(&map, (int64_t) 100001 << 20), IDMAP_NONE,
           "an id that was not added is not found");
    idmap_add(&map, 1 << 20, 9);
    is_int(idmap_find(&map, 1 << 20), 1, "a key keeps its first number");
    ok(idmap_add(&map, 0, 3) && idmap_find(&map, 0) == IDMAP_NONE,
       "0, which stands for objects without an id, is never found");
    return done_testing();
}
