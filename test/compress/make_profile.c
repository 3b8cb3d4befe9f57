/* make_profile FILE: writes the profile of print_profile.h. */
#include <stdio.h>
#include <stdlib.h>

#include "print_profile.h"

int main(int argc, char **argv)
{
    size_t n = 0;
    void *data = argc == 2 ? print_profile(&n) : NULL;
    FILE *file = data ? fopen(argv[1], "wb") : NULL;
    int bad = !file || fwrite(data, 1, n, file) != n;

    if (file && fclose(file) != 0)
        bad = 1;
    free(data);
    return bad;
}
