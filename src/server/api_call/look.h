/* look: the two assets that follow from settings: "brand.css", the colours of page_color, and
 * "logo", the picture page_logo. */
#pragma once

#include "server/api_call/api.h"

/* Whether an asset (the second argument of the address) is one of them, and set. */
bool look_has(const struct http_request *req);
/* Answers with it. */
enum http_next look_answer(struct http_request *req, struct http_response *resp);
