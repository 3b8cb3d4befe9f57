/* Input: a tool's description as JSON. What was understood is told again in the same words. */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>

#include "declare/tool/describe.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    json_t *json = json_loadb((const char *) data, n, 0, NULL), *once = NULL, *twice = NULL;
    struct tool *tool = NULL, *again = NULL;
    struct err err;

    if (json && (tool = tool_recall(json, &err))) {
        once = tool_describe(tool);
        again = once ? tool_recall(once, &err) : NULL;
        twice = again ? tool_describe(again) : NULL;
        if (!json_equal(once, twice))
            abort();
    }
    tool_forget(again);
    tool_forget(tool);
    json_decref(twice);
    json_decref(once);
    json_decref(json);
    return 0;
}
