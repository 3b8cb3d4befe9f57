/*
 * scope: what a key may do (data/account/key.h). A key of the scope `submit` reads only the jobs
 * and uploads that were made with it. Their ids say so: they end in a code over the rest and the
 * key, under a secret of the server.
 */
#pragma once

#include "base/id.h"
#include "data/account/key.h"
#include "server/api_call/api.h"

/* Whether a request may be made with this key: 0, or -1 with ERR_OUTSIDE_SCOPE; for a job or upload
 * of another key ERR_JOB_NOT_FOUND or ERR_UPLOAD_NOT_FOUND. */
int scope_check(const struct http_request *req, const struct key *key, struct err *err);
/* Whether a key may use the tool: 0, or -1 with ERR_OUTSIDE_SCOPE. */
int scope_check_tool(const struct key *key, const char *tool, struct err *err);
/* Makes the id of a job or upload of this key. */
void scope_new_id(const struct api *api, const struct key *key, char id[static ID_TEXT]);
/* Whether a key may use what a reference (api_submit/reference.h) names: 0, or -1 with
 * ERR_JOB_NOT_FOUND or ERR_UPLOAD_NOT_FOUND. */
int scope_check_reference(const struct api *api, const struct key *key, const char *text,
                          const char *field, struct err *err);
