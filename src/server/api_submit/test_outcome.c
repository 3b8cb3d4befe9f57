#include "server/api_submit/test_outcome.h"

#include <string.h>

#define HEADER "X-Test-Outcome"

int test_outcome_read(const struct http_request *req, const struct call *call,
                      struct test_outcome *outcome, struct err *err)
{
    const char *text = http_header(req, HEADER);

    *outcome = (struct test_outcome){ 0 };
    if (!text)
        return 0;
    if (!key_is_test(call->key.prefix))
        return err_field(err, ERR_INVALID_TEST_OUTCOME, HEADER,
                         HEADER " is for test keys: leave it out, or send a test key");
    if (strcmp(text, "failed") == 0)
        outcome->fails = true;
    else if (strcmp(text, "slow") == 0)
        outcome->delay_ms = TEST_SLOW_MS;
    else if (strcmp(text, "quota_exceeded") == 0)
        return err_field(err, ERR_QUOTA_EXCEEDED, "requests",
                         "the month's requests are used up, as " HEADER " asks for");
    else
        return err_field(err, ERR_INVALID_TEST_OUTCOME, HEADER,
                         HEADER " must be one of: failed, slow, quota_exceeded");
    return 0;
}

int64_t test_outcome_most(const struct call *call, int64_t most)
{
    return key_is_test(call->key.prefix) && most > TEST_BYTES ? TEST_BYTES : most;
}

int test_outcome_check_size(const struct call *call, int64_t most, int64_t bytes, const char *field,
                            struct err *err)
{
    most = test_outcome_most(call, most);
    return bytes <= most
               ? 0
               : err_field(err, ERR_FILE_TOO_LARGE, field,
                           "a request's files may have at most %lld bytes", (long long) most);
}
