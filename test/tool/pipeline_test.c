/* The steps of a pipeline, judged. */
#include "declare/tool/pipeline.h"

#include <stdlib.h>

#include "sample.h"
#include "tap.h"

static const struct param quality[] = {
    { .name = "quality", .help = "", .type = PARAM_INT, .min = 1, .max = 9 }
};

static const struct tool tools[] = {
    { .name = "sample",
      .accepts = { "pdf" },
      .gives = "pdf",
      .min_files = 1,
      .max_files = 1,
      .params = sample_params,
      .n_params = COUNT(sample_params),
      .params_size = sizeof(struct sample) },
    { .name = "cut",
      .accepts = { "pdf" },
      .gives = "pdf",
      .many = true,
      .min_files = 1,
      .max_files = 1 },
    { .name = "join", .accepts = { "pdf" }, .gives = "pdf", .min_files = 2, .max_files = 5 },
    { .name = "draw",
      .accepts = { "pdf" },
      .gives = "png",
      .many = true,
      .min_files = 1,
      .max_files = 1,
      .params = quality,
      .n_params = 1 },
    { .name = "write", .accepts = { "pdf" }, .gives = "docx", .min_files = 1, .max_files = 1 },
    { .name = "print", .accepts = { "zip" }, .gives = "pdf", .min_files = 1, .max_files = 1 },
};

static const struct tool *find(void *arg, const char *name)
{
    (void) arg;
    for (size_t i = 0; i < COUNT(tools); i++)
        if (strcmp(tools[i].name, name) == 0)
            return &tools[i];
    return NULL;
}

static struct err err;
static struct tool_input certificate = { 7, "", "", 12 };
static struct param_input files[] = { { "mine", NULL, &certificate } };

static struct pipeline *plan(const char *steps, struct param_input *extra, size_t n)
{
    struct pipeline_source source = { .find = find, .extra = extra, .n_extra = n };

    err = (struct err){ 0 };
    return pipeline_new(steps, &source, &err);
}

/* "code field", or "fine". */
static const char *refusal(const char *steps)
{
    static char said[200];
    struct pipeline *pipeline = plan(steps, NULL, 0);

    snprintf(said, sizeof said, "%s %s", err_name(err.code), err.field);
    if (pipeline)
        snprintf(said, sizeof said, "fine");
    pipeline_free(pipeline);
    return said;
}

static const char *count(const char *steps, size_t n)
{
    static char said[200];
    struct pipeline *pipeline = plan(steps, NULL, 0);

    if (!pipeline)
        snprintf(said, sizeof said, "no pipeline: %s", err.msg);
    else if (pipeline_check_count(pipeline, n, &err) < 0)
        snprintf(said, sizeof said, "%s %s", err_name(err.code), err.field);
    else
        snprintf(said, sizeof said, "fine");
    pipeline_free(pipeline);
    return said;
}

#define SAMPLE "{\"tool\":\"sample\",\"params\":{\"fit\":\"page\"}}"

static void test_refusals(void)
{
    is_str(refusal("[" SAMPLE "]"), "fine", "a step is taken");
    is_str(refusal("[{\"tool\":\"cut\"}]"), "fine", "one without parameters too");
    is_str(refusal("[]"), "invalid_parameter steps", "none are refused");
    is_str(refusal("nonsense"), "invalid_parameter steps", "so is what is no JSON");
    is_str(refusal("[{\"tool\":\"cut\"}"), "invalid_parameter steps", "or is cut off");
    is_str(refusal("[{\"tool\":7}]"), "invalid_parameter steps[0]", "a tool that is no name");
    is_str(refusal("[{\"tool\":\"cut\",\"params\":[]}]"), "invalid_parameter steps[0]",
           "parameters that have no names");
    is_str(refusal("[{\"tool\":\"cut\",\"then\":1}]"), "unknown_field steps[0].then",
           "a word that is not known");
    is_str(refusal("[{\"tool\":\"nail\"}]"), "invalid_parameter steps[0].tool", "an unknown tool");
    is_str(refusal("[" SAMPLE ",{\"tool\":\"sample\"}]"), "missing_field steps[1].fit",
           "a missing parameter");
    is_str(refusal("[{\"tool\":\"draw\",\"params\":{\"quality\":10}}]"),
           "invalid_parameter steps[0].quality", "a number out of range");
    is_str(refusal("[{\"tool\":\"draw\",\"params\":{\"quality\":null}}]"),
           "invalid_parameter steps[0].quality", "a value that is none");
    is_str(refusal("[{\"tool\":\"draw\",\"params\":{\"quality\":\"7\"}},{\"tool\":\"draw\"}]"),
           "invalid_parameter steps[1].tool", "a step that cannot take what the one before gives");
    is_str(refusal("[{\"tool\":\"write\"},{\"tool\":\"print\"}]"), "fine",
           "a docx is taken by who takes ZIP files");
    is_str(
        refusal("[{\"tool\":\"sample\",\"params\":{\"fit\":\"page\",\"certificate\":\"mine\"}}]"),
        "invalid_parameter steps[0].certificate", "a file that did not come");
}

