/* run: one tool on local files, here and now: the same tool in the same sandbox, no server. */
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/log.h"
#include "base/system/thread.h"
#include "cmd/batch.h"
#include "cmd/cmd.h"
#include "cmd/command.h"
#include "cmd/run_order.h"
#include "cmd/run_task.h"
#include "declare/tool/pipeline.h"

#define SEAL_PATH (CONFIG_TEXT + 16)

static int fail(int status, const struct err *err)
{
    return cmd_fail(status, "%s: %s", err_name(err->code), err->msg);
}

/* The folders above a path, as far as they are missing. */
static int make_parents(char *path, struct err *err)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0700) < 0 && errno != EEXIST)
            return err_sys(err, "make the folder %s", path);
        *slash = '/';
    }
    return 0;
}

static int find_place(const struct run_order *order, struct place *place, struct err *err)
{
    const struct place_rules rules = { order->force, order->files, order->n_files };

    if (place_find(place, order->out, &rules, err) < 0)
        return -1;
    if (order->each && place->kind != PLACE_FOLDER)
        return err_set(err, ERR_INVALID_REQUEST,
                       "--each needs a folder: give -o FOLDER/, not %.100s", order->out);
    return 0;
}

/*
 * Where the seal of `platen run sign` is: in the data folder, if one was named or is there, else in
 * a folder of the user's own. A private key does not go to wherever the user happens to be.
 */
static int choose_seal(const struct run_order *order, struct config *config,
                       char path[static SEAL_PATH], struct err *err)
{
    const char *share = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char folder[CONFIG_TEXT] = "";

    *path = '\0';
    if (!run_order_asks(order) || *config->seal_certificate)
        return 0;
    if (config->sources[CONFIG_data].origin == CONFIG_FROM_DEFAULT &&
        access(config->data, F_OK) < 0) {
        if (share && *share == '/')
            snprintf(folder, sizeof folder, "%s/platen", share);
        else if (home && *home == '/')
            snprintf(folder, sizeof folder, "%s/.local/share/platen", home);
        if (*folder && make_parents(folder, err) < 0)
            return -1;
        if (*folder)
            memcpy(config->data, folder, sizeof folder);
    }
    if ((size_t) snprintf(path, SEAL_PATH, "%s/seal.pem", config->data) >= SEAL_PATH)
        return err_set(err, ERR_INVALID_REQUEST, "the path of the data folder is too long");
    if (access(path, F_OK) == 0)
        *path = '\0';
    return 0;
}

/* A new key is reported: signatures are recognised by it. */
static void print_seal(const char *path)
{
    if (*path && access(path, F_OK) == 0)
        fprintf(stderr, "platen: made a new private key for signing: %s\n", path);
}

/* What a pipeline gives is known by its last step, and how many parts only at the end. */
static int check_kind(const struct run_order *order, const struct place *place, struct err *err)
{
    return place_check_kind(place, pipeline_gives(order->pipeline, order->tool),
                            order->pipeline || order->tool->many,
                            pipeline_gives_also(order->pipeline, order->tool), err);
}

/* The files are opened, and the place is found, before anything is done. */
static int run_once(const struct run_order *order, const struct config *config)
{
    struct place place;
    struct signer_client signer;
    struct run_task task = { .order = order,
                             .config = config,
                             .signer = &signer,
                             .place = &place,
                             .cores = thread_cores(),
                             .cancel = -1,
                             .bar = true };
    struct err err;
    int opened = 0, status = 0;

    for (size_t i = 0; i < order->n_files && opened == 0; i++)
        opened = run_task_add_file(&task, order->files[i], &err);
    if (opened < 0 || find_place(order, &place, &err) < 0 || check_kind(order, &place, &err) < 0)
        status = fail(2, &err);
    else if (cmd_signer_client(config, &signer, &err) < 0 || run_task_run(&task, &err) < 0)
        status = fail(1, &err);
    run_task_free(&task);
    return status;
}

static int run_each(const struct run_order *order, const struct config *config)
{
    struct place place;
    struct signer_client signer;
    struct err err;

    if (find_place(order, &place, &err) < 0)
        return fail(2, &err);
    if (cmd_signer_client(config, &signer, &err) < 0)
        return fail(1, &err);
    return batch_run(order, config, &signer, &place);
}

