#include "cmd/run_order.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/nearest.h"
#include "base/num.h"
#include "base/scope.h"
#include "cmd/command.h"
#include "cmd/source.h"
#include "declare/tool/pipeline.h"
#include "declare/tool/rule.h"

#define BYTES_FROM 1e9 /* an INT that may be this large is an amount of bytes */

/* Files that steps of a pipeline name. */
static const struct param step_file = { .name = "", .type = PARAM_UPLOAD, .max = 1e9 };

bool run_order_is_pipeline(const struct run_order *order)
{
    return order->tool == &pipeline_tool;
}

static const struct param *declared(const struct tool *tool, const char *name)
{
    size_t n;
    const struct param *common = tool_common_params(&n), *found = param_find(common, n, name);

    return found ? found : param_find(tool->params, tool->n_params, name);
}

/* "input-password" is taken for "inputPassword". */
static void to_camel_case(char *name)
{
    char *to = name;

    for (const char *from = name; *from; from++) {
        if (*from == '-' && from > name && from[1])
            *to++ = (char) toupper((unsigned char) *++from);
        else
            *to++ = *from;
    }
    *to = '\0';
}

static const char *name_of_option(const void *arg, size_t i)
{
    const struct run_order *order = arg;
    const struct tool *tool = order->tool;
    size_t n;
    const struct param *common = tool_common_params(&n);

    if (i < tool->n_params)
        return tool->params[i].name;
    i -= tool->n_params;
    if (i < n)
        return common[i].name;
    i -= n;
    return i <= COMMAND_OPTIONS ? command_find("run")->form->options[i].name : NULL;
}

/* Fields of the API about addresses, which a user of it may expect here. */
static bool is_of_server(const char *name)
{
    static const char *const fields[] = { "fileUrl",    "fileHeaders",   "fileDigest", "outputUrl",
                                          "outputUrls", "outputHeaders", "callbackUrl" };

    for (size_t i = 0; i < COUNT(fields); i++)
        if (strcasecmp(fields[i], name) == 0)
            return true;
    return false;
}

static int refuse_option(const struct run_order *order, const char *word, struct err *err)
{
    const char *name = word + strspn(word, "-"), *near;
    char plain[64];

    snprintf(plain, sizeof plain, "%.*s", (int) strcspn(name, "="), name);
    if (is_of_server(plain))
        return err_field(
            err, ERR_UNKNOWN_FIELD, plain,
            "%.60s is for a server: platen run reads and writes files of this machine, "
            "and curl fetches and sends them",
            word);
    near = nearest_name(plain, name_of_option, order);
    if (near)
        return err_field(err, ERR_UNKNOWN_FIELD, plain,
                         "%s has no option %.60s: did you mean --%s?", order->tool->name, word,
                         near);
    return err_field(err, ERR_UNKNOWN_FIELD, plain,
                     "%s has no option %.60s; platen run %s --help lists them", order->tool->name,
                     word, order->tool->name);
}

static int add_attachment(struct run_order *order, const struct param *param, const char *name,
                          const char *path, struct err *err)
{
    struct tool_input *file = &order->attachments[order->n_attachments];
    int64_t bytes = 0;
    bool text = param->text && *path && strchr("{[<", *path);
    AUTO_CLOSE int fd =
        text ? fdio_memory_copy(path, strlen(path), err) : source_open(path, &bytes, err);

    if (fd < 0)
        return -1;
    if (text)
        bytes = (int64_t) strlen(path);
    if (bytes == 0)
        return err_field(err, ERR_INVALID_PARAMETER, param->name, "%.150s is empty", path);
    if (param_check_upload(param, bytes, err) < 0)
        return -1;
    *file = (struct tool_input){ scope_take_fd(&fd), "", text ? "" : path, bytes };
    order->n_attachments++;
    order->params[order->n_params++] = (struct param_input){ name, NULL, file };
    return 0;
}

/* "5k" and "1M" as amounts of bytes, as settings have them; else the value as it is. */
static const char *spell_bytes(const struct param *param, const char *value, char room[static 32])
{
    static const char units[] = "kMGT";
    size_t n = strlen(value);
    const char *unit = n > 1 ? strchr(units, value[n - 1]) : NULL;
    int64_t amount, factor = 1000;

    if (param->type != PARAM_INT || param->max < BYTES_FROM || !unit)
        return value;
    for (; unit > units; unit--)
        factor *= 1000;
    if (!num_parse_i64(value, n - 1, 0, INT64_MAX / factor, &amount))
        return value;
    amount *= factor;
    snprintf(room, 32, "%lld", (long long) amount);
    return room;
}

