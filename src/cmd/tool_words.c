/* tool_words: what commands print about a tool, or about a name that no tool has. */
#include <stdio.h>

#include "cmd/cmd.h"
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
