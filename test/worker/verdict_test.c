#include "worker/verdict.h"

#include "rig.h"

static const struct tool one = { .name = "one", .gives = "pdf" };
static const struct tool many = { .name = "many", .gives = "pdf", .many = true };

/* What is said of a result with these outputs, "" if nothing. */
static const char *judge(const struct tool *tool, const char *bytes, const char *kind,
                         struct worker_output *outputs, size_t n)
{
    static struct err err;
    AUTO_CLOSE int fd = rig_file(bytes);
    struct worker_result result = { .outputs = outputs, .n_outputs = n };

    snprintf(result.kind, sizeof result.kind, "%s", kind);
    return verdict_on(fd, &result, tool, 20, &err) < 0 ? err.msg : "";
}

static struct worker_output part(const char *name, int64_t offset, int64_t bytes)
{
    return (struct worker_output){ (char *) (uintptr_t) name, offset, bytes, 1, "" };
}

int main(void)
{
    struct worker_output whole = part("", 0, 7), parts[] = { part("a", 5, 2), part("b", 7, 3) };
    const char *zip = "PK\3\4-----%PDF-";

    is_str(judge(&one, "%PDF-12", "pdf", &whole, 1), "", "a PDF file that is one is right");
    is_str(judge(&many, zip, "zip", parts, 2), "", "so are parts in a ZIP");
    ok(*judge(&one, "", "pdf", &whole, 1), "an empty file is not");
    ok(*judge(&one, "%PXF-12", "pdf", &whole, 1), "nor one that begins like something else");
    ok(*judge(&one, "%PDF-12", "zip", &whole, 1), "nor one of another kind");
    ok(*judge(&one, zip, "zip", parts, 2), "nor a ZIP of a tool that has no parts");
    ok(*judge(&many, zip, "pdf", &whole, 1), "nor a ZIP that is said to be a PDF file");
    ok(*judge(&one, "%PDF-12", "pdf", NULL, 0), "no output is wrong");
    ok(*judge(&one, "%PDF-12", "pdf", parts, 2), "so are two of one file");
    ok(*judge(&one, "%PDF-123", "pdf", &whole, 1), "and one that is not the whole file");
    ok(*judge(&one, "%PDF-12", "pdf", (struct worker_output[]){ part("name", 0, 7) }, 1),
       "and one that has a name");
    parts[1] = part("b", 12, 3);
    ok(*judge(&many, zip, "zip", parts, 2), "a part beyond the end is wrong");
    parts[1] = part("b", INT64_MAX, 3);
    ok(*judge(&many, zip, "zip", parts, 2), "and one beyond all numbers");
    parts[1] = part("b", 3, INT64_MAX);
    ok(*judge(&many, zip, "zip", parts, 2), "in whichever way");
    parts[1] = part("", 7, 3);
    ok(*judge(&many, zip, "zip", parts, 2), "and one without a name");
    ok(strstr(judge(&one, "%PDF-1234567890123456", "pdf", &whole, 1), "larger than 20"),
       "a file over the limit is said to be that");
    return done_testing();
}
