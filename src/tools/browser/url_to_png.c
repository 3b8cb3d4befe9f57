/* url-to-png: pictures of pages of the web, by Chromium, fetched by the server. */
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "engine/browser/render.h"
#include "engine/browser/shoot.h"

struct params {
    struct shoot_options page;
    const char *url, *headers, *cookies;
};

static const struct param params[] = { RENDER_ADDRESS_PARAMS(struct params), SHOOT_PARAMS("true") };

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;

    return shoot_address(run, &p->page, p->url, err);
}

const struct tool tool_url_to_png = {
    .name = "url-to-png",
    .summary = "Makes a picture of the page at an address, or of one element of it, with its "
               "styles, fonts and pictures.",
    .accepts_text = "no files",
    .gives = "png",
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_url,
    .fetches = true,
    .run = run,
};
