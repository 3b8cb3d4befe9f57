#include "server/api/prefer.h"

#include "base/scope.h"
#include "tap.h"

static const struct {
    const char *text;
    int seconds;
} rows[] = {
    { NULL, 0 },
    { "", 0 },
    { "wait=10", 10 },
    { "WAIT = 10", 10 },
    { "wait=\"7\"", 7 },
    { "respond-async, wait=10", 10 },
    { "return=minimal; foo=\"some, wait=5\", wait=9", 9 },
    { "foo=\"a\\\", wait=3\", wait=4", 4 },
    { "wait=5, wait=50", 5 },
    { "wait=0", 0 },
    { "wait=61", 60 },
    { "wait=99999999999999999999999", 60 },
    { "wait=-1", 0 },
    { "wait=soon", 0 },
    { "wait", 0 },
    { "waiter=5", 0 },
    { "handling=lenient", 0 },
    { ",, ,wait=2", 2 },
    { "foo=\"unended, wait=2", 0 },
};

int main(void)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        is_int(prefer_wait(rows[i].text), rows[i].seconds, "Prefer: %s",
               rows[i].text ? rows[i].text : "(none)");
    return done_testing();
}
