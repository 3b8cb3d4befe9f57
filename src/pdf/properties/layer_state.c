#include "pdf/properties/layer_state.h"

#include <string.h>

#include "base/scope.h"
#include "pdf/document/doc.h"

#define MAX_EXPRESSION  32    /* expressions in one another */
#define MAX_OPERANDS    10000 /* of an expression, with those of the ones in it */
#define MAX_NAMES       16    /* intents or categories of an array; fewer are defined */
#define GROUP_OFF       0
#define GROUP_ON        1
#define GROUP_UNSETTLED 2 /* no category recommends a state */

/* What a group says for the visibility of what belongs to it. */
enum says {
    SAYS_NOTHING, /* it is not a group, or is one of an intent that does not count */
    SAYS_ON,
    SAYS_OFF,
};

static bool has_name(struct obj names, const char *name)
{
    int n = obj_count(names);

    if (!obj_is_array(names))
        return obj_name_is(names, name);
    for (int i = 0; i < n && i < MAX_NAMES; i++) {
        AUTO_OBJ struct obj item = obj_item(names, i);

        if (obj_name_is(item, name))
            return true;
    }
    return false;
}

/* Sets the state of the groups of a list. */
static int set_listed(struct idmap *known, struct obj list, size_t value, struct err *err)
{
    for (int i = 0, n = obj_count(list); i < n; i++) {
        AUTO_OBJ struct obj group = obj_item(list, i);

        if (!obj_id(group))
            continue;
        if (!idmap_add(known, obj_id(group), value))
            return pdf_doc_no_memory(err);
        idmap_set(known, obj_id(group), value);
    }
    return 0;
}

/* What a category of the usage of a group recommends (8.11.4.4). */
static size_t recommended(struct obj group, const char *category, const char *key)
{
    AUTO_OBJ struct obj usage = obj_key(group, "/Usage");
    AUTO_OBJ struct obj part = obj_key(usage, category);

    return obj_key_is(part, key, "/OFF")  ? GROUP_OFF
           : obj_key_is(part, key, "/ON") ? GROUP_ON
                                          : GROUP_UNSETTLED;
}

/* Settles the groups of one entry of /AS: off, if any category recommends that. */
static int apply_usage(struct obj rule, struct idmap *given, struct err *err)
{
    static const struct {
        const char *category, *key;
    } all[] = { { "/View", "/ViewState" },
                { "/Print", "/PrintState" },
                { "/Export", "/ExportState" } };
    AUTO_OBJ struct obj groups = obj_key(rule, "/OCGs");
    AUTO_OBJ struct obj names = obj_key(rule, "/Category");

    for (size_t c = 0; c < COUNT(all); c++)
        for (int i = 0, n = has_name(names, all[c].category) ? obj_count(groups) : 0; i < n; i++) {
            AUTO_OBJ struct obj group = obj_item(groups, i);
            size_t value = recommended(group, all[c].category, all[c].key);

            if (!obj_id(group) || value == GROUP_UNSETTLED)
                continue;
            if (!idmap_add(given, obj_id(group), value))
                return pdf_doc_no_memory(err);
            if (value == GROUP_OFF)
                idmap_set(given, obj_id(group), value);
        }
    return 0;
}

/* What switches layers by itself when pages are viewed. */
static int read_usages(struct obj config, struct idmap *given, struct err *err)
{
    AUTO_OBJ struct obj rules = obj_key(config, "/AS");

    for (int i = 0, n = obj_count(rules); i < n; i++) {
        AUTO_OBJ struct obj rule = obj_item(rules, i);

        if (obj_key_is(rule, "/Event", "/View") && apply_usage(rule, given, err) < 0)
            return -1;
    }
    return 0;
}

static bool has_intent(const struct layer_state *state, const char *name)
{
    return obj_is_null(state->intent) ? strcmp(name, "/View") == 0 : has_name(state->intent, name);
}

/* Whether the configuration considers a group: by its intents, View if it states none. */
static bool counts(const struct layer_state *state, struct obj group)
{
    AUTO_OBJ struct obj intents = obj_key(group, "/Intent");
    int n = obj_is_array(intents) ? obj_count(intents) : 1;
    size_t length;

    if (has_intent(state, "/All"))
        return true;
    if (obj_is_null(intents))
        return has_intent(state, "/View");
    for (int i = 0; i < n && i < MAX_NAMES; i++) {
        AUTO_OBJ struct obj name = obj_is_array(intents) ? obj_item(intents, i) : obj_same(intents);
        const char *bytes = obj_is_name(name) ? obj_bytes(name, &length) : NULL;

        if (bytes && has_intent(state, bytes))
            return true;
    }
    return false;
}

static enum says group_says(const struct layer_state *state, struct obj group)
{
    size_t known = obj_id(group) ? idmap_find(&state->known, obj_id(group)) : IDMAP_NONE;

    if (!obj_is_dict(group) || (known == IDMAP_NONE && !obj_key_is(group, "/Type", "/OCG")) ||
        !counts(state, group))
        return SAYS_NOTHING;
    return known == GROUP_OFF ? SAYS_OFF : SAYS_ON;
}

