#include "server/mcp/mcp_form.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/id.h"
#include "base/scope.h"
#include "declare/tool/pipeline.h"
#include "declare/value/text.h"

#define FIELD 60 /* limit of a field's name */

static int complain(char *why, size_t cap, const char *before, const char *name, const char *after)
{
    char shown[FIELD];

    text_for_message(name, strlen(name), shown, sizeof shown);
    snprintf(why, cap, "%s%s%s", before, shown, after);
    return -1;
}

/* Only letters that cannot end a header line or a quoted text. */
static bool is_field_name(const char *name)
{
    size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.[]");

    return n > 0 && n < FIELD && !name[n];
}

static void put_field(struct mcp_form *form, const char *name, const char *value)
{
    buf_printf(&form->body, "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n",
               form->boundary, name);
    buf_puts(&form->body, value);
    buf_puts(&form->body, "\r\n");
}

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static int check_handle(const char *handle, char *why, size_t cap)
{
    if (starts_with(handle, "upload:") || starts_with(handle, "job:") ||
        starts_with(handle, "https://") || starts_with(handle, "http://"))
        return 0;
    if (starts_with(handle, "data:") || strlen(handle) > 1000)
        return complain(why, cap, "", "",
                        "files are named by handles, never by their bytes: use upload_ticket and "
                        "send the file to the address that it answers");
    return complain(why, cap, "", handle,
                    " is not a handle: use an https address, upload:ID of upload_ticket, or job:ID "
                    "of an earlier run");
}

static int put_files(struct mcp_form *form, const char *field, const json_t *files, char *why,
                     size_t cap)
{
    const json_t *file;
    size_t i;

    if (json_is_string(files)) {
        if (check_handle(json_string_value(files), why, cap) < 0)
            return -1;
        put_field(form, field, json_string_value(files));
        return 0;
    }
    if (files && !json_is_array(files))
        return complain(why, cap, "files", "", " is a list of texts");
    json_array_foreach(files, i, file)
    {
        if (!json_is_string(file))
            return complain(why, cap, "files", "", " is a list of texts");
        if (check_handle(json_string_value(file), why, cap) < 0)
            return -1;
        put_field(form, field, json_string_value(file));
    }
    return 0;
}

/* The text of a value in a form. */
static int put_param(struct mcp_form *form, const char *name, const json_t *value, char *why,
                     size_t cap)
{
    AUTO_FREE char *json = NULL;

    if (!is_field_name(name))
        return complain(why, cap, "there is no param ", name, ": call find_tool with the tool");
    if (json_is_null(value))
        return 0;
    if (json_is_string(value)) {
        put_field(form, name, json_string_value(value));
        return 0;
    }
    json = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    put_field(form, name, json ? json : "");
    return 0;
}

static int put_members(struct mcp_form *form, const json_t *object, char *why, size_t cap)
{
    const char *name;
    json_t *value;

    json_object_foreach((json_t *) (uintptr_t) object, name, value)
    {
        if (put_param(form, name, value, why, cap) < 0)
            return -1;
    }
    return 0;
}

static int put_attachments(struct mcp_form *form, const json_t *attachments, char *why, size_t cap)
{
    const char *name;
    json_t *handle;

    json_object_foreach((json_t *) (uintptr_t) attachments, name, handle)
    {
        if (!json_is_string(handle))
            return complain(why, cap, "the attachment ", name, " is a handle, a text");
        if (check_handle(json_string_value(handle), why, cap) < 0 ||
            put_param(form, name, handle, why, cap) < 0)
            return -1;
    }
    return 0;
}

static int check_steps(const json_t *steps, char *why, size_t cap)
{
    const json_t *step, *params;
    size_t i;

    if (!json_is_array(steps) || json_array_size(steps) == 0)
        return complain(why, cap, "steps", "", " is a list such as [{\"tool\": \"compress\"}]");
    json_array_foreach(steps, i, step)
    {
        params = json_object_get(step, "params");
        if (!json_is_string(json_object_get(step, "tool")))
            return complain(why, cap, "each of steps", "",
                            " is an object with the name of a tool in tool, and params");
        if (params && !json_is_object(params))
            return complain(why, cap, "params", "", " of a step is an object");
    }
    return 0;
}

