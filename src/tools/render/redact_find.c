/* redact-find: finds what is to be redacted, without changing anything: texts, patterns, numbers of
 * people and accounts, areas, each with its place. */
#include <fcntl.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "convert/convert.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "engine/page_search/page_search.h"
#include "engine/page_search/presets.h"

struct params {
    const char *text;
    const char *pattern;
    uint64_t preset;
    const char *regions;
    const char *pages;
    bool matchCase;
    bool wholeWords;
    const char *ocr;
    const char *language;
    const char *inputPassword;
};

static const struct param params[] = {
    TEXT(
        struct params, text,
        "What is looked for: one text a line, whatever its line breaks, hyphens, spaces, ligatures "
        "and order of drawing on the page.",
        .min = 1, .max = 20000),
    TEXT(struct params, pattern,
         "Regular expressions in the syntax of RE2, one a line: no backreferences, no lookaround.",
         .min = 1, .max = 20000),
    CHOICES(struct params, preset,
            "Kinds of data, divided by commas; what has check digits is found only if they are "
            "right.",
            .choices = presets_names),
    TEXT(struct params, regions,
         "Areas: PAGES:x,y,width,height in points from the top left corner of the displayed page, "
         "divided by semicolons, as in 1:72,90,200,14;2-3:0,0,300,50.",
         .min = 1, .max = 100000),
    PAGES(struct params, pages,
          "Which pages are searched for texts, patterns and presets; what is not on a page is "
          "searched always.",
          .preset = "all"),
    BOOL(struct params, matchCase, "Whether texts and patterns distinguish capital letters.",
         .preset = "false"),
    BOOL(struct params, wholeWords, "Whether texts and patterns are found as whole words only.",
         .preset = "false"),
    CONVERT_OCR(struct params),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static void put_counts(struct tool_run *run, const struct redact_hits *hits)
{
    size_t n_pages = 0, last = 0, elsewhere = 0;

    for (size_t i = 0; i < hits->n; i++) {
        elsewhere += hits->items[i].n_quads == 0;
        n_pages += hits->items[i].n_quads > 0 && hits->items[i].page != last;
        last = hits->items[i].page;
    }
    tool_figure(run, "hits", (int64_t) hits->n);
    tool_figure(run, "pagesWithHits", (int64_t) n_pages);
    tool_figure(run, "hitsElsewhere", (int64_t) elsewhere);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    const struct page_search_options options = { .password = p->inputPassword,
                                                 .pages = p->pages,
                                                 .regions = p->regions,
                                                 .wish = { .text = p->text,
                                                           .pattern = p->pattern,
                                                           .presets = p->preset,
                                                           .match_case = p->matchCase,
                                                           .whole_words = p->wholeWords } };
    AUTO_REDACT_HITS struct redact_hits hits = { 0 };
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_CLOSE int fd = -1;
    size_t n_pages;

    if (page_search_run(run, &options, &hits, &n_pages, err) < 0)
        return -1;
    put_counts(run, &hits);
    buf_printf(&out, "{\"count\":%zu,\"hits\":", hits.n);
    if (redact_hits_write(&hits, &out, err) < 0)
        return -1;
    buf_puts(&out, "}\n");
    if (out.failed)
        return err_sys(err, "hits");
    fd = open(run->output, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return err_sys(err, "result");
    if (fdio_write(fd, out.data, out.len, err) < 0)
        return -1;
    return tool_done(run, n_pages, err);
}

const struct tool tool_redact_find = {
    .name = "redact-find",
    .summary =
        "Finds texts, patterns, personal data and areas to be redacted, and changes nothing.",
    .accepts = { "pdf" },
    .gives = "json",
    .min_files = 1,
    .max_files = 1,
    .transcriber = CONVERT_TRANSCRIBER,
    .free = true,
    .rule = &rule_redact_find,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
