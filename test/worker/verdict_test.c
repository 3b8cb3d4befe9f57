#include "sandbox/worker/verdict.h"

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

    is_str(judge(&one, "%PDF-12", "pdf", &whole, 1), "", "a PDF with one output is accepted");
    is_str(judge(&many, zip, "zip", parts, 2), "", "a ZIP with its parts is accepted");
    ok(*judge(&one, "", "pdf", &whole, 1), "an empty file is refused");
    ok(*judge(&one, "%PXF-12", "pdf", &whole, 1),
       "a file that does not begin like its kind is refused");
    ok(*judge(&one, "%PDF-12", "zip", &whole, 1), "a PDF reported as a ZIP is refused");
    ok(*judge(&one, zip, "zip", parts, 2), "a ZIP of a tool that gives one PDF is refused");
    ok(*judge(&many, zip, "pdf", &whole, 1), "a ZIP reported as a PDF is refused");
    ok(*judge(&one, "%PDF-12", "pdf", NULL, 0), "a result without outputs is refused");
    ok(*judge(&one, "%PDF-12", "pdf", parts, 2), "a PDF with two outputs is refused");
    ok(*judge(&one, "%PDF-123", "pdf", &whole, 1),
       "an output that is not the whole PDF is refused");
    ok(*judge(&one, "%PDF-12", "pdf", (struct worker_output[]){ part("name", 0, 7) }, 1),
       "an output of a PDF with a name is refused");
    parts[1] = part("b", 12, 3);
    ok(*judge(&many, zip, "zip", parts, 2), "a part that ends beyond the ZIP is refused");
    parts[1] = part("b", INT64_MAX, 3);
    ok(*judge(&many, zip, "zip", parts, 2), "a part whose size overflows is refused");
    parts[1] = part("b", 3, INT64_MAX);
    ok(*judge(&many, zip, "zip", parts, 2), "a part whose offset overflows is refused");
    parts[1] = part("", 7, 3);
    ok(*judge(&many, zip, "zip", parts, 2), "a part without a name is refused");
    ok(strstr(judge(&one, "%PDF-1234567890123456", "pdf", &whole, 1), "larger than 20"),
       "a file above the limit is reported as too large");
    return done_testing();
}
