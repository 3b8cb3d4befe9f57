#include "data/account/key.h"

#include "tap.h"

/* The letters of a key that are changed one by one. */
static void test_check(void)
{
    static const char old[] = "pk_gIY53oLX_PBYXWSZSEfcoMUYc5gTVJjjtaQB5K7UIjo0plHC",
                      known[] = "pk_00000000_000000000000000000000000000000000_0WJ9Xm";
    char key[KEY_TEXT], broken[KEY_TEXT], prefix[KEY_PREFIX], digest[DIGEST_TEXT];
    size_t accepted = 0;

    key_make(KEY_SUBMIT, false, key);
    for (size_t i = 0; i < KEY_TEXT - 1; i++) {
        memcpy(broken, key, KEY_TEXT);
        broken[i] = key[i] == 'a' ? 'b' : 'a';
        accepted += key_split(broken, prefix, digest);
    }
    is_int(accepted, 0, "a key with one wrong letter is not one, whichever it is");
    ok(key_split(old, prefix, digest), "keys without a checksum, of older versions, are accepted");
    ok(key_split(known, prefix, digest), "the checksum is CRC-32 to the base 62");
}

static void test_tools(void)
{
    struct key key = { .tools = "" };
    char many[KEY_TOOLS + 1];

    ok(key_may_use(&key, "merge"), "a key without a list may use every tool");
    ok(key_tools_read(" merge,compress  to-png ", key.tools), "a list of tools can be read");
    is_str(key.tools, "merge compress to-png", "it is kept with one blank between them");
    ok(key_may_use(&key, "merge") && key_may_use(&key, "to-png"), "its tools may be used");
    ok(!key_may_use(&key, "mer") && !key_may_use(&key, "merges") && !key_may_use(&key, ""),
       "no other may");
    ok(!key_tools_read("merge;compress", key.tools) && !key_tools_read("Merge", key.tools),
       "other letters are refused");
    memset(many, 'a', KEY_TOOLS);
    many[KEY_TOOLS] = '\0';
    ok(!key_tools_read(many, key.tools), "a list that is too long is refused");
}

int main(void)
{
    char a[KEY_TEXT], b[KEY_TEXT], prefix[KEY_PREFIX], digest[DIGEST_TEXT], want[DIGEST_TEXT];
    char broken[KEY_TEXT + 1];

    key_make(KEY_MANAGE, false, a);
    key_make(KEY_MANAGE, false, b);
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
        key_make(scope, false, a);
        ok(key_split(a, prefix, digest) && key_scope(prefix) == scope &&
               key_scope_find(key_scope_name(scope)) == scope,
           "the prefix of a key says its scope, %s", key_scope_name(scope));
    }
    key_make(KEY_READ, true, a);
    ok(key_split(a, prefix, digest) && key_is_test(prefix) && key_scope(prefix) == KEY_READ,
       "the prefix of a test key says so, and its scope (%s)", prefix);
    ok(!key_is_test(b), "a key that is not for tests is not a test key");
    is_int(key_scope_find("all"), KEY_SCOPES, "there is no scope of another name");
    test_check();
    test_tools();
    memcpy(a, "px_", 3);
    ok(!key_split(a, prefix, digest), "a key with the letters of no scope is none");
    return done_testing();
}
