/* merge: several PDFs become one. */
#include <string.h>

#include "pdf/merge.h"
#include "tool/tool.h"

struct params {
    const char *bookmarks;
    const char *forms;
    const char *inputPassword;
};

static const char *const bookmarks[] = { "keep", "files", "flat", "none", NULL };
static const char *const forms[] = { "rename", "flatten", NULL };

static const struct param params[] = {
    CHOICE(struct params, bookmarks,
           "The result's outline: keep (an entry for each file, its own outline below it), files "
           "(only an entry for each file), flat (the outlines one after another) or none.",
           .preset = "keep", .choices = bookmarks),
    CHOICE(struct params, forms,
           "What becomes of form fields: rename (they stay, clashing names get a number) or "
           "flatten (they become part of the page).",
           .preset = "rename", .choices = forms),
    SECRET(struct params, inputPassword,
           "The password that opens those of the documents that "
           "are encrypted.",
           .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct merge_options options = { .flatten = strcmp(p->forms, "flatten") == 0,
                                     .password = p->inputPassword };
    size_t pages;

    while (strcmp(bookmarks[options.bookmarks], p->bookmarks) != 0)
        options.bookmarks++; /* enum merge_bookmarks is in the order of the choices */
    if (merge_files(run, &options, &pages, err) < 0)
        return -1;
    return tool_done(run, pages, err);
}

const struct tool tool_merge = {
    .name = "merge",
    .summary = "Puts several PDFs one after another into one.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 2,
    .max_files = 1000,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
