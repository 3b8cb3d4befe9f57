/* cmd: the subcommands. Each only wires folders together. */
#pragma once

#include "base/err.h"
#include "config/config.h"

struct signer_client; /* signer/client.h */

/* argv[0] is the subcommand's name. Each returns the exit status: 0 done, 1 failed, 2 wrong use. */
int cmd_serve(int argc, char **argv);
int cmd_work(int argc, char **argv);
int cmd_move(int argc, char **argv);
int cmd_key(int argc, char **argv);
int cmd_webhook(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_tools(int argc, char **argv);
int cmd_backup(int argc, char **argv);
int cmd_restore(int argc, char **argv);
int cmd_config_words(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_status(int argc, char **argv);

struct tool; /* tool/tool.h */
/* Prints how a tool is run, with its parameters. */
void cmd_print_tool(const struct tool *tool);
/* "there is no tool X: did you mean Y?"; returns 2. */
struct catalog; /* worker/catalog.h */
int cmd_refuse_tool(const struct catalog *catalog, const char *name);

/* For commands that take no word but --json, once the settings are taken out. */
int cmd_json_word(int argc, char **argv, bool *as_json, struct err *err);

/* Prints "platen: MESSAGE" on standard error and returns `status`. */
__attribute__((format(printf, 2, 3))) int cmd_fail(int status, const char *fmt, ...);

/* Whether the words hold --help or -h. */
bool cmd_wants_help(int argc, char **argv);

/*
 * The settings file that is read when the words of `command` name none: that of PLATEN_CONFIG, or
 * the one of the installation (/etc/platen/platen.conf for the packages) if it is there. NULL: none
 * - always for commands that need no server, and for status and doctor if they may not read it.
 */
const char *cmd_default_file(const char *command);

/*
 * Takes the settings out of the words: --config FILE, and any setting of config.def as --name
 * VALUE or --name=VALUE. What is left is moved to the front; *argc counts it. Defaults, file
 * (cmd_default_file of argv[0] if the words name none), environment and words, each beating the one
 * before.
 */
int cmd_settings(struct config *config, int *argc, char **argv, struct err *err);
/* The same, without judging log_level and log_format. */
int cmd_read_settings(struct config *config, int *argc, char **argv, struct err *err);
/* The log as the settings have it. */
void cmd_log(const struct config *config);
/* Both. */
int cmd_config(struct config *config, int *argc, char **argv, struct err *err);
/* Prints the settings and what they are, for help. */
void cmd_print_settings(void);

/* Takes as many open files as the system gives: connections, uploads and jobs of a thousand files
 * need them, and worker programs inherit them. */
void cmd_raise_files(void);

/* The services of jobs as the settings have them; the config outlives them. */
int cmd_signer_client(const struct config *config, struct signer_client *signer, struct err *err);

/* A command of root acts as the owner of the data folder, so that no file of root gets into it. */
int cmd_act_as_owner(const struct config *config, struct err *err);

/* DATA/name, in out. The data folder is made if missing, mode 0700. */
int cmd_data_path(const struct config *config, const char *name, char *out, size_t cap,
                  struct err *err);

struct store; /* store/store.h */
/* The database of the data folder, for commands beside a server; as the folder's owner. `make`:
 * folder and database are made if missing; else that is an error that names the folder. NULL on
 * failure; the caller closes it. */
struct store *cmd_open_store(const struct config *config, bool make, struct err *err);
/* The whole path of the data folder, which is there. */
void cmd_data_shown(const struct config *config, char out[static 4096]);
