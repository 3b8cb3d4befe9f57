/*
 * delivery_loop: the main loop of platen-webhook. It sends the requests that it gets from the
 * server, up to WEBHOOK_AT_ONCE at a time, and answers each with its result.
 */
#pragma once

#include "server/webhook/transfer.h"

/*
 * Converts the terms that the server sends first (allowed hosts, timeout, certificates)
 * to rules for transfers, and reads the file. ERR_INVALID_PARAMETER: a network or the file cannot
 * be read. ERR_INTERNAL.
 */
int delivery_loop_rules(const struct webhook_terms *terms, struct transfer_rules *rules,
                        struct err *err);

/* Runs until the server closes its end of the socket. ERR_INTERNAL. */
int delivery_loop_run(int sock, const struct transfer_rules *rules, struct err *err);
