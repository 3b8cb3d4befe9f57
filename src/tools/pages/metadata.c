/* metadata: reads, sets and clears what a PDF says of itself: Info and XMP, which say the same. */
#include <fcntl.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/value/property_list.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "pdf/properties/metadata.h"
#include "pdf/properties/metadata_json.h"
#include "pdf/properties/reading.h"

#define MAX_TEXT 10000

struct params {
    const char *action;
    const char *title;
    const char *author;
    const char *subject;
    const char *keywords;
    const char *creator;
    const char *producer;
    const char *created;
    const char *modified;
    const char *custom;
    const char *inputPassword;
};

static const char *const actions[] = { "read", "set", "clear", NULL };

static const struct param params[] = {
    CHOICE(
        struct params, action,
        "read: the metadata as JSON; set: those that are given are changed, and Info and XMP say "
        "the same afterwards; clear: all are removed, also those of images and pages.",
        .preset = "read", .choices = actions),
    TEXT(struct params, title, "The title. An empty text removes it.", .max = MAX_TEXT),
    TEXT(struct params, author, "Who wrote the document.", .max = MAX_TEXT),
    TEXT(struct params, subject, "What the document is about.", .max = MAX_TEXT),
    TEXT(struct params, keywords, "Words to find it by, divided by commas.", .max = MAX_TEXT),
    TEXT(struct params, creator, "The program that the document was written with.",
         .max = MAX_TEXT),
    TEXT(struct params, producer, "The program that made a PDF of it.", .max = MAX_TEXT),
    TEXT(struct params, created, "When it was made: 2026-05-01 or 2026-05-01T12:00:00+02:00.",
         .max = 40),
    TEXT(struct params, modified, "When it was changed last, written in the same way.", .max = 40),
    TEXT(struct params, custom,
         "Further properties: a JSON object of names and texts, such as {\"Project\":\"Blue\"}. An "
         "empty text removes one.",
         .max = PROPERTY_LIST_CHARS),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int give_json(struct tool_run *run, const struct metadata *metadata, struct err *err)
{
    AUTO_BUF struct buf json = BUF_EMPTY;
    AUTO_CLOSE int fd = open(run->output, O_WRONLY | O_CLOEXEC);

    if (fd < 0)
        return err_sys(err, "result");
    if (metadata_json_write(metadata, &json, err) < 0 ||
        fdio_write(fd, json.data, json.len, err) < 0)
        return -1;
    return tool_done_as(run, "json", 0, err);
}

static int set_all(struct metadata *metadata, const struct params *p, struct err *err)
{
    const char *const values[METADATA_KEYS] = { p->title,   p->author,   p->subject, p->keywords,
                                                p->creator, p->producer, p->created, p->modified };
    AUTO_PROPERTY_LIST struct property_list custom = { 0 };

    for (int i = 0; i < METADATA_KEYS; i++)
        if (values[i] && metadata_set(metadata, (enum metadata_key) i, values[i], err) < 0)
            return -1;
    if (p->custom && property_list_read("custom", p->custom, &custom, err) < 0)
        return -1;
    for (size_t i = 0; i < custom.n; i++) {
        const struct property *one = &custom.items[i];

        if (!metadata_is_custom_name(one->name))
            return err_field(err, ERR_INVALID_PARAMETER, "custom",
                             "custom has a name that a property cannot have: it must be 1 to %d "
                             "bytes, and not one of those that have parameters",
                             METADATA_NAME);
        if (metadata_set_custom(metadata, one->name, one->value, err) < 0)
            return -1;
    }
    return 0;
}

static void warn_differing(struct tool_run *run, const struct metadata *metadata)
{
    size_t n = 0;

    for (int i = 0; i < METADATA_KEYS; i++)
        n += !metadata_agrees(&metadata->keys[i]);
    for (size_t i = 0; i < metadata->n_custom; i++)
        n += !metadata_agrees(&metadata->custom[i].value);
    if (n > 0)
        tool_warn(run, "metadata_differed",
                  "Info and XMP of the document differ in %zu properties: those of Info hold", n);
    if (metadata->unreadable)
        tool_warn(run, "xmp_unreadable", "the XMP metadata of the document cannot be read");
    if (metadata->bad_date)
        tool_warn(run, "date_unreadable", "a date of the metadata is not a date: it is left out");
}

static int change_metadata(struct tool_run *run, struct pdf_doc *doc, struct metadata *metadata,
                           const struct params *p, struct err *err)
{
    size_t removed;

    unsign_document(doc);
    if (strcmp(p->action, "clear") == 0) {
        if (metadata_clear(metadata, doc, &removed, err) < 0)
            return -1;
    } else if (set_all(metadata, p, err) < 0 || metadata_write(metadata, doc, err) < 0) {
        return -1;
    }
    if (pdf_doc_save(doc, run->output, NULL, err) < 0)
        return -1;
    return tool_done(run, doc->n_pages, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_METADATA struct metadata metadata = { 0 };

    bool read = strcmp(p->action, "read") == 0;

    if ((read ? reading_open : pdf_doc_open)(&doc, run->inputs[0].path, p->inputPassword, run,
                                             err) < 0 ||
        metadata_read(&metadata, doc.q, err) < 0)
        return -1;
    if (strcmp(p->action, "clear") != 0)
        warn_differing(run, &metadata);
    return read ? give_json(run, &metadata, err) : change_metadata(run, &doc, &metadata, p, err);
}

const struct tool tool_metadata = {
    .name = "metadata",
    .summary = "Reads, sets or clears title, author and all else that a PDF says of itself.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .gives_also = { "json" },
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_metadata,
    .run = run,
};
