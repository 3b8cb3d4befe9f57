#include "server/dispatch/result.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"

static const char *named(const char *output_name, const char *upload, const char *tool)
{
    static char name[RESULT_NAME];
    char stem[RESULT_NAME];

    result_stem(output_name, "pdf", upload, stem);
    result_name(stem, tool, "pdf", name);
    return name;
}

static void test_names(void)
{
    char longer[400], zip[RESULT_NAME];

    is_str(named(NULL, "report.pdf", "rotate"), "report-rotate.pdf", "stem, tool, extension");
    is_str(named("Final", "report.pdf", ""), "Final.pdf", "a chosen name stands alone");
    is_str(named("../../etc/x", "report.pdf", ""), "x.pdf", "and is cleaned as well");
    is_str(named(NULL, "", "rotate"), "document-rotate.pdf", "a nameless upload");
    is_str(named("...", "report.pdf", ""), "document.pdf", "a name of dots is none");
    is_str(named("x.pdf", "report.pdf", ""), "x.pdf", "an extension is not doubled");
    is_str(named("x.PDF", "report.pdf", ""), "x.pdf", "however it is written");
    is_str(named("v1.2", "report.pdf", ""), "v1.2.pdf", "one of something else stays");
    is_str(named(".pdf", "report.pdf", ""), "pdf.pdf", "and so does what is the whole name");
    result_name("x.zip", "", "zip", zip);
    is_str(zip, "x.zip", "that of a ZIP is not doubled either");
    result_name("x.zip", "split", "zip", zip);
    is_str(zip, "x.zip-split.zip", "but where it was part of the upload's name");
    for (size_t i = 0; i < 199; i++)
        longer[i] = 'x';
    memcpy(longer + 199, "\xc3\xa9\xc3\xa9\xc3\xa9", 7);
    ok(strlen(named(NULL, longer, "remove-password")) <= 200, "at most 200 bytes");
    ok(strstr(named(NULL, longer, "remove-password"), "-remove-password.pdf") != NULL,
       "the end is kept");
}

static void test_json(void)
{
    struct worker_output list[] = { { "a_1.pdf", 40, 10, 1, "aa" }, { "", 0, 7, 3, "bb" } };
    struct worker_warning warning = { "repaired", "It was damaged.", 0 };
    struct worker_figure figures[] = { { "pagesLost", 4, 3, "" },
                                       { "partialPages", 0, 3, "1-3,7" } };
    struct worker_result result = {
        .outputs = list, .n_outputs = 2, .warnings = &warning, .n_warnings = 1
    };
    struct worker_row rows[] = {
        { .first = 1,
          .last = 20,
          .words = 412,
          .confidence = 91,
          .outcome = "recognised",
          .language = "eng" },
        { .first = 21, .last = 21, .confidence = -1, .outcome = "blank", .step = 3 },
    };
    char *outputs = result_outputs_json(&result, "whole.pdf");
    char *warnings = result_warnings_json(&result);
    json_t *json = json_loads(outputs, 0, NULL);
    struct result_output output;

    ok(result_output_at(json, 0, &output) && output.offset == 40 && output.bytes == 10,
       "outputs are kept with their place");
    is_str(output.name, "a_1.pdf", "and their name");
    ok(result_output_at(json, 1, &output) && output.pages == 3, "all of them");
    is_str(output.name, "whole.pdf", "the nameless one is the result");
    ok(!result_output_at(json, 2, &output), "and no more");
    is_str(warnings, "[{\"code\":\"repaired\",\"message\":\"It was damaged.\"}]",
           "warnings are kept");
    json_decref(json);
    free(outputs);
    free(warnings);
    warning.step = 2;
    result.figures = figures;
    result.n_figures = 2;
    warnings = result_warnings_json(&result);
    is_str(warnings,
           "{\"warnings\":[{\"code\":\"repaired\",\"message\":\"It was damaged.\",\"step\":2}],"
           "\"report\":{\"step3.pagesLost\":4,\"step3.partialPages\":\"1-3,7\"}}",
           "those of a pipeline say which step they are of");
    free(warnings);
    result.rows = rows;
    result.n_rows = 2;
    result.n_figures = 0;
    warnings = result_warnings_json(&result);
    is_str(strstr(warnings, "\"report\""),
           "\"report\":{\"pages\":[{\"first\":1,\"outcome\":\"recognised\",\"last\":20,"
           "\"language\":\"eng\",\"confidence\":91,\"words\":412},"
           "{\"first\":21,\"outcome\":\"blank\",\"step\":3}]}}",
           "rows say what became of pages");
    free(warnings);
}

int main(void)
{
    test_names();
    test_json();
    return done_testing();
}
