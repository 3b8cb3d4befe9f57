/* deliveries: the webhooks of jobs (data/job/delivery.h), their states and attempts, for the
 * account that submitted the jobs. */
#pragma once

#include "server/http/server.h"

/* GET /api/v1/jobs/{id}/deliveries */
enum http_next deliveries_list(struct http_request *req, struct http_response *resp);
/* GET /api/v1/deliveries */
enum http_next deliveries_page(struct http_request *req, struct http_response *resp);
/* POST /api/v1/jobs/{id}/deliveries/{delivery}/redeliver */
enum http_next deliveries_again(struct http_request *req, struct http_response *resp);
