/* trial: a job a zygote gives itself, to see that what it promises works (worker/zygote.h). */
#pragma once

#include <stdbool.h>

#include "worker/message.h"
#include "worker/zygote.h"

struct trial {
    int status, report; /* our ends */
};

#define TRIAL_NONE ((struct trial){ -1, -1 })

/* Makes the request a server would have sent; it is the caller's to wipe. */
int trial_request(const struct zygote_trial *job, struct trial *trial, struct message *request,
                  struct err *err);
/* After its process ended so (wait(2)): whether the job did. Closes our ends. */
bool trial_passed(struct trial *trial, int wait);
