#include "base/id.h"

#include "base/clock.h"
#include "tap.h"

int main(void)
{
    char a[ID_TEXT], b[ID_TEXT], secret[41];

    clock_hold(0x019234567890);
    id_new(a);
    ok(strncmp(a, "01923456-7890-7", 15) == 0, "a UUIDv7 begins with the time (%s)", a);
    ok(strchr("89ab", a[19]) != NULL, "an id has the variant of RFC 9562");
    ok(id_is_valid(a), "a new id is valid");
    clock_hold(0x019234567891);
    id_new(b);
    ok(strcmp(a, b) < 0, "ids are ordered by time");
    ok(!id_is_valid("") && !id_is_valid("01923456-7890-7"),
       "a text that is too short is not a valid id");
    a[3] = 'G';
    ok(!id_is_valid(a), "a text with another letter than a to f is not a valid id");
    ok(!id_is_valid("01923456-7890-4abc-8abc-0123456789ab"),
       "a UUID of version 4 is not a valid id");
    id_secret(secret, 40);
    is_int(strlen(secret), 40, "a secret has the length asked for");
    is_int(strspn(secret, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"), 40,
           "a secret has only letters and digits");
    return done_testing();
}
