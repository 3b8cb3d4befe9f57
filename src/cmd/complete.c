#include "cmd/complete.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "declare/tool/pipeline.h"
#include "declare/value/file_kind.h"
#include "sandbox/worker/catalog.h"
#include "sandbox/worker/declared.h"

struct completing {
    const struct config *config; /* as the command finds it, for programs and plans */
    char **words;    /* after the program's name; without "=" that bash makes a word of its own */
    int n;           /* with the current one */
    char option[64]; /* "--mode=", if the current word begins so, else "" */
    const char *current; /* what is to be completed: the current word, after its "=" */
};

static void offer(const struct completing *c, const char *name, const char *help)
{
    if (strncmp(name, c->current, strlen(c->current)) == 0)
        printf("%s%s\t%s\n", c->option, name, help ? help : "");
}

static void offer_texts(const struct completing *c, const char *const *texts)
{
    for (; texts && *texts; texts++)
        offer(c, *texts, NULL);
}

static void offer_flags(const struct completing *c)
{
    offer(c, "true", NULL);
    offer(c, "false", NULL);
}

static bool is(const char *word, const char *text)
{
    return strcmp(word, text) == 0;
}

/* The option whose value is completed: "--mode" of "--mode=x", or before "x"; or NULL. */
static const char *option_of(const struct completing *c, char out[static 64])
{
    const char *word = *c->option ? c->option : c->n > 1 ? c->words[c->n - 2] : "";

    if (word[0] != '-' || !word[1] || is(word, "--") || (!*c->option && strchr(word, '=')))
        return NULL;
    snprintf(out, 64, "%.*s", (int) strcspn(word, "="), word);
    return out;
}

static void offer_settings(const struct completing *c)
{
    const struct config_setting *setting;
    char name[COMMAND_NAME];

    offer(c, "--config", "File of settings.");
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++)
        offer(c, command_setting_name(setting, name), setting->help);
}

static bool offer_setting_value(const struct completing *c, const char *word)
{
    static const char *const levels[] = { "debug", "info", "warn", "error", NULL };
    static const char *const formats[] = { "auto", "text", "json", "journald", NULL };
    static const char *const headers[] = { "x-forwarded", "forwarded", NULL };
    const struct config_setting *setting = command_setting_find(word);

    if (is(word, "--config")) {
        puts(":files .conf");
        return true;
    }
    if (!setting)
        return false;
    if (is(setting->name, "log_level"))
        offer_texts(c, levels);
    else if (is(setting->name, "log_format"))
        offer_texts(c, formats);
    else if (is(setting->name, "forwarded_header"))
        offer_texts(c, headers);
    else if (is(setting->preset, "true") || is(setting->preset, "false"))
        offer_flags(c);
    else if (strncmp(setting->help, "Folder", 6) == 0)
        puts(":folders");
    else if (strncmp(setting->help, "File", 4) == 0)
        puts(":files");
    return true;
}

/* Calls each tool that clients can ask for, of the programs that are here, in their order. */
static void each_tool(void (*call)(const struct completing *c, const struct tool *tool),
                      const struct completing *c)
{
    const char *program;

    for (size_t i = 0; (program = catalog_program(i)) != NULL; i++) {
        struct declared declared;
        struct err ignored;

        if (declared_read(c->config->programs, program, &declared, &ignored) < 0)
            continue;
        for (size_t k = 0; k < declared.n; k++)
            if (!declared.tools[k]->hidden)
                call(c, declared.tools[k]);
        declared_free(&declared);
    }
    call(c, &pipeline_tool);
}

static void offer_tool(const struct completing *c, const struct tool *tool)
{
    offer(c, tool->name, tool->summary);
}

static void offer_value(const struct completing *c, const struct param *param)
{
    static const char *const papers[] = { "fit", "a4", "letter", "legal", NULL };

    offer_texts(c, param->choices);
    switch (param->type) {
    case PARAM_BOOL:
        offer_flags(c);
        return;
    case PARAM_PAPER:
        offer_texts(c, papers);
        return;
    case PARAM_PAGES:
        offer(c, "all", NULL);
        return;
    case PARAM_SECRET:
    case PARAM_PASSWORD:
        offer(c, "-", "ask for it, or read a line of standard input");
        return;
    case PARAM_UPLOAD:
        puts(":files");
        return;
    case PARAM_INT:
    case PARAM_NUMBER:
    case PARAM_COLOR:
    case PARAM_TEXT:
    case PARAM_LANGUAGES:
    case PARAM_CHOICE:
    case PARAM_CHOICES:
        return;
    }
}

static void offer_params(const struct completing *c, const struct param *params, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char name[64];

        snprintf(name, sizeof name, "--%s", params[i].name);
        offer(c, name, params[i].help);
    }
}

/* Files of the kinds that the tool takes. */
static void offer_files(const struct tool *tool)
{
    bool any = false;

    printf(":files");
    for (size_t i = 0; tool->accepts[i]; i++)
        any = any || is(tool->accepts[i], TOOL_UNKNOWN);
    for (size_t i = 0; !any && tool->accepts[i]; i++) {
        const char *extension = file_kind_extension(tool->accepts[i]);

        if (extension)
            printf(" .%s", extension);
        if (extension && is(extension, "jpg"))
            printf(" .jpeg");
        if (extension && is(extension, "tif"))
            printf(" .tiff");
    }
    putchar('\n');
}

static void offer_options(const struct completing *c, const struct command_form *form)
{
    for (const struct command_option *option = form->options; option->name; option++) {
        char name[64], letter[] = { '-', option->letter, '\0' };

        snprintf(name, sizeof name, "--%s", option->name);
        offer(c, name, option->help);
        if (option->letter)
            offer(c, letter, option->help);
    }
    offer(c, "--help", "Print what the command accepts.");
}

