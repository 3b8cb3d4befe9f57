#include "server/api_submit/submission.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "declare/tool/tool.h"
#include "declare/value/text.h"

static const struct param *find_param(const char *name)
{
    size_t n;
    const struct param *params = tool_submission_params(&n);

    return param_find(params, n, name);
}

bool submission_has(const char *name)
{
    return strcmp(name, "clientRef") == 0 || strcmp(name, "callbackUrl") == 0;
}

int submission_read(struct submission_fields *fields, const struct callback_rules *callbacks,
                    const char *name, const char *value, size_t n, struct err *err)
{
    const struct param *param = find_param(name);
    bool is_url = strcmp(param->name, "callbackUrl") == 0;
    char **into = is_url ? &fields->callback_url : &fields->client_ref;
    AUTO_FREE char *checked = NULL;
    char url[CALLBACK_URL];

    if (*into)
        return err_field(err, ERR_INVALID_PARAMETER, param->name, "%s is given twice", param->name);
    if (strlen(value) != n)
        return err_field(err, ERR_INVALID_PARAMETER, param->name, "%s holds a NUL byte",
                         param->name);
    if (param_check(param, value, &checked, err) < 0 ||
        (is_url && callback_check(callbacks, checked, url, err) < 0))
        return -1;
    if (!is_url && !text_is_line(checked))
        return err_field(err, ERR_INVALID_PARAMETER, param->name,
                         "%s must be one line of text, without tabs", param->name);
    *into = is_url ? strdup(url) : scope_take_ptr(&checked);
    return *into ? 0 : err_sys(err, "upload");
}

static void add_to_digest(struct digest *digest, const char *name, const char *value)
{
    if (!value)
        return;
    digest_add(digest, name, strlen(name) + 1);
    digest_add(digest, value, strlen(value) + 1);
}

void submission_digest(const struct submission_fields *fields, struct digest *digest)
{
    add_to_digest(digest, "clientRef", fields->client_ref);
    add_to_digest(digest, "callbackUrl", fields->callback_url);
}

void submission_free(struct submission_fields *fields)
{
    free(fields->client_ref);
    free(fields->callback_url);
    *fields = (struct submission_fields){ 0 };
}
