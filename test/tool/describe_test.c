#include "declare/tool/describe.h"

#include "declare/tool/rule.h"
#include "sample.h"
#include "tap.h"

static const struct tool sample = {
    .name = "sample",
    .summary = "A sample.",
    .accepts = { "pdf", "zip" },
    .accepts_text = "pdf or docx",
    .gives = "pdf",
    .many = true,
    .asks = true,
    .hidden = true,
    .stamped = { "fit", "page" },
    .delegate = { "dpi", "other" },
    .stronger = "strong",
    .min_files = 1,
    .max_files = 7,
    .params = sample_params,
    .n_params = COUNT(sample_params),
    .one_of = { "dpi", "turn" },
    .rule = &rule_sign,
};

int main(void)
{
    json_t *json = tool_describe(&sample);
    struct err err;
    struct tool *back = tool_recall(json, &err);
    json_t *again = back ? tool_describe(back) : NULL;

    ok(json != NULL, "a tool can be described");
    ok(back != NULL, "and recalled");
    ok(json_equal(json, again), "nothing is lost on the way");
    ok(back && back->n_params == COUNT(sample_params) && back->params[0].choices[1] &&
           strcmp(back->params[0].choices[1], "width") == 0 && back->params[6].step == 90,
       "choices and steps come back");
    ok(back && back->many && back->asks && strcmp(back->stamped[1], "page") == 0 &&
           strcmp(back->delegate[1], "other") == 0 && strcmp(back->stronger, "strong") == 0 &&
           back->max_files == 7 && strcmp(back->one_of[1], "turn") == 0 && back->rule == &rule_sign,
       "so do rules");
    ok(back && back->params[4].preset == NULL, "no default stays none");
    ok(back && back->params[9].type == PARAM_UPLOAD && (int) back->params[9].max == 1000,
       "a parameter that is a file stays one");
    tool_forget(back);
    json_decref(again);
    json_object_set_new(json, "rule", json_string("golden"));
    ok(tool_recall(json, &err) == NULL, "a rule that nobody knows is refused");
    json_object_del(json, "rule");
    json_object_set_new(json, "params", json_string("junk"));
    ok(tool_recall(json, &err) == NULL, "junk is refused");
    json_decref(json);
    return done_testing();
}
