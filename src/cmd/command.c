#include "cmd/command.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "server/config/config.h"

/* A word that begins with "-" and is not "-" itself. */
static bool is_dashed(const char *word)
{
    return word[0] == '-' && word[1];
}

static void name_of(const char *word, char out[static COMMAND_NAME])
{
    const char *name = word + strspn(word, "-");

    snprintf(out, COMMAND_NAME, "%.*s", (int) strcspn(name, "="), name);
}

const char *command_setting_name(const struct config_setting *setting,
                                 char out[static COMMAND_NAME])
{
    snprintf(out, COMMAND_NAME, "--%s", setting->name);
    for (char *c = out; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return out;
}

const struct config_setting *command_setting_find(const char *word)
{
    const struct config_setting *setting;
    char name[COMMAND_NAME];

    name_of(word, name);
    if (strncmp(word, "--", 2) == 0 && word[2] != '-')
        for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++)
            if (nearest_same(name, setting->name))
                return setting;
    return NULL;
}

/* A setting, or the file of them. */
static bool is_setting(const char *word)
{
    return command_setting_find(word) || strcmp(word, "--config") == 0 ||
           strncmp(word, "--config=", 9) == 0;
}

int command_skip_setting(const char *word)
{
    return !is_setting(word) ? 0 : strchr(word, '=') ? 1 : 2;
}

int command_first_word(int argc, char **argv)
{
    int i = 1, n;

    while (i < argc && (n = command_skip_setting(argv[i])) > 0)
        i += n;
    return i < argc ? i : argc;
}

/* Whether the word is an option that only the caller knows. */
static bool is_known(const struct command_words *words, const char *word)
{
    char name[COMMAND_NAME];

    name_of(word, name);
    return strncmp(word, "--", 2) == 0 && words->knows && words->knows(words->arg, name);
}

static bool is_option(const struct command_words *words, const char *word)
{
    return strcmp(word, "--") == 0 || command_option_find(words->form, word) || is_setting(word) ||
           is_known(words, word);
}

const char *command_next_value(struct command_words *words, const char *wanted, struct err *err)
{
    const char *word = words->list[words->at], *equals = strchr(word, '=');
    const char *next = words->at + 1 < words->n ? words->list[words->at + 1] : NULL;

    if (equals)
        return equals + 1;
    if (!next || is_option(words, next)) {
        err_set(err, ERR_MISSING_FIELD, "%.60s needs %s%s%.60s%s", word, wanted,
                next ? ", and " : "", next ? next : "", next ? " is another option" : "");
        return NULL;
    }
    words->at++;
    return next;
}

static int add_option(struct command_words *words, const struct command_option *option,
                      struct err *err)
{
    const char **value = &words->values[option - words->form->options];
    const char *word = words->list[words->at];

    if (!option->value && strchr(word, '='))
        return err_set(err, ERR_INVALID_PARAMETER, "--%s has no value", option->name);
    if (!option->value) {
        *value = "";
        return 0;
    }
    if (*value && !option->many)
        return err_set(err, ERR_INVALID_REQUEST, "%.*s is given twice", (int) strcspn(word, "="),
                       word);
    *value = command_next_value(
        words, option->kind == COMMAND_OUTPUT ? "a file or a folder" : "a value", err);
    return *value ? 0 : -1;
}

/* "-oFILE" and "-o=FILE" are refused. */
static int check_letter(const struct command_words *words, const char *word, struct err *err)
{
    for (const struct command_option *option = words->form->options; option->name; option++)
        if (option->letter && word[1] == option->letter)
            return err_set(err, ERR_INVALID_REQUEST,
                           "%.60s: -%c and its value are two words: -%c %.60s", word,
                           option->letter, option->letter, word + 2 + (word[2] == '='));
    return 0;
}

enum command_word command_next(struct command_words *words, struct err *err)
{
    while (++words->at < words->n) {
        const char *word = words->list[words->at];
        const struct command_option *option = command_option_find(words->form, word);

        if (words->options_ended || !is_dashed(word))
            return COMMAND_OPERAND;
        if (strcmp(word, "--") == 0)
            words->options_ended = true;
        else if (is_setting(word) && !is_known(words, word))
            words->at += command_skip_setting(word) - 1;
        else if ((option ? add_option(words, option, err) : check_letter(words, word, err)) < 0)
            return COMMAND_FAILED;
        else if (!option)
            return COMMAND_OTHER;
    }
    return COMMAND_END;
}

const char *command_value(const struct command_words *words, const char *option)
{
    const struct command_option *list = words->form->options;

    for (size_t i = 0; list[i].name; i++)
        if (strcmp(list[i].name, option) == 0)
            return words->values[i];
    return NULL;
}

