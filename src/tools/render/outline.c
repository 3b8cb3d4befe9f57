/* outline: the bookmarks of a PDF: as JSON, made of JSON, or made of its headings. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "convert/convert.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "pdf/properties/outline_json.h"
#include "pdf/properties/reading.h"
#include "write/json/json.h"

struct params {
    const char *action;
    const char *outline;
    const char *inputPassword;
};

static const char *const actions[] = { "read", "set", "headings", "remove", NULL };

static const struct param params[] = {
    CHOICE(struct params, action,
           "read: the outline as JSON; set: the outline becomes that of `outline`; headings: it is "
           "made of the headings of the text; remove: there is none any more.",
           .preset = "read", .choices = actions),
    TEXT(
        struct params, outline,
        "The new outline: a JSON list of objects with title, page, top (points from the top of the "
        "page), uri, open, bold, italic, color and children, as action=read writes it.",
        .min = 2, .max = OUTLINE_JSON_CHARS),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* Reads the text of the document as extract does, into the file of the result. */
static int find_headings(struct tool_run *run, const struct params *p, struct buf *text,
                         struct err *err)
{
    struct convert_options options = { .password = p->inputPassword,
                                       .pages = "all",
                                       .exact = true,
                                       .bare = true,
                                       .headers = SURVEY_HEADERS_DROP };
    struct json json = { .path = run->output, .what = JSON_BLOCKS, .chunk = 2000 };
    struct writer writer = json_writer(&json);
    size_t n_pages;
    int done = convert_document(run, &options, &writer, &n_pages, err);
    AUTO_CLOSE int fd = open(run->output, O_RDONLY | O_CLOEXEC);
    struct stat st;
    char *room;

    json_free(&json);
    if (done < 0)
        return -1;
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_sys(err, "the headings");
    room = buf_room(text, (size_t) st.st_size + 1);
    if (!room)
        return pdf_doc_no_memory(err);
    for (off_t at = 0; at < st.st_size;) {
        ssize_t n = fdio_read_at(fd, room + at, (size_t) (st.st_size - at), at, err);

        if (n <= 0)
            return n < 0 ? -1 : err_set(err, ERR_INTERNAL, "the headings became shorter");
        at += n;
    }
    buf_added(text, (size_t) st.st_size);
    return 0;
}

static int set_headings(struct tool_run *run, struct pdf_doc *doc, const struct params *p,
                        size_t *n, struct err *err)
{
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (find_headings(run, p, &text, err) < 0 ||
        outline_json_headings(doc, buf_text(&text), text.len, n, err) < 0)
        return -1;
    if (*n == 0)
        tool_warn(run, "no_headings", "the text has no headings: the outline is as before");
    return 0;
}

static int change_outline(struct tool_run *run, struct pdf_doc *doc, const struct params *p,
                          struct err *err)
{
    bool headings = strcmp(p->action, "headings") == 0, set = strcmp(p->action, "set") == 0;
    size_t n;

    unsign_document(doc);
    if ((headings ? set_headings(run, doc, p, &n, err)
                  : outline_json_set(doc, "outline", set ? p->outline : "[]", &n, err)) < 0)
        return -1;
    tool_figure(run, "outlineItems", (int64_t) n);
    if (pdf_doc_save(doc, run->output, NULL, err) < 0)
        return -1;
    return tool_done(run, doc->n_pages, err);
}

static int give_outline(struct tool_run *run, struct pdf_doc *doc, struct err *err)
{
    AUTO_BUF struct buf json = BUF_EMPTY;
    AUTO_CLOSE int fd = open(run->output, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "result");
    if (outline_json_write(doc, &json, err) < 0 || fdio_write(fd, json.data, json.len, err) < 0)
        return -1;
    return tool_done_as(run, "json", 0, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    bool read = strcmp(p->action, "read") == 0;

    if ((read ? reading_open : pdf_doc_open)(&doc, run->inputs[0].path, p->inputPassword, run,
                                             err) < 0)
        return -1;
    return read ? give_outline(run, &doc, err) : change_outline(run, &doc, p, err);
}

const struct tool tool_outline = {
    .name = "outline",
    .summary = "Reads, sets or makes the outline (bookmarks) of a PDF, also of its headings.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .gives_also = { "json" },
    .min_files = 1,
    .max_files = 1,
    .threads = true,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_outline,
    .run = run,
};
