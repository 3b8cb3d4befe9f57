#include "cmd/complete.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "cmd/cmd.h"
#include "tool/file_kind.h"
#include "tool/pipeline.h"
#include "worker/catalog.h"
#include "worker/declared.h"

struct completing {
    const struct complete_command *commands;
    const struct config *config; /* as the command finds it, for programs and plans */
    char **words;    /* after the program's name; without "=" that bash makes a word of its own */
    int n;           /* with the current one */
    char option[64]; /* "--mode=", if the current word begins so, else "" */
    const char *current; /* what is to be completed: the current word, after its "=" */
};

struct word {
    const char *name, *help;
};

static void offer(const struct completing *c, const char *name, const char *help)
{
    if (strncmp(name, c->current, strlen(c->current)) == 0)
        printf("%s%s\t%s\n", c->option, name, help ? help : "");
}

static void offer_words(const struct completing *c, const struct word *words)
{
    for (; words->name; words++)
        offer(c, words->name, words->help);
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

/* The option whose value is completed: "mode" of "--mode=x", or of "--mode" before "x"; or NULL. */
static const char *option_of(const struct completing *c, char out[static 64])
{
    const char *word = *c->option ? c->option : c->n > 1 ? c->words[c->n - 2] : "";

    if (is(word, "-o"))
        word = "--output";
    if (strncmp(word, "--", 2) != 0 || !word[2] || (!*c->option && strchr(word, '=')))
        return NULL;
    snprintf(out, 64, "%.*s", (int) strcspn(word + 2, "="), word + 2);
    return out;
}

static void offer_settings(const struct completing *c)
{
    const struct config_setting *setting;

    offer(c, "--config", "File of settings.");
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        char name[64];
        size_t n = (size_t) snprintf(name, sizeof name, "--%s", setting->name);

        for (size_t k = 0; k < n && k < sizeof name; k++)
            name[k] = name[k] == '_' ? '-' : name[k];
        offer(c, name, setting->help);
    }
}

static const struct config_setting *find_setting(const char *name)
{
    const struct config_setting *setting;

    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        size_t k = 0;

        while (name[k] && (name[k] == '-' ? '_' : name[k]) == setting->name[k])
            k++;
        if (!name[k] && !setting->name[k])
            return setting;
    }
    return NULL;
}

