/* Addresses of callbacks as they are submitted. */
#include "base/scope.h"
#include "data/job/delivery.h"
#include "server/webhook/callback.h"
#include "tap.h"

static const struct {
    const char *url, *want; /* NULL: refused */
} cases[] = {
    { "https://example.com/hook", "https://example.com/hook" },
    { "HTTPS://Example.COM/Hook?A=b%20c", "https://example.com/Hook?A=b%20c" },
    { "https://example.com", "https://example.com/" },
    { "https://example.com?x=1", "https://example.com/?x=1" },
    { "https://example.com:443/", "https://example.com/" },
    { "https://example.com:80/", "https://example.com:80/" },
    { "https://example.com:8443/a", "https://example.com:8443/a" },
    { "https://a_b.xn--bcher-kva.example/", "https://a_b.xn--bcher-kva.example/" },
    { "https://1.1.1.1/", "https://1.1.1.1/" },
    { "https://[2606:4700:4700::1111]:8443/x", "https://[2606:4700:4700::1111]:8443/x" },
    { "https://10.9.8.7/", "https://10.9.8.7/" }, /* on the operator's list */
    { "http://example.com/", NULL },
    { "ftp://example.com/", NULL },
    { "file:///etc/passwd", NULL },
    { "gopher://example.com/", NULL },
    { "example.com/hook", NULL },
    { "//example.com/hook", NULL },
    { "https:/example.com/", NULL },
    { "https:example.com/", NULL },
    { "https:///path", NULL },
    { "https://", NULL },
    { "https://:8443/", NULL },
    { "https://user@example.com/", NULL },
    { "https://user:word@example.com/", NULL },
    { "https://example.com@127.0.0.1/", NULL },
    { "https://example.com\\@127.0.0.1/", NULL },
    { "https://example.com#@127.0.0.1/", NULL },
    { "https://example.com/#part", NULL },
    { "https://exa mple.com/", NULL },
    { " https://example.com/", NULL },
    { "https://example.com/a b", NULL },
    { "https://example.com/a\nHost: b", NULL },
    { "https://example.com/\xc3\xa4", NULL },
    { "https://b\xc3\xbc"
      "cher.example/",
      NULL },
    { "https://example.com./", NULL },
    { "https://example..com/", NULL },
    { "https://.example.com/", NULL },
    { "https://exa%6dple.com/", NULL },
    { "https://example.com:/", NULL },
    { "https://example.com:0/", NULL },
    { "https://example.com:22/", NULL },
    { "https://example.com:25/", NULL },
    { "https://example.com:1023/", NULL },
    { "https://example.com:65536/", NULL },
    { "https://example.com:8443x/", NULL },
    { "https://example.com:+443/", NULL },
    { "https://localhost/", NULL },
    { "https://api.localhost/", NULL },
    { "https://127.0.0.1/", NULL },
    { "https://127.1/", NULL },
    { "https://2130706433/", NULL },
    { "https://0x7f000001/", NULL },
    { "https://0x7f.0.0.1/", NULL },
    { "https://0177.0.0.1/", NULL },
    { "https://127.0.0.1./", NULL },
    { "https://example.0x7f/", NULL },
    { "https://10.0.0.1/", NULL },
    { "https://169.254.169.254/latest/meta-data/", NULL },
    { "https://[::1]/", NULL },
    { "https://[::ffff:127.0.0.1]/", NULL },
    { "https://[64:ff9b::7f00:1]/", NULL },
    { "https://[fe80::1%25eth0]/", NULL },
    { "https://[127.0.0.1]/", NULL },
    { "https://[::1/", NULL },
    { "https://[::1]x/", NULL },
    { "https://[example.com]/", NULL },
};

static void test_length(const struct callback_rules *rules)
{
    static char url[CALLBACK_URL + 10] = "https://example.com/";
    char out[CALLBACK_URL];
    struct err err;

    memset(url + strlen(url), 'a', CALLBACK_URL - 1 - strlen(url));
    ok(callback_check(rules, url, out, &err) == 0 && strcmp(url, out) == 0,
       "an address of 2000 characters is accepted");
    url[CALLBACK_URL - 1] = 'a';
    ok(callback_check(rules, url, out, &err) < 0, "an address of 2001 characters is refused");
    memset(url, 'a', CALLBACK_URL - 1);
    memcpy(url, "https://e.com?", 14);
    url[CALLBACK_URL - 1] = '\0';
    ok(callback_check(rules, url, out, &err) < 0,
       "an address that normalization makes longer than 2000 characters is refused");
    memcpy(url, "https://", 8);
    memset(url + 8, 'a', 400);
    memcpy(url + 300, ".com/", 6);
    ok(callback_check(rules, url, out, &err) < 0,
       "a host name of more than 253 characters is refused");
}

int main(void)
{
    struct net_list allowed;
    const struct callback_rules strict = { false, &allowed, "callbackUrl", ERR_INVALID_PARAMETER };
    const struct callback_rules rules = { true, &allowed, "callbackUrl", ERR_INVALID_PARAMETER };
    char out[CALLBACK_URL], host[DELIVERY_HOST];
    struct err err;

    net_list_read("10.9.8.0/24", &allowed, &err);
    for (size_t i = 0; i < COUNT(cases); i++) {
        int done = callback_check(&strict, cases[i].url, out, &err);

        if (cases[i].want)
            is_str(done == 0 ? out : err.msg, cases[i].want, "%s is taken", cases[i].url);
        else
            ok(done < 0 && err.code == ERR_INVALID_PARAMETER &&
                   strcmp(err.field, "callbackUrl") == 0,
               "case %zu is refused: %s", i, done < 0 ? err.msg : out);
    }
    ok(callback_check(&rules, "http://Example.com:80/", out, &err) == 0 &&
           strcmp(out, "http://example.com/") == 0,
       "http is accepted if callback_http is set");
    ok(callback_check(&rules, "http://127.0.0.1/", out, &err) < 0,
       "callback_http does not allow private addresses");
    test_length(&rules);
    delivery_host("https://example.com:8443/a?b", host);
    is_str(host, "https://example.com:8443",
           "addresses with the same scheme, host and port have the same queue");
    return done_testing();
}
