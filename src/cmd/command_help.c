/* command_help: prints what --help prints: usage, description and lists, made of the tables. */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/command.h"
#include "server/config/config.h"

#define LABEL_MOST 24  /* columns; the text of a longer label begins on the next line */
#define LINE_MOST  100 /* columns that are read comfortably */

static size_t line_width(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO))
        return SIZE_MAX;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col < 40)
        return 80;
    return size.ws_col < LINE_MOST ? size.ws_col : LINE_MOST;
}

/* Prints a blank and a word, the blank as a new line if the word would not fit. *column is how many
 * columns the line has, 0 at its beginning. */
static void print_word(const char *word, size_t n, size_t indent, size_t *column)
{
    const bool begins = *column == indent;

    if (!begins && *column + 1 + n > line_width()) {
        printf("\n%*s%.*s", (int) indent, "", (int) n, word);
        *column = indent + n;
    } else {
        printf("%s%.*s", begins ? "" : " ", (int) n, word);
        *column += n + !begins;
    }
}

/* Continues a line that has `indent` columns, as those that follow get. */
static void print_wrapped(const char *text, size_t indent)
{
    size_t column = indent;

    while (*text) {
        size_t n = strcspn(text, " ");

        print_word(text, n, indent, &column);
        text += n + strspn(text + n, " ");
    }
    putchar('\n');
}

void command_print_text(const char *text)
{
    print_wrapped(text, 0);
}

void command_print_entry(const char *label, size_t width, const char *text)
{
    size_t n = strlen(label), column = 4 + (width < LABEL_MOST ? width : LABEL_MOST);

    printf("  %s", label);
    if (n <= LABEL_MOST)
        printf("%*s", (int) (column - 2 - n), "");
    else if (line_width() == SIZE_MAX)
        printf("  ");
    else
        printf("\n%*s", (int) column, "");
    print_wrapped(text, column);
}

/* "-o, --output OUT" */
static void label_option(const struct command_option *option, char out[static 64])
{
    const char short_form[] = { '-', option->letter, ',', ' ', '\0' };

    snprintf(out, 64, "%s--%s%s%s", option->letter ? short_form : "", option->name,
             option->value ? " " : "", option->value ? option->value : "");
}

static void print_usage(const struct command *command, const struct command_form *form)
{
    char item[100];
    size_t column = (size_t) printf("  platen %s%s%s", command->name, form->verb ? " " : "",
                                    form->verb ? form->verb : "");
    size_t indent = column + 1;

    for (size_t i = 0; i < COMMAND_OPERANDS && form->operands[i].name; i++) {
        snprintf(item, sizeof item, form->operands[i].optional ? "[%s]" : "%s",
                 form->operands[i].name);
        print_word(item, strlen(item), indent, &column);
    }
    if (form->rest)
        print_word(form->rest, strlen(form->rest), indent, &column);
    for (const struct command_option *o = form->options; o->name; o++) {
        const char letter[] = { '-', o->letter, '\0' };

        snprintf(item, sizeof item, "%s%s%s%s%s%s", o->required ? "" : "[",
                 o->letter ? letter : "--", o->letter ? "" : o->name, o->value ? " " : "",
                 o->value ? o->value : "", o->required ? "" : "]");
        print_word(item, strlen(item), indent, &column);
    }
    putchar('\n');
}

struct entries {
    struct {
        char label[64];
        const char *text;
    } list[CONFIG_COUNT + 8];
    size_t n;
};

/* What several forms have is listed once. */
static void add(struct entries *entries, const char *label, const char *text)
{
    for (size_t i = 0; i < entries->n; i++)
        if (strcmp(entries->list[i].label, label) == 0)
            return;
    snprintf(entries->list[entries->n].label, sizeof entries->list->label, "%s", label);
    entries->list[entries->n++].text = text;
}

static void print_entries(const char *title, const struct entries *entries)
{
    size_t width = 0;

    for (size_t i = 0; i < entries->n; i++) {
        size_t n = strlen(entries->list[i].label);

        width = n > width && n <= LABEL_MOST ? n : width;
    }
    if (entries->n)
        printf("\n%s:\n", title);
    for (size_t i = 0; i < entries->n; i++)
        command_print_entry(entries->list[i].label, width, entries->list[i].text);
}

static void print_verbs(const struct command *command)
{
    struct entries verbs = { .n = 0 }, operands = { .n = 0 };

    for (size_t i = 0; i < command->n_forms; i++) {
        const struct command_form *form = &command->form[i];

        if (form->verb)
            add(&verbs, form->verb, form->help);
        for (size_t k = 0; k < COMMAND_OPERANDS && form->operands[k].name; k++)
            add(&operands, form->operands[k].name, form->operands[k].help);
    }
    print_entries("Subcommands", &verbs);
    print_entries("Arguments", &operands);
}

static void print_options(const struct command *command)
{
    struct entries options = { .n = 0 };
    char label[64];

    for (size_t i = 0; i < command->n_forms; i++)
        for (const struct command_option *o = command->form[i].options; o->name; o++) {
            label_option(o, label);
            add(&options, label, o->help);
        }
    add(&options, "--config FILE", "The file of settings.");
    if (!command->lists_settings)
        add(&options, "--SETTING VALUE", "Any setting; platen serve --help lists them.");
    add(&options, "-h, --help", "Print this.");
    print_entries("Options", &options);
}

static void print_settings(void)
{
    const struct config_setting *setting;
    char label[64], text[2000];

    printf("\nSettings:\n");
    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        snprintf(text, sizeof text, *setting->preset ? "%s [%s]" : "%s", setting->help,
                 setting->preset);
        command_print_entry(command_setting_name(setting, label), LABEL_MOST, text);
    }
}

void command_print_help(const struct command *command)
{
    puts("Usage:");
    for (size_t i = 0; i < command->n_forms; i++)
        print_usage(command, &command->form[i]);
    for (size_t i = 0; command->text && command->text[i]; i++) {
        putchar('\n');
        command_print_text(command->text[i]);
    }
    print_verbs(command);
    print_options(command);
    if (command->lists_settings)
        print_settings();
    if (command->status) {
        printf("\nExit status:\n  ");
        print_wrapped(command->status, 2);
    }
}

void command_print_list(void)
{
    const struct command *command;
    char label[64];

    puts("platen: PDF operations, as a server or on the command line\n\nCommands:");
    for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
        snprintf(label, sizeof label, "platen %s", command->name);
        command_print_entry(label, 14, command->help);
    }
    putchar('\n');
    command_print_text("platen COMMAND --help, or platen help COMMAND, says more; platen "
                       "--version prints the version.");
}
