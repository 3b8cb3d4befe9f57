#include "layout/page/areas.h"

#include "layout/page/words.h"

#define TURNS 20

size_t areas_cluster(struct area *areas, size_t n, float gap)
{
    bool joined = true;

    for (int round = 0; joined && round < TURNS; round++) {
        joined = false;
        for (size_t i = 0; i < n; i++)
            for (size_t k = i + 1; k < n;) {
                if (!areas_near(&areas[i], &areas[k], gap)) {
                    k++;
                    continue;
                }
                area_join(&areas[i], &areas[k]);
                areas[k] = areas[--n];
                joined = true;
            }
    }
    return n;
}
