/*
 * job_fields: the fields of a submission that concern the job and not its operation: how it is
 * named and reported (submission.h), which files are fetched for it (remote_fields.h), where its
 * result is sent to (output_fields.h), and which workflow it runs (workflow_fields.h).
 */
#pragma once

#include "server/api_submit/output_fields.h"
#include "server/api_submit/remote_fields.h"
#include "server/api_submit/submission.h"
#include "server/api_submit/workflow_fields.h"

struct job_fields {
    struct submission_fields submission;
    struct remote_fields remote;
    struct output_fields output;
    struct workflow_fields workflow;
    char *addresses; /* of `output`, for struct intake_order; NULL: not made, or none */
};

/* Whether the field with this name is one of them. */
bool job_fields_has(const char *name);
/* Checks a value and keeps it; the address of a file becomes a document. Fails with the error that
 * the reference lists. */
int job_fields_read(struct job_fields *fields, struct documents *documents,
                    const struct remote_terms *terms, const char *name, const char *value, size_t n,
                    struct err *err);
/* Checks what depends on all of them. */
int job_fields_finish(const struct job_fields *fields, struct err *err);
/* Makes `addresses`. */
int job_fields_address(struct job_fields *fields, struct err *err);
/* Adds them to the digest of the request's content. */
void job_fields_digest(const struct job_fields *fields, struct digest *digest);
void job_fields_free(struct job_fields *fields);
