/* run_task: one run of an order on documents, from opening them to saving the result. */
#pragma once

#include "cmd/place.h"
#include "cmd/run_order.h"
#include "signer/client.h"

struct run_task {
    const struct run_order *order; /* judged (run_order_check); borrowed, as all that follows */
    const struct config *config;   /* limits of a job */
    const struct signer_client *signer;
    const struct place *place;
    int cores;  /* how many threads of the job should compute at a time, from 1 */
    int cancel; /* an eventfd: readable means stop; -1 for none */
    bool bar;   /* its progress is shown on a terminal */
    /* What warnings begin with: the file, where there are several tasks; else NULL. */
    const char *label;

    int *inputs; /* the documents; the task's own, as all that follows */
    char (*names)[256];
    const char **name_list;
    size_t n_inputs;
    int64_t input_bytes;
};

/* Opens a document of the order. ERR_INVALID_REQUEST, ERR_UNSUPPORTED_FILE_TYPE. */
int run_task_add_file(struct run_task *task, const char *path, struct err *err);
/* The tool runs, and the result goes to its place. Several threads may have tasks of one order. */
int run_task_run(struct run_task *task, struct err *err);
/* Closes the documents; the order stays. */
void run_task_free(struct run_task *task);

/* The stem of the name that the result of the document at `path` gets. */
void run_task_stem(const struct run_order *order, const char *path, char out[static 201]);

/* Clears the line of a terminal that a bar of progress stands on. */
void run_task_clear_bar(void);
