/* serving: the running server, put together by cmd/serve.c, and what a reload does to it. */
#pragma once

#include "api_call/api.h"
#include "cmd/cmd.h"
#include "dispatch/janitor.h"
#include "signer/client.h"

struct serving {
    /* In use now. Threads read what a reload changes from api.settings, never from here; what it
     * does not change stays where it is, and they may. */
    struct config config;
    int n_words; /* of the command line, to read the settings again */
    char **words;
    struct signer_client signer;
    struct api api;
    int connections; /* max_connections, or fewer if the limit of open files carries no more */
    int lock;
    int listener; /* a socket that the service manager passed; 0: none */
    int bound;    /* a socket bound to the configured address; 0: none */
    struct janitor *janitor;
    struct pulse *pulse; /* of a store that servers share; else NULL */
    bool works_only;     /* platen work */
};

/* The part of the settings that each of them takes. `address` is for the one to listen on. */
struct turn_terms serving_terms(const struct config *config);
struct sender_terms serving_callbacks(const struct config *config); /* texts are of config */
int serving_http(const struct config *config, char *address, size_t cap,
                 struct http_server_config *http, struct err *err);
/* Settings as the words, the environment and the file say now, judged. */
int serving_read(const struct serving *serving, struct config *config, struct err *err);
/* Logs what is odd about them. */
void serving_warn(const struct config *config);
/* Logs plans that keys have and the settings have not. */
void serving_warn_plans(const struct config *config, struct store *store);

/* SIGHUP: reads the settings again and has them count from now on, all or none. Says in the log
 * what changed, what needs a restart, or why the old ones stay. */
void serving_reload(struct serving *serving);
