#include "server/config/ini.h"

#include <stdbool.h>
#include <string.h>

#define BLANKS " \t\r\n"

static char *trim_line(char *text)
{
    size_t n;

    text += strspn(text, BLANKS);
    n = strlen(text);
    while (n && strchr(BLANKS, text[n - 1]))
        n--;
    text[n] = '\0';
    return text;
}

/* A comment begins with ';' after a blank, or with '#' between blanks: "Desk #3" is a value. */
static void cut_comment(char *text)
{
    for (char *p = text; (p = strpbrk(p, ";#")) != NULL; p++) {
        bool after = p > text && strchr(" \t", p[-1]);

        if (after && (*p == ';' || strchr(BLANKS, p[1]))) {
            *p = '\0';
            return;
        }
    }
}

static void refuse_line(const struct ini_reader *reader, int number, const char *why)
{
    struct err fault;

    err_set(&fault, ERR_INVALID_PARAMETER, "%s", why);
    reader->fault(reader->arg, number, &fault);
}

static void read_section(const struct ini_reader *reader, struct ini_line *at, char *text,
                         char section[static INI_LINE])
{
    char *end = strchr(text, ']');

    if (!end || (end[1] && *trim_line(end + 1) != ';' && *trim_line(end + 1) != '#')) {
        refuse_line(reader, at->number, "a section is written [name]");
        return;
    }
    *end = '\0';
    text = trim_line(text + 1);
    memcpy(section, text, strlen(text) + 1);
    if (reader->section)
        reader->section(reader->arg, at->number, section);
}

static void read_entry(const struct ini_reader *reader, struct ini_line *at, char *text,
                       char section[static INI_LINE])
{
    char *equals;

    text = trim_line(text);
    if (!*text || *text == '#' || *text == ';')
        return;
    if (*text == '[') {
        read_section(reader, at, text, section);
        return;
    }
    equals = strchr(text, '=');
    if (!equals || equals == text) {
        refuse_line(reader, at->number, "not a setting (name = value)");
        return;
    }
    *equals = '\0';
    cut_comment(equals + 1);
    at->name = trim_line(text);
    at->value = trim_line(equals + 1);
    reader->each(reader->arg, at);
}

int ini_read(FILE *file, const struct ini_reader *reader, struct err *err)
{
    char text[INI_LINE], section[INI_LINE] = "";
    struct ini_line at = { .section = section };
    bool rest = false; /* the rest of a line that was too long follows */

    while (fgets(text, sizeof text, file)) {
        size_t n = strlen(text);
        bool whole = n && text[n - 1] == '\n';

        if (!rest)
            at.number++;
        if (!rest && !whole && !feof(file))
            refuse_line(reader, at.number, "the line is too long, or holds a NUL");
        else if (!rest)
            read_entry(reader, &at, strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text,
                       section);
        rest = !whole && !feof(file);
    }
    return ferror(file) ? err_sys(err, "read the settings") : 0;
}
