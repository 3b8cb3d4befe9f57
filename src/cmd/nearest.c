#include "cmd/nearest.h"

#include <string.h>

#include "config/name.h"

const char *cmd_nearest(const char *word, const char *(*at)(const void *cls, size_t i),
                        const void *cls)
{
    size_t most = 1 + strlen(word) / 4, best = most + 1;
    const char *found = NULL, *name;

    for (size_t i = 0; (name = at(cls, i)) != NULL; i++) {
        size_t distance = name_distance(word, name, most);

        if (distance < best && distance < strlen(name)) {
            best = distance;
            found = name;
        }
    }
    return found;
}

const char *cmd_nearest_in_list(const void *cls, size_t i)
{
    const char *const *names = cls;

    return names[i];
}
