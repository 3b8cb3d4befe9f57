/* render: HTML pages as PDF files: the implementation of html-to-pdf and its relatives. */
#pragma once

#include "declare/tool/param.h"
#include "declare/tool_run/run.h"
#include "engine/browser/page.h"

struct render_options {
    const char *paper, *margin, *header, *footer, *pages, *media, *waitFor, *viewport;
    const char *colorScheme, *onMissing, *pdfa;
    bool landscape, background, preferCssPageSize, javascript, tagged, outline, deterministic;
    double scale;
    bool numbered; /* the entries of a table of contents get their pages; not a parameter */
};

extern const char *const render_media[], *const render_schemes[], *const render_on_missing[];
extern const char *const render_pdfa[];

#define RENDER_MISSING(S)                                                                          \
    CHOICE(S, onMissing,                                                                           \
           "If a style sheet, font, picture, frame or script of the page is missing: fail, "       \
           "or report it as a warning.",                                                           \
           .preset = "fail", .choices = render_on_missing)

/* Parameters of how a page is shown, whatever becomes of it. S: the struct that they fill;
 * `scripts`: the default of javascript. */
#define RENDER_PAGE_PARAMS(S, scripts)                                                             \
    TEXT(S, waitFor,                                                                               \
         "What to wait for after the page has loaded: networkIdle (nothing was asked for during "  \
         "half a second), a time in milliseconds, at most 30000, or a CSS selector of an element " \
         "that must appear.",                                                                      \
         .min = 1, .max = 500),                                                                    \
        BOOL(S, javascript, "Whether scripts of the page run.", .preset = scripts),                \
        TEXT(S, viewport,                                                                          \
             "The size of the window in CSS pixels, which media queries and the layout on "        \
             "screens use.",                                                                       \
             .preset = "1280x800", .min = 3, .max = 20),                                           \
        CHOICE(S, colorScheme, "The colours that the page is asked for.", .preset = "light",       \
               .choices = render_schemes),                                                         \
        BOOL(S, deterministic,                                                                     \
             "Whether scripts see a fixed time and the same random numbers each time, so that "    \
             "the same page is the same file.",                                                    \
             .preset = "false"),                                                                   \
        RENDER_MISSING(S)

/* Those of the printing. `margins` and `foot`: the defaults of margin and footer. */
#define RENDER_PRINT_PARAMS(margins, foot)                                                         \
    PAPER(struct render_options, paper,                                                            \
          "The size of the pages: a4, letter, legal, width and height as in 100x150mm, or fit "    \
          "(one page, as wide as viewport and as high as the content).",                           \
          .preset = "a4"),                                                                         \
        BOOL(struct render_options, landscape, "Whether the paper lies on its long side.",         \
             .preset = "false"),                                                                   \
        TEXT(struct render_options, margin,                                                        \
             "White space at the edges: one to four lengths as in CSS (all; top and bottom, then " \
             "the sides; top, right, bottom, left), in mm, cm, in, pt or px.",                     \
             .preset = margins, .min = 1, .max = 60),                                              \
        NUMBER(struct render_options, scale, "How large everything is drawn.", .preset = "1",      \
               .min = 0.1, .max = 2),                                                              \
        BOOL(struct render_options, background,                                                    \
             "Whether colours and pictures of backgrounds are printed.", .preset = "true"),        \
        TEXT(struct render_options, header,                                                        \
             "HTML at the top of each page. Elements of the classes pageNumber, totalPages, "      \
             "title, date and url are filled in; it has no style of the page.",                    \
             .min = 1, .max = 20000),                                                              \
        TEXT(struct render_options, footer, "HTML at the bottom of each page, as for header.",     \
             .preset = foot, .min = 1, .max = 20000),                                              \
        PAGES(struct render_options, pages, "Which pages of the result are kept."),                \
        BOOL(struct render_options, preferCssPageSize,                                             \
             "Whether a size of pages in the style sheet (@page) has precedence over paper.",      \
             .preset = "false"),                                                                   \
        CHOICE(struct render_options, pdfa,                                                        \
               "A form of PDF made for archives: PDF/A-2b, or PDF/A-2u, where each letter is "     \
               "known as a character. A page that cannot be one fails.",                           \
               .preset = "none", .choices = render_pdfa),                                          \
        BOOL(struct render_options, tagged,                                                        \
             "Whether headings, lists and tables are marked for screen readers.",                  \
             .preset = "true"),                                                                    \
        BOOL(struct render_options, outline, "Whether headings become an outline.",                \
             .preset = "true")

/* The parameters that all tools have that print HTML. `scripts`: the default of javascript. */
#define RENDER_PARAMS(scripts)                                                                     \
    RENDER_PRINT_PARAMS("10mm", NULL),                                                             \
        CHOICE(struct render_options, media,                                                       \
               "The style sheets that apply: those for print or those for screens.",               \
               .preset = "print", .choices = render_media),                                        \
        RENDER_PAGE_PARAMS(struct render_options, scripts)

/* Reads the size of a window. ERR_INVALID_PARAMETER. */
int render_viewport(const char *text, struct page_options *page, struct err *err);

/* How a page is written that is not HTML. */
struct render_source {
    const char *const *endings; /* of files that are the page: ".md"; NULL-terminated */
    /* Appends the HTML of the page's text. */
    int (*convert)(void *arg, const struct buf *text, struct buf *html, struct err *err);
    void *arg;
};

/* Prints the page that the job's files are. `source`: NULL for HTML. */
int render_files(struct tool_run *run, const struct render_options *options,
                 const struct render_source *source, struct err *err);
/* Prints the page at an address, which the server fetches. */
int render_address(struct tool_run *run, const struct render_options *options, const char *url,
                   struct err *err);

/* Parameters of tools that show a page at an address. S: the struct that they fill. */
#define RENDER_ADDRESS_PARAMS(S)                                                                   \
    SECRET(S, url,                                                                                 \
           "The address of the page: https, or http where the server allows it. It may be as "     \
           "secret as a password, and is kept like one.",                                          \
           .required = true, .min = 1, .max = 2000),                                               \
        SECRET(S, headers,                                                                         \
               "Headers for the origin of url (its scheme, host and port), as a JSON object of "   \
               "names and texts.",                                                                 \
               .max = 8192),                                                                       \
        SECRET(S, cookies,                                                                         \
               "Cookies for the origin of url, as a Cookie header has them: session=abc; "         \
               "theme=dark.",                                                                      \
               .max = 8192)
