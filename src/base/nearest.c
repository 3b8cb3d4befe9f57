#include "base/nearest.h"

#include <ctype.h>
#include <string.h>

#define NAME 64

static int letter(char c)
{
    return c == '-' ? '_' : tolower((unsigned char) c);
}

bool nearest_same(const char *a, const char *b)
{
    while (*a && letter(*a) == letter(*b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t nearest_distance(const char *a, const char *b, size_t most)
{
    size_t rows[3][NAME + 1], n = strlen(a), m = strlen(b);

    if (n > NAME || m > NAME || n > m + most || m > n + most)
        return most + 1;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        const size_t *before = rows[(i - 1) % 3], *two = rows[(i + 1) % 3];
        size_t *row = rows[i % 3];

        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            bool same = letter(a[i - 1]) == letter(b[j - 1]);

            row[j] = least(before[j - 1] + !same, least(before[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) &&
                letter(a[i - 2]) == letter(b[j - 1]))
                row[j] = least(row[j], two[j - 2] + 1);
        }
    }
    return least(rows[n % 3][m], most + 1);
}

/* "rate" is in one name only and means that; "timeout" is in several. */
static const char *only_part(const char *word, const char *(*at)(const void *arg, size_t i),
                             const void *arg)
{
    const char *found = NULL, *name;

    if (strlen(word) < 4)
        return NULL;
    for (size_t i = 0; (name = at(arg, i)) != NULL; i++) {
        if (!strstr(name, word))
            continue;
        if (found)
            return NULL;
        found = name;
    }
    return found;
}

const char *nearest_name(const char *word, const char *(*at)(const void *arg, size_t i),
                         const void *arg)
{
    size_t most = 1 + strlen(word) / 4, best = most + 1;
    const char *found = NULL, *name;

    for (size_t i = 0; (name = at(arg, i)) != NULL; i++) {
        size_t distance = nearest_distance(word, name, most);

        if (distance < best && distance < strlen(name)) {
            best = distance;
            found = name;
        }
    }
    return found ? found : only_part(word, at, arg);
}
