/* shipment_result: what the response to a result that was sent means for its shipment. */
#pragma once

#include "data/store/store_shipments.h"
#include "server/webhook/request.h"
#include "server/webhook/retry.h"

/* Sets state, next_at, http_status, duration_ms and error. A response that another attempt would
 * not change (400, 401, 403, ...) fails it; else it is retried like a webhook. `response` NULL:
 * there was none, because of this server. The error has nothing of the address but its host's
 * answer. `chance` as for retry_at. */
void shipment_result_classify(const struct retry_rules *retry,
                              const struct webhook_response *response, int64_t now, uint32_t chance,
                              struct store_shipment *shipment);
