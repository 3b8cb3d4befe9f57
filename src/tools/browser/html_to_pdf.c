/* html-to-pdf: HTML pages, by Chromium. */
#include "declare/tool/tool.h"
#include "engine/browser/render.h"

static const struct param params[] = { RENDER_PARAMS("false") };

static int run(struct tool_run *run, const void *values, struct err *err)
{
    return render_files(run, values, NULL, err);
}

const struct tool tool_html_to_pdf = {
    .name = "html-to-pdf",
    .summary = "Makes a PDF of an HTML page with its styles, fonts and pictures: a ZIP of them, or "
               "single files.",
    .accepts = { "html", "text", "zip", "jpg", "png", "gif", "webp", "avif", "bmp", "svg",
                 TOOL_UNKNOWN },
    .accepts_text = "an HTML page, or a ZIP with index.html, and what the page shows",
    .gives = "pdf",
    .min_files = 1,
    .max_files = 200,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct render_options),
    .run = run,
};
