/*
 * sender: the thread that has deliveries sent: it takes from the store what is due, hands it to
 * platen-courier (started with the first, ended when there has been none for a minute) and notes
 * what came of it. It believes nothing the courier says but how an order it was given went; if the
 * courier ends, what it was at failed and is tried again like all else.
 */
#pragma once

#include "hook/letter.h"
#include "hook/retry.h"

struct sender;

struct sender_config {
    struct letter_config letter;
    const char *programs;     /* folder of the programs; "": that of this program */
    struct order_terms terms; /* its texts outlive the sender */
    struct retry_rules retry;
};

/* Nobody else may be sending from this store: what another had taken is taken back. */
struct sender *sender_new(const struct sender_config *config, struct err *err);
/* Something may be due now. Never waits; a NULL sender is told nothing. */
void sender_wake(struct sender *sender);
/* Takes nothing more; waits a moment for what is under way, leaves the rest for the next start. */
void sender_stop(struct sender *sender);
