#include "sandbox/protocol/worker_job.h"

#include <stdlib.h>

void worker_result_free(struct worker_result *result)
{
    for (size_t i = 0; i < result->n_outputs; i++)
        free(result->outputs[i].name);
    for (size_t i = 0; i < result->n_warnings; i++) {
        free(result->warnings[i].code);
        free(result->warnings[i].message);
    }
    free(result->outputs);
    free(result->warnings);
    free(result->figures);
    free(result->rows);
    *result = (struct worker_result){ 0 };
}
