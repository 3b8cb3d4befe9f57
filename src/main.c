/* platen: the table of subcommands, nothing else. */
#include <stdio.h>
#include <string.h>

#include "base/scope.h"
#include "cmd/cmd.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage, *help;
} commands[] = {
    { "serve", cmd_serve, "[--listen ADDR:PORT] [--data DIR] [--config FILE]", "the server" },
    { "config", cmd_config_words, "check|show [--config FILE]", "the settings, and their faults" },
    { "doctor", cmd_doctor, "[--json]", "what this machine lacks, and what to do" },
    { "status", cmd_status, "[--json]", "how the running server is doing" },
    { "key", cmd_key, "create|list|revoke|rotate ...", "API keys" },
    { "webhook", cmd_webhook, "show|rotate PREFIX", "what webhooks are signed with" },
    { "run", cmd_run, "TOOL FILE... [--PARAM VALUE]... -o OUT",
      "one tool, here and now, no server" },
    { "backup", cmd_backup, "TARGET [--data DIR] [--config FILE]",
      "copies all data while the server runs" },
    { "restore", cmd_restore, "SOURCE [--data DIR] [--config FILE]",
      "makes a data folder of a backup" },
    { "tools", cmd_tools, "[TOOL]", "what there is, with parameters" },
};

static int print_help(void)
{
    puts("platen: operations on PDF files, as a server or here and now\n");
    for (size_t i = 0; i < COUNT(commands); i++)
        printf("  platen %-7s %-60s %s\n", commands[i].name, commands[i].usage, commands[i].help);
    puts("\n  platen COMMAND --help says more; platen --version says which this is.");
    return 0;
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    if (strcmp(word, "--version") == 0) {
        puts("platen " PLATEN_VERSION);
        return 0;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return print_help();
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (!*word)
        return cmd_fail(2, "which command? platen --help lists them");
    return cmd_fail(2, "there is no command %s; platen --help lists them", word);
}
