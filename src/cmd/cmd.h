/* cmd: the subcommands. Each only connects other folders' functions. */
#pragma once

#include "base/err.h"
#include "server/config/config.h"

struct command_words; /* cmd/command.h */
struct signer_client; /* sandbox/signer/client.h */

/* argv[0] is the subcommand's name. Each returns the exit status: 0 done, 1 failed, 2 usage error.
 */
int cmd_serve(int argc, char **argv);
int cmd_work(int argc, char **argv);
int cmd_move(int argc, char **argv);
int cmd_key(int argc, char **argv);
int cmd_webhook(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_mcp(int argc, char **argv);
int cmd_tools(int argc, char **argv);
int cmd_backup(int argc, char **argv);
int cmd_restore(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_status(int argc, char **argv);

/* Executes platen-server, which has all commands but cmd_run, with the same words. The server's
 * libraries take longer to load than a small file takes to process, so that `platen` does without
 * them. Returns the exit status only if that failed. */
int cmd_execute_server(char **argv);

struct tool; /* declare/tool/tool.h */
/* Prints a tool's usage and parameters. */
void cmd_print_tool(const struct tool *tool);
struct catalog; /* sandbox/worker/catalog.h */
/* Prints "there is no tool X: did you mean Y?"; returns 2. */
int cmd_refuse_tool(const struct catalog *catalog, const char *name);

/* Prints "platen: MESSAGE" on standard error and returns `status`. */
__attribute__((format(printf, 2, 3))) int cmd_fail(int status, const char *fmt, ...);

/* Whether the arguments contain --help or -h. */
bool cmd_wants_help(int argc, char **argv);

/*
 * The settings file: the one that the arguments name by --config, or else that of PLATEN_CONFIG, or
 * else the installation's (/etc/platen/platen.conf for the packages) if it exists. NULL: none,
 * always for commands that need no server, and for status and doctor if they may not read it.
 */
const char *cmd_settings_file(int argc, char **argv);

/*
 * Applies the settings in this order, later ones overriding earlier ones: defaults, file
 * (cmd_settings_file), environment, and arguments --name VALUE or
 * --name=VALUE for any setting of config.def.
 */
int cmd_settings(struct config *config, int argc, char **argv, struct err *err);
/* The same, without checking log_level and log_format. */
int cmd_read_settings(struct config *config, int argc, char **argv, struct err *err);
/* Sets up the log by the settings. */
void cmd_log(const struct config *config);
/* What most commands begin with: command_parse, cmd_settings and cmd_log. */
int cmd_begin(struct config *config, struct command_words *words, int argc, char **argv,
              struct err *err);

/* Raises the limit of open files as far as possible: connections, uploads and jobs of a thousand
 * files need them, and worker programs inherit it. */
void cmd_raise_files(void);

/* Sets up the services for jobs; the config must outlive them. */
int cmd_signer_client(const struct config *config, struct signer_client *signer, struct err *err);

/* If root runs this process, changes to the owner of the data folder, so that root owns no file in
 * it. */
int cmd_act_as_owner(const struct config *config, struct err *err);

/* Writes the path DATA/name to out. The data folder is made if it is missing, with mode 0700. */
int cmd_data_path(const struct config *config, const char *name, char *out, size_t cap,
                  struct err *err);

/* Locks the data folder, on which only one server may run; the lock ends with the descriptor.
 * Returns that, or -1 with ERR_INVALID_REQUEST if another program has the lock. */
int cmd_lock_data(const struct config *config, struct err *err);

struct store; /* data/store/store.h */
/* Opens the database of the data folder as the folder's owner, for commands that run next to a
 * server. `make`: folder and database are made if they are missing; else that is an error that
 * names the folder. NULL on failure; the caller closes it. */
struct store *cmd_open_store(const struct config *config, bool make, struct err *err);
/* Writes the absolute path of the data folder, which must exist, for messages. */
void cmd_data_shown(const struct config *config, char out[static 4096]);
