/* serving: the state of the running server, set up by cmd/serve.c, and reloading of its
 * settings. */
#pragma once

#include "cmd/cmd.h"
#include "sandbox/signer/client.h"
#include "server/api_call/api.h"
#include "server/dispatch/janitor.h"
#include "server/shipment/shipper.h"

struct serving {
    /* The current settings. Threads read settings that a reload changes from api.settings, never
     * from here; the others stay unchanged, so threads may read those here. */
    struct config config;
    int n_words; /* the command line, for reading the settings again */
    char **words;
    struct signer_client signer;
    struct api api;
    /* max_connections, or fewer if the limit of open files does not allow as many */
    int connections;
    int lock;     /* descriptor of the file `lock` in the data folder, held by flock(2) */
    int listener; /* a socket that the service manager passed; 0: none */
    int bound;    /* a socket bound to the configured address; 0: none */
    struct janitor *janitor;
    struct pulse *pulse; /* for a store that servers share; else NULL */
    bool works_only;     /* the command is `platen work` */
};

/* The settings that each part of the server needs. `address` gets the address to listen on, which
 * `http` refers to. */
struct execution_terms serving_terms(const struct config *config);
struct webhook_terms serving_fetching(const struct config *config); /* texts belong to config */
struct shipper_terms serving_shipping(const struct config *config); /* texts belong to config */
struct sender_terms serving_callbacks(const struct config *config); /* texts belong to config */
int serving_http(const struct config *config, char *address, size_t cap,
                 struct http_server_config *http, struct err *err);
/* Reads the settings as the arguments, the environment and the file are now, and checks them. */
int serving_read(const struct serving *serving, struct config *config, struct err *err);
/* Logs warnings about the settings. */
void serving_warn(const struct config *config);
/* Logs plans that keys have and the settings do not define. */
void serving_warn_plans(const struct config *config, struct store *store);

/* To be called after SIGHUP: reads the settings again and applies them, all or none. Logs what
 * changed, what needs a restart, or why the old settings stay. */
void serving_reload(struct serving *serving);

/* A server that root started becomes the owner of its data folder, or `platen` if the folder is not
 * there yet; what only root may do is left to the starter of programs. Where that is not possible
 * the server stays root with few capabilities, and says why. To be called while there is one
 * thread. */
int serving_leave_root(const struct config *config, struct err *err);
