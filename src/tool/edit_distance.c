#include "tool/edit_distance.h"

#include <ctype.h>
#include <string.h>

size_t edit_distance(const char *a, const char *b)
{
    size_t row[41], n = strlen(b);

    if (strlen(a) > 40 || n > 40)
        return 99;
    for (size_t k = 0; k <= n; k++)
        row[k] = k;
    for (size_t i = 0; a[i]; i++) {
        size_t corner = row[0];

        row[0] = i + 1;
        for (size_t k = 0; k < n; k++) {
            size_t swap = corner + (tolower((unsigned char) a[i]) != tolower((unsigned char) b[k]));

            corner = row[k + 1];
            row[k + 1] = row[k] < corner ? row[k] + 1 : corner + 1;
            if (swap < row[k + 1])
                row[k + 1] = swap;
        }
    }
    return row[n];
}
