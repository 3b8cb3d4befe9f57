#include "engine/browser/render.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/num.h"
#include "base/scope.h"
#include "declare/value/paper.h"
#include "engine/browser/finish.h"
#include "engine/browser/numbering.h"
#include "engine/browser/print.h"

#define PX          (72.0 / 96.0) /* points in a CSS pixel */
#define WINDOW_MOST 10000
#define PATH_BYTES  200
#define MOST_PRINTS 4 /* with the numbers of pages */

const char *const render_media[] = { "print", "screen", NULL };
const char *const render_schemes[] = { "light", "dark", NULL };
const char *const render_on_missing[] = { "fail", "report", NULL };
const char *const render_pdfa[] = { "none", "2b", "2u", NULL };

/* A length as "10mm", to points. */
static bool parse_length(const char *text, size_t n, double *points)
{
    static const struct {
        const char *unit;
        double points;
    } units[] = { { "mm", PAPER_MM }, { "cm", 10 * PAPER_MM }, { "in", 72 }, { "pt", 1 },
                  { "px", PX },       { "", PAPER_MM } };

    for (size_t i = 0; i < COUNT(units); i++) {
        size_t unit = strlen(units[i].unit);

        if (n > unit && memcmp(text + n - unit, units[i].unit, unit) == 0 &&
            num_parse_double(text, n - unit, 0, 10000, points)) {
            *points *= units[i].points;
            return true;
        }
    }
    return false;
}

static int parse_margin(const char *text, struct print_options *print, struct err *err)
{
    double lengths[4];
    size_t n = 0;

    for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
        size_t word = strcspn(at, " \t");

        if (n == COUNT(lengths) || !parse_length(at, word, &lengths[n++]))
            return err_field(err, ERR_INVALID_PARAMETER, "margin",
                             "must be one to four lengths such as 10mm, 0.5in, 20pt or 0");
        at += word;
    }
    if (n == 0)
        return err_field(err, ERR_INVALID_PARAMETER, "margin", "is empty");
    print->top = lengths[0];
    print->right = n > 1 ? lengths[1] : lengths[0];
    print->bottom = n > 2 ? lengths[2] : lengths[0];
    print->left = n > 3 ? lengths[3] : print->right;
    return 0;
}

int render_viewport(const char *text, struct page_options *page, struct err *err)
{
    const char *by = strchr(text, 'x');

    if (!by || !num_parse_i64(text, (size_t) (by - text), 1, WINDOW_MOST, &page->width) ||
        !num_parse_i64(by + 1, strlen(by + 1), 1, WINDOW_MOST, &page->height))
        return err_field(err, ERR_INVALID_PARAMETER, "viewport",
                         "must be a width and a height of at most %d pixels, such as 1280x800",
                         WINDOW_MOST);
    return 0;
}

/* One sheet for all of the page. */
static int fit_paper(struct page *page, struct print_options *print, struct err *err)
{
    json_t *height = page_evaluate(page, "document.documentElement.scrollHeight", err);

    if (!height)
        return -1;
    print->width = (double) page->options->width * PX * print->scale + print->left + print->right;
    /* A pixel more: what is rounded must not begin another page. */
    print->height =
        ((double) json_integer_value(height) + 1) * PX * print->scale + print->top + print->bottom;
    json_decref(height);
    if (print->width > PAPER_POINT_MAX || print->height > PAPER_POINT_MAX)
        return err_field(err, ERR_LIMIT_EXCEEDED, "paper",
                         "the page is larger than a page of a PDF can be: choose another paper");
    return 0;
}

static int set_paper(struct page *page, const struct render_options *o, struct print_options *print,
                     struct err *err)
{
    struct paper paper;

    if (paper_parse(o->paper, &paper, err) < 0)
        return -1;
    if (paper.fit)
        return fit_paper(page, print, err);
    print->width = o->landscape ? paper.height : paper.width;
    print->height = o->landscape ? paper.width : paper.height;
    if (print->width - print->left - print->right < 1 ||
        print->height - print->top - print->bottom < 1)
        return err_field(err, ERR_INVALID_PARAMETER, "margin", "leaves no space on the paper");
    return 0;
}

static int print_to(struct page *page, const struct render_options *o, struct print_options *print,
                    const char *path, struct err *err)
{
    AUTO_CLOSE int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (out < 0)
        return err_sys(err, "a file in the job's folder");
    if (set_paper(page, o, print, err) < 0)
        return -1;
    return print_page(page, print, out, err);
}

