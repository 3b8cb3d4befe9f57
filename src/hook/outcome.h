/* outcome: what an answer of the courier means for a delivery: done, once more, or given up. */
#pragma once

#include "hook/order.h"
#include "hook/retry.h"
#include "store/store.h"

struct outcome {
    struct store_outcome stored; /* its texts are those below */
    const char *label;           /* for the figures: "delivered", "rejected", "timeout", ... */
    char error[160];
    char excerpt[ORDER_EXCERPT + 1];
};

/* `answer` NULL: the courier was lost with it. `chance` as in hook/retry.h. */
void outcome_judge(const struct retry_rules *retry, const struct delivery *delivery,
                   const struct order_answer *answer, int64_t now, uint32_t chance,
                   struct outcome *out);

/* Begins the series of webhook attempts and of their ends at 0. */
void outcome_count_from_zero(void);
