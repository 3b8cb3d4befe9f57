#include "server/api_call/guard.h"

#include <string.h>
#include <strings.h>

#include "base/system/net.h"
#include "server/api_call/answer.h"
#include "server/api_call/api.h"
#include "server/api_call/origin.h"

/* In a time that says nothing about where the two differ. */
static bool same_secret(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    unsigned differ = n != m;

    for (size_t i = 0; i < m; i++)
        differ |= (unsigned) (a[n ? i % n : 0] ^ b[i]);
    return !differ;
}

/* Whether it is sent as Authorization: Bearer. */
static bool has_token(const struct http_request *req, const char *token)
{
    const char *value = http_header(req, "Authorization");

    if (!*token || !value || strncasecmp(value, "Bearer ", 7) != 0)
        return false;
    value += 7;
    return same_secret(value + strspn(value, " "), token);
}

/* "localhost", "127.0.0.1:8080", "[::1]": names that no stranger's DNS can lead here. */
static bool is_local_name(const char *host)
{
    size_t n = host ? strcspn(host, ":") : 0;
    struct net_address address;

    return host && ((n == strlen("localhost") && strncasecmp(host, "localhost", n) == 0) ||
                    net_read_node(host, strlen(host), &address));
}

/* Settings that permit: by an address, and by a secret from everywhere. */
struct permit {
    const char *from_name, *name; /* of the settings */
    const struct net_list *from;
    const char *token;
};

static int check_permit(const struct http_request *req, const struct config *config,
                        const struct permit *permit, struct err *err)
{
    struct origin origin;

    if (has_token(req, permit->token))
        return 0;
    origin_find(req, config, &origin);
    if (origin.relayed)
        return err_set(
            err, ERR_FORBIDDEN,
            "this came through a proxy that is not among trusted_proxies, or does not name "
            "the client; send %s as Authorization: Bearer",
            permit->name);
    /* A page in a browser of this machine may have a name of its own resolve to the loopback (DNS
     * rebinding): the browser then sends that name. */
    if (net_is_loopback(&origin.seen.client) && !is_local_name(http_header(req, "Host")))
        return err_set(err, ERR_FORBIDDEN,
                       "from this machine, ask by its address or as localhost, or send %s as "
                       "Authorization: Bearer",
                       permit->name);
    if (net_list_has(permit->from, &origin.seen.client))
        return 0;
    return err_set(err, ERR_FORBIDDEN,
                   "your address is not among %s; send %s as Authorization: Bearer",
                   permit->from_name, permit->name);
}

static int check_figures(const struct http_request *req, struct err *err)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);

    return check_permit(req, config,
                        &(struct permit){ "metrics_from", "metrics_token", &config->metrics_from,
                                          config->metrics_token },
                        err);
}

/* Programs that collect figures have metrics_token in their files, and run on other machines:
 * neither that nor metrics_from opens more than the figures. */
static int check_operator(const struct http_request *req, struct err *err)
{
    AUTO_CONFIG const struct config *config = live_hold(api_of(req)->settings);
    const char *site = http_header(req, "Sec-Fetch-Site");

    /* A page of another site has no business here, whatever cors_origins says; a program that is
     * no browser does not send this. */
    if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return err_set(err, ERR_FORBIDDEN,
                       "only the server's own page may ask this from a browser");
    return check_permit(
        req, config,
        &(struct permit){ "operator_from", "admin_key", &config->operator_from, config->admin_key },
        err);
}

bool guard_is_operator(const struct http_request *req)
{
    struct err ignored;

    return check_operator(req, &ignored) == 0;
}

enum http_next guard_begin(struct http_request *req, struct http_response *resp)
{
    struct err err;

    return check_figures(req, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}

enum http_next guard_operator_begin(struct http_request *req, struct http_response *resp)
{
    struct err err;

    return check_operator(req, &err) < 0 ? answer_error(req, resp, &err) : HTTP_CONTINUE;
}
