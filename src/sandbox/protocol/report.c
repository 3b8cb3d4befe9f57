#include "sandbox/protocol/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fdio.h"
#include "declare/value/text.h"

static int put_report(int fd, json_t *line, struct err *err)
{
    AUTO_FREE char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    AUTO_BUF struct buf bytes = BUF_EMPTY;

    json_decref(line);
    if (!text)
        return err_set(err, ERR_INTERNAL, "a line of the report cannot be written");
    buf_puts(&bytes, text);
    buf_putc(&bytes, '\n');
    if (bytes.failed)
        return err_set(err, ERR_INTERNAL, "out of memory");
    return fdio_write(fd, bytes.data, bytes.len, err);
}

int report_progress(int fd, double fraction, struct err *err)
{
    return put_report(fd, json_pack("{sf}", "progress", fraction), err);
}

int report_warning(int fd, const char *code, const char *message, struct err *err)
{
    char text[256];

    text_for_message(message, strlen(message), text, sizeof text);
    return put_report(fd, json_pack("{ss ss}", "warning", code, "message", text), err);
}

int report_figure(int fd, const char *name, int64_t value, struct err *err)
{
    return put_report(fd, json_pack("{ss sI}", "figure", name, "value", (json_int_t) value), err);
}

int report_pages(int fd, const char *name, const char *pages, struct err *err)
{
    return put_report(fd, json_pack("{ss ss}", "figure", name, "pages", pages), err);
}

int report_row(int fd, const struct tool_page_row *row, struct err *err)
{
    return put_report(fd,
                      json_pack("{ss sI sI ss sI si}", "row", row->outcome, "first",
                                (json_int_t) row->first, "last", (json_int_t) row->last, "language",
                                row->language, "words", (json_int_t) row->words, "confidence",
                                row->confidence),
                      err);
}

int report_output(int fd, const struct tool_output *output, struct err *err)
{
    return put_report(fd,
                      json_pack("{ss sI sI sI ss}", "output", output->name, "offset",
                                (json_int_t) output->offset, "bytes", (json_int_t) output->bytes,
                                "pages", (json_int_t) output->pages, "sha256", output->sha256),
                      err);
}

int report_done(int fd, const char *kind, struct err *err)
{
    return put_report(fd, json_pack("{ss}", "done", kind), err);
}

int report_failed(int fd, const struct err *failure, struct err *err)
{
    char text[sizeof failure->msg];

    text_for_message(failure->msg, strlen(failure->msg), text, sizeof text);
    return put_report(fd,
                      json_pack("{ss ss ss}", "failed", err_name(failure->code), "message", text,
                                "field", failure->field),
                      err);
}

void report_out_of_memory(int fd)
{
    /* the newline ends a line that may have been begun */
    static const char line[] = "\n{\"outOfMemory\":true}\n";

    if (write(fd, line, sizeof line - 1) < 0)
        return; /* the process then counts as crashed */
}

/* Whether it is one line of text with at most `max` bytes. */
static bool is_clean(const char *text, size_t max)
{
    size_t n = strlen(text), characters;

    return n <= max && !strpbrk(text, "\n\t") && text_count(text, n, &characters);
}

static bool is_word(const char *text)
{
    size_t n = strlen(text);

    return n > 0 && n < 48 && strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == n;
}

