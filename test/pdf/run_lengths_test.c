#include "pdf/run_lengths.h"

#include "tap.h"

static uint64_t size_of(const char *data, size_t n)
{
    return run_lengths_size((const unsigned char *) data, n);
}

int main(void)
{
    is_int(size_of("", 0), 0, "nothing becomes nothing");
    is_int(size_of("\x02"
                   "abc",
                   4),
           3, "bytes as they are count once");
    is_int(size_of("\x81 ", 2), 128, "a byte is repeated up to 128 times");
    is_int(size_of("\xff ", 2), 2, "or twice");
    is_int(size_of("\x00"
                   "a\x81 \x01xy",
                   7),
           131, "one run after the other");
    is_int(size_of("\x81 \x80\x81 ", 5), 128, "up to the end that is said");
    is_int(size_of("\x05"
                   "ab",
                   3),
           2, "or to that of the data");
    is_int(size_of("\x81", 1), 0, "a run without its byte is none");
    return done_testing();
}
