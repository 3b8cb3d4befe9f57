#include "server/dispatch/job_files.h"

#include "base/fdio.h"
#include "base/scope.h"
#include "data/blob/blob_name.h"
#include "server/dispatch/result.h"

int job_files_result(struct store *store, struct blob_store *blobs, const struct job *job,
                     int64_t *bytes, struct err *err)
{
    AUTO_BUF struct buf small = BUF_EMPTY;
    char name[BLOB_NAME];
    int found;

    if (!(job->in_store & JOB_HAS_RESULT)) {
        blob_name_result(job->attempt, name);
        return blob_open(blobs, job->id, name, job->output_bytes, bytes, err);
    }
    found = store_files(store, job->id, JOB_HAS_RESULT, &small, err);
    if (found < 0)
        return -1;
    if (found == 0)
        return err_set(err, ERR_NOT_FOUND, "there is no such file");
    *bytes = (int64_t) small.len;
    return fdio_memory_copy(small.data, small.len, err);
}

int job_inputs_open(struct job_inputs *inputs, struct store *store, struct blob_store *blobs,
                    const struct job *job, struct err *err)
{
    int found = 1;

    *inputs = (struct job_inputs){ .blobs = blobs, .job = job, .small = BUF_EMPTY };
    if (job->in_store & JOB_HAS_INPUTS)
        found = store_files(store, job->id, JOB_HAS_INPUTS, &inputs->small, err);
    if (found == 0)
        return err_set(err, ERR_NOT_FOUND, "the inputs of job %s are lost", job->id);
    return found < 0 ? -1 : 0;
}

int job_inputs_next(struct job_inputs *inputs, size_t i, int64_t *bytes, struct err *err)
{
    char name[BLOB_NAME];
    size_t at = inputs->at;

    if (!(inputs->job->in_store & JOB_HAS_INPUTS)) {
        const int64_t wanted = *bytes;
        AUTO_CLOSE int fd = -1;

        blob_name_input(i, name);
        fd = blob_open(inputs->blobs, inputs->job->id, name, wanted, bytes, err);
        if (fd >= 0 && *bytes != wanted)
            return blob_damaged(name, "is shorter than it was", err);
        return scope_take_fd(&fd);
    }
    if (*bytes < 0 || (uint64_t) *bytes > inputs->small.len - at)
        return err_set(err, ERR_NOT_FOUND, "input %zu of job %s is lost", i, inputs->job->id);
    inputs->at += (size_t) *bytes;
    return fdio_memory_copy(inputs->small.data + at, (size_t) *bytes, err);
}

void job_inputs_close(struct job_inputs *inputs)
{
    buf_free(&inputs->small);
}
