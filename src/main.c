/* platen: finds the command, nothing else. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/version.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "cmd/complete.h"

static int print_list(void)
{
    command_print_list();
    return 0;
}

static const char *name_at(const void *arg, size_t i)
{
    const struct command *command = command_at(i);

    (void) arg;
    return command ? command->name : NULL;
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

static int help_on(const char *word)
{
    const struct command *command = command_find(word);

    if (!command)
        return refuse(word);
    command_print_help(command);
    return 0;
}

/* `platen run TOOL --help` is about the tool. */
static bool wants_help(const struct command *command, int argc, char **argv)
{
    int first = command_first_word(argc, argv);

    return cmd_wants_help(argc, argv) &&
           (!command->form->rest || first == argc || argv[first][0] == '-');
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    const struct command *command;

    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 || strcmp(word, "version") == 0) {
        puts("platen " PLATEN_VERSION);
        return 0;
    }
    if (strcmp(word, "help") == 0 && argc > 2)
        return help_on(argv[2]);
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
        return print_list();
    if (strcmp(word, "complete") == 0) /* for the shells, and so not listed */
        return cmd_complete(argc - 1, argv + 1);
    if ((command = command_find(word)) == NULL)
        return refuse(word);
    if (wants_help(command, argc - 1, argv + 1))
        return help_on(word);
    return strcmp(word, "run") == 0 ? cmd_run(argc - 1, argv + 1) : cmd_execute_server(argv);
}