int layer_state_read(struct layer_state *state, struct obj properties, struct err *err)
{
    AUTO_OBJ struct obj config = obj_key(properties, "/D");
    AUTO_OBJ struct obj groups = obj_key(properties, "/OCGs");
    AUTO_OBJ struct obj on = obj_key(config, "/ON");
    AUTO_OBJ struct obj off = obj_key(config, "/OFF");
    AUTO_IDMAP struct idmap given = { 0 };
    bool base_off = obj_key_is(config, "/BaseState", "/OFF");

    state->intent = obj_key(config, "/Intent");
    if (set_listed(&state->known, groups, base_off ? GROUP_OFF : GROUP_ON, err) < 0 ||
        set_listed(&state->known, on, GROUP_ON, err) < 0 ||
        set_listed(&state->known, off, GROUP_OFF, err) < 0 || read_usages(config, &given, err) < 0)
        return -1;
    for (int i = 0, n = obj_count(groups); i < n; i++) {
        AUTO_OBJ struct obj group = obj_item(groups, i);
        size_t value = obj_id(group) ? idmap_find(&given, obj_id(group)) : IDMAP_NONE;

        if (value != IDMAP_NONE)
            idmap_set(&state->known, obj_id(group), value);
        state->n += obj_is_dict(group);
        state->n_hidden += layer_state_hides_group(state, group);
    }
    return 0;
}

void layer_state_free(struct layer_state *state)
{
    obj_drop(&state->intent);
    idmap_free(&state->known);
}

bool layer_state_hides_group(const struct layer_state *state, struct obj group)
{
    return group_says(state, group) == SAYS_OFF;
}

struct evaluation {
    const struct layer_state *state;
    int left; /* operands that may still be read */
    bool invalid;
};

/* A visibility expression: a group, or an array of /And, /Or or /Not and expressions. */
static enum says evaluate(struct evaluation *e, struct obj expression, int depth)
{
    AUTO_OBJ struct obj operation = obj_item(expression, 0);
    bool and = obj_name_is(operation, "/And"), not = obj_name_is(operation, "/Not");
    enum says result = SAYS_NOTHING, settles = and? SAYS_OFF : SAYS_ON;
    int n = obj_count(expression);

    if (!obj_is_array(expression))
        return group_says(e->state, expression);
    if (depth >= MAX_EXPRESSION || (!and&&!not &&!obj_name_is(operation, "/Or")) ||
        (not &&n != 2)) {
        e->invalid = true;
        return SAYS_NOTHING;
    }
    for (int i = 1; i < n && !e->invalid; i++) {
        AUTO_OBJ struct obj part = obj_item(expression, i);
        enum says says = evaluate(e, part, depth + 1);

        e->invalid |= --e->left < 0;
        if (not &&says != SAYS_NOTHING)
            return says == SAYS_ON ? SAYS_OFF : SAYS_ON;
        if (says != SAYS_NOTHING && (result == SAYS_NOTHING || says == settles))
            result = says;
    }
    return result;
}

/* Whether the policy (/P) over one group, or an array of them, hides. */
static bool policy_hides(const struct layer_state *state, struct obj oc, struct obj groups)
{
    bool all_on = obj_key_is(oc, "/P", "/AllOn"), any_off = obj_key_is(oc, "/P", "/AnyOff");
    bool all_off = obj_key_is(oc, "/P", "/AllOff");
    enum says wanted = any_off || all_off ? SAYS_OFF : SAYS_ON;
    int n = obj_is_array(groups) ? obj_count(groups) : 1;
    bool fits = false, differs = false;

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj group = obj_is_array(groups) ? obj_item(groups, i) : obj_same(groups);
        enum says says = group_says(state, group);

        fits |= says == wanted;
        differs |= says != wanted && says != SAYS_NOTHING;
    }
    return (fits || differs) && (all_on || all_off ? differs : !fits);
}

static bool is_membership(const struct layer_state *state, struct obj oc)
{
    if (obj_id(oc) && idmap_find(&state->known, obj_id(oc)) != IDMAP_NONE)
        return false;
    return obj_key_is(oc, "/Type", "/OCMD") ||
           (!obj_has(oc, "/Type") && (obj_has(oc, "/OCGs") || obj_has(oc, "/VE")));
}

bool layer_state_hides(const struct layer_state *state, struct obj oc)
{
    AUTO_OBJ struct obj expression = obj_key(oc, "/VE");
    AUTO_OBJ struct obj groups = obj_key(oc, "/OCGs");
    struct evaluation e = { .state = state, .left = MAX_OPERANDS };

    if (!is_membership(state, oc))
        return layer_state_hides_group(state, oc);
    if (obj_is_array(expression)) {
        enum says says = evaluate(&e, expression, 0);

        if (!e.invalid)
            return says == SAYS_OFF;
    }
    return policy_hides(state, oc, groups);
}

/* Whether a list, also one of an expression, names a group that is not shown. */
static bool names_hidden(const struct layer_state *state, struct obj list, int *left, int depth)
{
    int n = obj_count(list);

    if (!obj_is_array(list))
        return layer_state_hides_group(state, list);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(list, i);

        if (depth > MAX_EXPRESSION || --*left < 0 || names_hidden(state, item, left, depth + 1))
            return true;
    }
    return false;
}

bool layer_state_needs_hidden(const struct layer_state *state, struct obj oc)
{
    AUTO_OBJ struct obj expression = obj_key(oc, "/VE");
    AUTO_OBJ struct obj groups = obj_key(oc, "/OCGs");
    int left = MAX_OPERANDS;

    return is_membership(state, oc) &&
           (names_hidden(state, expression, &left, 0) || names_hidden(state, groups, &left, 0));
}
