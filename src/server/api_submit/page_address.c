#include "server/api_submit/page_address.h"

#include <stdio.h>
#include <string.h>

#include "server/webhook/callback.h"
#include "server/webhook/page_client.h"

bool page_address_is_wanted(const struct page_request *request)
{
    return (request->pipeline ? request->pipeline->steps[0].tool : request->tool)->fetches;
}

static const char *url_of(const struct page_request *request)
{
    const struct pipeline_step *first = request->pipeline ? request->pipeline->steps : NULL;
    const struct param_input *params = first ? first->params : request->params;
    size_t n = first ? first->n_params : request->n_params;

    for (size_t i = 0; page_address_is_wanted(request) && i < n; i++)
        if (strcmp(params[i].name, "url") == 0)
            return params[i].value;
    return NULL;
}

int page_address_check(const struct page_request *request, const struct config *config,
                       bool visitor, struct err *err)
{
    const struct callback_rules rules = { config->fetch_http, &config->allow_fetch, "url",
                                          ERR_INVALID_PARAMETER };
    const char *url = url_of(request);
    char normal[CALLBACK_URL];

    if (!url)
        return 0;
    if (visitor)
        return err_field(err, ERR_ADDRESSES_REFUSED, "url",
                         "pages are not fetched for visitors: use an API key");
    if (!config->fetch)
        return err_field(err, ERR_ADDRESSES_REFUSED, "url",
                         "this server does not fetch pages: send the page itself to html-to-pdf or "
                         "html-to-png");
    return page_client_check(&rules, url, normal, err);
}

void page_address_name(const struct page_request *request, char out[static PAGE_NAME])
{
    const char *url = url_of(request), *host = url ? strstr(url, "://") : NULL;

    *out = '\0';
    if (host)
        snprintf(out, PAGE_NAME, "%.*s.html", (int) strcspn(host + 3, "/?#:"), host + 3);
}
