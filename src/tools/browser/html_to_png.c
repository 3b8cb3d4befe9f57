/* html-to-png: pictures of HTML pages, by Chromium. */
#include "declare/tool/tool.h"
#include "engine/browser/render.h"
#include "engine/browser/shoot.h"

static const struct param params[] = { SHOOT_PARAMS("false") };

static int run(struct tool_run *run, const void *values, struct err *err)
{
    return shoot_files(run, values, err);
}

const struct tool tool_html_to_png = {
    .name = "html-to-png",
    .summary = "Makes a picture of an HTML page, or of one element of it, with its styles, fonts "
               "and pictures.",
    .accepts = { "html", "text", "zip", "jpg", "png", "gif", "webp", "avif", "bmp", "svg",
                 TOOL_UNKNOWN },
    .accepts_text = "an HTML page, or a ZIP with index.html, and what the page shows",
    .gives = "png",
    .min_files = 1,
    .max_files = 200,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct shoot_options),
    .run = run,
};
