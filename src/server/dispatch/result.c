#include "server/dispatch/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "declare/value/file_kind.h"
#include "declare/value/text.h"

/* It is added again: "a.pdf" means a PDF called so, not a.pdf.pdf. */
static void cut_extension(char *name, const char *extension)
{
    size_t n = strlen(name), tail = strlen(extension) + 1;

    if (n > tail && name[n - tail] == '.' && strcasecmp(name + n - tail + 1, extension) == 0)
        name[n - tail] = '\0';
}

void result_stem(const char *output_name, const char *gives, const char *first_upload,
                 char out[static RESULT_NAME])
{
    const char *extension = file_kind_extension(gives);

    if (output_name) {
        text_file_name(output_name, strlen(output_name), out, RESULT_NAME - 1);
        cut_extension(out, extension ? extension : "");
    } else {
        text_file_name(first_upload, strlen(first_upload), out, RESULT_NAME - 1);
        text_cut_extension(out);
    }
    if (!*out)
        snprintf(out, RESULT_NAME, "document");
}

void result_name(const char *stem, const char *tool, const char *extension,
                 char out[static RESULT_NAME])
{
    char whole[RESULT_NAME], cut[RESULT_NAME], tail[64];

    snprintf(tail, sizeof tail, "%s%s.%s", *tool ? "-" : "", tool, extension);
    snprintf(whole, sizeof whole, "%s", stem);
    if (!*tool)
        cut_extension(whole, extension);
    text_for_message(whole, strlen(whole), cut, RESULT_NAME - strlen(tail));
    snprintf(out, RESULT_NAME, "%s%s", cut, tail);
}

static json_t *output_to_json(const struct worker_output *output, const char *name)
{
    return json_pack("{ss sI sI sI ss}", "name", *output->name ? output->name : name, "offset",
                     (json_int_t) output->offset, "bytes", (json_int_t) output->bytes, "pages",
                     (json_int_t) output->pages, "sha256", output->sha256);
}

static char *dump_and_drop(json_t *json)
{
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

    json_decref(json);
    return text;
}

char *result_outputs_json(const struct worker_result *result, const char *name)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < result->n_outputs; i++) {
        if (json_array_append_new(array, output_to_json(&result->outputs[i], name)) < 0) {
            json_decref(array);
            return NULL;
        }
    }
    return dump_and_drop(array);
}

/* Those of a pipeline say which step they are of. */
static json_t *warning_to_json(const struct worker_warning *warning)
{
    json_t *json = json_pack("{ss ss}", "code", warning->code, "message", warning->message);

    if (warning->step)
        json_object_set_new(json, "step", json_integer(warning->step));
    return json;
}

static json_t *row_to_json(const struct worker_row *row)
{
    json_t *json = json_pack("{sI ss}", "first", (json_int_t) row->first, "outcome", row->outcome);

    if (row->last > row->first)
        json_object_set_new(json, "last", json_integer(row->last));
    if (*row->language)
        json_object_set_new(json, "language", json_string(row->language));
    if (row->confidence >= 0) {
        json_object_set_new(json, "confidence", json_integer(row->confidence));
        json_object_set_new(json, "words", json_integer(row->words));
    }
    if (row->step)
        json_object_set_new(json, "step", json_integer(row->step));
    return json;
}

char *result_warnings_json(const struct worker_result *result)
{
    json_t *array = json_array();

    for (size_t i = 0; i < result->n_warnings; i++)
        json_array_append_new(array, warning_to_json(&result->warnings[i]));
    if (result->n_figures || result->n_rows) {
        json_t *figures = json_object(), *rows = json_array();

        for (size_t i = 0; i < result->n_figures; i++) {
            const struct worker_figure *figure = &result->figures[i];
            char name[sizeof figure->name + 20];

            if (figure->step)
                snprintf(name, sizeof name, "step%u.%s", figure->step, figure->name);
            else
                snprintf(name, sizeof name, "%s", figure->name);
            json_object_set_new(figures, name,
                                *figure->pages ? json_string(figure->pages)
                                               : json_integer(figure->value));
        }
        for (size_t i = 0; i < result->n_rows; i++)
            json_array_append_new(rows, row_to_json(&result->rows[i]));
        if (result->n_rows)
            json_object_set(figures, "pages", rows);
        json_decref(rows);
        array = json_pack("{so so}", "warnings", array, "report", figures);
    }
    return dump_and_drop(array);
}

bool result_output_at(const json_t *outputs, size_t i, struct result_output *output)
{
    json_t *entry = json_array_get(outputs, i);
    json_int_t offset = 0, bytes = 0, pages = 0;

    *output = (struct result_output){ .name = "", .sha256 = "" };
    if (!entry || json_unpack(entry, "{ss sI sI sI ss}", "name", &output->name, "offset", &offset,
                              "bytes", &bytes, "pages", &pages, "sha256", &output->sha256) < 0)
        return false;
    output->offset = offset;
    output->bytes = bytes;
    output->pages = pages;
    return true;
}
