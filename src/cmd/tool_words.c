/* tool_words: what commands print about a tool, or about a name that no tool has. */
#include <stdio.h>

#include "base/buf.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "sandbox/worker/catalog.h"

/* What values a parameter has. */
static void add_range(struct buf *text, const struct param *p)
{
    switch (p->type) {
    case PARAM_INT:
    case PARAM_NUMBER:
        buf_printf(text, " From %.16g to %.16g", p->min, p->max);
        if (p->step)
            buf_printf(text, ", a multiple of %lld", (long long) p->step);
        for (size_t i = 0; p->choices && p->choices[i]; i++)
            buf_printf(text, ", or %s", p->choices[i]);
        buf_printf(text, ".");
        return;
    case PARAM_LANGUAGES:
        for (size_t i = 0; p->choices && p->choices[i]; i++)
            buf_printf(text, "%s%s", i ? ", " : " Installed here: ", p->choices[i]);
        buf_printf(text, ".");
        return;
    case PARAM_CHOICE:
        for (size_t i = 0; p->choices[i]; i++)
            buf_printf(text, "%s%s", i ? ", " : " One of: ", p->choices[i]);
        buf_printf(text, ".");
        return;
    case PARAM_CHOICES:
        for (size_t i = 0; p->choices[i]; i++)
            buf_printf(text, "%s%s", i ? ", " : " One or several of: ", p->choices[i]);
        buf_printf(text, ".");
        return;
    case PARAM_COLOR:
        buf_printf(text, " #rgb or #rrggbb.");
        return;
    case PARAM_UPLOAD:
        buf_printf(text, " A file of at most %.15g bytes.", p->max);
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
        AUTO_BUF struct buf text = BUF_EMPTY;
        char label[64];

        snprintf(label, sizeof label, "--%s", p->name);
        buf_printf(&text, "%s", p->help);
        add_range(&text, p);
        if (p->required)
            buf_printf(&text, " Required.");
        else if (p->preset && *p->preset)
            buf_printf(&text, " Default: %s.", p->preset);
        command_print_entry(label, 18, buf_text(&text));
    }
}

void cmd_print_tool(const struct tool *tool)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    size_t n;
    const struct param *common = tool_common_params(&n);

    printf("Usage:\n  platen run %s%s [--PARAM VALUE]... -o OUT\n\n", tool->name,
           tool->max_files > 1    ? " FILE..."
           : tool->max_files == 1 ? " FILE"
                                  : "");
    command_print_text(tool->summary);
    puts("\nParameters:");
    print_params(tool->params, tool->n_params);
    print_params(common, n);
    if (!tool->one_of[0])
        return;
    buf_printf(&text, "Exactly one of these must be given:");
    for (size_t i = 0; tool->one_of[i]; i++)
        buf_printf(&text, "%s --%s", i ? "," : "", tool->one_of[i]);
    putchar('\n');
    command_print_text(buf_text(&text));
}

int cmd_refuse_tool(const struct catalog *catalog, const char *name)
{
    const char *near = catalog_nearest(catalog, name);

    if (near)
        return cmd_fail(2, "there is no tool %s: did you mean %s?", name, near);
    return cmd_fail(2, "there is no tool %s; platen tools lists them", name);
}
