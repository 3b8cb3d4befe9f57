/* platen: the table of subcommands, nothing else. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "cmd/cmd.h"
#include "cmd/complete.h"
#include "cmd/nearest.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage, *help;
} commands[] = {
    { "serve", cmd_serve, "[--listen ADDR:PORT] [--data DIR] [--config FILE]", "run the server" },
    { "work", cmd_work, "--store URL [--tools LIST] [--config FILE]",
      "run jobs that other servers accept" },
    { "config", cmd_config_words, "check|show [--config FILE]", "check or show the settings" },
    { "doctor", cmd_doctor, "[--json]", "find what this machine lacks, and what to do" },
    { "status", cmd_status, "[--json]", "show how the running server is doing" },
    { "key", cmd_key, "create|list|plan|rotate|revoke|remove ...", "manage API keys" },
    { "webhook", cmd_webhook, "show|rotate PREFIX", "show or rotate an account's webhook secret" },
    { "run", cmd_run, "TOOL FILE... [--PARAM VALUE]... -o OUT [--each]",
      "run a tool on local files, without a server" },
    { "backup", cmd_backup, "TARGET [--data DIR] [--config FILE]",
      "copy all data while the server runs" },
    { "restore", cmd_restore, "SOURCE [--data DIR] [--config FILE]",
      "make a data folder from a backup" },
    { "move", cmd_move, "--to-store WHERE [--to-blobs WHERE]",
      "move all jobs, keys and files elsewhere" },
    { "tools", cmd_tools, "[TOOL]", "list the tools, or show one tool's parameters" },
};

static int print_help(void)
{
    puts("platen: PDF operations, as a server or on the command line\n");
    for (size_t i = 0; i < COUNT(commands); i++)
        printf("  platen %-7s %-60s %s\n", commands[i].name, commands[i].usage, commands[i].help);
    puts("\n  platen COMMAND --help, or platen help COMMAND, says more; platen --version prints "
         "the\n"
         "  version.");
    return 0;
}

static const char *name_at(const void *cls, size_t i)
{
    (void) cls;
    return i < COUNT(commands) ? commands[i].name : NULL;
}

static int refuse(const char *word)
{
    const char *near = cmd_nearest(word, name_at, NULL);

    if (!*word)
        return cmd_fail(2, "no command given: platen --help lists them");
    if (near)
        return cmd_fail(2, "there is no command %s: did you mean %s?", word, near);
    return cmd_fail(2, "there is no command %s; platen --help lists them", word);
}

/* platen help COMMAND */
static int help_on(const char *word)
{
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(
                2, (char *[]){ (char *) (uintptr_t) word, (char[]){ "--help" }, NULL });
    return refuse(word);
}

/* For the shells, and so not listed. */
static int complete(int argc, char **argv)
{
    struct complete_command list[COUNT(commands) + 1] = { 0 };

    for (size_t i = 0; i < COUNT(commands); i++)
        list[i] = (struct complete_command){ commands[i].name, commands[i].help };
    return cmd_complete(argc, argv, list);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "version") == 0) {
        puts("platen " PLATEN_VERSION);
        return 0;
    }
    if (strcmp(word, "help") == 0 && argc > 2)
        return help_on(argv[2]);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return print_help();
    if (strcmp(word, "complete") == 0)
        return complete(argc - 1, argv + 1);
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return refuse(word);
}
