#include "server/http/forwarded.h"

#include <string.h>

#include "base/scope.h"
#include "tap.h"

/* What is made of headers that the peer 10.0.0.1 sent; 10.0.0.0/8 and fd00::1 are trusted. */
static const char *seen(const char *kind, const char *addresses, const char *proto,
                        const char *host)
{
    static char shown[400];
    struct forwarded said = { .https = false };
    struct net_list trusted;
    char client[NET_TEXT];
    struct err err;
    bool known;

    net_list_read("10.0.0.0/8 fd00::1", &trusted, &err);
    net_read("10.0.0.1", 8, &said.client);
    if (strcmp(kind, "x") == 0)
        known = forwarded_x(addresses, proto, host, &trusted, &said);
    else
        known = forwarded_read(addresses, &trusted, &said);
    net_format(&said.client, client);
    snprintf(shown, sizeof shown, "%s%s %s %s", known ? "" : "? ", client,
             said.https ? "https" : "http", said.host);
    return shown;
}

static const struct {
    const char *sentence, *kind, *addresses, *proto, *host, *seen;
} cases[] = {
    { "without headers it is the proxy's own", "x", NULL, NULL, NULL, "10.0.0.1 http " },
    { "the last address is the client's", "x", "192.0.2.7", "https", "pdf.example.org",
      "192.0.2.7 https pdf.example.org" },
    { "what the client invented before it does not count", "x", "6.6.6.6, 192.0.2.7", NULL, NULL,
      "192.0.2.7 http " },
    { "proxies of ours in a row are passed", "x", "6.6.6.6, 192.0.2.7, 10.0.0.5, fd00::1", NULL,
      NULL, "192.0.2.7 http " },
    { "if all are ours it is the first", "x", "10.0.0.9", NULL, NULL, "10.0.0.9 http " },
    { "an address with its port", "x", "192.0.2.7:4711", NULL, NULL, "192.0.2.7 http " },
    { "what is no address ends the walk", "x", "192.0.2.7, <script>", NULL, NULL,
      "? 10.0.0.1 http " },
    { "a quote hides no comma", "x", "\", 192.0.2.7", "\", https", "\", pdf.example.org",
      "192.0.2.7 https pdf.example.org" },
    { "of several hosts the nearest proxy's counts", "x", NULL, "http, https",
      "evil.example, pdf.example.org:8443", "10.0.0.1 https pdf.example.org:8443" },
    { "a host with anything else in it does not count", "x", NULL, "ftp", "a/b?c",
      "10.0.0.1 http " },
    { "an empty header", "x", "", "", "", "10.0.0.1 http " },
    { "RFC 7239's element", "f", "for=192.0.2.60;proto=https;host=pdf.example.org", NULL, NULL,
      "192.0.2.60 https pdf.example.org" },
    { "quoted, with a port, and of IPv6", "f",
      "for=6.6.6.6, For=\"[2001:db8:cafe::17]:4711\";Proto=HTTPS;host=\"pdf.example.org:8443\"",
      NULL, NULL, "2001:db8:cafe::17 https pdf.example.org:8443" },
    { "elements of ours are passed, and the outermost one's word on the scheme counts", "f",
      "for=6.6.6.6;proto=http, for=192.0.2.7;proto=https, for=10.0.0.3;proto=http", NULL, NULL,
      "192.0.2.7 https " },
    { "a comma in quotes separates nothing", "f", "for=192.0.2.7;host=\"a,b\"", NULL, NULL,
      "192.0.2.7 http " },
    { "a hidden client leaves the proxy's address", "f", "for=_gazonk;proto=https", NULL, NULL,
      "? 10.0.0.1 https " },
    { "a broken element ends the walk", "f", "for=192.0.2.7, host=x;;=", NULL, NULL,
      "? 10.0.0.1 http " },
    { "a quote of the client's that swallows the proxy's element", "f",
      "for=127.0.0.1;host=evil;x=\", for=192.0.2.7", NULL, NULL, "? 10.0.0.1 http " },
    { "and one that ends in it", "f", "for=127.0.0.1;x=\", for=\"[2001:db8::17]\"", NULL, NULL,
      "? 10.0.0.1 http " },
    { "and one behind a backslash", "f", "for=127.0.0.1;x=\"\\,for=\"192.0.2.7\"", NULL, NULL,
      "? 10.0.0.1 http " },
    { "and one before it that is closed", "f", "for=127.0.0.1;x=\"\\\"\", for=\"192.0.2.7\"", NULL,
      NULL, "192.0.2.7 http " },
};

int main(void)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        is_str(seen(cases[i].kind, cases[i].addresses, cases[i].proto, cases[i].host),
               cases[i].seen, "%s", cases[i].sentence);
    return done_testing();
}
