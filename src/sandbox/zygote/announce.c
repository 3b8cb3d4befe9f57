#include "sandbox/zygote/announce.h"
#include "sandbox/process/program.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/tool/describe.h"
#include "sandbox/protocol/message.h"
#include "sandbox/zygote/zygote.h"

static int say(json_t *what, struct err *err)
{
    AUTO_FREE char *text = what ? json_dumps(what, JSON_COMPACT) : NULL;

    json_decref(what);
    if (!text)
        return err_set(err, ERR_INTERNAL, "out of memory");
    return message_send(ZYGOTE_CONTROL, text, strlen(text), NULL, 0, err);
}

static json_t *describe_all(const struct tool *const *tools, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, tool_describe(tools[i]));
    return list;
}

int announce_tools(const struct tool *const *tools, size_t n, struct err *err)
{
    json_t *what = json_pack("{so}", "tools", describe_all(tools, n));
    int done = what ? json_dumpf(what, stdout, JSON_COMPACT) : -1;

    json_decref(what);
    return done < 0 ? err_set(err, ERR_INTERNAL, "the tools could not be written") : 0;
}

int announce_hello(const char *name, const struct child_place *place, bool trials, struct err *err)
{
    json_t *tools = describe_all(place->tools, place->n_tools);

    return say(json_pack("{ss si ss so sb}", "program", name, "protocol", ZYGOTE_PROTOCOL, "layers",
                         sandbox_layers(place->sandbox), "tools", tools, "trials", trials),
               err);
}

int announce_absent(const char *why, struct err *err)
{
    return say(json_pack("{si ss}", "protocol", ZYGOTE_PROTOCOL, "absent", why), err);
}

int announce_ready(const char *why_not, struct err *err)
{
    return say(json_pack("{sb ss}", "ready", !why_not, "why", why_not ? why_not : ""), err);
}
