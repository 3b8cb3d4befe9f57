#include "cmd/cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "signer/client.h"

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

bool cmd_is_option(const char *word, const char *option)
{
    size_t n = strlen(option);

    return strncmp(word, option, n) == 0 && (word[n] == '\0' || word[n] == '=');
}

bool cmd_wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

static bool is_setting(const char *name, size_t n)
{
    const struct config_setting *setting;

    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        size_t k = 0;

        while (k < n && setting->name[k] && (name[k] == '-' ? '_' : name[k]) == setting->name[k])
            k++;
        if (k == n && !setting->name[k])
            return true;
    }
    return n == 6 && strncmp(name, "config", 6) == 0;
}

/* Calls each(name, value) for the words that are settings; moves the others to the front. */
static int walk_words(int *argc, char **argv, bool keep,
                      int (*each)(void *cls, const char *name, const char *value, struct err *err),
                      void *cls, struct err *err)
{
    int left = 1;

    for (int i = 1; i < *argc; i++) {
        const char *word = argv[i] + 2;
        size_t n = strcspn(word, "=");
        char name[64];

        if (strncmp(argv[i], "--", 2) != 0 || n >= sizeof name || !is_setting(word, n)) {
            argv[left++] = argv[i];
            continue;
        }
        memcpy(name, word, n);
        name[n] = '\0';
        if (!word[n] && i + 1 == *argc)
            return err_set(err, ERR_MISSING_FIELD, "--%s needs a value", name);
        if (keep)
            argv[left++] = argv[i];
        const char *value = word[n] ? word + n + 1 : argv[++i];
        if (keep && !word[n])
            argv[left++] = argv[i];
        if (each(cls, name, value, err) < 0)
            return -1;
    }
    *argc = left;
    return 0;
}

static int read_file(void *cls, const char *name, const char *value, struct err *err)
{
    return strcmp(name, "config") == 0 ? config_read(cls, value, err) : 0;
}

static int set_one(void *cls, const char *name, const char *value, struct err *err)
{
    return strcmp(name, "config") == 0 ? 0 : config_set(cls, name, value, err);
}

const char *cmd_default_file(const char *command)
{
    const char *named = getenv("PLATEN_CONFIG");
    const char *path = named ? named : PLATEN_CONFIG_FILE;

    if (strcmp(command, "run") == 0 || strcmp(command, "tools") == 0 || !*path)
        return NULL;
    if (named || access(path, R_OK) == 0)
        return path;
    /* What may not be read is said, but to those who only ask. */
    if (errno == ENOENT || errno == ENOTDIR || strcmp(command, "status") == 0 ||
        strcmp(command, "doctor") == 0)
        return NULL;
    return path;
}

/* The default file, unless the words name one. */
static int read_default(struct config *config, int argc, char **argv, struct err *err)
{
    const char *path = cmd_default_file(argv[0]);

    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--config") == 0 || strncmp(argv[i], "--config=", 9) == 0)
            return 0;
    return path ? config_read(config, path, err) : 0;
}

int cmd_read_settings(struct config *config, int *argc, char **argv, struct err *err)
{
    if (config_init(config, err) < 0 || read_default(config, *argc, argv, err) < 0 ||
        walk_words(argc, argv, true, read_file, config, err) < 0)
        return -1;
    return walk_words(argc, argv, false, set_one, config, err);
}

int cmd_settings(struct config *config, int *argc, char **argv, struct err *err)
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

int cmd_config(struct config *config, int *argc, char **argv, struct err *err)
{
    if (cmd_settings(config, argc, argv, err) < 0)
        return -1;
    cmd_log(config);
    return 0;
}

void cmd_print_settings(void)
{
    const struct config_setting *setting;

    for (size_t i = 0; (setting = config_setting_at(i)) != NULL; i++) {
        char name[64];
        size_t n = 0;

        for (; setting->name[n]; n++)
            name[n] = setting->name[n] == '_' ? '-' : setting->name[n];
        name[n] = '\0';
        printf("  --%-18s %s%s%s%s\n", name, setting->help, *setting->preset ? " [" : "",
               setting->preset, *setting->preset ? "]" : "");
    }
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

int cmd_json_word(int argc, char **argv, bool *as_json, struct err *err)
{
    *as_json = argc == 2 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !*as_json)
        return err_set(err, ERR_INVALID_PARAMETER, "there is no %s here, only --json", argv[1]);
    return 0;
}
