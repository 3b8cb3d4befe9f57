#include "cmd/cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/system/log.h"
#include "cmd/command.h"
#include "sandbox/signer/client.h"

int cmd_fail(int status, const char *fmt, ...)
{
    va_list ap;

    fputs("platen: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    return status;
}

bool cmd_wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

/* Calls each(arg, name, value) for the words that are settings. */
static int each_setting(int argc, char **argv,
                        int (*each)(void *arg, const char *name, const char *value,
                                    struct err *err),
                        void *arg, struct err *err)
{
    for (int i = 1, next; i < argc; i = next) {
        const char *word = argv[i] + 2, *equals = strchr(argv[i], '=');
        char name[64];

        next = command_skip_setting(argv[i]) + i;
        if (next == i) {
            next++;
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int) strcspn(word, "="), word);
        if (next > argc)
            return err_set(err, ERR_MISSING_FIELD, "--%s needs a value", name);
        if (each(arg, name, equals ? equals + 1 : argv[i + 1], err) < 0)
            return -1;
    }
    return 0;
}

static int read_file(void *arg, const char *name, const char *value, struct err *err)
{
    return strcmp(name, "config") == 0 ? config_read(arg, value, err) : 0;
}

static int set_one(void *arg, const char *name, const char *value, struct err *err)
{
    return strcmp(name, "config") == 0 ? 0 : config_set(arg, name, value, err);
}

static bool names_data(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--data") == 0 || strncmp(argv[i], "--data=", 7) == 0)
            return true;
    return getenv("PLATEN_DATA") != NULL;
}

/* The service's settings are closed to other users. A user who names a data folder means a server
 * of their own, and a command that only asks how a server is can do without them. */
static bool is_without(const char *path, int argc, char **argv)
{
    const bool asks = strcmp(argv[0], "status") == 0 || strcmp(argv[0], "doctor") == 0;
    const bool without = asks || names_data(argc, argv);
    static bool said;

    if (!said)
        fprintf(stderr,
                "platen: %s may not be read by this user%s; --config or PLATEN_CONFIG names "
                "another file%s\n",
                path, without ? " and is not used" : "",
                without ? "" : ", --data a data folder of your own; the service's user is platen");
    said = true;
    return without;
}

static const char *default_file(int argc, char **argv)
{
    const char *command = argv[0];
    const char *named = getenv("PLATEN_CONFIG");
    const char *path = named ? named : PLATEN_CONFIG_FILE;

    if (strcmp(command, "run") == 0 || strcmp(command, "tools") == 0 || !*path)
        return NULL;
    if (named || access(path, R_OK) == 0)
        return path;
    if (errno == ENOENT || errno == ENOTDIR)
        return NULL;
    return errno == EACCES && is_without(path, argc, argv) ? NULL : path;
}

/* The last file that the words name; NULL: none. */
static const char *named_file(int argc, char **argv)
{
    const char *path = NULL;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--config") == 0 && i + 1 < argc)
            path = argv[++i];
        else if (strncmp(argv[i], "--config=", 9) == 0)
            path = argv[i] + 9;
    }
    return path;
}

const char *cmd_settings_file(int argc, char **argv)
{
    const char *path = named_file(argc, argv);

    return path ? path : default_file(argc, argv);
}

int cmd_read_settings(struct config *config, int argc, char **argv, struct err *err)
{
    const char *path = named_file(argc, argv) ? NULL : default_file(argc, argv);

    if (config_init(config, err) < 0 || (path && config_read(config, path, err) < 0) ||
        each_setting(argc, argv, read_file, config, err) < 0)
        return -1;
    return each_setting(argc, argv, set_one, config, err);
}

int cmd_settings(struct config *config, int argc, char **argv, struct err *err)
{
    enum log_format format;
    enum log_level level;

    if (cmd_read_settings(config, argc, argv, err) < 0)
        return -1;
    if (!log_level_find(config->log_level, &level))
        return err_field(err, ERR_INVALID_PARAMETER, "log_level",
                         "log_level must be debug, info, warn or error");
    if (!log_format_find(config->log_format, &format))
        return err_field(err, ERR_INVALID_PARAMETER, "log_format",
                         "log_format must be auto, text, json or journald");
    return 0;
}

void cmd_log(const struct config *config)
{
    enum log_format format;
    enum log_level level;

    if (log_level_find(config->log_level, &level) && log_format_find(config->log_format, &format))
        log_setup(level, format);
}

int cmd_begin(struct config *config, struct command_words *words, int argc, char **argv,
              struct err *err)
{
    if (command_parse(words, argc, argv, err) < 0 || cmd_settings(config, argc, argv, err) < 0)
        return -1;
    cmd_log(config);
    return 0;
}

void cmd_raise_files(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

int cmd_signer_client(const struct config *config, struct signer_client *signer, struct err *err)
{
    const struct signer_settings settings = { .data = config->data,
                                              .name = config->seal_name,
                                              .certificate = config->seal_certificate,
                                              .password = config->seal_password,
                                              .timestamp_url = config->timestamp_url,
                                              .timestamp_ca = config->timestamp_ca,
                                              .timestamp_ms = config->timestamp_timeout };

    return signer_client_init(signer, config->programs, &settings, err);
}
