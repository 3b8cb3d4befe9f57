/* command_table: the tables of all commands. */
#include <string.h>

#include "base/scope.h"
#include "cmd/command.h"

/* clang-format off */
#define JSON { "json", NULL, "Print JSON, for programs." }
#define OF_KEY { "PREFIX", "The key's prefix, as platen key list shows it." }
#define OF_ACCOUNT { "PREFIX", "The prefix of any key of the account, as platen key list shows it." }
/* clang-format on */

static const struct command_form serve_forms[] = {
    { .options = { { "no-work", NULL,
                     "Only accept requests, for a store that other servers share; the same as "
                     "--work false." } } },
};

static const struct command_form work_forms[] = { { 0 } };

static const struct command_form config_forms[] = {
    { "check", "Prints every fault of the settings, with its line." },
    { "show",
      "Prints every setting and where it comes from: default, file, environment or option." },
};

static const struct command_form json_forms[] = { { .options = { JSON } } };

static const struct command_form key_forms[] = {
    { "create",
      "Makes a key, which is printed once, on the last line. The data folder is made if it is "
      "missing; its path is printed.",
      .options = { { "plan", "PLAN", "The plan of the new account.", COMMAND_PLAN,
                     .required = true },
                   { "name", "NAME", "A name to know the key by: one line of text.",
                     .required = true },
                   { "scope", "SCOPE",
                     "What the key may do: manage (all, the default), read, or submit (submit "
                     "jobs, "
                     "and read those that were submitted with it)." },
                   { "test", NULL,
                     "A test key: its jobs are free, small and marked TEST, and no other key sees "
                     "them." },
                   { "only-tools", "TOOLS",
                     "The tools that it may use, such as 'compress merge'." },
                   { "from", "NETWORKS",
                     "Where it may be used from, such as '203.0.113.0/24 2001:db8::/32'." } } },
    { "list",
      "Lists the keys: prefix, account, plan, state, what the account used this month, name.",
      .options = { JSON } },
    { "plan", "Moves the key's account, with all its keys, to another plan.",
      .operands = { OF_KEY, { "PLAN", "The new plan.", COMMAND_PLAN } } },
    { "rotate", "Makes a new key for the same account; the old one works for key_grace.",
      .operands = { OF_KEY } },
    { "revoke", "Ends a key at once.", .operands = { OF_KEY } },
    { "remove",
      "Erases a key that has ended; with an account's last key also what the account has used.",
      .operands = { OF_KEY } },
};

static const struct command_form webhook_forms[] = {
    { "show",
      "Prints the secret that signs the webhooks of an account, alone on the last line. It is made "
      "if there is none.",
      .operands = { OF_ACCOUNT } },
    { "rotate", "Makes a new secret; for key_grace webhooks are signed with both.",
      .operands = { OF_ACCOUNT } },
};

static const struct command_form run_forms[] = {
    { .operands = { { "TOOL", "The tool; platen tools lists them.", COMMAND_TOOL },
                    { "FILE...", "The documents; - is standard input." } },
      .options = { { "output", "OUT",
                     "A file, a folder (one that exists, or a name that ends in /), or - for "
                     "standard output.",
                     COMMAND_OUTPUT, .letter = 'o', .required = true },
                   { "force", NULL, "Also replace a read-only file, or an input." },
                   { "each", NULL,
                     "Run the tool once for each file; OUT is a folder. A file that fails does not "
                     "stop the others." },
                   { "jobs", "N", "With --each: how many files at a time, 1 to 64. [2]" } },
      .rest = "[--PARAM VALUE]..." },
};

static const struct command_form backup_forms[] = {
    { .operands = { { "TARGET", "The new folder.", COMMAND_FOLDER } } },
};

static const struct command_form restore_forms[] = {
    { .operands = { { "SOURCE", "A folder that platen backup made.", COMMAND_FOLDER } } },
};

static const struct command_form move_forms[] = {
    { .options = { { "to-store", "WHERE",
                     "The new store: postgresql://..., or sqlite for platen.db in the data "
                     "folder." },
                   { "to-blobs", "WHERE",
                     "The new place of the files: a folder or s3://..., as the setting blobs has "
                     "it.",
                     COMMAND_FOLDER } } },
};

static const struct command_form mcp_forms[] = {
    { .options = { { "folder", "FOLDER",
                     "A folder whose files may be read and in which results are saved. May be "
                     "given "
                     "several times.",
                     COMMAND_FOLDER, .required = true, .many = true },
                   { "server", "URL",
                     "A server that does the work; without it, this machine does it." },
                   { "key-file", "FILE",
                     "The file with the API key for --server; without it, PLATEN_KEY has it." } } },
};

static const struct command_form tools_forms[] = {
    { .operands = { { "TOOL", "A tool, to show its parameters.", COMMAND_TOOL, .optional = true } },
      .options = { { "openapi", NULL,
                     "Print the whole API as OpenAPI 3.1, as GET /openapi.json does." },
                   { "openapi-3.0", NULL, "Print it as OpenAPI 3.0." } } },
};

/* clang-format off */
#define FORMS(list) .form = (list), .n_forms = COUNT(list)
#define TEXT(...) .text = (const char *const[]){ __VA_ARGS__, NULL }
/* clang-format on */

