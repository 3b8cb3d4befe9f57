/* Input: the steps of a pipeline. What was taken once is taken again as it is kept, with its
 * secrets beside it, and is then kept the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/tool/pipeline.h"
#include "fuzz.h"
#include "tool/sample.h"

static const struct tool sample = { .name = "sample",
                                    .accepts = { "pdf" },
                                    .gives = "pdf",
                                    .many = true,
                                    .min_files = 1,
                                    .max_files = 1,
                                    .params = sample_params,
                                    .n_params = COUNT(sample_params) };

static const struct tool *find(void *arg, const char *name)
{
    (void) arg;
    return strcmp(name, sample.name) == 0 ? &sample : NULL;
}

static int take_again(const struct pipeline *pipeline, const char *kept)
{
    struct pipeline_source source = { .find = find,
                                      .extra = pipeline->secrets,
                                      .n_extra = pipeline->n_secrets };
    struct err err;
    struct pipeline *again = pipeline_new(kept, &source, &err);
    AUTO_FREE char *text = again ? pipeline_text(again, &source) : NULL;

    if (!text || strcmp(text, kept) != 0 || again->n_secrets != pipeline->n_secrets)
        abort();
    pipeline_free(again);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct pipeline_source source = { .find = find };
    AUTO_FREE char *steps = strndup((const char *) data, n);
    AUTO_FREE char *kept = NULL;
    struct pipeline *pipeline;
    struct err err;

    if (!steps)
        return 0;
    pipeline = pipeline_new(steps, &source, &err);
    if (!pipeline)
        return 0;
    kept = pipeline_text(pipeline, &source);
    if (!kept)
        abort();
    take_again(pipeline, kept);
    pipeline_free(pipeline);
    return 0;
}
