/* url-to-pdf: pages of the web, by Chromium, fetched by the server. */
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "engine/browser/render.h"

struct params {
    struct render_options page;
    const char *url, *headers, *cookies;
};

static const struct param params[] = { RENDER_ADDRESS_PARAMS(struct params),
                                       RENDER_PARAMS("true") };

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;

    return render_address(run, &p->page, p->url, err);
}

const struct tool tool_url_to_pdf = {
    .name = "url-to-pdf",
    .summary = "Makes a PDF of the page at an address, with its styles, fonts and pictures.",
    .accepts_text = "no files",
    .gives = "pdf",
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_url,
    .fetches = true,
    .run = run,
};
