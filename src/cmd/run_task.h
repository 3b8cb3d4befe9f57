/* run_task: runs an order once, from opening the documents to saving the result. */
#pragma once

#include "cmd/place.h"
#include "cmd/run_order.h"
#include "sandbox/signer/client.h"

struct run_task {
    const struct run_order *order; /* checked (run_order_check); borrowed, like the members below */
    const struct config *config;   /* has the limits of a job */
    const struct signer_client *signer;
    const struct place *place;
    int cores;  /* number of the job's threads that should compute at the same time, from 1 */
    int cancel; /* an eventfd that becomes readable to stop the job; -1 for none */
    bool bar;   /* show the progress on a terminal */
    /* Prefix of warnings: the file, if there are several tasks; else NULL. */
    const char *label;

    int *inputs; /* the documents; owned by the task, like the members below */
    char (*names)[256];
    const char **name_list;
    size_t n_inputs;
    int64_t input_bytes;
};

/* Opens a document of the order. ERR_INVALID_REQUEST, ERR_UNSUPPORTED_FILE_TYPE. */
int run_task_add_file(struct run_task *task, const char *path, struct err *err);
/* Runs the tool and saves the result. Several threads may run tasks of one order. */
int run_task_run(struct run_task *task, struct err *err);
/* Closes the documents; the order stays. */
void run_task_free(struct run_task *task);

/* Writes the stem of the result's name for the document at `path`. */
void run_task_stem(const struct run_order *order, const char *path, char out[static 201]);

/* Clears the progress bar from the terminal's line. */
void run_task_clear_bar(void);
