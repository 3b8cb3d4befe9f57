/*
 * test_mark: the visible mark TEST on what the jobs of test keys give. It is drawn on the result if
 * that is one PDF; on the documents before the tool runs if the result is something else, or is
 * sealed or locked by it.
 */
#pragma once

#include "data/blob/blob.h"
#include "declare/tool/pipeline.h"
#include "sandbox/worker/catalog.h"

struct test_mark {
    const struct catalog *catalog;
    struct blob_store *blobs;
    const struct tool *tool;         /* of the job, or that of all pipelines */
    const struct pipeline *pipeline; /* NULL: one tool */
    const char *password;            /* that opens the documents; NULL: none is given */
};

/* Whether the documents are marked, and not the result. */
bool test_mark_is_before(const struct test_mark *mark);
/* Replaces the descriptors of the job's documents, which stay open, by those of marked copies,
 * which the caller closes. A document that cannot be marked stays as it is: the tool says why. The
 * result is the number of these, or -1. */
int test_mark_documents(const struct test_mark *mark, const struct worker_job *job, int *marked,
                        struct err *err);
/* Marks the PDF that the job has given, in its output. */
enum worker_end test_mark_result(const struct test_mark *mark, const struct worker_job *job,
                                 struct worker_result *result, struct err *err);
