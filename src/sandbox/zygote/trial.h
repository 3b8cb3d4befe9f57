/* trial: a self-test: a job that a zygote gives itself to check that it works
 * (sandbox/zygote/zygote.h). */
#pragma once

#include <stdbool.h>

#include "sandbox/protocol/message.h"
#include "sandbox/zygote/zygote.h"

struct trial {
    int status, report; /* our ends of the job's status socket and report pipe; -1: closed */
};

#define TRIAL_NONE ((struct trial){ -1, -1 })

/* Makes the request that a server would have sent; the caller frees it with message_wipe. */
int trial_request(const struct zygote_trial *job, struct trial *trial, struct message *request,
                  struct err *err);
/* Whether the job succeeded, after its process ended with this status (wait(2)). Closes our
 * ends. */
bool trial_passed(struct trial *trial, int wait);
