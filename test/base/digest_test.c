#include "base/digest.h"

#include "tap.h"

int main(void)
{
    char text[DIGEST_TEXT];
    struct digest d;

    /* FIPS 180-4 example, RFC 4231 test case 2 */
    digest_text("abc", 3, text);
    is_str(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "SHA-256");
    digest_start(&d);
    digest_add(&d, "a", 1);
    digest_add(&d, "bc", 2);
    digest_end(&d, text);
    is_str(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
           "in pieces it is the same");
    digest_hmac("Jefe", 4, "what do ya want for nothing?", 28, text);
    is_str(text, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
           "HMAC-SHA-256");
    ok(digest_equal("ab", "ab"), "equal texts are equal");
    ok(!digest_equal("ab", "ac") && !digest_equal("ab", "abc"), "others are not");
    return done_testing();
}
