/* test_outcome: what a test key asks for in X-Test-Outcome, so that a program can meet each end of
 * a job. */
#pragma once

#include "server/api_call/call.h"

#define TEST_BYTES   5000000 /* limit of the files of a request with a test key */
#define TEST_SLOW_MS 15000   /* how long a job waits whose outcome is `slow` */

struct test_outcome {
    bool fails;
    int64_t delay_ms;
};

/* Reads the header. ERR_QUOTA_EXCEEDED if it asks for that; ERR_INVALID_PARAMETER for an outcome
 * that there is not, or with a key that is not for tests. */
int test_outcome_read(const struct http_request *req, const struct call *call,
                      struct test_outcome *outcome, struct err *err);
/* Whether the files of a request, where others may have `most` bytes, are small enough. */
int test_outcome_check_size(const struct call *call, int64_t most, int64_t bytes, const char *field,
                            struct err *err);
/* The limit of bytes that a caller has where others have `most`. */
int64_t test_outcome_most(const struct call *call, int64_t most);
