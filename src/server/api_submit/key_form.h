/* key_form: the JSON that a new API key is described by. */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "declare/tool/pipeline.h"
#include "server/api_call/call.h"

struct key_form {
    char name[KEY_NAME], tools[KEY_TOOLS], addresses[KEY_ADDRESSES];
    enum key_scope scope;
    bool test;
};

/* Reads and checks it; the catalog knows the tools. ERR_INVALID_REQUEST, ERR_INVALID_PARAMETER. */
int key_form_read(const struct buf *json, const struct catalog *catalog, struct key_form *form,
                  struct err *err);
/* Whether a key may use the tools of all steps: 0, or -1 with ERR_OUTSIDE_SCOPE. */
int key_form_check_steps(const struct key *key, const struct pipeline *pipeline, struct err *err);
/* Describes what a key may do: "scope", "test", and "tools" and "addresses" if it has limits. */
void key_form_show(json_t *object, const struct key *key);