static const struct command commands[] = {
    { "serve", "run the server", FORMS(serve_forms),
      TEXT("Runs the server until SIGTERM or SIGINT.",
           "Each setting may be given as an option, as PLATEN_SETTING in the environment, or as "
           "\"setting = value\" in the settings file, which the server reads again on SIGHUP.",
           "Started by root it becomes the owner of the data folder, or the user platen if the "
           "folder is new; a folder of root keeps it root, with a warning."),
      .lists_settings = true },
    { "work", "run jobs that other servers accept", FORMS(work_forms),
      TEXT("Does the jobs that other servers of the same store accept, until SIGTERM or SIGINT. "
           "It needs --store postgresql://... and accepts no requests of clients; on its address "
           "it answers /healthz, /readyz, /metrics and /status.",
           "--tools gives it only jobs of some tools, so that heavy ones have machines of their "
           "own: --tools office, --tools 'compress to-png', --tools '!office'.") },
    { "config", "check or show the settings", FORMS(config_forms),
      TEXT("A warning is about something that is allowed and unusual; it is not a fault."),
      .status = "0, or 1 if there is a fault." },
    { "doctor", "find what this machine lacks, and what to do", FORMS(json_forms),
      TEXT("Tests what a server with these settings needs: sandbox, programs, fonts, disk, "
           "database, clock, address, certificate. Prints a line for each check, ok, warn or FAIL, "
           "and what to do.",
           "It changes nothing, and may run while the server runs. Run it as the server's user."),
      .status = "0, or 1 if a line is FAIL." },
    { "status", "show how the running server is doing", FORMS(json_forms),
      TEXT("Asks the server at the configured address for its state, and prints its queue, "
           "workers, rates, disk and what each tool has done since the start. --json prints GET "
           "/status as it is."),
      .status = "0 the server runs; 1 it does not answer, or refuses to; 3 it runs but accepts no "
                "jobs now, because it starts or stops." },
    { "key", "manage API keys", FORMS(key_forms),
      TEXT("Manages the API keys of a server, which may run meanwhile.") },
    { "webhook", "show or rotate an account's webhook secret", FORMS(webhook_forms),
      TEXT("Manages the secrets that sign the webhooks of accounts. The server may run "
           "meanwhile.") },
    { "run", "run a tool on local files, without a server", FORMS(run_forms),
      TEXT("Runs a tool on local files, in the same sandbox as a server, and without one. platen "
           "run TOOL --help prints the parameters of a tool.",
           "A result of several parts goes into a folder one by one, into numbered files if OUT "
           "holds %d or %03d, or into a file that is called NAME.zip. A file that exists is "
           "replaced, through symbolic links, and keeps its mode and owner.",
           "With --each, the failures and how many files are done are printed on standard error at "
           "the end.",
           "--PARAM alone means true for a parameter that is true or false. Amounts of bytes may "
           "end in k, M or G. A value of - is asked for on a terminal without being shown, and "
           "otherwise read from a line of standard input: a password need not be on the command "
           "line.",
           "The tool pipeline has the parameter --steps, a JSON list of {\"tool\": ..., "
           "\"params\": {...}}; a file that a step names is given as --NAME FILE."),
      .status = "0 done; 1 the job, or one of --each, failed: code and message are on standard "
                "error; 2 a usage error." },
    { "mcp", "offer the tools to an AI agent on this machine", FORMS(mcp_forms),
      TEXT("Speaks the Model Context Protocol on standard input and output, as programs with AI "
           "agents start it. The agent names files by their paths, and results are saved as files: "
           "their bytes are in no message. Paths outside of the folders are refused, also through "
           "symbolic links.",
           "Without --server a server of its own runs the jobs on this machine, with a data folder "
           "that is removed at the end. Settings given as options are its settings; those of a "
           "settings file and of the environment are not used.",
           "With --server the files that the agent names are uploaded to that server. Its setting "
           "mcp "
           "must be on. The quota and the limits are those of the key.") },
    { "backup", "copy all data while the server runs", FORMS(backup_forms),
      TEXT("Copies the data folder, as it is at one moment, into a new folder: the database, the "
           "files of jobs and the server's keys. The server may run. On the same file system the "
           "files are linked and use no space; on another one they are copied.",
           "TARGET then holds documents, keys and the passwords of waiting jobs: no other user "
           "should be able to read it.") },
    { "restore", "make a data folder from a backup", FORMS(restore_forms),
      TEXT("Makes the data folder from a folder that platen backup made. The data folder must be "
           "empty or missing, and no server may run on it. Jobs that waited or ran at the moment "
           "of the backup run after the next start.",
           "If it fails, empty the data folder before the next try.") },
    { "move", "move all jobs, keys and files elsewhere", FORMS(move_forms),
      TEXT("Moves the jobs, keys and usage of an installation to another store, and its files to "
           "another place. The settings say where they are now. All servers must be stopped.",
           "What was written is read back and compared. The original stays where it was. To "
           "continue a move that was interrupted, run the same command again: files that are there "
           "are not copied again, and the target store has all rows or none.") },
    { "tools", "list the tools, or show one tool's parameters", FORMS(tools_forms),
      TEXT("Lists the tools of the worker programs that are installed.") },
};

const struct command *command_at(size_t i)
{
    return i < COUNT(commands) ? &commands[i] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COUNT(commands); i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

const struct command_form *command_form_find(const struct command *command, const char *verb)
{
    if (!command->form->verb)
        return command->form;
    for (size_t i = 0; i < command->n_forms; i++)
        if (strcmp(verb, command->form[i].verb) == 0)
            return &command->form[i];
    return NULL;
}

const struct command_option *command_option_find(const struct command_form *form, const char *word)
{
    const struct command_option *option = form->options;
    size_t n = strcspn(word, "=");

    for (; option->name; option++) {
        if (option->letter && n == 2 && word[0] == '-' && word[1] == option->letter && !word[2])
            return option;
        if (n > 2 && strncmp(word, "--", 2) == 0 && strlen(option->name) == n - 2 &&
            strncmp(word + 2, option->name, n - 2) == 0)
            return option;
    }
    return NULL;
}
