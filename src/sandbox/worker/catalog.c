#include "sandbox/worker/catalog.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/system/log.h"
#include "sandbox/process/program.h"

/* In the order in which `platen tools` shows them. */
static const char *const programs[] = { "platen-pages", "platen-worker", "platen-render",
                                        "platen-ocr",   WORKER_OFFICE,   "platen-browser" };

struct catalog {
    char folder[PATH_MAX];
    bool allow_unsandboxed;
    bool tried[COUNT(programs)];
    struct worker *workers[COUNT(programs)];
    char notes[COUNT(programs)][300];
    /* note to show instead when a program's self-tests have failed */
    char absent[COUNT(programs)][120];
};

static void open_program(struct catalog *catalog, size_t i, const char *folder,
                         bool allow_unsandboxed, struct err *err)
{
    char path[PATH_MAX];
    size_t n = 0;

    if (program_path(folder, programs[i], path, sizeof path, err) < 0) {
        snprintf(catalog->notes[i], sizeof catalog->notes[i], "%s: its tools are absent: %s",
                 programs[i], err->msg);
        return;
    }
    if (access(path, X_OK) < 0) {
        snprintf(catalog->notes[i], sizeof catalog->notes[i],
                 "%s: its tools are absent: the program is not installed next to platen",
                 programs[i]);
        err_set(err, ERR_INTERNAL, "%s is not there", path);
        return;
    }
    catalog->workers[i] = worker_open(programs[i], path, allow_unsandboxed, err);
    if (!catalog->workers[i]) {
        snprintf(catalog->notes[i], sizeof catalog->notes[i], "%s: its tools are absent: %s",
                 programs[i], err->msg);
        log_warn("program.absent", KV("program", programs[i]), KV("why", err->msg));
        return;
    }
    worker_tools(catalog->workers[i], &n);
    snprintf(catalog->absent[i], sizeof catalog->absent[i],
             "%s: its tools are absent: its own trials failed, see program.absent in the log",
             programs[i]);
    snprintf(catalog->notes[i], sizeof catalog->notes[i], "%s: %zu tools, sandbox: %s", programs[i],
             n, worker_layers(catalog->workers[i]));
}

/* The program that this build put each tool into. It only says where to look first: what a
 * program declares counts. */
static const struct {
    const char *tool, *program;
} homes[] = {
#define TOOL(id, program) { #id, #program },
    TOOLS
#undef TOOL
};

/* Compares a name, in which words are joined by '-', with an identifier, which has '_'. */
static bool is_named(const char *name, const char *identifier)
{
    for (; *name && *identifier; name++, identifier++)
        if (*name != *identifier && !(*name == '-' && *identifier == '_'))
            return false;
    return *name == *identifier;
}

/* The program that probably has the tool; the first one if that is unknown. */
static size_t likely_home(const char *tool)
{
    for (size_t i = 0; tool && i < COUNT(homes); i++)
        for (size_t k = 0; is_named(tool, homes[i].tool) && k < COUNT(programs); k++)
            if (is_named(programs[k], homes[i].program))
                return k;
    return 0;
}

const char *catalog_program(size_t i)
{
    return i < COUNT(programs) ? programs[i] : NULL;
}

const char *catalog_home(const char *tool)
{
    return programs[likely_home(tool)];
}

bool catalog_is_office(const char *tool)
{
    return strcmp(catalog_home(tool), WORKER_OFFICE) == 0;
}

static bool has_all(const struct catalog *catalog, const char *const *tools)
{
    for (; *tools; tools++)
        if (!catalog_find(catalog, *tools, NULL))
            return false;
    return true;
}

/* Starts a program once. */
static void try_program(struct catalog *catalog, size_t i, struct err *err)
{
    if (!catalog->tried[i])
        open_program(catalog, i, catalog->folder, catalog->allow_unsandboxed, err);
    catalog->tried[i] = true;
}

void catalog_start(struct catalog *catalog, const char *tool)
{
    struct err ignored;

    try_program(catalog, likely_home(tool), &ignored);
}

struct catalog *catalog_open(const char *folder, bool allow_unsandboxed, const char *const *tools,
                             struct err *err)
{
    struct catalog *catalog = calloc(1, sizeof *catalog);
    bool any = false;
    /* error of a program that is not known to have the tools, which explains nothing */
    struct err other;

    if (!catalog) {
        err_sys(err, "catalog");
        return NULL;
    }
    snprintf(catalog->folder, sizeof catalog->folder, "%s", folder);
    catalog->allow_unsandboxed = allow_unsandboxed;
    for (size_t t = 0; tools && tools[t]; t++)
        try_program(catalog, likely_home(tools[t]), err);
    for (size_t i = 0; i < COUNT(programs); i++) {
        if (!(tools && has_all(catalog, tools)))
            try_program(catalog, i, tools ? &other : err);
        any = any || catalog->workers[i];
    }
    if (!any) {
        catalog_close(catalog);
        return NULL;
    }
    return catalog;
}

void catalog_close(struct catalog *catalog)
{
    if (!catalog)
        return;
    for (size_t i = 0; i < COUNT(programs); i++)
        if (catalog->workers[i])
            worker_close(catalog->workers[i]);
    free(catalog);
}

