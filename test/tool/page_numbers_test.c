#include "declare/tool_run/page_numbers.h"

#include <string.h>

#include "tap.h"

static const char *shorten(const char *list, size_t size)
{
    static char out[200];

    memset(out, '#', sizeof out);
    page_numbers_shorten(list, out, size);
    return strlen(out) < size && out[size] == '#' ? out : "it does not fit";
}

int main(void)
{
    char out[24];

    is_str(shorten("1,2,3,7", 30), "1,2,3,7", "what fits stays as it is");
    is_str(shorten("", 16), "", "an empty list, too");
    is_str(shorten("1,2,3,4,5,6,7,8,9,10,12", 23), "1-10,12", "what does not has ranges");
    is_str(shorten("1-3,4,5,6,9-10,11,20,22", 20), "1-6,9-11,20,22", "ranges are joined");
    is_str(shorten("1,2,4,6,8,10,12,14,16,18", 24), "1-2,4,6,8,10,12,14...",
           "what is too long still is cut after a number, and says so");
    is_str(shorten("101,103,105,107,109", 19), "101,103,105,107...", "to the last byte");
    is_str(shorten("101,103,105,107,109", 20), "101,103,105,107,109", "of the room");
    is_str(shorten("12345678901,12345678903", 16), "12345678901...", "whatever the numbers are");
    is_str(shorten("123456789012345,7", 16), "...", "also if none has room");
    ok(page_numbers_shorten("1,2,3", out, sizeof out), "a whole list is told from");
    ok(!page_numbers_shorten("1,3,5,7,9,11,13,15,17,19", out, 16),
       "one of which a part is left out");
    is_str(PAGE_NUMBERS("1,2,3,4,5,6,7,8,9", 16), "1-9", "as an expression");
    return done_testing();
}