/* What a value of this kind may be. */
static void offer_kind(const struct completing *c, enum command_kind kind)
{
    switch (kind) {
    case COMMAND_FOLDER:
        puts(":folders");
        return;
    case COMMAND_OUTPUT:
        puts(":files");
        return;
    case COMMAND_PLAN:
        for (size_t i = 0; i < c->config->plans.n; i++)
            offer(c, c->config->plans.list[i].name, NULL);
        return;
    case COMMAND_TOOL:
        each_tool(offer_tool, c);
        return;
    case COMMAND_TEXT:
        return;
    }
}

/* Completes the value of an option of the form; false if the word is not one. */
static bool offer_option_value(const struct completing *c, const struct command_form *form,
                               const char *word)
{
    const struct command_option *option = word ? command_option_find(form, word) : NULL;

    if (!option || !option->value)
        return false;
    offer_kind(c, option->kind);
    return true;
}

/* A word of `platen run TOOL ...`. */
static void offer_for_tool(const struct completing *c, const struct tool *tool)
{
    const struct command_form *form = command_find("run")->form;
    size_t n;
    const struct param *common = tool_common_params(&n), *param = NULL;
    char room[64];
    const char *option = option_of(c, room);

    if (offer_option_value(c, form, option))
        return;
    if (option && !(param = param_find(tool->params, tool->n_params, option + 2)))
        param = param_find(common, n, option + 2);
    if (param && (*c->option || c->current[0] != '-'))
        offer_value(c, param);
    if (param && (*c->option || param->type != PARAM_BOOL))
        return;
    if (c->current[0] == '-') {
        offer_params(c, tool->params, tool->n_params);
        offer_params(c, common, n);
        offer_options(c, form);
    } else {
        offer_files(tool);
    }
}

/* Completes a word of `platen run TOOL ...` if this is the tool. */
static void offer_if_named(const struct completing *c, const struct tool *tool)
{
    if (is(tool->name, c->words[1]))
        offer_for_tool(c, tool);
}

/* How many operands of the form precede the current word. */
static size_t count_operands(const struct completing *c, const struct command_form *form)
{
    size_t operands = 0;

    for (int i = form->verb ? 2 : 1; i + 1 < c->n; i++) {
        const struct command_option *option = command_option_find(form, c->words[i]);
        int setting = command_skip_setting(c->words[i]);

        if (setting || (option && option->value))
            i += setting == 2 || (option && !strchr(c->words[i], '='));
        else
            operands += c->words[i][0] != '-';
    }
    return operands;
}

static void complete_command(const struct completing *c, const struct command *command)
{
    const struct command_form *form = command_form_find(command, c->n > 2 ? c->words[1] : "");
    char room[64];
    const char *option = option_of(c, room);
    size_t operands;

    if ((form && offer_option_value(c, form, option)) || (option && offer_setting_value(c, option)))
        return;
    for (size_t i = 0; !form && c->n == 2 && i < command->n_forms; i++)
        offer(c, command->form[i].verb, command->form[i].help);
    if (form && c->current[0] != '-' && (operands = count_operands(c, form)) < COMMAND_OPERANDS)
        offer_kind(c, form->operands[operands].kind);
    if (c->current[0] == '-') {
        if (form && !(form->rest && c->n == 2)) /* the options of run come after the tool */
            offer_options(c, form);
        else
            offer(c, "--help", "Print what the command accepts.");
        offer_settings(c);
    }
}

static void complete_first(const struct completing *c)
{
    const struct command *command;

    for (size_t i = 0; (command = command_at(i)) != NULL; i++)
        offer(c, command->name, command->help);
    offer(c, "help", "Help for platen or one command.");
    offer(c, "version", "The version.");
    offer(c, "--help", "What platen does.");
    offer(c, "--version", "The version.");
}

/* bash splits at "=": "--mode", "=", "e" is "--mode=e", of which only the last part is replaced. */
static void drop_equals(struct completing *c)
{
    int n = 0;

    for (int i = 0; i < c->n; i++)
        if (!is(c->words[i], "=") || i + 1 == c->n)
            c->words[n++] = c->words[i];
    c->n = n;
    c->current = c->words[n - 1];
    if (is(c->current, "="))
        c->current = "";
}

static void split_current(struct completing *c)
{
    const char *equals = strchr(c->current, '=');

    if (strncmp(c->current, "--", 2) != 0 || !equals ||
        (size_t) (equals - c->current) + 2 > sizeof c->option)
        return;
    snprintf(c->option, sizeof c->option, "%.*s", (int) (equals + 1 - c->current), c->current);
    c->current = equals + 1;
}

int cmd_complete(int argc, char **argv)
{
    static struct config config;
    struct completing c = { .config = &config, .words = argv + 1, .n = argc - 1 };
    const struct command *command;
    struct err ignored;

    if (c.n < 1)
        return 0;
    /* A faulty setting leaves those after it as they are by default. */
    if (cmd_settings(&config, 1, argv + 1, &ignored) < 0)
        plan_list_init(&config.plans);
    drop_equals(&c);
    split_current(&c);
    if (c.n == 1 || (is(c.words[0], "help") && c.n == 2))
        complete_first(&c);
    else if (is(c.words[0], "run") && c.n > 2)
        each_tool(offer_if_named, &c);
    else if ((command = command_find(c.words[0])) != NULL)
        complete_command(&c, command);
    return 0;
}
