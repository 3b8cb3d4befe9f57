#include "pdf/object/run_lengths.h"

#include "tap.h"

static uint64_t size_of(const char *data, size_t n)
{
    return run_lengths_size((const unsigned char *) data, n);
}

int main(void)
{
    is_int(size_of("", 0), 0, "no data has no length");
    is_int(size_of("\x02"
                   "abc",
                   4),
           3, "literal bytes count once");
    is_int(size_of("\x81 ", 2), 128, "a byte is repeated up to 128 times");
    is_int(size_of("\xff ", 2), 2, "a byte is repeated twice at least");
    is_int(size_of("\x00"
                   "a\x81 \x01xy",
                   7),
           131, "the lengths of runs are added");
    is_int(size_of("\x81 \x80\x81 ", 5), 128, "data after the end marker does not count");
    is_int(size_of("\x05"
                   "ab",
                   3),
           2, "a literal run ends with the data");
    is_int(size_of("\x81", 1), 0, "a run without its byte does not count");
    return done_testing();
}
