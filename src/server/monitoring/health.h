/* health: GET /healthz (the process is alive), /readyz (it accepts jobs), /metrics (Prometheus). */
#pragma once

#include "server/http/server.h"

enum http_next health_live(struct http_request *req, struct http_response *resp);
enum http_next health_ready(struct http_request *req, struct http_response *resp);
enum http_next health_metrics(struct http_request *req, struct http_response *resp);
