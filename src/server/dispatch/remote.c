#include "server/dispatch/remote.h"

#include <stdlib.h>
#include <string.h>

#define WAITS "remote" /* marks a file of inputs_json */

char *remote_write(const struct remote_file *files, size_t n, int64_t max_file, int64_t max_bytes)
{
    json_t *list = json_array(), *object;
    char *text;

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{sI ss ss ss}", "input", (json_int_t) files[i].input,
                                              "url", files[i].url, "headers", files[i].headers,
                                              "sha256", files[i].sha256));
    object = json_pack("{sI sI so}", "maxFile", (json_int_t) max_file, "max",
                       (json_int_t) max_bytes, "files", list);
    text = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

static bool read_file(json_t *entry, struct remote_file *file)
{
    json_int_t input;

    if (json_unpack(entry, "{sI ss ss ss}", "input", &input, "url", &file->url, "headers",
                    &file->headers, "sha256", &file->sha256) < 0 ||
        input < 0)
        return false;
    file->input = (size_t) input;
    return true;
}

int remote_read(const char *text, struct remote_plan *plan, struct err *err)
{
    json_int_t most = 0, most_file = 0;
    json_t *list = NULL, *entry;
    size_t i;

    *plan = (struct remote_plan){ .json = text ? json_loads(text, 0, NULL) : NULL };
    if (!plan->json ||
        json_unpack(plan->json, "{sI sI so}", "maxFile", &most_file, "max", &most, "files", &list) <
            0 ||
        !json_is_array(list))
        return err_set(err, ERR_INTERNAL, "the job's files to fetch cannot be read");
    plan->max_file = most_file;
    plan->max_bytes = most;
    plan->files = calloc(json_array_size(list) + 1, sizeof *plan->files);
    if (!plan->files)
        return err_sys(err, "files to fetch");
    json_array_foreach(list, i, entry)
    {
        if (!read_file(entry, &plan->files[plan->n++]))
            return err_set(err, ERR_INTERNAL, "the job's files to fetch cannot be read");
    }
    return 0;
}

void remote_free(struct remote_plan *plan)
{
    json_decref(plan->json);
    free(plan->files);
    *plan = (struct remote_plan){ 0 };
}

bool remote_is_waiting(const struct job *job)
{
    json_t *inputs, *entry;
    bool waits = false;
    size_t i;

    /* Almost no job has one. A client's name cannot have this text: quotes are escaped in it. */
    if (!job->has_secret || !job->inputs_json || !strstr(job->inputs_json, "\"" WAITS "\":"))
        return false;
    inputs = json_loads(job->inputs_json, 0, NULL);
    json_array_foreach(inputs, i, entry) waits =
        waits || json_is_true(json_object_get(entry, WAITS));
    json_decref(inputs);
    return waits;
}

json_t *remote_waiting_input(const char *name)
{
    return json_pack("{ss si sb}", "name", name, "bytes", 0, WAITS, 1);
}

char *remote_arrived_inputs(const struct job *job, const struct remote_plan *plan,
                            const int64_t *bytes)
{
    json_t *inputs = json_loads(job->inputs_json, 0, NULL);
    char *text;

    for (size_t i = 0; i < plan->n; i++) {
        json_t *entry = json_array_get(inputs, plan->files[i].input);

        json_object_set_new(entry, "bytes", json_integer((json_int_t) bytes[i]));
        json_object_del(entry, WAITS);
    }
    text = inputs ? json_dumps(inputs, JSON_COMPACT) : NULL;
    json_decref(inputs);
    return text;
}
