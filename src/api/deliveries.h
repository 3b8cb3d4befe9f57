/* deliveries: GET /api/v1/deliveries and /api/v1/jobs/{id}/deliveries, and POST
 * .../{delivery}/redeliver. */
#pragma once

#include "http/server.h"

enum http_next deliveries_list(struct http_request *req, struct http_response *resp);
enum http_next deliveries_page(struct http_request *req, struct http_response *resp);
enum http_next deliveries_again(struct http_request *req, struct http_response *resp);
