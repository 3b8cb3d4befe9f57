/* command: what each command of platen accepts, declared once in command_table.c. Parsing, --help,
 * completion and the manual pages read these tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define COMMAND_OPTIONS  6 /* limit of the options of a form */
#define COMMAND_OPERANDS 2 /* limit of its operands */
#define COMMAND_NAME     64

/* What a value or an operand is, for completion and for error messages. */
enum command_kind { COMMAND_TEXT, COMMAND_FOLDER, COMMAND_OUTPUT, COMMAND_PLAN, COMMAND_TOOL };

struct command_option {
    const char *name;  /* "plan" for --plan */
    const char *value; /* "PLAN": what help calls the value; NULL: the option has none */
    const char *help;
    enum command_kind kind;
    char letter; /* 'o': -o is the same option; 0: it has no such form */
    bool required;
    bool many; /* it may be given several times; its value is then the last one */
};

struct command_operand {
    const char *name; /* "PREFIX" */
    const char *help;
    enum command_kind kind;
    bool optional;
};

/* One way to call a command. Options end with a NULL name. */
struct command_form {
    const char *verb; /* "create" of `platen key create`; NULL: the command has one form only */
    const char *help; /* what the verb does */
    const struct command_operand operands[COMMAND_OPERANDS];
    const struct command_option options[COMMAND_OPTIONS + 1];
    const char *rest; /* further words, which the command parses itself, for the usage line */
};

struct command {
    const char *name;
    const char *help;                /* in the list of commands */
    const struct command_form *form; /* n_forms of them */
    size_t n_forms;
    const char *const *text; /* paragraphs, up to a NULL */
    const char *status;      /* the exit statuses, if they differ from those in platen(1) */
    bool lists_settings;     /* help lists all settings, instead of saying where they are */
};

/* The i-th command in the order of the list; NULL past the end. */
const struct command *command_at(size_t i);
/* NULL: there is none of this name. */
const struct command *command_find(const char *name);
/* The form with this verb, or the only one; NULL: there is none. */
const struct command_form *command_form_find(const struct command *command, const char *verb);
/* The option that a word is, alone or with "=VALUE"; NULL: none. */
const struct command_option *command_option_find(const struct command_form *form, const char *word);

/* The words of a command line. */
struct command_words {
    const struct command *command;
    const struct command_form *form;
    int n, at; /* list[at] is the current word */
    char **list;
    bool options_ended;                      /* "--" was read */
    const char *values[COMMAND_OPTIONS + 1]; /* of the form's options; "" if one has no value */
    const char *operands[COMMAND_OPERANDS];
    /* Whether "name" is an option that the command parses itself; NULL: it has none. */
    bool (*knows)(const void *arg, const char *name);
    const void *arg;
};

/*
 * Parses the arguments of the command argv[0]: settings of config.def are skipped, all other words
 * must be of its table. ERR_MISSING_FIELD, ERR_UNKNOWN_FIELD, ERR_INVALID_PARAMETER with messages
 * for the user. The texts belong to argv.
 */
int command_parse(struct command_words *words, int argc, char **argv, struct err *err);
/* The value of an option, "" if it has none; NULL: it was not given. */
const char *command_value(const struct command_words *words, const char *option);

enum command_word { COMMAND_END, COMMAND_OPERAND, COMMAND_OTHER, COMMAND_FAILED };
/* For a command that parses some words itself, with command, form, n, at and list set: reads the
 * options of the form up to the next word that is not one; list[at] is that word. */
enum command_word command_next(struct command_words *words, struct err *err);
/* The value of the option list[at]: after its "=", or the next word, unless that is an option.
 * `wanted` says in an error what it needs, such as "a value". NULL on an error. */
const char *command_next_value(struct command_words *words, const char *wanted, struct err *err);

/* The index of the first argument that is neither a setting nor its value; argc if there is none.
 */
int command_first_word(int argc, char **argv);
/* The option that is a setting: "--max-file-size". */
struct config_setting; /* server/config/config.h */
const char *command_setting_name(const struct config_setting *setting,
                                 char out[static COMMAND_NAME]);
/* The setting that an option is, alone or with "=VALUE"; NULL: none. */
const struct config_setting *command_setting_find(const char *word);
/* How many words a setting has: 1 for --NAME=VALUE, 2 for --NAME VALUE, 0 for any other word. */
int command_skip_setting(const char *word);

/* Prints what --help prints. Lines are broken at the width of a terminal, and else not at all, so
 * that an entry of a list is one line for grep and man/make.py. */
void command_print_help(const struct command *command);
/* Prints the names of all commands. */
void command_print_list(void);
/* An entry of a list, whose labels are `width` columns wide, and a paragraph. */
void command_print_entry(const char *label, size_t width, const char *text);
void command_print_text(const char *text);
