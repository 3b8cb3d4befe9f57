/* to-markdown: converts a PDF to Markdown, with its pictures as separate files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "convert/convert.h"
#include "declare/tool/tool.h"
#include "write/markup/markdown.h"

struct params {
    const char *pages;
    const char *headers;
    bool images;
    const char *tables;
    const char *ocr;
    const char *language;
    const char *inputPassword;
};

static const char *const tables[] = { "pipe", "html", NULL };

static const struct param params[] = {
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CONVERT_HEADERS(struct params),
    BOOL(struct params, images,
         "Whether pictures are kept, as files of their own: the result is a ZIP if there are any.",
         .preset = "true"),
    CHOICE(struct params, tables,
           "pipe: tables as rows of text between bars, without merged cells; html: tables as HTML, "
           "with them.",
           .preset = "pipe", .choices = tables),
    CONVERT_OCR(struct params),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* The pictures so far. */
struct album {
    struct tool_run *run;
    unsigned n;
};

static int write_file(const char *path, const void *data, size_t n, struct err *err)
{
    AUTO_FCLOSE FILE *file = fopen(path, "wbe");

    if (!file || fwrite(data, 1, n, file) != n || fflush(file) != 0)
        return err_sys(err, "result");
    return 0;
}

static int keep_picture(void *hand, const struct page_picture *picture, char *name, size_t cap,
                        struct err *err)
{
    struct album *album = hand;
    const char *path = tool_part(album->run);

    snprintf(name, cap, "image-%u.%s", ++album->n, picture->extension);
    if (write_file(path, picture->bytes, picture->n_bytes, err) < 0)
        return -1;
    return tool_part_done(album->run, name, 0, err);
}

static int give_text(struct tool_run *run, const struct buf *text, size_t n_pages, struct err *err)
{
    char name[TOOL_NAME];

    snprintf(name, sizeof name, "%.*s.md", TOOL_NAME - 5, run->stem);
    if (write_file(tool_part(run), text->data, text->len, err) < 0 ||
        tool_part_done(run, name, n_pages, err) < 0)
        return -1;
    return tool_parts_done(run, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct convert_options options = { .password = p->inputPassword,
                                       .pages = p->pages,
                                       .fields = PAGE_FIELDS_BOXES,
                                       .headers = convert_headers_of(p->headers),
                                       .pictures = p->images };
    struct album album = { .run = run };
    struct markdown markdown = { .html_tables = strcmp(p->tables, "html") == 0,
                                 .save = p->images ? keep_picture : NULL,
                                 .hand = &album };
    struct writer writer = markdown_writer(&markdown);
    size_t n_pages;
    int done = convert_document(run, &options, &writer, &n_pages, err);

    if (done == 0)
        done = give_text(run, &markdown.markup.body, n_pages, err);
    markup_free(&markdown.markup);
    return done;
}

const struct tool tool_to_markdown = {
    .name = "to-markdown",
    .summary = "Makes Markdown of a PDF: headings, lists, tables, links, footnotes, pictures.",
    .accepts = { "pdf" },
    .gives = "md",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .threads = true,
    .transcriber = CONVERT_TRANSCRIBER,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