/* Prints again with the numbers of pages that the print had, until they hold. */
static int print_numbered(struct page *page, const struct render_options *o,
                          struct print_options *print, const char *path, struct err *err)
{
    size_t n_pages;
    json_t *pages = numbering_read(path, &n_pages, err);
    int done = pages ? 0 : -1;
    bool held = n_pages < 2 || json_object_size(pages) == 0;

    for (int i = 0; i < MOST_PRINTS && !held && done == 0; i++) {
        json_t *next = NULL;

        done = numbering_write(page, pages, err);
        if (done == 0)
            done = print_to(page, o, print, path, err);
        if (done == 0)
            next = numbering_read(path, &n_pages, err);
        if (done == 0 && !next)
            done = -1;
        held = next && json_equal(pages, next);
        json_decref(pages);
        pages = next;
    }
    json_decref(pages);
    if (held || done < 0)
        return done;
    tool_warn(page->run, "contents_without_pages",
              "the table of contents has no numbers of pages, since they change where pages end");
    return numbering_write(page, NULL, err) < 0 ? -1 : print_to(page, o, print, path, err);
}

static int render(struct tool_run *run, struct assets *assets, const char *address,
                  const struct render_options *o, const struct page_options *options,
                  struct print_options *print, struct err *err)
{
    __attribute__((cleanup(page_close))) struct page page;
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/printed.pdf", run->folder);
    if (page_open(&page, run, options, assets, address, err) < 0)
        return -1;
    tool_progress(run, 0.5);
    if (page_warn(&page, err) < 0 ||
        page_check_missing(&page, strcmp(o->onMissing, "fail") == 0, err) < 0 ||
        print_to(&page, o, print, path, err) < 0 ||
        (o->numbered && print_numbered(&page, o, print, path, err) < 0))
        return -1;
    page_leave(&page);
    tool_progress(run, 0.9);
    if (finish_pdf(run, path, o->pages, o->pdfa, err) < 0)
        return -1;
    page_left(&page);
    return 0;
}

/* Puts HTML in place of the page that was sent. */
static int convert_page(struct assets *assets, const struct render_source *source, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY, html = BUF_EMPTY;
    const char *type;

    switch (assets_read(assets, assets_start(assets), &text, &type)) {
    case ASSETS_FOUND:
        break;
    case ASSETS_TOO_LARGE:
        return err_set(err, ERR_LIMIT_EXCEEDED, "the page is too large");
    case ASSETS_ABSENT:
    case ASSETS_BROKEN:
        return err_set(err, ERR_CORRUPT_FILE, "the page cannot be unpacked");
    }
    if (source->convert(source->arg, &text, &html, err) < 0)
        return -1;
    assets_replace_page(assets, &html);
    return 0;
}

static int set_options(const struct render_options *o, struct page_options *page,
                       struct print_options *print, struct err *err)
{
    *page = (struct page_options){ .javascript = o->javascript,
                                   .deterministic = o->deterministic,
                                   .media = o->media,
                                   .colorScheme = o->colorScheme,
                                   .waitFor = o->waitFor,
                                   .pixel_ratio = 1 };
    *print = (struct print_options){ .scale = o->scale,
                                     .background = o->background,
                                     .css_size = o->preferCssPageSize,
                                     .tagged = o->tagged,
                                     .outline = o->outline,
                                     .header = o->header,
                                     .footer = o->footer };
    return parse_margin(o->margin, print, err) < 0 ? -1 : render_viewport(o->viewport, page, err);
}

int render_files(struct tool_run *run, const struct render_options *o,
                 const struct render_source *source, struct err *err)
{
    struct page_options page;
    struct print_options print;
    struct assets *assets;
    int done;

    if (set_options(o, &page, &print, err) < 0)
        return -1;
    assets = assets_open(run->inputs, run->n_inputs, source ? source->endings : assets_html, err);
    if (!assets)
        return -1;
    done = source ? convert_page(assets, source, err) : 0;
    if (done == 0)
        done = render(run, assets, assets_start(assets), o, &page, &print, err);
    assets_free(assets);
    return done;
}

int render_address(struct tool_run *run, const struct render_options *o, const char *url,
                   struct err *err)
{
    struct page_options page;
    struct print_options print;

    return set_options(o, &page, &print, err) < 0 ? -1
                                                  : render(run, NULL, url, o, &page, &print, err);
}
