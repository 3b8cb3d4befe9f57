/* client: raw sockets for tests: what is sent is what the test wrote, byte for byte. Every wait has
 * a deadline. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct client {
    int fd;
    struct buf in; /* received, not yet taken */
    bool ended;    /* the server has closed its side */
    bool reset;
};

struct answer {
    int status; /* 0: none came */
    char *head; /* status line and headers, each line ended by CR LF */
    char *body;
    size_t body_len;
};

/* Dies if there is no connection, unless `may_fail` (fd is then -1). */
struct client client_open(uint16_t port);
bool client_try(struct client *client, const char *address, uint16_t port);
/* From this IPv4 address of this machine. */
struct client client_from(const char *own, uint16_t port);
void client_close(struct client *client);

/* All of it, as far as the server takes it; false once it does not. */
bool client_send(struct client *client, const void *data, size_t n);
bool client_puts(struct client *client, const char *text);
/* Holds back what is sent from now on, so that it goes out with the end, in one packet. */
void client_hold(struct client *client);
/* Ends our side; the server's stays open. */
void client_end(struct client *client);

/* The next answer, whole. `head`: it answers a HEAD and so has no body. 100 Continue is an answer.
 */
struct answer client_answer(struct client *client, bool head);
void answer_free(struct answer *answer);
/* A header's value, or NULL; good until the next call. */
const char *answer_header(const struct answer *answer, const char *name);

/* Whether this text comes; what came before it, and it, are taken. */
bool client_sees(struct client *client, const char *text);
/* Whether the server closes the connection within the deadline, without another byte. */
bool client_sees_end(struct client *client);
/* Whether nothing comes within ms milliseconds: for what must not happen. */
bool client_sees_nothing(struct client *client, int ms);

#define AUTO_CLIENT __attribute__((cleanup(client_close)))
#define AUTO_ANSWER __attribute__((cleanup(answer_free)))
