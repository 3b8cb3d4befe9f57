#include "declare/tool/tool.h"

#include "sample.h"
#include "tap.h"

static const struct tool one = {
    .name = "sample",
    .accepts = { "pdf" },
    .min_files = 1,
    .max_files = 1,
    .params = sample_params,
    .n_params = COUNT(sample_params),
    .one_of = { "dpi", "turn" },
};

static const char *check(const char *a, const char *b)
{
    static struct err err;
    struct param_input in[] = { { "fit", "page" }, { a, "90" }, { b, "90" } };
    size_t n = b ? 3 : a ? 2 : 1;

    return tool_check_params(&one, in, n, &err) < 0 ? err.msg : "accepted";
}

static const char *count(size_t min, size_t max, size_t n)
{
    static struct err err;
    struct tool tool = one;

    tool.min_files = min;
    tool.max_files = max;
    return tool_check_count(&tool, n, NULL, 0, &err) < 0 ? err.msg : "accepted";
}

static const char *stamped(const char *fit, bool authority)
{
    static struct err err;
    struct param_input in = { "fit", fit };
    struct tool tool = one;

    tool.stamped[0] = "fit";
    tool.stamped[1] = "width";
    return tool_check_stamped(&tool, &in, fit ? 1 : 0, authority, &err) < 0 ? err.msg : "accepted";
}

static const char *taken(struct tool tool)
{
    static char out[40];

    tool_list_accepted(&tool, out, sizeof out);
    return out;
}

int main(void)
{
    is_str(check("dpi", NULL), "accepted", "one of several is taken");
    is_str(check(NULL, NULL), "one of these fields is needed: dpi, turn", "none is refused");
    is_str(check("dpi", "turn"), "only one of these fields can be given: dpi, turn",
           "two are refused");
    is_str(count(1, 1, 1), "accepted", "the right number of files");
    is_str(count(1, 1, 0), "sample needs a file: send one in the field file", "none");
    is_str(count(2, 9, 1), "sample needs at least 2 files, 1 came", "too few");
    is_str(count(1, 1, 2), "sample takes at most 1 file", "too many");
    is_str(stamped("width", true), "accepted", "what needs a time stamp authority");
    is_str(stamped("width", false), "fit cannot be width: this server has no time stamp authority",
           "is refused where there is none");
    is_str(stamped("page", false), "accepted", "what needs none is not");
    is_str(stamped(NULL, false), "accepted", "nor what was not given");
    ok(tool_accepts(&one, "pdf") && !tool_accepts(&one, "zip") && !tool_accepts(&one, NULL),
       "a tool takes the kinds it says");
    is_str(taken((struct tool){ .accepts = { "pdf" } }), "pdf", "one kind is told");
    is_str(taken((struct tool){ .accepts = { "jpg", "png", "gif" } }), "jpg, png or gif",
           "several are");
    is_str(taken((struct tool){ .accepts = { "zip", "ole" }, .accepts_text = "docx or doc" }),
           "docx or doc", "as people call them");
    return done_testing();
}
