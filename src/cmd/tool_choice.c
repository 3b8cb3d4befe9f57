#include "cmd/tool_choice.h"

#include <stdlib.h>
#include <string.h>

#include "declare/tool/tool.h"

#define BETWEEN " \t,"
#define MOST    256 /* tools */
#define PROGRAM "platen-"

struct choice {
    const struct catalog *catalog;
    bool chosen[MOST];
    size_t n; /* tools of the catalog */
};

static bool is_of(const char *tool, const char *word, size_t n)
{
    const char *program = catalog_home(tool);

    if (strlen(tool) == n && strncmp(tool, word, n) == 0)
        return true;
    return strncmp(program, PROGRAM, strlen(PROGRAM)) == 0 &&
           strlen(program) == strlen(PROGRAM) + n &&
           strncmp(program + strlen(PROGRAM), word, n) == 0;
}

/* Whether a worker program has no tool here. */
static bool lacks_program(const struct choice *choice)
{
    const char *program;

    for (size_t i = 0; (program = catalog_program(i)) != NULL; i++) {
        size_t at = 0;

        while (at < choice->n &&
               strcmp(catalog_home(catalog_at(choice->catalog, at)->name), program) != 0)
            at++;
        if (at == choice->n)
            return true;
    }
    return false;
}

static int add_word(struct choice *choice, const char *word, size_t n, struct err *err)
{
    const bool removes = *word == '!';
    bool any = false;

    word += removes;
    n -= removes;
    for (size_t i = 0; i < choice->n; i++)
        if (is_of(catalog_at(choice->catalog, i)->name, word, n)) {
            choice->chosen[i] = !removes;
            any = true;
        }
    if (any || removes)
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, "tools",
                     "tools: there is no tool %.*s here; platen tools lists them", (int) n, word);
}

/* Words that only take away begin with all. */
static bool begins_with_all(const char *words)
{
    for (const char *at = words + strspn(words, BETWEEN); *at; at += strspn(at, BETWEEN)) {
        if (*at != '!')
            return false;
        at += strcspn(at, BETWEEN);
    }
    return true;
}

static int limit(const struct choice *choice, struct store *store, struct err *err)
{
    const char *names[MOST];
    size_t n = 0;

    for (size_t i = 0; i < choice->n; i++)
        if (choice->chosen[i])
            names[n++] = catalog_at(choice->catalog, i)->name;
    if (n == 0)
        return err_field(err, ERR_INVALID_PARAMETER, "tools",
                         "the setting tools leaves no tool for this server");
    if (n == choice->n && !lacks_program(choice))
        n = 0;
    return store_limit(store, names, n, err);
}

int tool_choice_apply(struct store *store, const struct catalog *catalog, const char *words,
                      struct err *err)
{
    struct choice choice = { .catalog = catalog };
    const bool all = begins_with_all(words);

    while (choice.n < MOST && catalog_at(catalog, choice.n))
        choice.chosen[choice.n++] = all;
    for (const char *at = words + strspn(words, BETWEEN); *at; at += strspn(at, BETWEEN)) {
        size_t n = strcspn(at, BETWEEN);

        if (add_word(&choice, at, n, err) < 0)
            return -1;
        at += n;
    }
    return limit(&choice, store, err);
}
