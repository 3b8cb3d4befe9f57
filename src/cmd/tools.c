/* tools: lists the tools, or one tool with its parameters. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "api/openapi.h"
#include "base/log.h"
#include "cmd/cmd.h"
#include "tool/pipeline.h"
#include "worker/catalog.h"

static void print_range(const struct param *p)
{
    switch (p->type) {
    case PARAM_INT:
    case PARAM_NUMBER:
        printf(" From %.16g to %.16g", p->min, p->max);
        if (p->step)
            printf(", a multiple of %lld", (long long) p->step);
        for (size_t i = 0; p->choices && p->choices[i]; i++)
            printf(", or %s", p->choices[i]);
        putchar('.');
        return;
    case PARAM_CHOICE:
        for (size_t i = 0; p->choices[i]; i++)
            printf("%s%s", i ? ", " : " One of: ", p->choices[i]);
        putchar('.');
        return;
    case PARAM_COLOR:
        printf(" #rgb or #rrggbb.");
        return;
    case PARAM_UPLOAD:
        printf(" A file of at most %.15g bytes.", p->max);
        return;
    case PARAM_BOOL:
    case PARAM_TEXT:
    case PARAM_PAGES:
    case PARAM_PAPER:
    case PARAM_SECRET:
    case PARAM_PASSWORD:
        return;
    }
}

static void print_params(const struct param *params, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct param *p = &params[i];

        printf("  --%-16s %s", p->name, p->help);
        print_range(p);
        if (p->required)
            printf(" Required.");
        else if (p->preset && *p->preset)
            printf(" Default: %s.", p->preset);
        putchar('\n');
    }
}

void cmd_print_tool(const struct tool *tool)
{
    size_t n;
    const struct param *common = tool_common_params(&n);

    printf("platen run %s FILE%s [--PARAM VALUE]... -o OUT\n%s\n\n", tool->name,
           tool->max_files > 1 ? "..." : "", tool->summary);
    print_params(tool->params, tool->n_params);
    print_params(common, n);
    if (tool->one_of[0]) {
        printf("\nExactly one of these must be given:");
        for (size_t i = 0; tool->one_of[i]; i++)
            printf("%s --%s", i ? "," : "", tool->one_of[i]);
        putchar('\n');
    }
}

int cmd_refuse_tool(const struct catalog *catalog, const char *name)
{
    const char *near = catalog_nearest(catalog, name);

    if (near)
        return cmd_fail(2, "there is no tool %s: did you mean %s?", name, near);
    return cmd_fail(2, "there is no tool %s; platen tools lists them", name);
}

static int print_openapi(const struct catalog *catalog, const struct config *config)
{
    char base[CONFIG_TEXT + 16];
    json_t *document;

    if (*config->base_url)
        snprintf(base, sizeof base, "%s", config->base_url);
    else
        snprintf(base, sizeof base, "http://%s", config->listen);
    document = openapi_document(catalog, base);
    if (!document || json_dumpf(document, stdout, JSON_INDENT(2)) < 0)
        return cmd_fail(1, "the OpenAPI document could not be written");
    putchar('\n');
    json_decref(document);
    return 0;
}

static int print(const struct catalog *catalog, const struct config *config, const char *name)
{
    const struct tool *tool;

    if (name && strcmp(name, "--openapi") == 0)
        return print_openapi(catalog, config);
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
    struct catalog *catalog;
    struct err err;
    int status;

    if (cmd_wants_help(argc, argv)) {
        puts("platen tools             list the tools\n"
             "platen tools TOOL        show a tool with its parameters\n"
             "platen tools --openapi   print the API as OpenAPI 3.1, as GET /openapi.json does");
        return 0;
    }
    if (cmd_config(&config, &argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    if (argc > 2)
        return cmd_fail(2, "one tool at a time; platen tools --help says more");
    log_setup(LOG_ERROR, LOG_KEY_VALUE);
    catalog = catalog_open(config.programs, config.allow_unsandboxed, NULL, &err);
    if (!catalog)
        return cmd_fail(1, "%s", err.msg);
    status = print(catalog, &config, argc > 1 ? argv[1] : NULL);
    catalog_close(catalog);
    return status;
}
