/* list: makes room for one more item in an array that grows. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>

/* Makes room for one more than n items of `size` bytes. `items` is the address of the array's
 * pointer. False when out of memory; the array is then unchanged. */
static inline bool list_room(void *items, size_t *cap, size_t n, size_t size)
{
    size_t wanted = *cap ? *cap * 2 : 16;
    void *more;

    if (n < *cap)
        return true;
    more = reallocarray(*(void **) items, wanted, size);
    if (!more)
        return false;
    *(void **) items = more;
    *cap = wanted;
    return true;
}

/* Makes room in `array` for one more than its n items; `cap` is its capacity. */
#define LIST_ROOM(array, n, cap) list_room(&(array), &(cap), (n), sizeof *(array))
