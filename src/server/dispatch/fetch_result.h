/* fetch_result: what became of a file that was to be fetched. */
#pragma once

#include <stddef.h>

#include "declare/tool/tool.h"
#include "server/dispatch/remote.h"
#include "server/webhook/request.h"

/* Whether the response to a request for a file means that another attempt may succeed. */
bool fetch_result_may_pass(const struct webhook_response *response);
/* 0 if the file has come. Else ERR_FETCH_FAILED, or ERR_FILE_TOO_LARGE; the message names the file
 * by its number and its host's answer, never by its address, which may be a secret. */
int fetch_result_check(const struct webhook_response *response, const struct remote_file *file,
                       struct err *err);
/* Whether a file that came is what the client announced and what the tool takes: its digest, and
 * its kind by its first bytes. ERR_FETCH_FAILED, ERR_UNSUPPORTED_FILE_TYPE. */
int fetch_result_examine(int fd, int64_t bytes, const struct remote_file *file,
                         const struct tool *tool, struct err *err);
