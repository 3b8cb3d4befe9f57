/* tools: lists the tools, or one tool with its parameters. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/system/log.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "declare/tool/pipeline.h"
#include "sandbox/worker/catalog.h"
#include "server/openapi/openapi.h"
#include "server/openapi/openapi_older.h"

static int print_openapi(const struct catalog *catalog, const struct config *config, bool older)
{
    char base[CONFIG_TEXT + 16];
    json_t *document;

    if (*config->base_url)
        snprintf(base, sizeof base, "%s", config->base_url);
    else
        snprintf(base, sizeof base, "http://%s", config->listen);
    document = openapi_document(catalog, base);
    if (document && older)
        openapi_older(document);
    if (!document || json_dumpf(document, stdout, JSON_INDENT(2)) < 0)
        return cmd_fail(1, "the OpenAPI document could not be written");
    putchar('\n');
    json_decref(document);
    return 0;
}

static int print(const struct catalog *catalog, const char *name)
{
    const struct tool *tool;

    if (name) {
        tool =
            strcmp(name, PIPELINE_NAME) == 0 ? &pipeline_tool : catalog_find(catalog, name, NULL);
        if (!tool)
            return cmd_refuse_tool(catalog, name);
        cmd_print_tool(tool);
        return 0;
    }
    for (size_t i = 0; (tool = catalog_at(catalog, i)) != NULL; i++)
        printf("%-16s %s\n", tool->name, tool->summary);
    printf("%-16s %s\n", PIPELINE_NAME, pipeline_tool.summary);
    for (size_t i = 0; catalog_note(catalog, i); i++)
        if (strstr(catalog_note(catalog, i), "absent"))
            fprintf(stderr, "%s\n", catalog_note(catalog, i));
    return 0;
}

int cmd_tools(int argc, char **argv)
{
    struct config config;
    struct command_words words;
    struct catalog *catalog;
    struct err err;
    bool older;
    int status;

    if (cmd_begin(&config, &words, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    log_setup(LOG_ERROR, LOG_KEY_VALUE);
    catalog = catalog_open(config.programs, config.allow_unsandboxed, NULL, &err);
    if (!catalog)
        return cmd_fail(1, "%s", err.msg);
    older = command_value(&words, "openapi-3.0") != NULL;
    status = older || command_value(&words, "openapi") ? print_openapi(catalog, &config, older)
                                                       : print(catalog, words.operands[0]);
    catalog_close(catalog);
    return status;
}