static void test_count(void)
{
    is_str(count("[{\"tool\":\"join\"}]", 1), "too_few_files files", "the first step's least");
    is_str(count("[{\"tool\":\"join\"}]", 6), "too_many_files files", "and its most");
    is_str(count("[{\"tool\":\"cut\"}]", 0), "too_few_files file", "no file");
    is_str(count("[{\"tool\":\"cut\"}]", PIPELINE_RUNS), "fine", "each of many");
    is_str(count("[{\"tool\":\"cut\"}]", PIPELINE_RUNS + 1), "too_many_files files", "to an end");
    is_str(count("[{\"tool\":\"write\"},{\"tool\":\"print\"},{\"tool\":\"join\"}]", 1),
           "invalid_parameter steps[2].tool", "one file cannot be joined");
    is_str(count("[{\"tool\":\"write\"},{\"tool\":\"print\"},{\"tool\":\"join\"}]", 2), "fine",
           "two can");
    is_str(count("[{\"tool\":\"cut\"},{\"tool\":\"join\"},{\"tool\":\"join\"}]", 2),
           "invalid_parameter steps[2].tool", "but once");
}

static void test_text(void)
{
    struct pipeline_source source = { .find = find, .extra = files, .n_extra = 1 };
    struct param_input kept[2] = { { "mine", NULL, &certificate } };
    struct pipeline *pipeline, *again;
    char *text, *second;

    pipeline = plan("[{\"params\": {\"openWith\": \"hush\", \"fit\": \" PAGE \", \"dpi\": 300,"
                    " \"gray\": true, \"certificate\": \"mine\"}, \"tool\": \"sample\"}]",
                    files, 1);
    ok(pipeline != NULL, "values may be numbers and truths: %s", err.msg);
    text = pipeline ? pipeline_text(pipeline, &source) : NULL;
    is_str(text,
           "[{\"params\":{\"certificate\":\"mine\",\"dpi\":\"300\",\"fit\":\"page\","
           "\"gray\":\"true\"},\"tool\":\"sample\"}]",
           "what is kept is canonical, and has no secret");
    is_int(pipeline->n_secrets, 1, "that is apart");
    is_str(pipeline->secrets[0].name, "steps[0].openWith", "under the step's name");
    is_str(pipeline->secrets[0].value, "hush", "with its value");
    kept[1] = pipeline->secrets[0];
    again = plan(text, kept, 2);
    ok(again != NULL && again->steps[0].n_params == 5, "with both it is the same again");
    source.extra = kept;
    second = again ? pipeline_text(again, &source) : NULL;
    is_str(second, text, "to the letter");
    ok(!plan("[" SAMPLE "]", files, 1), "a file no step names is refused");
    is_str(err.field, "mine", "by its name");
    certificate.bytes = 1001;
    ok(!plan(text, files, 1), "so is one that is too large");
    is_str(err.field, "steps[0].certificate", "by its step");
    free(text);
    free(second);
    pipeline_free(pipeline);
    pipeline_free(again);
}

int main(void)
{
    test_refusals();
    test_count();
    test_text();
    return done_testing();
}
