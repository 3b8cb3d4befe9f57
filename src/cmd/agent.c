/* agent: `platen mcp`: the tools for an AI agent on this machine, on standard input and output. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "cmd/agent/agent_bridge.h"
#include "cmd/agent/agent_server.h"
#include "cmd/cmd.h"
#include "cmd/command.h"

#define FOLDER   "--folder"
#define SETTINGS 40 /* limit of the words of settings */

/* --folder may be given several times, unlike other options. */
static int read_folders(struct agent_folders *folders, int argc, char **argv, struct err *err)
{
    size_t n = strlen(FOLDER);

    for (int i = 1; i < argc; i++) {
        const char *folder = NULL;

        if (strcmp(argv[i], FOLDER) == 0 && i + 1 < argc)
            folder = argv[++i];
        else if (strncmp(argv[i], FOLDER "=", n + 1) == 0)
            folder = argv[i] + n + 1;
        if (folder && agent_folders_add(folders, folder, err) < 0)
            return -1;
    }
    return 0;
}

/* The words that are settings, for the server that runs the jobs. */
static size_t find_settings(int argc, char **argv, char *settings[static SETTINGS])
{
    size_t n = 0;

    for (int i = 1; i < argc; i++) {
        int words = command_skip_setting(argv[i]);

        for (int j = 0; j < words && i + j < argc && n < SETTINGS; j++)
            settings[n++] = argv[i + j];
        i += words > 1 ? words - 1 : 0;
    }
    return n;
}

/* The key of a server: from a file, or from the environment, where other users cannot read it as
 * they can in a command line. */
static int find_key_text(const char *file, struct agent_remote *remote, struct err *err)
{
    const char *key = getenv("PLATEN_KEY");
    AUTO_CLOSE int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    AUTO_BUF struct buf text = BUF_EMPTY;

    if (file && (fd < 0 || fdio_read_all(fd, sizeof remote->key, &text, err) < 0))
        return err_set(err, ERR_INVALID_REQUEST, "the key file %s cannot be read", file);
    if (file)
        key = buf_text(&text);
    if (!key || !*key)
        return err_set(err, ERR_INVALID_REQUEST,
                       "--server needs an API key: in PLATEN_KEY, or in a file by --key-file");
    snprintf(remote->key, sizeof remote->key, "%.*s", (int) strcspn(key, " \t\r\n"), key);
    return 0;
}

static int set_remote(const char *url, const char *file, struct agent_remote *remote,
                      struct err *err)
{
    if (strncmp(url, "https://", 8) != 0 && strncmp(url, "http://", 7) != 0)
        return err_set(err, ERR_INVALID_REQUEST,
                       "--server is the address of a server, such as https://pdf.example.com");
    snprintf(remote->url, sizeof remote->url, "%s", url);
    for (size_t n = strlen(remote->url); n && remote->url[n - 1] == '/'; n--)
        remote->url[n - 1] = '\0';
    return find_key_text(file, remote, err);
}

static int serve(const struct command_words *words, const struct agent_folders *folders, int argc,
                 char **argv, struct err *err)
{
    const char *url = command_value(words, "server");
    struct agent_remote remote = { 0 };
    struct agent_server own = { 0 };
    char *settings[SETTINGS];
    size_t n = find_settings(argc, argv, settings);
    int done = url ? set_remote(url, command_value(words, "key-file"), &remote, err)
                   : agent_server_begin(&own, settings, n, &remote, err);

    if (done == 0)
        done = agent_bridge_serve(folders, &remote, err);
    agent_server_end(&own);
    return done;
}

static void ignore_signal(int number)
{
    (void) number;
}

/* The signal ends the wait for the next message, so that the rest ends in order. */
static void end_on(int number)
{
    struct sigaction action = { .sa_handler = ignore_signal };

    sigaction(number, &action, NULL);
}

int cmd_mcp(int argc, char **argv)
{
    struct agent_folders folders = { .n = 0 };
    struct command_words words;
    struct err err;
    int status = 0;

    if (command_parse(&words, argc, argv, &err) < 0)
        return cmd_fail(2, "%s", err.msg);
    signal(SIGPIPE, SIG_IGN);
    end_on(SIGTERM);
    end_on(SIGINT);
    if (read_folders(&folders, argc, argv, &err) < 0)
        status = cmd_fail(2, "%s", err.msg);
    else if (serve(&words, &folders, argc, argv, &err) < 0)
        status = cmd_fail(1, "%s", err.msg);
    agent_folders_close(&folders);
    return status;
}
