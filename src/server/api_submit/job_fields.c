#include "server/api_submit/job_fields.h"

#include <stdlib.h>
#include <string.h>

bool job_fields_has(const char *name)
{
    return submission_has(name) || remote_fields_has(name) || output_fields_has(name) ||
           workflow_fields_has(name);
}

int job_fields_read(struct job_fields *fields, struct documents *documents,
                    const struct remote_terms *terms, const char *name, const char *value, size_t n,
                    struct err *err)
{
    const struct callback_rules callbacks = { terms->config->callback_http,
                                              &terms->config->callback_allow, "callbackUrl",
                                              ERR_INVALID_PARAMETER };

    if (remote_fields_has(name))
        return remote_fields_read(&fields->remote, documents, terms, name, value, n, err);
    if (output_fields_has(name))
        return output_fields_read(&fields->output, terms->config, terms->visitor, name, value, n,
                                  err);
    if (workflow_fields_has(name))
        return workflow_fields_read(&fields->workflow, terms->tool, name, value, n, err);
    if (strcmp(name, "callbackUrl") == 0 && terms->visitor)
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "visitors get no webhooks: use an API key");
    return submission_read(&fields->submission, &callbacks, name, value, n, err);
}

int job_fields_finish(const struct job_fields *fields, struct err *err)
{
    if (remote_fields_finish(&fields->remote, err) < 0)
        return -1;
    return output_fields_finish(&fields->output, err);
}

int job_fields_address(struct job_fields *fields, struct err *err)
{
    if (fields->output.n && !fields->addresses)
        fields->addresses = output_fields_text(&fields->output, err);
    return fields->output.n && !fields->addresses ? -1 : 0;
}

void job_fields_digest(const struct job_fields *fields, struct digest *digest)
{
    submission_digest(&fields->submission, digest);
    remote_fields_digest(&fields->remote, digest);
    output_fields_digest(&fields->output, digest);
}

void job_fields_free(struct job_fields *fields)
{
    submission_free(&fields->submission);
    remote_fields_free(&fields->remote);
    output_fields_free(&fields->output);
    workflow_fields_free(&fields->workflow);
    if (fields->addresses)
        explicit_bzero(fields->addresses, strlen(fields->addresses));
    free(fields->addresses);
    *fields = (struct job_fields){ 0 };
}