bool catalog_ready(const struct catalog *catalog, char *why, size_t cap)
{
    for (size_t i = 0; i < COUNT(programs); i++)
        if (catalog->workers[i] && !worker_is_absent(catalog->workers[i]) &&
            !worker_ready(catalog->workers[i], why, cap))
            return false;
    if (cap)
        *why = '\0';
    return true;
}

const struct tool *catalog_at(const struct catalog *catalog, size_t i)
{
    for (size_t k = 0; k < COUNT(programs); k++) {
        const struct tool *const *tools = NULL;
        size_t n = 0;

        if (catalog->workers[k])
            tools = worker_tools(catalog->workers[k], &n);
        for (size_t t = 0; t < n; t++)
            if (!tools[t]->hidden && i-- == 0)
                return tools[t];
    }
    return NULL;
}

const struct tool *catalog_find(const struct catalog *catalog, const char *name,
                                struct worker **worker)
{
    for (size_t k = 0; k < COUNT(programs); k++) {
        const struct tool *const *tools;
        size_t n = 0;

        if (!catalog->workers[k])
            continue;
        tools = worker_tools(catalog->workers[k], &n);
        for (size_t i = 0; i < n; i++) {
            if (strcmp(tools[i]->name, name) == 0) {
                if (worker)
                    *worker = catalog->workers[k];
                return tools[i];
            }
        }
    }
    return NULL;
}

static bool is_given(const char *name, const struct param_input *in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(in[i].name, name) == 0)
            return true;
    return false;
}

size_t catalog_common_params(const struct tool *other, const struct param_input *in, size_t n_in,
                             struct param_input out[static CATALOG_PARAMS])
{
    size_t n = 0;

    for (size_t i = 0; i < n_in; i++)
        for (size_t k = 0; k < other->n_params && n < CATALOG_PARAMS; k++)
            if (strcmp(in[i].name, other->params[k].name) == 0)
                out[n++] = in[i];
    return n;
}

static bool has_value(const char *name, const char *value, const struct param_input *in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(in[i].name, name) == 0 && in[i].value && strcmp(in[i].value, value) == 0)
            return true;
    return false;
}

/* Which languages are installed only the transcriber knows. */
static int check_transcriber(const struct catalog *catalog, const struct tool *tool,
                             const struct param_input *in, size_t n_in, struct err *err)
{
    const struct tool *transcriber = catalog_find(catalog, tool->transcriber, NULL);
    struct param_input common[CATALOG_PARAMS];

    if (transcriber)
        return tool_check_params(transcriber, common,
                                 catalog_common_params(transcriber, in, n_in, common), err);
    if (!has_value("ocr", "force", in, n_in))
        return 0;
    return err_field(err, ERR_UNSUPPORTED_CONTENT, "ocr",
                     "%s is not installed here, which %s with ocr=force needs",
                     catalog_home(tool->transcriber), tool->name);
}

/* The program of the tool that does the work of another and more, if it is there, wanted and
 * works. */
static struct worker *find_stronger(const struct catalog *catalog, const struct tool *tool,
                                    const struct param_input *in, size_t n_in)
{
    struct worker *worker = NULL;

    if (!tool->stronger || has_value("ocr", "off", in, n_in) ||
        !catalog_find(catalog, tool->stronger, &worker) || worker_is_absent(worker))
        return NULL;
    return worker;
}

struct worker *catalog_route(const struct catalog *catalog, const struct tool *tool,
                             const struct param_input *in, size_t n_in, const char **name,
                             struct err *err)
{
    struct worker *worker = NULL;

    *name = tool->name;
    if (tool->transcriber && check_transcriber(catalog, tool, in, n_in, err) < 0)
        return NULL;
    worker = find_stronger(catalog, tool, in, n_in);
    if (worker) {
        *name = tool->stronger;
        return tool_check_params(catalog_find(catalog, *name, NULL), in, n_in, err) < 0 ? NULL
                                                                                        : worker;
    }
    if (tool->delegate[0] && is_given(tool->delegate[0], in, n_in))
        *name = tool->delegate[1];
    if (!catalog_find(catalog, *name, &worker))
        err_field(err, ERR_UNSUPPORTED_CONTENT, *name == tool->name ? "" : tool->delegate[0],
                  "%s is not installed here, which %s%s%s needs", catalog_home(*name), tool->name,
                  *name == tool->name ? "" : " with ",
                  *name == tool->name ? "" : tool->delegate[0]);
    return worker;
}

static const char *tool_name_at(const void *arg, size_t i)
{
    const struct tool *tool = catalog_at(arg, i);

    return tool ? tool->name : NULL;
}

const char *catalog_nearest(const struct catalog *catalog, const char *name)
{
    return nearest_name(name, tool_name_at, catalog);
}

const char *catalog_note(const struct catalog *catalog, size_t i)
{
    if (i >= COUNT(programs))
        return NULL;
    return catalog->workers[i] && worker_is_absent(catalog->workers[i]) ? catalog->absent[i]
                                                                        : catalog->notes[i];
}
