/* ppt-to-pdf: presentations. */
#include "declare/tool/tool.h"
#include "engine/office/convert.h"

static const char *const notes[] = { "none", "only", NULL };

static const struct param params[] = {
    CONVERT_PARAMS,
    CHOICE(struct convert_options, notes,
           "none: the slides. only: a page for each slide with its notes below it.",
           .preset = "none", .choices = notes),
    BOOL(struct convert_options, hiddenSlides, "Whether hidden slides are there too.",
         .preset = "false"),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    return convert_office(run, KIT_SLIDES, values, err);
}

const struct tool tool_ppt_to_pdf = {
    .name = "ppt-to-pdf",
    .summary = "Makes a PDF of a presentation: pptx, ppt or odp.",
    .accepts = { "zip", "ole", "text" },
    .accepts_text = "pptx, ppt or odp",
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct convert_options),
    .run = run,
    .threads = true,
};