/* argv[0] is the tool. */
static int run(const struct catalog *catalog, struct config *config, int argc, char **argv)
{
    struct run_order order = { .catalog = catalog };
    char seal[SEAL_PATH];
    struct err err;
    int status;

    order.tool =
        strcmp(argv[0], PIPELINE_NAME) == 0 ? &pipeline_tool : catalog_find(catalog, argv[0], NULL);
    if (!order.tool)
        return cmd_refuse_tool(catalog, argv[0]);
    if (cmd_wants_help(argc, argv)) {
        cmd_print_tool(order.tool);
        return 0;
    }
    if (run_order_parse(&order, argc, argv, &err) < 0 ||
        run_order_check(&order, *config->timestamp_url != '\0', &err) < 0)
        status = fail(2, &err);
    else if (choose_seal(&order, config, seal, &err) < 0)
        status = fail(1, &err);
    else {
        status = order.each ? run_each(&order, config) : run_once(&order, config);
        print_seal(seal);
    }
    run_order_free(&order);
    return status;
}

/* The steps in the arguments, before anything is checked; NULL: missing, or not JSON. */
static json_t *find_steps(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--steps=", 8) == 0)
            return json_loads(argv[i] + 8, 0, NULL);
        if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc)
            return json_loads(argv[i + 1], 0, NULL);
    }
    return NULL;
}

/* The programs to be started: LibreOffice takes a while. Steps that cannot be parsed name a tool
 * that no program has: then all are started, and the steps are checked. */
static void choose_tools(const char *tool, const json_t *steps,
                         const char *wanted[static PIPELINE_STEPS + 1])
{
    size_t n = 0;

    do {
        const char *name = json_string_value(json_object_get(json_array_get(steps, n), "tool"));

        wanted[n++] = name ? name : tool;
    } while (n < json_array_size(steps) && n < PIPELINE_STEPS);
    wanted[n] = NULL;
}

static bool is_mentioned(const char *word, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strstr(argv[i], word))
            return true;
    return false;
}

/* The programs of tools that do some of the work of those that were chosen. */
static void start_delegates(struct catalog *catalog, const char *const *wanted, int argc,
                            char **argv)
{
    for (; *wanted; wanted++) {
        const struct tool *tool = catalog_find(catalog, *wanted, NULL);

        if (tool && tool->delegate[0] && is_mentioned(tool->delegate[0], argc, argv))
            catalog_start(catalog, tool->delegate[1]);
        if (tool && tool->transcriber)
            catalog_start(catalog, tool->transcriber);
        if (tool && tool->stronger)
            catalog_start(catalog, tool->stronger);
    }
}

static struct catalog *open_catalog(const struct config *config, int argc, char **argv,
                                    struct err *err)
{
    bool several = strcmp(argv[0], PIPELINE_NAME) == 0;
    json_t *steps = several ? find_steps(argc, argv) : NULL;
    const char *wanted[PIPELINE_STEPS + 1];
    struct catalog *catalog;

    choose_tools(argv[0], steps, wanted);
    catalog = catalog_open(config->programs, config->allow_unsandboxed, wanted, err);
    if (catalog)
        start_delegates(catalog, wanted, argc, argv);
    json_decref(steps);
    return catalog;
}

/* The settings among the words but for data, which is also the name of a parameter of a tool:
 * whether it is that is known once the programs of tools are found, which is another setting. */
static int read_first_settings(struct config *config, int argc, char **argv, struct err *err)
{
    AUTO_FREE char **own = calloc((size_t) argc + 1, sizeof *own);
    int n = 0;

    if (!own)
        return err_sys(err, "settings");
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--data") == 0)
            i++;
        else if (strncmp(argv[i], "--data=", 7) != 0)
            own[n++] = argv[i];
    }
    return cmd_settings(config, n, own, err);
}

/* Whether a tool has a parameter of that name. */
static bool has_data_parameter(const struct catalog *catalog, const char *name)
{
    const struct tool *tool = catalog_find(catalog, name, NULL);

    return tool && param_find(tool->params, tool->n_params, "data");
}

int cmd_run(int argc, char **argv)
{
    struct config config;
    struct catalog *catalog;
    struct err err;
    int first, status;

    if (read_first_settings(&config, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    first = command_first_word(argc, argv);
    if (first == argc)
        return cmd_fail(2, "no tool given: platen tools lists them");
    if (argv[first][0] == '-')
        return cmd_fail(2,
                        "the tool comes first: platen run TOOL FILE...; platen tools lists them");
    log_setup(LOG_ERROR, LOG_KEY_VALUE);
    signal(SIGPIPE, SIG_IGN);
    cmd_raise_files();
    catalog = open_catalog(&config, argc - first, argv + first, &err);
    if (!catalog)
        return cmd_fail(1, "%s", err.msg);
    if (!has_data_parameter(catalog, argv[first]) && cmd_settings(&config, argc, argv, &err) < 0)
        status = cmd_fail(2, "%s", err.msg);
    else
        status = run(catalog, &config, argc - first, argv + first);
    catalog_close(catalog);
    return status;
}
