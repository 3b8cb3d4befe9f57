#include "engine/browser/context.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

#define GONE_MS 2000 /* all must be gone by then */
#define POLL_MS 2

int context_make(struct context *context, struct err *err)
{
    json_t *made = devtools_call(context->devtools, "", "Target.createBrowserContext",
                                 json_pack("{sb}", "disposeOnDetach", true), err);

    if (!made)
        return -1;
    snprintf(context->id, sizeof context->id, "%s", devtools_text(made, "browserContextId"));
    json_decref(made);
    devtools_send(context->devtools, "", "Target.createTarget",
                  json_pack("{ss ss}", "url", "about:blank", "browserContextId", context->id));
    return 0;
}

/* The processes of Chromium with their types and numbers. NULL: it did not say. */
static json_t *list_processes(struct context *context)
{
    struct err ignored;
    json_t *got = devtools_call(context->devtools, "", "SystemInfo.getProcessInfo", NULL, &ignored);
    json_t *list = json_incref(json_object_get(got, "processInfo"));

    json_decref(got);
    return list;
}

void context_note(struct context *context)
{
    if (context->disposed)
        context->processes = list_processes(context);
}

void context_dispose(struct context *context)
{
    if (context->disposed)
        devtools_send(context->devtools, "", "Target.disposeBrowserContext",
                      json_pack("{ss}", "browserContextId", context->id));
}

static bool shows_pages(const json_t *process)
{
    return strcmp(devtools_text(process, "type"), "renderer") == 0;
}

static bool has_process(const json_t *processes, const json_t *process)
{
    for (size_t i = 0; i < json_array_size(processes); i++)
        if (json_equal(json_object_get(json_array_get(processes, i), "id"),
                       json_object_get(process, "id")))
            return true;
    return false;
}

/* Whether no process is left that showed a page, and each other one is still there: in place of one
 * that has crashed Chromium starts another, or does without what it was for. */
static bool is_as_before(const struct context *context, const json_t *processes)
{
    for (size_t i = 0; i < json_array_size(processes); i++)
        if (shows_pages(json_array_get(processes, i)))
            return false;
    for (size_t i = 0; i < json_array_size(context->processes); i++) {
        const json_t *process = json_array_get(context->processes, i);

        if (!shows_pages(process) && !has_process(processes, process))
            return false;
    }
    return json_array_size(processes) > 0 && json_array_size(context->processes) > 0;
}

bool context_is_gone(struct context *context)
{
    int64_t until = clock_mono_ms() + GONE_MS;
    bool gone = false;

    if (!context->disposed)
        return false;
    context->devtools->until_ms = until;
    while (!gone && clock_mono_ms() < until) {
        json_t *processes = list_processes(context);

        gone = is_as_before(context, processes);
        json_decref(processes);
        if (!gone)
            devtools_wait(context->devtools, clock_mono_ms() + POLL_MS);
    }
    /* The next job reads from the beginning of a message. */
    while (context->devtools->in.len > 0 && clock_mono_ms() < until)
        devtools_wait(context->devtools, until);
    return gone && context->devtools->in.len == 0;
}

void context_free(struct context *context)
{
    json_decref(context->processes);
}