/* Whether it is a single file name, also for programs that unpack it. */
static bool is_file_name(const char *name)
{
    return is_clean(name, 255) && !strpbrk(name, "/\\") && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

/* A tool cannot fail with codes of the server, such as quota_exceeded. */
static bool may_fail_with(enum err_code code)
{
    switch ((int) code) {
    case ERR_INTERNAL:
    case ERR_MISSING_FIELD:
    case ERR_UNKNOWN_FIELD:
    case ERR_INVALID_PARAMETER:
    case ERR_TOO_FEW_FILES:
    case ERR_TOO_MANY_FILES:
    case ERR_UNSUPPORTED_FILE_TYPE:
    case ERR_STORAGE_FULL:
    case ERR_PASSWORD_REQUIRED:
    case ERR_WRONG_PASSWORD:
    case ERR_NOT_ENCRYPTED:
    case ERR_CORRUPT_FILE:
    case ERR_PAGE_OUT_OF_RANGE:
    case ERR_UNSUPPORTED_CONTENT:
    case ERR_TEXT_NOT_ENCODABLE:
    case ERR_FETCH_FAILED:
    case ERR_RESOURCE_MISSING:
    case ERR_LIMIT_EXCEEDED:
    case ERR_NOTHING_TO_REDACT:
    case ERR_REDACTION_INCOMPLETE:
        return true;
    default:
        return false;
    }
}

static int read_progress(struct report *report, json_t *line)
{
    double fraction;

    if (json_unpack(line, "{sF !}", "progress", &fraction) < 0 || !(fraction >= 0) || fraction > 1)
        return -1;
    if (fraction > report->fraction)
        report->fraction = fraction;
    return 0;
}

static int read_warning(struct report *report, json_t *line)
{
    struct worker_result *result = report->result;
    const char *code, *message;
    struct worker_warning *warnings, *warning;

    if (json_unpack(line, "{ss ss !}", "warning", &code, "message", &message) < 0 ||
        !is_word(code) || !is_clean(message, 255) || result->n_warnings == REPORT_WARNINGS)
        return -1;
    warnings = realloc(result->warnings, (result->n_warnings + 1) * sizeof *warnings);
    if (!warnings)
        return -1;
    result->warnings = warnings;
    warning = &warnings[result->n_warnings++];
    *warning = (struct worker_warning){ strdup(code), strdup(message), 0 };
    return warning->code && warning->message ? 0 : -1;
}

static bool is_figure_name(const char *name)
{
    size_t n = strlen(name);

    return n > 0 && n < sizeof((struct worker_figure *) NULL)->name && name[0] >= 'a' &&
           name[0] <= 'z' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == n;
}

/* The value of a figure: a number, or a list of pages. */
static bool read_value(json_t *line, const char **name, struct worker_figure *figure)
{
    json_int_t value;
    const char *pages;
    size_t n;

    if (json_unpack(line, "{ss sI !}", "figure", name, "value", &value) == 0) {
        figure->value = value;
        return true;
    }
    if (json_unpack(line, "{ss ss !}", "figure", name, "pages", &pages) < 0)
        return false;
    n = strlen(pages);
    if (n == 0 || n >= sizeof figure->pages || strspn(pages, "0123456789,-") != n)
        return false;
    memcpy(figure->pages, pages, n + 1);
    return true;
}

static int read_figure(struct report *report, json_t *line)
{
    struct worker_result *result = report->result;
    struct worker_figure *figures, figure = { 0 };
    const char *name;

    if (!read_value(line, &name, &figure) || !is_figure_name(name) ||
        result->n_figures == REPORT_FIGURES)
        return -1;
    figures = realloc(result->figures, (result->n_figures + 1) * sizeof *figures);
    if (!figures)
        return -1;
    result->figures = figures;
    figures[result->n_figures] = figure;
    snprintf(figures[result->n_figures++].name, sizeof figures->name, "%s", name);
    return 0;
}

/* Languages by Tesseract's codes: "chi_sim+eng". */
static bool is_languages(const char *text)
{
    size_t n = strlen(text);

    return n < sizeof((struct worker_row *) NULL)->language &&
           strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-") == n;
}

static int read_page_row(struct report *report, json_t *line)
{
    struct worker_result *result = report->result;
    struct worker_row row = { 0 }, *rows;
    const char *outcome, *language;
    json_int_t first, last, words, confidence;

    if (json_unpack(line, "{ss sI sI ss sI sI !}", "row", &outcome, "first", &first, "last", &last,
                    "language", &language, "words", &words, "confidence", &confidence) < 0 ||
        !is_figure_name(outcome) || first < 1 || last < first || words < 0 || confidence < -1 ||
        confidence > 100 || !is_languages(language) || result->n_rows == TOOL_PAGE_ROWS)
        return -1;
    rows = realloc(result->rows, (result->n_rows + 1) * sizeof *rows);
    if (!rows)
        return -1;
    row.first = first;
    row.last = last;
    row.words = words;
    row.confidence = (int) confidence;
    snprintf(row.outcome, sizeof row.outcome, "%s", outcome);
    snprintf(row.language, sizeof row.language, "%s", language);
    result->rows = rows;
    rows[result->n_rows++] = row;
    return 0;
}

/* A digest, or "" for a job that needs none. */
static bool is_digest(const char *text)
{
    size_t n = strlen(text);

    return n == 0 || (n == DIGEST_TEXT - 1 && strspn(text, "0123456789abcdef") == n);
}

static int read_output(struct report *report, json_t *line)
{
    struct worker_result *result = report->result;
    struct worker_output *output;
    json_int_t offset, bytes, pages;
    const char *name, *sha256;

    if (json_unpack(line, "{ss sI sI sI ss !}", "output", &name, "offset", &offset, "bytes", &bytes,
                    "pages", &pages, "sha256", &sha256) < 0 ||
        !is_file_name(name) || offset < 0 || bytes < 0 || pages < 0 || !is_digest(sha256) ||
        result->n_outputs == REPORT_OUTPUTS)
        return -1;
    if (result->n_outputs == report->room) {
        size_t room = report->room ? report->room * 2 : 4;
        struct worker_output *outputs = realloc(result->outputs, room * sizeof *outputs);

        if (!outputs)
            return -1;
        result->outputs = outputs;
        report->room = room;
    }
    output = &result->outputs[result->n_outputs++];
    *output = (struct worker_output){ strdup(name), offset, bytes, pages, "" };
    /* it fits, because its length was checked above */
    memcpy(output->sha256, sha256, strlen(sha256) + 1);
    return output->name ? 0 : -1;
}

static int read_done(struct report *report, json_t *line)
{
    const char *kind;

    if (json_unpack(line, "{ss !}", "done", &kind) < 0 || !is_word(kind) ||
        strlen(kind) >= sizeof report->result->kind)
        return -1;
    snprintf(report->result->kind, sizeof report->result->kind, "%s", kind);
    report->end = REPORT_DONE;
    return 0;
}

static int read_failed(struct report *report, json_t *line)
{
    const char *code, *message, *field;

    if (json_unpack(line, "{ss ss ss !}", "failed", &code, "message", &message, "field", &field) <
            0 ||
        !is_word(code) || !may_fail_with(err_code_find(code)) || !*message ||
        !is_clean(message, sizeof report->failure.msg - 1) ||
        !is_clean(field, sizeof report->failure.field - 1))
        return -1;
    err_field(&report->failure, err_code_find(code), field, "%s", message);
    report->end = REPORT_FAILED;
    return 0;
}

static int read_out_of_memory(struct report *report, json_t *line)
{
    (void) line;
    report->out_of_memory = true;
    return 0;
}

static const struct {
    const char *key;
    int (*read)(struct report *report, json_t *line);
} lines[] = {
    { "progress", read_progress }, { "warning", read_warning },
    { "figure", read_figure },     { "row", read_page_row },
    { "output", read_output },     { "done", read_done },
    { "failed", read_failed },     { "outOfMemory", read_out_of_memory },
};

static int read_report_line(struct report *report, const char *text, size_t n)
{
    json_t *line;
    int taken = -1;

    if (n == 0)
        return 0;
    line = json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL);
    for (size_t i = 0; i < COUNT(lines); i++) {
        if (json_object_get(line, lines[i].key) &&
            (report->end == REPORT_OPEN || lines[i].read == read_out_of_memory)) {
            taken = lines[i].read(report, line);
            break;
        }
    }
    json_decref(line);
    return taken;
}

int report_feed(struct report *report, const void *data, size_t n, struct err *err)
{
    const char *at = data, *end = at + n;

    if (n > REPORT_BYTES - report->bytes)
        return err_set(err, ERR_INTERNAL, "a worker's report is too long");
    report->bytes += n;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t) (end - at));
        const char *to = stop ? stop : end;

        if ((size_t) (to - at) > REPORT_LINE - report->line.len)
            return err_set(err, ERR_INTERNAL, "a line of a worker's report is too long");
        buf_put(&report->line, at, (size_t) (to - at));
        if (report->line.failed)
            return err_set(err, ERR_INTERNAL, "out of memory");
        if (!stop)
            break;
        if (read_report_line(report, buf_text(&report->line), report->line.len) < 0)
            return err_set(err, ERR_INTERNAL, "a worker's report is inconsistent");
        buf_drop(&report->line, report->line.len);
        at = stop + 1;
    }
    return 0;
}

void report_free(struct report *report)
{
    buf_free(&report->line);
}
