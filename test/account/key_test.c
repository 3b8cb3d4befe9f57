#include "data/account/key.h"

#include "tap.h"

int main(void)
{
    char a[KEY_TEXT], b[KEY_TEXT], prefix[KEY_PREFIX], digest[DIGEST_TEXT], want[DIGEST_TEXT];
    char broken[KEY_TEXT + 1];

    key_make(KEY_MANAGE, a);
    key_make(KEY_MANAGE, b);
    is_int(strlen(a), KEY_TEXT - 1, "a key has its full length");
    ok(strcmp(a, b) != 0, "two keys differ");
    ok(key_split(a, prefix, digest), "a key that was made has the form of a key");
    ok(strncmp(prefix, "pk_", 3) == 0 && strncmp(a, prefix, strlen(prefix)) == 0,
       "its prefix is its beginning (%s)", prefix);
    is_int(strlen(prefix), KEY_PREFIX - 1, "the prefix of a key has eleven characters");
    digest_text(a, strlen(a), want);
    is_str(digest, want, "the digest of a key is the SHA-256 of the whole text");

    snprintf(prefix, sizeof prefix, "untouched");
    for (size_t n = 0; n < KEY_TEXT - 1; n++) {
        memcpy(broken, a, n);
        broken[n] = '\0';
        if (key_split(broken, prefix, digest))
            break;
    }
    is_str(prefix, "untouched", "a text that is too short does not have the form of a key");
    snprintf(broken, sizeof broken, "%sA", a);
    ok(!key_split(broken, prefix, digest),
       "a text that is too long does not have the form of a key");
    for (size_t i = 0; i < KEY_TEXT - 1; i++) {
        memcpy(broken, a, KEY_TEXT);
        broken[i] = '-';
        if (key_split(broken, prefix, digest))
            break;
    }
    is_str(prefix, "untouched", "a text with a punctuation mark does not have the form of a key");
    memcpy(broken, a, KEY_TEXT);
    broken[20] = '\xe9';
    ok(!key_split(broken, prefix, digest),
       "a text with a character beyond ASCII does not have the form of a key");
    for (enum key_scope scope = 0; scope < KEY_SCOPES; scope++) {
        key_make(scope, a);
        ok(key_split(a, prefix, digest) && key_scope(prefix) == scope &&
               key_scope_find(key_scope_name(scope)) == scope,
           "the prefix of a key says its scope, %s", key_scope_name(scope));
    }
    is_int(key_scope_find("all"), KEY_SCOPES, "there is no scope of another name");
    memcpy(a, "px_", 3);
    ok(!key_split(a, prefix, digest), "a key with the letters of no scope is none");
    return done_testing();
}
