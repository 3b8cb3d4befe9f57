#include "sandbox/protocol/request.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct head {
    int64_t account;
    uint32_t n_inputs, n_params, n_files, asks, no_digests, scripts;
    struct worker_limits limits;
};

static void put_field(struct buf *out, const char *text)
{
    buf_put(out, text ? text : "", text ? strlen(text) + 1 : 1);
}

size_t request_files(const struct worker_job *job)
{
    size_t n = 0;

    for (size_t i = 0; i < job->n_params; i++)
        n += job->params[i].file != NULL;
    return n;
}

int request_pack(const struct worker_job *job, bool asks, struct buf *out, struct err *err)
{
    struct head head;

    if (job->n_inputs > REQUEST_INPUTS || job->n_params > REQUEST_PARAMS)
        return err_set(err, ERR_INTERNAL, "a job has too many files or parameters");
    memset(&head, 0, sizeof head);
    head.n_inputs = (uint32_t) job->n_inputs;
    head.n_params = (uint32_t) job->n_params;
    head.no_digests = job->no_digests;
    head.n_files = (uint32_t) request_files(job);
    head.asks = asks;
    head.limits = job->limits;
    head.account = job->reuse.account;
    head.scripts = job->reuse.scripts;
    buf_put(out, &head, sizeof head);
    put_field(out, job->tool);
    put_field(out, job->stem);
    for (size_t i = 0; i < job->n_inputs; i++)
        put_field(out, job->input_names ? job->input_names[i] : "");
    for (size_t i = 0; i < job->n_params; i++) {
        if (job->params[i].file)
            continue;
        put_field(out, job->params[i].name);
        put_field(out, job->params[i].value);
    }
    for (size_t i = 0; i < job->n_params; i++)
        if (job->params[i].file)
            put_field(out, job->params[i].name);
    return out->failed ? err_set(err, ERR_INTERNAL, "out of memory") : 0;
}

struct reader {
    const char *at, *end;
    bool failed;
};

static const char *read_text(struct reader *reader)
{
    const char *text = reader->at;
    const char *nul = memchr(text, '\0', (size_t) (reader->end - text));

    if (!nul) {
        reader->failed = true;
        return "";
    }
    reader->at = nul + 1;
    return text;
}

int64_t request_account(const struct message *message)
{
    int64_t account = 0;

    if (message->n >= sizeof(struct head))
        memcpy(&account, message->data + offsetof(struct head, account), sizeof account);
    return account;
}

int request_unpack(const struct message *message, struct request *request, struct err *err)
{
    struct reader reader = { message->data + sizeof(struct head), message->data + message->n,
                             false };
    struct head head;

    if (message->n < sizeof head)
        return err_set(err, ERR_INTERNAL, "a request is too short");
    memcpy(&head, message->data, sizeof head);
    if (head.n_inputs > REQUEST_INPUTS || head.n_params > REQUEST_PARAMS ||
        head.n_files > head.n_params || head.asks > 1 ||
        message->n_fds != REQUEST_FIRST_INPUT + head.n_inputs + head.n_files + head.asks)
        return err_set(err, ERR_INTERNAL, "a request does not add up");
    *request = (struct request){ .limits = head.limits,
                                 .reuse = { head.account, head.scripts != 0 },
                                 .no_digests = head.no_digests != 0,
                                 .n_files = head.n_files,
                                 .asks = head.asks };
    request->input_names = calloc(head.n_inputs + 1, sizeof *request->input_names);
    request->params = calloc(head.n_params + 1, sizeof *request->params);
    if (!request->input_names || !request->params)
        return err_set(err, ERR_INTERNAL, "out of memory");
    request->tool = read_text(&reader);
    request->stem = read_text(&reader);
    for (; request->n_inputs < head.n_inputs; request->n_inputs++)
        request->input_names[request->n_inputs] = read_text(&reader);
    for (; request->n_params < head.n_params; request->n_params++) {
        request->params[request->n_params].name = read_text(&reader);
        if (request->n_params < head.n_params - head.n_files)
            request->params[request->n_params].value = read_text(&reader);
    }
    if (reader.failed || reader.at != reader.end)
        return err_set(err, ERR_INTERNAL, "a request does not add up");
    return 0;
}