static int add_value(struct run_order *order, const struct param *param, const char *value,
                     struct err *err)
{
    char line[4096], bytes[32], *canonical;

    for (size_t i = 0; i < order->n_params; i++)
        if (strcmp(order->params[i].name, param->name) == 0)
            return err_field(err, ERR_INVALID_PARAMETER, param->name, "%s is given twice",
                             param->name);
    if (order->n_params == RUN_PARAMS)
        return err_set(err, ERR_INVALID_REQUEST, "there are too many parameters");
    if (param->type == PARAM_UPLOAD)
        return add_attachment(order, param, param->name, value, err);
    if (strcmp(value, "-") == 0) {
        order->line_read = true;
        if (source_secret(param->name, line, sizeof line, err) < 0)
            return -1;
        value = line;
    }
    if (param_check(param, spell_bytes(param, value, bytes), &canonical, err) < 0)
        return -1;
    order->params[order->n_params++] = (struct param_input){ param->name, canonical };
    return 0;
}

static bool is_param(const void *arg, const char *name)
{
    const struct run_order *order = arg;
    char camel[64];

    snprintf(camel, sizeof camel, "%s", name);
    to_camel_case(camel);
    return declared(order->tool, camel) != NULL;
}

/* --absolute alone means true if the next argument is not a boolean value. */
static bool stands_alone(const struct param *param, const struct command_words *words)
{
    const char *next = words->at + 1 < words->n ? words->list[words->at + 1] : "";
    AUTO_FREE char *canonical = NULL;
    struct err ignored;

    return param->type == PARAM_BOOL && !strchr(words->list[words->at], '=') &&
           param_check(param, next, &canonical, &ignored) < 0;
}

static int add_param(struct run_order *order, struct command_words *words, struct err *err)
{
    const char *word = words->list[words->at], *value;
    const struct param *param;
    char name[64];

    if (strncmp(word, "--", 2) != 0)
        return refuse_option(order, word, err);
    snprintf(name, sizeof name, "%.*s", (int) strcspn(word + 2, "="), word + 2);
    param = declared(order->tool, name);
    if (!param) {
        char camel[64];

        memcpy(camel, name, sizeof camel);
        to_camel_case(camel);
        param = declared(order->tool, camel);
    }
    if (!param && !(run_order_is_pipeline(order) && *name && order->n_params < RUN_PARAMS))
        return refuse_option(order, word, err);
    if (param && stands_alone(param, words))
        return add_value(order, param, "true", err);
    value = command_next_value(words, "a value", err);
    if (!value)
        return -1;
    if (!param) {
        char *part = order->parts[order->n_attachments];

        memcpy(part, name, sizeof name);
        return add_attachment(order, &step_file, part, value, err);
    }
    return add_value(order, param, value, err);
}

static int set_options(struct run_order *order, const struct command_words *words, struct err *err)
{
    const char *jobs = command_value(words, "jobs");
    int64_t n = RUN_JOBS;

    if (jobs && !num_parse_i64(jobs, strlen(jobs), 1, RUN_JOBS_MAX, &n))
        return err_set(err, ERR_INVALID_PARAMETER, "--jobs must be a number from 1 to %d",
                       RUN_JOBS_MAX);
    order->out = command_value(words, "output");
    order->force = command_value(words, "force");
    order->each = command_value(words, "each");
    order->jobs = (int) n;
    if (jobs && !order->each)
        return err_set(err, ERR_INVALID_REQUEST,
                       "--jobs says how many files of --each run at a time: add --each");
    return 0;
}

/* Checks the number of documents of one run: ERR_TOO_FEW_FILES or ERR_TOO_MANY_FILES. */
static int check_count(const struct run_order *order, size_t n_files, struct err *err)
{
    if (run_order_is_pipeline(order))
        return 0;
    return tool_check_count(order->tool, n_files, order->params, order->n_params, err);
}

static bool is_address(const char *word)
{
    return strncasecmp(word, "https://", 8) == 0 || strncasecmp(word, "http://", 7) == 0;
}

/* A server fetches files and sends results; here the user's own programs do, with the user's rights
 * on the network. */