static int put_steps(struct mcp_form *form, const struct catalog *catalog, const json_t *arguments,
                     char *why, size_t cap)
{
    const json_t *steps = json_object_get(arguments, "steps"), *first = json_array_get(steps, 0);
    const json_t *files = json_object_get(arguments, "files");
    const struct tool *tool;
    const char *nearest;
    struct worker *worker;
    AUTO_FREE char *text = NULL;
    char after[120];

    form->tool = json_string_value(json_object_get(first, "tool"));
    if (json_array_size(steps) == 1) {
        tool = catalog_find(catalog, form->tool, &worker);
        nearest = tool ? NULL : catalog_nearest(catalog, form->tool);
        snprintf(after, sizeof after, "%s%s; find_tool lists all", nearest ? ", did you mean " : "",
                 nearest ? nearest : "");
        if (!tool || tool->hidden)
            return complain(why, cap, "there is no tool ", form->tool, after);
        if (put_files(form, tool->max_files == 1 ? "file" : "files", files, why, cap) < 0)
            return -1;
        return put_members(form, json_object_get(first, "params"), why, cap);
    }
    form->tool = PIPELINE_NAME;
    text = json_dumps(steps, JSON_COMPACT);
    if (put_files(form, "files", files, why, cap) < 0)
        return -1;
    put_field(form, "steps", text ? text : "");
    return 0;
}

/* A saved workflow instead of steps. */
static int put_workflow(struct mcp_form *form, const json_t *arguments, char *why, size_t cap)
{
    if (json_object_get(arguments, "steps"))
        return complain(why, cap, "workflow", "", " has steps of its own: leave out steps");
    form->tool = PIPELINE_NAME;
    if (put_files(form, "files", json_object_get(arguments, "files"), why, cap) < 0)
        return -1;
    put_field(form, "workflow", json_string_value(json_object_get(arguments, "workflow")));
    return put_members(form, json_object_get(arguments, "values"), why, cap);
}

/* What is done with the files. */
static int put_work(struct mcp_form *form, const struct catalog *catalog, const json_t *arguments,
                    char *why, size_t cap)
{
    if (json_object_get(arguments, "workflow"))
        return put_workflow(form, arguments, why, cap);
    if (json_object_get(arguments, "values"))
        return complain(why, cap, "values", "", " belongs to workflow: put them into params");
    return check_steps(json_object_get(arguments, "steps"), why, cap) < 0
               ? -1
               : put_steps(form, catalog, arguments, why, cap);
}

int mcp_form_make(struct mcp_form *form, const struct catalog *catalog, const json_t *arguments,
                  char *why, size_t cap)
{
    const char *output_name = json_string_value(json_object_get(arguments, "output_name"));
    const char *output_url = json_string_value(json_object_get(arguments, "output_url"));
    const json_t *headers = json_object_get(arguments, "address_headers");
    AUTO_FREE char *text = headers ? json_dumps(headers, JSON_COMPACT) : NULL;

    *form = (struct mcp_form){ 0 };
    /* Nothing in the arguments can contain it by design: it cannot be guessed. */
    id_secret(form->boundary, MCP_BOUNDARY - 1);
    if (put_work(form, catalog, arguments, why, cap) < 0 ||
        put_attachments(form, json_object_get(arguments, "attachments"), why, cap) < 0)
        return -1;
    if (output_name)
        put_field(form, "outputName", output_name);
    if (output_url)
        put_field(form, "outputUrl", output_url);
    if (text)
        put_field(form, "fileHeaders", text);
    buf_printf(&form->body, "--%s--\r\n", form->boundary);
    if (form->body.failed)
        return complain(why, cap, "the server", "", " is out of memory; try again later");
    return 0;
}
