/* platen-server: the subcommands that need the server's libraries. `platen` executes it with its
 * own arguments. */
#include <stdint.h>
#include <string.h>

#include "base/scope.h"
#include "cmd/cmd.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
    { "serve", cmd_serve },     { "work", cmd_work },     { "config", cmd_config },
    { "doctor", cmd_doctor },   { "status", cmd_status }, { "key", cmd_key },
    { "webhook", cmd_webhook }, { "backup", cmd_backup }, { "restore", cmd_restore },
    { "move", cmd_move },       { "tools", cmd_tools },   { "mcp", cmd_mcp },
};

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";

    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return cmd_fail(2, "platen-server is started by platen");
}
