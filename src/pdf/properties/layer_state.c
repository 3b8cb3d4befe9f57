#include "pdf/properties/layer_state.h"

#include "base/scope.h"
#include "pdf/document/doc.h"

#define MAX_EXPRESSION 32 /* expressions in one another */

/* The groups that are on or off unlike the base state. */
static int read_listed(struct obj config, bool base_off, struct idmap *listed, struct err *err)
{
    AUTO_OBJ struct obj list = obj_key(config, base_off ? "/ON" : "/OFF");

    for (int i = 0, n = obj_count(list); i < n; i++) {
        AUTO_OBJ struct obj group = obj_item(list, i);

        if (obj_id(group) && !idmap_add(listed, obj_id(group), 0))
            return pdf_doc_no_memory(err);
    }
    return 0;
}

int layer_state_read(struct layer_state *state, struct obj properties, struct err *err)
{
    AUTO_OBJ struct obj config = obj_key(properties, "/D");
    AUTO_OBJ struct obj groups = obj_key(properties, "/OCGs");
    bool base_off = obj_key_is(config, "/BaseState", "/OFF");
    AUTO_IDMAP struct idmap listed = { 0 };

    if (read_listed(config, base_off, &listed, err) < 0)
        return -1;
    for (int i = 0, n = obj_count(groups); i < n; i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);
        bool in = obj_id(group) && idmap_find(&listed, obj_id(group)) != IDMAP_NONE;

        state->n += obj_is_dict(group);
        if (!obj_id(group) || in == base_off)
            continue;
        if (!idmap_add(&state->hidden, obj_id(group), 0))
            return pdf_doc_no_memory(err);
        state->n_hidden++;
    }
    return 0;
}

void layer_state_free(struct layer_state *state)
{
    idmap_free(&state->hidden);
}

bool layer_state_hides_group(const struct layer_state *state, struct obj group)
{
    return obj_id(group) && idmap_find(&state->hidden, obj_id(group)) != IDMAP_NONE;
}

/* A visibility expression: a group, or an array of /And, /Or or /Not and expressions. */
static bool is_expression_shown(const struct layer_state *state, struct obj expression, int depth)
{
    AUTO_OBJ struct obj operation = obj_item(expression, 0);
    bool any = obj_name_is(operation, "/Or"), not = obj_name_is(operation, "/Not");
    int n = obj_count(expression);

    if (!obj_is_array(expression))
        return !layer_state_hides_group(state, expression);
    if (depth == MAX_EXPRESSION)
        return true;
    for (int i = 1; i < n; i++) {
        AUTO_OBJ struct obj part = obj_item(expression, i);
        bool shown = is_expression_shown(state, part, depth + 1);

        if (not )
            return !shown;
        if (shown == any)
            return any;
    }
    return !any || n <= 1;
}

bool layer_state_hides(const struct layer_state *state, struct obj oc)
{
    AUTO_OBJ struct obj expression = obj_key(oc, "/VE");
    AUTO_OBJ struct obj groups = obj_key(oc, "/OCGs");
    int n = obj_count(groups), hidden = 0;

    if (!obj_key_is(oc, "/Type", "/OCMD"))
        return layer_state_hides_group(state, oc);
    if (obj_is_array(expression))
        return !is_expression_shown(state, expression, 0);
    if (obj_is_dict(groups))
        return layer_state_hides_group(state, groups) !=
               (obj_key_is(oc, "/P", "/AllOff") || obj_key_is(oc, "/P", "/AnyOff"));
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);

        hidden += layer_state_hides_group(state, group);
    }
    if (n == 0)
        return false;
    return obj_key_is(oc, "/P", "/AllOn")    ? hidden > 0
           : obj_key_is(oc, "/P", "/AnyOff") ? hidden == 0
           : obj_key_is(oc, "/P", "/AllOff") ? hidden < n
                                             : hidden == n;
}
