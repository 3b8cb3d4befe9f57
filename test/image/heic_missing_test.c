/* Run with a path of libraries whose libheif cannot be opened. */
#include <string.h>

#include "image/heic/heic.h"
#include "tap.h"

int main(void)
{
    struct err err = { 0 };
    struct heic *file = heic_open((const uint8_t *) "", 0, &err);

    ok(!file, "without libheif no HEIC is opened");
    ok(err.code == ERR_UNSUPPORTED_CONTENT && strstr(err.msg, "libheif1") &&
           strstr(err.msg, "Most Compatible"),
       "what to do is said to operators and users");
    heic_close(file);
    return done_testing();
}
