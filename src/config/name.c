#include "config/name.h"

#include <ctype.h>
#include <string.h>

#define NAME 64

static int letter(char c)
{
    return c == '-' ? '_' : tolower((unsigned char) c);
}

bool name_same(const char *a, const char *b)
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

size_t name_distance(const char *a, const char *b, size_t most)
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

const char *name_nearest(const char *word, const char *(*at)(size_t i), size_t n)
{
    size_t most = 1 + strlen(word) / 5, best = most + 1;
    const char *found = NULL;

    for (size_t i = 0; i < n; i++) {
        size_t distance = name_distance(word, at(i), most);

        if (distance < best) {
            best = distance;
            found = at(i);
        }
    }
    /* A word that begins or ends exactly one name means that name: "rate" does, "timeout" does
     * not. */
    for (size_t i = 0; !found && i < n && strlen(word) >= 4; i++) {
        if (!strstr(at(i), word))
            continue;
        for (size_t k = i + 1; k < n; k++)
            if (strstr(at(k), word))
                return NULL;
        return at(i);
    }
    return found;
}
