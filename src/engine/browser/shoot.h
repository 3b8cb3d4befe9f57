/* shoot: pictures of pages: the implementation of html-to-png and its relatives. */
#pragma once

#include "declare/tool/param.h"
#include "declare/tool_run/run.h"

struct shoot_options {
    const char *selector, *media, *waitFor, *viewport, *colorScheme, *onMissing;
    bool fullPage, transparent, javascript, deterministic;
    double pixelRatio;
};

/* The parameters that all of them have. `scripts`: the default of javascript. */
#define SHOOT_PARAMS(scripts)                                                                      \
    BOOL(struct shoot_options, fullPage,                                                           \
         "Whether all of the page is in the picture, and not only what the window shows.",         \
         .preset = "true"),                                                                        \
        TEXT(struct shoot_options, selector,                                                       \
             "A CSS selector: the picture is of the first element that it fits.", .min = 1,        \
             .max = 500),                                                                          \
        NUMBER(struct shoot_options, pixelRatio, "Pixels of the picture for one of CSS.",          \
               .preset = "1", .min = 0.1, .max = 4),                                               \
        BOOL(struct shoot_options, transparent,                                                    \
             "Whether a page without a background has a transparent one, and not a white one.",    \
             .preset = "false"),                                                                   \
        CHOICE(struct shoot_options, media,                                                        \
               "The style sheets that apply: those for screens or those for print.",               \
               .preset = "screen", .choices = render_media),                                       \
        RENDER_PAGE_PARAMS(struct shoot_options, scripts)

/* Makes a picture of the page that the job's files are. */
int shoot_files(struct tool_run *run, const struct shoot_options *options, struct err *err);
/* The same of the page at an address, which the server fetches. */
int shoot_address(struct tool_run *run, const struct shoot_options *options, const char *url,
                  struct err *err);