static bool offer_setting_value(const struct completing *c, const char *name)
{
    static const char *const levels[] = { "debug", "info", "warn", "error", NULL };
    static const char *const formats[] = { "auto", "text", "json", "journald", NULL };
    static const char *const headers[] = { "x-forwarded", "forwarded", NULL };
    const struct config_setting *setting = find_setting(name);

    if (is(name, "config")) {
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
    case PARAM_CHOICE:
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

static const struct word run_options[] = {
    { "--output", "File or folder of the result; also -o." },
    { "-o", "File or folder of the result." },
    { "--force", "Also replace a read-only file, or an input." },
    { "--each", "Run the tool once for each file." },
    { "--jobs", "With --each: how many files at a time." },
    { "--help", "The parameters of the tool." },
    { NULL, NULL },
};

/* A word of `platen run TOOL ...`. */
static void offer_for_tool(const struct completing *c, const struct tool *tool)
{
    size_t n;
    const struct param *common = tool_common_params(&n), *param = NULL;
    char room[64];
    const char *option = option_of(c, room);

    if (option && is(option, "output")) {
        puts(":files");
        return;
    }
    if (option && is(option, "jobs"))
        return;
    if (option && !(param = param_find(tool->params, tool->n_params, option)))
        param = param_find(common, n, option);
    if (param && (*c->option || c->current[0] != '-'))
        offer_value(c, param);
    if (param && (*c->option || param->type != PARAM_BOOL))
        return;
    if (c->current[0] == '-') {
        offer_params(c, tool->params, tool->n_params);
        offer_params(c, common, n);
        offer_words(c, run_options);
    } else {
        offer_files(tool);
    }
}

static bool find_in(const struct completing *c, const char *program)
{
    struct declared declared;
    struct err ignored;
    bool found = false;

    if (declared_read(c->config->programs, program, &declared, &ignored) < 0)
        return false;
    for (size_t i = 0; i < declared.n && !found; i++) {
        found = is(declared.tools[i]->name, c->words[1]);
        if (found)
            offer_for_tool(c, declared.tools[i]);
    }
    declared_free(&declared);
    return found;
}

static void complete_run(const struct completing *c)
{
    const char *program;

    if (c->n == 2) {
        if (c->current[0] == '-')
            offer(c, "--help", "What run does.");
        else
            each_tool(offer_tool, c);
        return;
    }
    if (is(c->words[1], PIPELINE_NAME)) {
        offer_for_tool(c, &pipeline_tool);
        return;
    }
    if (find_in(c, catalog_home(c->words[1])))
        return;
    for (size_t i = 0; (program = catalog_program(i)) != NULL; i++)
        if (!is(program, catalog_home(c->words[1])) && find_in(c, program))
            return;
}

/* The words of a command that are neither settings nor their values. */
struct syntax {
    const char *command, *verb; /* verb: the word after the command, or NULL for that word itself */
    const struct word *words;
};

static const struct word key_verbs[] = {
    { "create", "A new key." },
    { "list", "Lists the keys with the usage of their accounts." },
    { "plan", "Moves an account with all its keys to another plan." },
    { "rotate", "Makes a new key for the same account." },
    { "revoke", "Ends a key at once." },
    { "remove", "Erases a key that has ended." },
    { NULL, NULL },
};
static const struct word key_options[] = {
    { "--plan", "The plan of the new account." },
    { "--name", "A name to know the key by." },
    { NULL, NULL },
};
static const struct word config_verbs[] = {
    { "check", "Every fault of the settings." },
    { "show", "Shows every setting and where it comes from." },
    { NULL, NULL },
};
static const struct word webhook_verbs[] = {
    { "show", "The secret that signs an account's webhooks." },
    { "rotate", "A new secret." },
    { NULL, NULL },
};
static const struct word as_json[] = { { "--json", "For programs." }, { NULL, NULL } };
static const struct word tools_options[] = {
    { "--openapi", "The whole API as OpenAPI 3.1." },
    { NULL, NULL },
};

static const struct syntax syntaxes[] = {
    { "key", NULL, key_verbs },         { "key", "create", key_options },
    { "key", "list", as_json },         { "config", NULL, config_verbs },
    { "webhook", NULL, webhook_verbs }, { "doctor", NULL, as_json },
    { "status", NULL, as_json },        { "tools", NULL, tools_options },
};

static void offer_plans(const struct completing *c)
{
    for (size_t i = 0; i < c->config->plans.n; i++)
        offer(c, c->config->plans.list[i].name, NULL);
}

static void complete_command(const struct completing *c)
{
    const char *command = c->words[0], *verb = c->n > 2 ? c->words[1] : "";
    char room[64];
    const char *option = option_of(c, room);

    if (option && is(command, "key") && is(option, "plan")) {
        offer_plans(c);
        return;
    }
    if (option && ((is(command, "key") && is(option, "name")) || offer_setting_value(c, option)))
        return;
    for (size_t i = 0; i < COUNT(syntaxes); i++) {
        const struct syntax *s = &syntaxes[i];

        if (is(s->command, command) && (s->verb ? is(s->verb, verb) : c->n == 2))
            offer_words(c, s->words);
    }
    if (is(command, "tools") && c->n == 2 && c->current[0] != '-')
        each_tool(offer_tool, c);
    if (is(command, "key") && is(verb, "plan") && c->n == 4)
        offer_plans(c);
    if ((is(command, "backup") || is(command, "restore")) && c->current[0] != '-')
        puts(":folders");
    if (c->current[0] == '-') {
        offer(c, "--help", "What the command does.");
        offer_settings(c);
    }
}

static bool is_command(const struct completing *c, const char *word)
{
    for (size_t i = 0; c->commands[i].name; i++)
        if (is(word, c->commands[i].name))
            return true;
    return false;
}

static void complete_first(const struct completing *c)
{
    static const struct word others[] = {
        { "help", "Help for platen or one command." },
        { "version", "The version." },
        { "--help", "What platen does." },
        { "--version", "The version." },
        { NULL, NULL },
    };

    for (size_t i = 0; c->commands[i].name; i++)
        offer(c, c->commands[i].name, c->commands[i].help);
    offer_words(c, others);
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

int cmd_complete(int argc, char **argv, const struct complete_command *commands)
{
    static struct config config;
    struct completing c = {
        .commands = commands, .config = &config, .words = argv + 1, .n = argc - 1
    };
    int words = 1;
    struct err ignored;

    if (c.n < 1)
        return 0;
    /* A faulty setting leaves those after it as they are by default. */
    if (cmd_settings(&config, &words, (char *[]){ argv[1], NULL }, &ignored) < 0)
        plan_list_init(&config.plans);
    drop_equals(&c);
    split_current(&c);
    if (c.n == 1 || (is(c.words[0], "help") && c.n == 2))
        complete_first(&c);
    else if (is(c.words[0], "run"))
        complete_run(&c);
    else if (is_command(&c, c.words[0]))
        complete_command(&c);
    return 0;
}
