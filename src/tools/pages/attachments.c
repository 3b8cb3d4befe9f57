/* attachments: lists, takes out, adds and removes the files that are embedded in a PDF. */
#include <fcntl.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/value/text.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "pdf/properties/attach.h"
#include "pdf/properties/attached.h"
#include "pdf/properties/metadata_json.h"
#include "pdf/properties/reading.h"

#define NAME_CHARS 200
#define LIST_NAME  "attachments.json"
#define FILE_BYTES (100 << 20)

struct params {
    const char *action;
    const struct tool_input *attachment;
    const char *name;
    const char *description;
    const char *type;
    const char *relationship;
    const char *inputPassword;
};

static const char *const actions[] = { "list", "extract", "add", "remove", NULL };
static const char *const relationships[] = { "unspecified", "source",   "data",   "alternative",
                                             "supplement",  "formData", "schema", NULL };

static const struct param params[] = {
    CHOICE(struct params, action,
           "list: names, sizes and types as JSON; extract: the files and that list as a ZIP; add: "
           "one more file; remove: the file with that name, or all.",
           .preset = "list", .choices = actions),
    UPLOAD(struct params, attachment, "The file that add puts into the document.",
           .max = FILE_BYTES),
    TEXT(struct params, name,
         "The name of the file: what the one that is added is called, such as invoice.xml (its own "
         "name without it), or the one to extract or remove (all without it).",
         .max = NAME_CHARS),
    TEXT(struct params, description, "What the added file is.", .max = 1000),
    TEXT(struct params, type, "The media type of the added file, such as text/xml.", .max = 100),
    CHOICE(struct params, relationship,
           "What the added file is to the document: its source, the data it shows, an alternative, "
           "a supplement.",
           .preset = "unspecified", .choices = relationships),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int write_list(const char *path, const struct attached *files, struct err *err)
{
    AUTO_BUF struct buf json = BUF_EMPTY;
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    json_t *list = json_array();

    for (size_t i = 0; i < files->n; i++)
        json_array_append_new(list, attached_json(&files->items[i]));
    if (metadata_json_dump(
            json_pack("{s:s, s:o}", "format", "platen-attachments", "attachments", list), &json,
            err) < 0)
        return -1;
    return fd < 0 ? err_sys(err, "result") : fdio_write(fd, json.data, json.len, err);
}

/* Which files have that name; all without one. */
static int choose_files(const struct attached *files, const char *name, bool *chosen,
                        struct err *err)
{
    size_t n = 0;

    for (size_t i = 0; i < files->n; i++) {
        chosen[i] = !name || strcmp(files->items[i].name, name) == 0;
        n += chosen[i];
    }
    if (n == 0 && name)
        return err_field(err, ERR_INVALID_PARAMETER, "name",
                         "the document has no attachment of that name: action=list tells them");
    return 0;
}

static int extract_file(struct tool_run *run, const struct attached_file *file, struct err *err)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_CLOSE int fd = -1;
    char name[TOOL_NAME];
    size_t n;

    if (!obj_is_stream(file->stream))
        return 0;
    if (!obj_stream_data(file->stream, &data, &n)) {
        tool_warn(run, "attachment_unreadable", "the data of an attachment cannot be read");
        return 0;
    }
    fd = open(tool_part(run), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0)
        return err_sys(err, "part");
    if (fdio_write(fd, data, n, err) < 0)
        return -1;
    text_file_name(file->name, strlen(file->name), name, TOOL_NAME - 20);
    return tool_part_done(run, *name ? name : "attachment", 0, err);
}

/* The list comes last, so that there are always parts: the result is always a ZIP. */
static int extract_files(struct tool_run *run, const struct attached *files, const bool *chosen,
                         struct err *err)
{
    for (size_t i = 0; i < files->n; i++)
        if (chosen[i] && extract_file(run, &files->items[i], err) < 0)
            return -1;
    if (write_list(tool_part(run), files, err) < 0 || tool_part_done(run, LIST_NAME, 0, err) < 0)
        return -1;
    return tool_parts_done(run, err);
}

/* "formData" as /FormData. */
static void relationship_name(const char *choice, char out[static 24])
{
    snprintf(out, 24, "%s", choice);
    out[0] = (char) (out[0] - 'a' + 'A');
}

static int add_attachment(struct tool_run *run, struct pdf_doc *doc, const struct attached *files,
                          const struct params *p, struct err *err)
{
    char name[TOOL_NAME], relationship[24];
    struct attach_file file = { .name = name,
                                .description = p->description,
                                .type = p->type && *p->type ? p->type : NULL,
                                .relationship = relationship,
                                .path = p->attachment->path };
    bool replaced;

    text_file_name(p->name, strlen(p->name), name, TOOL_NAME - 1);
    if (!*name)
        snprintf(name, sizeof name, "attachment");
    relationship_name(p->relationship, relationship);
    if (attach_add(doc, files, &file, &replaced, err) < 0)
        return -1;
    if (replaced)
        tool_warn(run, "attachment_replaced", "an attachment of the same name was replaced");
    return 0;
}

static int change_files(struct tool_run *run, struct pdf_doc *doc, const struct attached *files,
                        const bool *chosen, const struct params *p, struct err *err)
{
    size_t removed = 0;

    unsign_document(doc);
    if (strcmp(p->action, "add") == 0) {
        if (add_attachment(run, doc, files, p, err) < 0)
            return -1;
    } else {
        if (attach_remove(doc, files, chosen, &removed, err) < 0)
            return -1;
        tool_figure(run, "removed", (int64_t) removed);
    }
    if (pdf_doc_save(doc, run->output, NULL, err) < 0)
        return -1;
    return tool_done(run, doc->n_pages, err);
}

static int run_action(struct tool_run *run, struct pdf_doc *doc, const struct attached *files,
                      const struct params *p, struct err *err)
{
    AUTO_FREE bool *chosen = calloc(files->n + 1, sizeof *chosen);
    const char *name = p->name && *p->name ? p->name : NULL;

    if (!chosen)
        return pdf_doc_no_memory(err);
    if (strcmp(p->action, "list") == 0)
        return write_list(run->output, files, err) < 0 ? -1 : tool_done_as(run, "json", 0, err);
    if (strcmp(p->action, "add") != 0 && choose_files(files, name, chosen, err) < 0)
        return -1;
    if (files->n == 0 && strcmp(p->action, "add") != 0)
        tool_warn(run, "no_attachments", "the document has no attachments");
    return strcmp(p->action, "extract") == 0 ? extract_files(run, files, chosen, err)
                                             : change_files(run, doc, files, chosen, p, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct pdf_doc doc = { 0 };
    struct attached files = { 0 };
    bool changes = strcmp(p->action, "add") == 0 || strcmp(p->action, "remove") == 0;
    int done;

    if ((changes ? pdf_doc_open : reading_open)(&doc, run->inputs[0].path, p->inputPassword, run,
                                                err) < 0)
        return -1;
    done = attached_read(&files, doc.q, doc.n_pages, err);
    if (done == 0)
        done = run_action(run, &doc, &files, p, err);
    attached_free(&files);
    pdf_doc_close(&doc);
    return done;
}

const struct tool tool_attachments = {
    .name = "attachments",
    .summary = "Lists, takes out, adds and removes the files that are embedded in a PDF.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .gives_also = { "json" },
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_attachments,
    .run = run,
};
