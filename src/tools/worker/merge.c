/* merge: several PDFs become one. */
#include <string.h>

#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "pdf/merge/merge.h"
#include "stamp/form/painter.h"

struct params {
    const char *bookmarks;
    const char *forms;
    const char *arrange;
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
    TEXT(struct params, arrange,
         "Which pages, in which order: a list such as 1:1-3,2:5@90,1:4,1:blank of FILE:PAGES@TURN. "
         "FILE is counted from 1; TURN, if given, is 90, 180 or 270 degrees clockwise; pages may "
         "repeat; blank is an empty page of the size of the page before it. With it one file is "
         "enough.",
         .min = 1, .max = ARRANGEMENT_BYTES),
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
    AUTO_ARRANGEMENT struct arrangement arrangement = { 0 };
    AUTO_PAINTER struct field_painter *painter = NULL;
    size_t pages;

    if (options.flatten && !(options.painter = painter = painter_new(err)))
        return -1;
    while (strcmp(bookmarks[options.bookmarks], p->bookmarks) != 0)
        options.bookmarks++; /* enum merge_bookmarks is in the order of the choices */
    if (p->arrange) {
        if (arrangement_read(p->arrange, &arrangement, err) < 0)
            return -1;
        options.arrangement = &arrangement;
        /* The outline of the only file needs no entry above it. */
        if (run->n_inputs == 1 && options.bookmarks == MERGE_BOOKMARKS_KEEP)
            options.bookmarks = MERGE_BOOKMARKS_FLAT;
    }
    if (merge_files(run, &options, &pages, err) < 0)
        return -1;
    return tool_done(run, pages, err);
}

const struct tool tool_merge = {
    .name = "merge",
    .summary = "Puts several PDFs, or pages of them in any order, into one.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 2,
    .max_files = 1000,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .alone = "arrange",
    .rule = &rule_merge,
    .run = run,
    .threads = true,
};
