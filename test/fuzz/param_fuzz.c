/*
 * Input: one byte for the kind of parameter, its value. What was taken once is taken again as it is
 * kept: the worker judges anew what the server has judged.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "fuzz.h"
#include "tool/sample.h"

struct sheet {
    const char *paper;
};

static const struct param paper[] = { PAPER(struct sheet, paper, "Size.", .preset = "a4") };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    size_t which = n ? data[0] % (COUNT(sample_params) + 1) : 0;
    const struct param *param = which == COUNT(sample_params) ? paper : &sample_params[which];
    AUTO_FREE char *value = n ? strndup((const char *) data + 1, n - 1) : NULL;
    AUTO_FREE char *kept = NULL, *again = NULL;
    struct sheet sheet;
    struct sample sample;
    struct err err;

    if (!value || param->type == PARAM_UPLOAD || param_check(param, value, &kept, &err) < 0)
        return 0;
    if (param_check(param, kept, &again, &err) < 0 || strcmp(kept, again) != 0)
        abort();
    const struct param_input in = { param->name, kept };
    memset(&sheet, 0, sizeof sheet);
    memset(&sample, 0, sizeof sample);
    if (param == paper && param_fill(paper, 1, &in, 1, &sheet, &err) < 0)
        abort();
    /* "fit" is required: alone it is enough, others want it. */
    const struct param_input both[] = { in, { "fit", "page" } };
    if (param != paper && param_fill(sample_params, COUNT(sample_params), both, which == 0 ? 1 : 2,
                                     &sample, &err) < 0)
        abort();
    return 0;
}
