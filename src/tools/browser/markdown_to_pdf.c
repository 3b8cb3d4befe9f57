/* markdown-to-pdf: Markdown as a page, printed by Chromium. */
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool/tool.h"
#include "engine/browser/render.h"
#include "write/article/article.h"

#define CSS_BYTES 1000000
#define FOOTER                                                                                     \
    "<div style=\"font: 9px sans-serif; color: #666; width: 100%; text-align: center\">"           \
    "<span class=\"pageNumber\"></span> / <span class=\"totalPages\"></span></div>"

struct params {
    struct render_options page;
    bool toc;
    int64_t tocDepth;
    bool math;
    const char *html;
    const char *style;
    const struct tool_input *css;
};

static const char *const html_choices[] = { "keep", "text", NULL };
static const char *const style_choices[] = { "default", "none", NULL };

static const struct param params[] = {
    BOOL(struct params, toc, "Whether there is a table of contents, after the title.",
         .preset = "false"),
    INT(struct params, tocDepth, "Up to which level headings are in the table of contents.",
        .preset = "3", .min = 1, .max = 6),
    BOOL(struct params, math, "Whether $...$ and $$...$$ are mathematics, as LaTeX writes it.",
         .preset = "true"),
    CHOICE(struct params, html,
           "HTML in the text: keep, but for scripts, styles and frames, or show it as text.",
           .preset = "keep", .choices = html_choices),
    CHOICE(struct params, style, "The style of the page besides css: the default one, or none.",
           .preset = "default", .choices = style_choices),
    UPLOAD(struct params, css, "A style sheet: a file, or its text.", .text = true,
           .max = CSS_BYTES),
    RENDER_PRINT_PARAMS("20mm 18mm", FOOTER),
    RENDER_MISSING(struct render_options),
};

static void pass_warning(void *hand, const char *code, const char *sentence)
{
    tool_warn(hand, code, "%s", sentence);
}

static int convert_text(void *arg, const struct buf *text, struct buf *html, struct err *err)
{
    return article_write(buf_text(text), text->len, arg, html, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    static const char *const endings[] = { ".md", ".markdown", ".mkd", ".txt", NULL };
    const struct params *p = values;
    AUTO_BUF struct buf css = BUF_EMPTY;
    struct article_options article = { .title = run->stem,
                                       .contents = p->toc,
                                       .depth = (int) p->tocDepth,
                                       .math = p->math,
                                       .html = strcmp(p->html, "keep") == 0,
                                       .style = strcmp(p->style, "default") == 0,
                                       .warn = pass_warning,
                                       .hand = run };
    const struct render_source source = { endings, convert_text, &article };
    struct render_options page = p->page;

    page.media = "print";
    page.viewport = "1280x800";
    page.colorScheme = "light";
    page.numbered = p->toc;
    if (p->css) {
        if (fdio_read_first(p->css->fd, (size_t) p->css->bytes, &css, err) < 0)
            return -1;
        article.css = buf_text(&css);
        article.n_css = css.len;
    }
    return render_files(run, &page, &source, err);
}

const struct tool tool_markdown_to_pdf = {
    .name = "markdown-to-pdf",
    .summary = "Makes a PDF of Markdown: tables, task lists, footnotes, mathematics, code with "
               "colours, and the pictures that are sent with it.",
    .accepts = { "text", "html", "zip", "jpg", "png", "gif", "webp", "avif", "bmp", "svg",
                 TOOL_UNKNOWN },
    .accepts_text = "Markdown, or a ZIP with index.md, and the pictures in it",
    .gives = "pdf",
    .min_files = 1,
    .max_files = 200,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
