/* platen: the table of subcommands, nothing else. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/scope.h"
#include "cmd/cmd.h"
#include "cmd/complete.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv); /* NULL: platen-server runs it */
    const char *usage, *help;
} commands[] = {
#define HERE(name, run, usage, help)  { #name, run, usage, help },
#define THERE(name, run, usage, help) { #name, NULL, usage, help },
#include "cmd/commands.def"
#undef HERE
#undef THERE
};

/* argv[1] is the name of commands[i]. */
static int run_command(size_t i, int argc, char **argv)
{
    return commands[i].run ? commands[i].run(argc - 1, argv + 1) : cmd_execute_server(argv);
}

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
    const char *near = nearest_name(word, name_at, NULL);

    if (!*word)
        return cmd_fail(2, "no command given: platen --help lists them");
    if (near)
        return cmd_fail(2, "there is no command %s: did you mean %s?", word, near);
    return cmd_fail(2, "there is no command %s; platen --help lists them", word);
}

/* platen help COMMAND */
static int help_on(char **argv)
{
    char *const word = argv[2];

    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(word, commands[i].name) == 0)
            return run_command(i, 3, (char *[]){ argv[0], word, (char[]){ "--help" }, NULL });
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
        return help_on(argv);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return print_help();
    if (strcmp(word, "complete") == 0)
        return complete(argc - 1, argv + 1);
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(word, commands[i].name) == 0)
            return run_command(i, argc, argv);
    return refuse(word);
}
