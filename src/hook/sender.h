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

/* What a reload may change. */
struct sender_terms {
    struct order_terms orders; /* texts are the caller's */
    struct retry_rules retry;
};

struct sender_config {
    struct letter_config letter;
    const char *programs; /* folder of the programs; "": that of this program */
    struct sender_terms terms;
};

/* Nobody else may be sending from this store: what another had taken is taken back. */
struct sender *sender_new(const struct sender_config *config, struct err *err);
/*
 * Other terms from now on. Orders under way end by those they began with, and until they have none
 * is begun: the courier has one set of terms as long as it lives. ERR_INTERNAL: memory is short,
 * and all stays as it was.
 */
int sender_change(struct sender *sender, const struct sender_terms *terms, struct err *err);
/* Something may be due now. Never waits; a NULL sender is told nothing. */
void sender_wake(struct sender *sender);
/* Takes nothing more; waits a moment for what is under way, leaves the rest for the next start. */
void sender_stop(struct sender *sender);