/* "key create", or "key" of a command without verbs. */
static const char *called(const struct command_words *words, char out[static 64])
{
    const char *verb = words->form->verb;

    snprintf(out, 64, "%s%s%s", words->command->name, verb ? " " : "", verb ? verb : "");
    return out;
}

/* The names of the options of the form, and then of the settings. */
static const char *option_at(const void *arg, size_t i)
{
    const struct command_words *words = arg;
    size_t n = 0;

    while (words->form->options[n].name)
        n++;
    if (i < n + 2)
        return i < n ? words->form->options[i].name : i == n ? "config" : "help";
    return i - n - 2 < CONFIG_COUNT ? config_setting_at(i - n - 2)->name : NULL;
}

static int refuse_option(const struct command_words *words, const char *word, struct err *err)
{
    const char *name = words->command->name, *near;
    char plain[COMMAND_NAME], by[64], shown[COMMAND_NAME];

    name_of(word, plain);
    near = nearest_name(plain, option_at, words);
    if (!near)
        return err_set(err, ERR_UNKNOWN_FIELD,
                       "%s has no option %.60s; platen %s --help lists them", called(words, by),
                       word, name);
    return err_set(err, ERR_UNKNOWN_FIELD, "%s has no option %.60s: did you mean %s?",
                   called(words, by), word,
                   command_setting_name(&(struct config_setting){ .name = near }, shown));
}

static int add_operand(struct command_words *words, struct err *err)
{
    const char *word = words->list[words->at];
    char by[64];

    for (size_t i = 0; i < COMMAND_OPERANDS && words->form->operands[i].name; i++)
        if (!words->operands[i]) {
            words->operands[i] = word;
            return 0;
        }
    return err_set(err, ERR_UNKNOWN_FIELD,
                   "%s accepts no argument %.60s; platen %s --help says more", called(words, by),
                   word, words->command->name);
}

/* What is required and missing. */
static int check_missing(const struct command_words *words, struct err *err)
{
    const struct command_form *form = words->form;
    char list[160] = "", by[64];
    size_t n = 0;

    for (size_t i = 0; form->options[i].name; i++)
        if (form->options[i].required && !words->values[i] && n < sizeof list)
            n += (size_t) snprintf(list + n, sizeof list - n, "%s--%s", n ? " and " : "",
                                   form->options[i].name);
    if (n)
        return err_set(err, ERR_MISSING_FIELD, "%s needs %s", called(words, by), list);
    for (size_t i = 0; i < COMMAND_OPERANDS && form->operands[i].name; i++)
        if (!form->operands[i].optional && !words->operands[i])
            return err_set(err, ERR_MISSING_FIELD, "%s needs %s: %s", called(words, by),
                           form->operands[i].name, form->operands[i].help);
    return 0;
}

static const char *verb_at(const void *arg, size_t i)
{
    const struct command *command = arg;

    return i < command->n_forms ? command->form[i].verb : NULL;
}

static int refuse_verb(const struct command *command, const char *word, struct err *err)
{
    const char *near = nearest_name(word, verb_at, command);
    char list[160] = "";
    size_t n = 0;

    if (near)
        return err_set(err, ERR_UNKNOWN_FIELD, "%s has no subcommand %.60s: did you mean %s?",
                       command->name, word, near);
    for (size_t i = 0; i < command->n_forms && n < sizeof list; i++)
        n += (size_t) snprintf(list + n, sizeof list - n, "%s%s",
                               i == 0                      ? ""
                               : i + 1 == command->n_forms ? " or "
                                                           : ", ",
                               command->form[i].verb);
    return err_set(err, ERR_MISSING_FIELD, "%s needs a subcommand: %s", command->name, list);
}

int command_parse(struct command_words *words, int argc, char **argv, struct err *err)
{
    const struct command *command = command_find(argv[0]);
    int first = command_first_word(argc, argv);
    enum command_word kind;

    *words = (struct command_words){ .command = command, .n = argc, .list = argv };
    if (!command)
        return err_set(err, ERR_INTERNAL, "there is no command %s", argv[0]);
    words->form = command_form_find(command, first < argc ? argv[first] : "");
    if (!words->form)
        return refuse_verb(command, first < argc ? argv[first] : "", err);
    words->at = words->form->verb ? first : 0;
    while ((kind = command_next(words, err)) != COMMAND_END)
        if (kind == COMMAND_FAILED ||
            (kind == COMMAND_OTHER && refuse_option(words, argv[words->at], err) < 0) ||
            (kind == COMMAND_OPERAND && add_operand(words, err) < 0))
            return -1;
    return check_missing(words, err);
}
