#include "pdf/object/run_lengths.h"

#define END_OF_DATA 128

uint64_t run_lengths_size(const unsigned char *data, size_t n)
{
    uint64_t size = 0;

    for (size_t i = 0; i < n && data[i] != END_OF_DATA;) {
        if (data[i] < END_OF_DATA) {
            size_t literal = (size_t) data[i] + 1, there = n - i - 1;

            size += literal < there ? literal : there;
            i += literal + 1;
        } else {
            size += i + 1 < n ? 257U - data[i] : 0;
            i += 2;
        }
    }
    return size;
}
