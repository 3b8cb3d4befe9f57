#include "declare/tool/tool.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "declare/tool/rule.h"

static const struct param common[] = {
    { .name = "outputName",
      .help = "Name of the result without its extension, instead of one made from the upload's.",
      .type = PARAM_TEXT,
      .min = 1,
      .max = 200 },
};

static const struct param submission[] = {
    { .name = "clientRef",
      .help = "Your own name for the job: given back in its JSON, and jobs can be listed by it.",
      .type = PARAM_TEXT,
      .min = 1,
      .max = 200 },
    { .name = "callbackUrl",
      .help =
          "Address (https) that receives a signed POST of the job's JSON when the job has ended.",
      .type = PARAM_TEXT,
      .min = 1,
      .max = 2000 },
    { .name = "ttl",
      .help =
          "How long the result is kept after the job ended, such as 90s, 30m, 12h or 7d (a plain "
          "number is seconds): at most what the plan allows.",
      .type = PARAM_TEXT,
      .min = 1,
      .max = 20 },
};

const struct param *tool_submission_params(size_t *n)
{
    *n = COUNT(submission);
    return submission;
}

const struct param *tool_common_params(size_t *n)
{
    *n = COUNT(common);
    return common;
}

const struct param *tool_server_param(const char *name)
{
    const struct param *found = param_find(common, COUNT(common), name);

    return found ? found : param_find(submission, COUNT(submission), name);
}

static const struct param_input *given(const struct param_input *in, size_t n_in, const char *name)
{
    for (size_t i = 0; i < n_in; i++)
        if (strcmp(in[i].name, name) == 0)
            return &in[i];
    return NULL;
}

static int check_one_of(const struct tool *tool, const struct param_input *in, size_t n_in,
                        struct err *err)
{
    char names[160] = "";
    size_t n = 0, used = 0;

    for (size_t i = 0; tool->one_of[i]; i++) {
        n += given(in, n_in, tool->one_of[i]) != NULL;
        if (used < sizeof names)
            used += (size_t) snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                      tool->one_of[i]);
    }
    if (!tool->one_of[0] || n == 1)
        return 0;
    if (n == 0)
        return err_field(err, ERR_MISSING_FIELD, tool->one_of[0],
                         "one of these fields is needed: %s", names);
    return err_field(err, ERR_INVALID_PARAMETER, tool->one_of[0],
                     "only one of these fields can be given: %s", names);
}

int tool_check_params(const struct tool *tool, const struct param_input *in, size_t n_in,
                      struct err *err)
{
    if (param_check_all(tool->params, tool->n_params, in, n_in, err) < 0)
        return -1;
    if (check_one_of(tool, in, n_in, err) < 0)
        return -1;
    return tool->rule ? rule_check(tool, in, n_in, err) : 0;
}

int tool_check_stamped(const struct tool *tool, const struct param_input *in, size_t n_in,
                       bool authority, struct err *err)
{
    const struct param_input *found = tool->stamped[0] ? given(in, n_in, tool->stamped[0]) : NULL;

    if (authority || !found || !found->value || strcmp(found->value, tool->stamped[1]) != 0)
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, found->name,
                     "%s cannot be %s: this server has no time stamp authority", found->name,
                     tool->stamped[1]);
}

static const char *file_field(const struct tool *tool)
{
    return tool->max_files > 1 ? "files" : "file";
}

size_t tool_least_files(const struct tool *tool, const struct param_input *in, size_t n_in)
{
    return tool->alone && given(in, n_in, tool->alone) ? 1 : tool->min_files;
}

int tool_check_count(const struct tool *tool, size_t n_files, const struct param_input *in,
                     size_t n_in, struct err *err)
{
    const char *field = file_field(tool);
    size_t least = tool_least_files(tool, in, n_in);

    if (n_files > 0 && tool->max_files == 0)
        return err_field(err, ERR_TOO_MANY_FILES, field, "%s has no files: leave them out",
                         tool->name);
    if (n_files == 0 && least == 1)
        return err_field(err, ERR_TOO_FEW_FILES, field, "%s needs a file: send one in the field %s",
                         tool->name, field);
    if (n_files < least)
        return err_field(err, ERR_TOO_FEW_FILES, field, "%s needs at least %zu files, %zu came",
                         tool->name, least, n_files);
    if (n_files > tool->max_files)
        return err_field(err, ERR_TOO_MANY_FILES, field, "%s takes at most %zu %s", tool->name,
                         tool->max_files, tool->max_files == 1 ? "file" : "files");
    return 0;
}

bool tool_accepts(const struct tool *tool, const char *kind)
{
    for (size_t i = 0; tool->accepts[i]; i++)
        if (strcmp(tool->accepts[i], kind ? kind : TOOL_UNKNOWN) == 0)
            return true;
    return false;
}

void tool_list_accepted(const struct tool *tool, char *out, size_t cap)
{
    size_t n = 0;

    if (tool->accepts_text) {
        snprintf(out, cap, "%s", tool->accepts_text);
        return;
    }
    out[0] = '\0';
    for (size_t i = 0; tool->accepts[i] && n < cap; i++)
        n += (size_t) snprintf(out + n, cap - n, "%s%s",
                               i == 0                 ? ""
                               : tool->accepts[i + 1] ? ", "
                                                      : " or ",
                               tool->accepts[i]);
}

bool tool_is_drawing(const char *file)
{
    size_t n = strlen(file);

    return n > 4 && strcasecmp(file + n - 4, ".svg") == 0;
}

int tool_check_kind(const struct tool *tool, const char *kind, const char *file, struct err *err)
{
    char taken[120];

    if (tool_accepts(tool, kind))
        return 0;
    if (tool_is_drawing(file) && tool_accepts(tool, "png") && !tool_accepts(tool, "svg"))
        return err_field(err, ERR_UNSUPPORTED_FILE_TYPE, file_field(tool),
                         "%.150s is an SVG drawing, which %s does not accept: put it into an HTML "
                         "page with <img> and use html-to-pdf",
                         file, tool->name);
    tool_list_accepted(tool, taken, sizeof taken);
    return err_field(err, ERR_UNSUPPORTED_FILE_TYPE, file_field(tool),
                     "%.150s is not of a kind that %s takes (%s)", file, tool->name, taken);
}
