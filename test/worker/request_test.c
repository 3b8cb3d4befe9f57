#include "sandbox/protocol/request.h"

#include "base/scope.h"
#include "declare/tool_run/run.h"
#include "tap.h"

#define N_FDS 4 /* three documents and the file of a parameter */

static struct worker_job sample(void)
{
    static const struct tool_input file = { .fd = 5 };
    static const struct param_input params[] = { { "openPassword", "\xff\xfe" },
                                                 { "certificate", NULL, &file },
                                                 { "pages", "" } };
    static const char *const names[] = { "a b.pdf", "", "\xc3\xa4.pdf" };
    static const int inputs[] = { 0, 0, 0 };

    return (struct worker_job){ .tool = "merge",
                                .stem = "report",
                                .params = params,
                                .n_params = 3,
                                .inputs = inputs,
                                .input_names = names,
                                .n_inputs = 3,
                                .limits = { 1, 2, 3, 4 },
                                .no_digests = true };
}

static int unpack(const char *data, size_t n, size_t n_fds, struct request *request)
{
    struct message message = { .data = (char *) (uintptr_t) data, .n = n, .n_fds = n_fds };
    struct err err;

    return request_unpack(&message, request, &err);
}

static void forget(struct request *request)
{
    free(request->params);
    free(request->input_names);
    *request = (struct request){ 0 };
}

int main(void)
{
    struct worker_job job = sample();
    AUTO_BUF struct buf text = BUF_EMPTY;
    struct request request = { 0 };
    struct err err;
    int refused = 0;

    ok(request_pack(&job, false, &text, &err) == 0, "a job is packed");
    ok(unpack(text.data, text.len, REQUEST_FIRST_INPUT + N_FDS, &request) == 0,
       "a packed job is unpacked");
    is_str(request.tool, "merge", "the unpacked job has the tool");
    is_str(request.stem, "report", "the unpacked job has the stem");
    is_str(request.input_names[2], "\xc3\xa4.pdf", "the unpacked job has the names of its inputs");
    is_str(request.params[0].value, "\xff\xfe", "the unpacked job has parameters with any bytes");
    is_str(request.params[1].name, "pages", "the unpacked job has all parameters");
    is_int(request.n_files, 1, "the unpacked job has the number of files");
    is_str(request.params[2].name, "certificate", "the files of parameters come last");
    ok(!request.params[2].value && !request.params[2].file,
       "the files of parameters have no value yet");
    is_int(request.limits.output_bytes, 3, "the unpacked job has the limits");
    is_int(request.limits.cores, 4, "the unpacked job has the number of cores");
    ok(request.no_digests, "the unpacked job says that no digests are wanted");
    forget(&request);

    ok(unpack(text.data, text.len, REQUEST_FIRST_INPUT + N_FDS - 1, &request) < 0,
       "a request with too few descriptors is refused");
    forget(&request);
    for (size_t n = 0; n < text.len; n++) {
        AUTO_FREE char *cut = malloc(n + 1);

        memcpy(cut, text.data, n);
        refused += unpack(cut, n, REQUEST_FIRST_INPUT + N_FDS, &request) < 0;
        forget(&request);
    }
    is_int(refused, text.len, "a request truncated at any length is refused");
    buf_putc(&text, '\0');
    ok(unpack(text.data, text.len, REQUEST_FIRST_INPUT + N_FDS, &request) < 0,
       "a request with a further byte is refused");
    forget(&request);
    memset(text.data, 0xff, 8);
    ok(unpack(text.data, text.len, REQUEST_FIRST_INPUT + N_FDS, &request) < 0,
       "a request with too many inputs is refused");
    forget(&request);
    text.data[0] = 3;
    memset(text.data + 1, 0, 7);
    text.data[4] = 1;
    ok(unpack(text.data, text.len, REQUEST_FIRST_INPUT + N_FDS, &request) < 0,
       "a request with more files than parameters is refused");
    forget(&request);
    job.n_inputs = REQUEST_INPUTS + 1;
    ok(request_pack(&job, false, &text, &err) < 0, "a job with too many inputs cannot be packed");
    return done_testing();
}