static int check_addresses(const struct run_order *order, struct err *err)
{
    for (size_t i = 0; i < order->n_files; i++)
        if (is_address(order->files[i]))
            return err_field(err, ERR_INVALID_REQUEST, "file",
                             "%.200s is an address, and platen run reads files of this machine: "
                             "fetch it first, such as with curl -O",
                             order->files[i]);
    if (order->out && is_address(order->out))
        return err_field(err, ERR_INVALID_REQUEST, "output",
                         "%.200s is an address, and platen run writes files of this machine: "
                         "send the result afterwards, such as with curl -T FILE ADDRESS",
                         order->out);
    return 0;
}

static int check_words(const struct run_order *order, struct err *err)
{
    if (check_addresses(order, err) < 0)
        return -1;
    if (!order->out)
        return err_set(err, ERR_MISSING_FIELD,
                       "no output: add -o FILE, -o FOLDER or -o - for standard output");
    if (order->each && order->n_files == 0)
        return err_set(err, ERR_TOO_FEW_FILES, "--each needs at least 1 file");
    if (order->each && run_order_output_name(order))
        return err_set(err, ERR_INVALID_REQUEST,
                       "--outputName is one name: leave it out with --each");
    return check_count(order, order->each ? 1 : order->n_files, err);
}

int run_order_parse(struct run_order *order, int argc, char **argv, struct err *err)
{
    const struct command *command = command_find("run");
    struct command_words words = { .command = command,
                                   .form = command->form,
                                   .n = argc,
                                   .list = argv,
                                   .knows = is_param,
                                   .arg = order };
    enum command_word word;

    order->files = argv + 1;
    while ((word = command_next(&words, err)) != COMMAND_END) {
        if (word == COMMAND_OPERAND)
            order->files[order->n_files++] = argv[words.at]; /* at or before words.at */
        else if (word == COMMAND_FAILED || add_param(order, &words, err) < 0)
            return -1;
    }
    return set_options(order, &words, err) < 0 ? -1 : check_words(order, err);
}

bool run_order_asks(const struct run_order *order)
{
    if (!order->pipeline)
        return order->tool->asks;
    for (size_t i = 0; i < order->pipeline->n; i++)
        if (order->pipeline->steps[i].tool->asks)
            return true;
    return false;
}

size_t run_order_own_params(const struct run_order *order,
                            struct param_input out[static RUN_PARAMS])
{
    size_t n = 0;

    for (size_t i = 0; i < order->n_params; i++)
        if (param_find(order->tool->params, order->tool->n_params, order->params[i].name))
            out[n++] = order->params[i];
    return n;
}

const char *run_order_output_name(const struct run_order *order)
{
    for (size_t i = 0; i < order->n_params; i++)
        if (strcmp(order->params[i].name, "outputName") == 0)
            return order->params[i].value;
    return NULL;
}

static int check_steps(struct run_order *order, const char *steps, bool authority, struct err *err)
{
    struct param_input files[RUN_PARAMS];

    for (size_t i = 0; i < order->n_attachments; i++)
        files[i] = (struct param_input){ order->parts[i], NULL, &order->attachments[i] };
    order->pipeline =
        pipeline_run_plan(order->catalog, steps, files, order->n_attachments, authority, NULL, err);
    if (!order->pipeline)
        return -1;
    return pipeline_check_count(order->pipeline, order->each ? 1 : order->n_files, err);
}

int run_order_check(struct run_order *order, bool authority, struct err *err)
{
    struct param_input own[RUN_PARAMS], called;
    size_t n = run_order_own_params(order, own);
    const struct param *by_file = rule_own_name(order->tool, own, n, &called);

    if (by_file && order->n_params < RUN_PARAMS) {
        order->params[order->n_params++] = called;
        n = run_order_own_params(order, own);
    }
    if (tool_check_params(order->tool, own, n, err) < 0)
        return -1;
    return run_order_is_pipeline(order) ? check_steps(order, own[0].value, authority, err)
                                        : tool_check_stamped(order->tool, own, n, authority, err);
}

void run_order_free(struct run_order *order)
{
    pipeline_free(order->pipeline);
    for (size_t i = 0; i < order->n_attachments; i++)
        close(order->attachments[i].fd);
    for (size_t i = 0; i < order->n_params; i++)
        free((char *) (uintptr_t) order->params[i].value);
}
