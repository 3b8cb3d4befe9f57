#include "cmd/agent/agent_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"

static const char local_text[] =
    " Files of this machine are named by their paths, and results are saved as files: no ticket is "
    "needed for them.";
static const char files_text[] =
    "The input files, in order: paths of local files in the allowed folders, https addresses, or "
    "job:ID of an earlier run (all its outputs), or job:ID/NAME (one of them).";
static const char attachments_text[] =
    "Other files that params of steps need, such as an image for a stamp: the name of the param, "
    "or "
    "with several steps a name that a param has as its value, and the path of the file.";
static const char save_text[] =
    "Where the result is saved: a folder, or the path of a new file, in the allowed folders. "
    "Without it, results of local files are saved next to the first of them.";

static bool starts_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_handle(const char *text)
{
    return starts_with(text, "upload:") || starts_with(text, "job:") ||
           starts_with(text, "https://") || starts_with(text, "http://") ||
           starts_with(text, "data:");
}

static void set_text(json_t *object, const char *name, const char *text)
{
    if (json_is_object(object))
        json_object_set_new(object, name, json_string(text));
}

void agent_files_declare(json_t *result)
{
    const char *instructions = json_string_value(json_object_get(result, "instructions"));
    json_t *tool;
    size_t i;

    if (instructions)
        json_object_set_new(result, "instructions", json_sprintf("%s%s", instructions, local_text));
    json_array_foreach(json_object_get(result, "tools"), i, tool)
    {
        const char *name = json_string_value(json_object_get(tool, "name"));
        json_t *properties = json_object_get(json_object_get(tool, "inputSchema"), "properties");

        if (!name || !properties || (strcmp(name, "run") != 0 && strcmp(name, "status") != 0))
            continue;
        set_text(json_object_get(properties, "files"), "description", files_text);
        set_text(json_object_get(properties, "attachments"), "description", attachments_text);
        json_object_set_new(properties, "save_to",
                            json_pack("{ss ss}", "type", "string", "description", save_text));
    }
}

/* Replaces a path by a handle. `from` becomes the folder of the file if it has none yet. */
static json_t *send_file(const struct agent_folders *folders, const struct agent_remote *remote,
                         const char *path, struct agent_order *order, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX], handle[64];
    AUTO_CLOSE int fd = agent_folders_open(folders, path, folder, err);

    if (fd < 0 || agent_remote_upload(remote, fd, slash ? slash + 1 : path, handle, err) < 0)
        return NULL;
    if (!order->saves) {
        order->saves = true;
        snprintf(order->where, sizeof order->where, "%s%s%.*s", path[0] == '/' ? "" : folder,
                 path[0] == '/' ? "" : "/", slash ? (int) (slash - path) : 0, path);
    }
    return json_string(handle);
}

/* Whether a value names a file of this machine, which is to be sent. */
static bool is_path(const json_t *value)
{
    return json_is_string(value) && !is_handle(json_string_value(value));
}

static int send_list(const struct agent_folders *folders, const struct agent_remote *remote,
                     json_t *list, struct agent_order *order, struct err *err)
{
    json_t *file;
    size_t i;

    json_array_foreach(list, i, file)
    {
        json_t *handle;

        if (!is_path(file))
            continue;
        handle = send_file(folders, remote, json_string_value(file), order, err);
        if (!handle)
            return -1;
        json_array_set_new(list, i, handle);
    }
    return 0;
}

static int send_members(const struct agent_folders *folders, const struct agent_remote *remote,
                        json_t *object, struct agent_order *order, struct err *err)
{
    const char *name;
    json_t *file;
    void *next;

    json_object_foreach_safe(object, next, name, file)
    {
        json_t *handle;

        if (!is_path(file))
            continue;
        handle = send_file(folders, remote, json_string_value(file), order, err);
        if (!handle)
            return -1;
        json_object_set_new(object, name, handle);
    }
    return 0;
}

int agent_files_send(const struct agent_folders *folders, const struct agent_remote *remote,
                     json_t *arguments, struct agent_order *order, struct err *err)
{
    const char *where = json_string_value(json_object_get(arguments, "save_to"));
    json_t *files = json_object_get(arguments, "files");

    *order = (struct agent_order){ 0 };
    if (where) {
        order->saves = true;
        snprintf(order->where, sizeof order->where, "%s", where);
        json_object_del(arguments, "save_to");
        if (agent_folders_check(folders, order->where, err) < 0)
            return -1;
    }
    if (json_is_string(files)) {
        json_object_set_new(arguments, "files", json_pack("[O]", files));
        files = json_object_get(arguments, "files");
    }
    if (send_list(folders, remote, files, order, err) < 0)
        return -1;
    return send_members(folders, remote, json_object_get(arguments, "attachments"), order, err);
}

/* Replaces each `old` in the text of the result's words. */
static void replace_words(json_t *result, const char *old, const char *new)
{
    json_t *words = json_array_get(json_object_get(result, "content"), 0);
    const char *text = json_string_value(json_object_get(words, "text")), *found;
    AUTO_BUF struct buf out = BUF_EMPTY;

    if (!text)
        return;
    while (*old && (found = strstr(text, old))) {
        buf_put(&out, text, (size_t) (found - text));
        buf_puts(&out, new);
        text = found + strlen(old);
    }
    buf_puts(&out, text);
    json_object_set_new(words, "text", json_string(buf_text(&out)));
}

static void add_words(json_t *result, const char *line)
{
    json_t *words = json_array_get(json_object_get(result, "content"), 0);
    const char *text = json_string_value(json_object_get(words, "text"));

    if (text)
        json_object_set_new(words, "text", json_sprintf("%s\n%s", text, line));
}

static void save_link(const struct agent_folders *folders, const struct agent_remote *remote,
                      const struct agent_order *order, json_t *result, json_t *link)
{
    const char *uri = json_string_value(json_object_get(link, "uri"));
    const char *name = json_string_value(json_object_get(link, "name"));
    AUTO_BUF struct buf old = BUF_EMPTY, line = BUF_EMPTY;
    char made[PATH_MAX];
    struct err err;
    AUTO_CLOSE int fd =
        uri && name ? agent_folders_create(folders, order->where, name, made, &err) : -1;

    if (!uri || !name)
        return;
    if (fd < 0 || agent_remote_download(remote, uri, fd, &err) < 0) {
        if (fd >= 0)
            unlink(made);
        buf_printf(&line, "Not saved: %s: %s", name, err.msg);
        add_words(result, buf_text(&line));
        return;
    }
    buf_printf(&old, ", link %s", uri);
    replace_words(result, buf_text(&old), "");
    buf_printf(&line, "Saved: %s", made);
    add_words(result, buf_text(&line));
    json_object_set_new(link, "uri", json_sprintf("file://%s", made));
}

void agent_files_save(const struct agent_folders *folders, const struct agent_remote *remote,
                      const struct agent_order *order, json_t *result)
{
    json_t *part;
    size_t i;

    if (!order->saves)
        return;
    json_array_foreach(json_object_get(result, "content"), i, part)
    {
        const char *type = json_string_value(json_object_get(part, "type"));

        if (type && strcmp(type, "resource_link") == 0)
            save_link(folders, remote, order, result, part);
    }
}
