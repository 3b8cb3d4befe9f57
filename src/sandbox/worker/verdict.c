#include "sandbox/worker/verdict.h"

#include <string.h>
#include <sys/stat.h>

#include "base/fdio.h"
#include "declare/value/file_kind.h"

static int check_outputs(const struct worker_result *result, int64_t size, bool parts,
                         struct err *err)
{
    if (result->n_outputs == 0 || (!parts && result->n_outputs != 1))
        return err_set(err, ERR_INTERNAL, "a worker gave %zu outputs", result->n_outputs);
    for (size_t i = 0; i < result->n_outputs; i++) {
        const struct worker_output *output = &result->outputs[i];

        if (output->bytes > size || output->offset > size - output->bytes)
            return err_set(err, ERR_INTERNAL, "output %zu of a worker lies outside of its file", i);
        if ((*output->name != '\0') != parts)
            return err_set(err, ERR_INTERNAL, "output %zu of a worker is misnamed", i);
    }
    if (!parts && (result->outputs->offset != 0 || result->outputs->bytes != size))
        return err_set(err, ERR_INTERNAL, "a worker's output is not its file");
    return 0;
}

static bool can_give(const struct tool *tool, const char *kind)
{
    const char *const *also = tool->gives_also;

    while (*also && strcmp(kind, *also) != 0)
        also++;
    return *also || strcmp(kind, tool->gives) == 0;
}

int verdict_on(int output, const struct worker_result *result, const struct tool *tool,
               int64_t output_bytes, struct err *err)
{
    bool parts = tool->many && strcmp(result->kind, "zip") == 0;
    char head[FILE_KIND_HEAD];
    struct stat st;
    ssize_t got;

    if (fstat(output, &st) < 0)
        return err_sys(err, "output file");
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return err_set(err, ERR_INTERNAL, "a worker gave an empty result");
    if (output_bytes > 0 && st.st_size > output_bytes)
        return err_set(err, ERR_LIMIT_EXCEEDED, "the result is larger than %lld bytes",
                       (long long) output_bytes);
    if (!parts && !can_give(tool, result->kind))
        return err_set(err, ERR_INTERNAL, "a worker gave %s instead of %s", result->kind,
                       tool->gives);
    got = fdio_read_at(output, head, sizeof head, 0, err);
    if (got < 0)
        return -1;
    if (!file_kind_fits(result->kind, head, (size_t) got))
        return err_set(err, ERR_INTERNAL, "a worker's result does not begin like %s", result->kind);
    return check_outputs(result, st.st_size, parts, err);
}
