/*
 * patch_optional_content: which optional content is hidden (ISO 32000-1, 8.11). MuPDF 1.21 takes
 * the first of /Configs for the default configuration, hides groups of other intents instead of
 * ignoring them, knows no visibility expressions, and mixes up the policies of membership
 * dictionaries.
 *
 * The states of the groups are those of the default configuration: /BaseState, /ON, /OFF, and what
 * /AS says for the event View. Of the categories of /AS, those that ask for a fact about the
 * reader (Zoom, Language, User and so on) recommend nothing.
 *
 * A document keeps the states in pdf_document.ocg, which is of a type that only MuPDF's file with
 * these functions knows, and here is another one.
 */
#include <mupdf/fitz.h>
#include <mupdf/pdf.h>
#include <stdbool.h>
#include <string.h>

#define EXPRESSION_DEPTH 32
#define NAMES            16 /* intents or categories of an array that are read; fewer are defined */
#define DICTIONARY_WORK  10000 /* limit of the operands of a visibility expression */
#define FREE_WORK        16 /* operands or members that cost no more than the content that names them */
#define DOCUMENT_WORK    5000000 /* limit of all others of a document */

__typeof__(pdf_is_ocg_hidden) __wrap_pdf_is_ocg_hidden;
__typeof__(pdf_drop_ocg) __wrap_pdf_drop_ocg;

enum state {
    STATE_NONE, /* no effect: it is not a group, or one of an intent that does not count */
    STATE_ON,
    STATE_OFF
};

/* What is known of an object, one byte each. */
enum {
    GROUP_ON = 1,
    GROUP_OFF,
    GROUP_IGNORED, /* its intent does not count */
    MEMBERSHIP_ON, /* a membership dictionary, as it was evaluated before */
    MEMBERSHIP_OFF
};

struct pdf_ocg_descriptor {
    pdf_obj *intent;      /* of the configuration */
    unsigned char *known; /* by object number */
    int n_known;          /* 0: the document has no optional content */
    int64_t work;
};

struct evaluation {
    pdf_ocg_descriptor *content;
    int left; /* operands and members that may still be looked at */
    bool invalid;
};

static void spend_lookup(fz_context *ctx, pdf_ocg_descriptor *content)
{
    if (++content->work > DOCUMENT_WORK)
        fz_throw(ctx, FZ_ERROR_MINOR, "optional content asks for too much work");
}

static void set_known(pdf_ocg_descriptor *content, int number, unsigned char value)
{
    if (number > 0 && number < content->n_known)
        content->known[number] = value;
}

static unsigned char peek_known(const pdf_ocg_descriptor *content, int number)
{
    return number > 0 && number < content->n_known ? content->known[number] : 0;
}

static void set_all(fz_context *ctx, pdf_ocg_descriptor *content, pdf_obj *groups,
                    unsigned char state)
{
    int n = pdf_array_len(ctx, groups);

    for (int i = 0; i < n; i++)
        set_known(content, pdf_to_num(ctx, pdf_array_get(ctx, groups, i)), state);
}

/* `names`: one name or an array of them. */
static bool has_name(fz_context *ctx, pdf_obj *names, const char *name)
{
    int n = pdf_array_len(ctx, names);

    if (!pdf_is_array(ctx, names))
        return strcmp(pdf_to_name(ctx, names), name) == 0;
    for (int i = 0; i < n && i < NAMES; i++)
        if (strcmp(pdf_to_name(ctx, pdf_array_get(ctx, names, i)), name) == 0)
            return true;
    return false;
}

/* The categories of /AS that recommend a state by themselves: Usage/View/ViewState and so on. */
static const struct category {
    const char *name, *state;
} categories[] = { { "View", "ViewState" },
                   { "Print", "PrintState" },
                   { "Export", "ExportState" } };

#define N_CATEGORIES (sizeof categories / sizeof *categories)

/* False: this category recommends nothing for the group. */
static bool recommends(fz_context *ctx, pdf_obj *group, const struct category *category, bool *off)
{
    pdf_obj *usage = pdf_dict_get(ctx, group, PDF_NAME(Usage));
    pdf_obj *state = pdf_dict_gets(ctx, pdf_dict_gets(ctx, usage, category->name), category->state);

    *off = pdf_name_eq(ctx, state, PDF_NAME(OFF));
    return *off || pdf_name_eq(ctx, state, PDF_NAME(ON));
}

/* A recommendation of OFF wins over all of ON. `given`: what was recommended so far, by object
 * number. */
static void apply_usage(fz_context *ctx, pdf_ocg_descriptor *content, pdf_obj *application,
                        unsigned char *given)
{
    pdf_obj *groups = pdf_dict_get(ctx, application, PDF_NAME(OCGs));
    pdf_obj *names = pdf_dict_gets(ctx, application, "Category");
    int n = pdf_array_len(ctx, groups);
    bool off;

    for (size_t c = 0; c < N_CATEGORIES; c++) {
        if (!has_name(ctx, names, categories[c].name))
            continue;
        for (int i = 0; i < n; i++) {
            pdf_obj *group = pdf_array_get(ctx, groups, i);
            int number = pdf_to_num(ctx, group);

            spend_lookup(ctx, content);
            if (number > 0 && number < content->n_known &&
                recommends(ctx, group, &categories[c], &off) && given[number] != GROUP_OFF)
                given[number] = off ? GROUP_OFF : GROUP_ON;
        }
    }
}

static void apply_usages(fz_context *ctx, pdf_ocg_descriptor *content, pdf_obj *applications)
{
    int n = pdf_array_len(ctx, applications);
    unsigned char *given = n > 0 ? fz_calloc(ctx, (size_t) content->n_known, 1) : NULL;

    fz_try(ctx)
    {
        for (int i = 0; i < n; i++) {
            pdf_obj *application = pdf_array_get(ctx, applications, i);

            spend_lookup(ctx, content);
            if (strcmp(pdf_to_name(ctx, pdf_dict_gets(ctx, application, "Event")), "View") == 0)
                apply_usage(ctx, content, application, given);
        }
        for (int i = 0; n > 0 && i < content->n_known; i++)
            if (given[i] && content->known[i])
                content->known[i] = given[i];
    }
    fz_always(ctx)
    {
        fz_free(ctx, given);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static void read_configuration(fz_context *ctx, pdf_document *doc, pdf_ocg_descriptor *content)
{
    pdf_obj *root = pdf_dict_get(ctx, pdf_trailer(ctx, doc), PDF_NAME(Root));
    pdf_obj *properties = pdf_dict_get(ctx, root, PDF_NAME(OCProperties));
    pdf_obj *configuration = pdf_dict_get(ctx, properties, PDF_NAME(D));
    bool off =
        pdf_name_eq(ctx, pdf_dict_get(ctx, configuration, PDF_NAME(BaseState)), PDF_NAME(OFF));

    if (!pdf_is_dict(ctx, configuration))
        return;
    content->n_known = pdf_xref_len(ctx, doc);
    content->known = fz_calloc(ctx, (size_t) content->n_known, 1);
    content->intent = pdf_keep_obj(ctx, pdf_dict_get(ctx, configuration, PDF_NAME(Intent)));
    set_all(ctx, content, pdf_dict_get(ctx, properties, PDF_NAME(OCGs)),
            off ? GROUP_OFF : GROUP_ON);
    set_all(ctx, content, pdf_dict_get(ctx, configuration, PDF_NAME(ON)), GROUP_ON);
    set_all(ctx, content, pdf_dict_get(ctx, configuration, PDF_NAME(OFF)), GROUP_OFF);
    apply_usages(ctx, content, pdf_dict_gets(ctx, configuration, "AS"));
}

/* May throw, but only at the first call: after that everything is visible. */
static pdf_ocg_descriptor *open_content(fz_context *ctx, pdf_document *doc)
{
    pdf_ocg_descriptor *content;

    if (doc->ocg)
        return doc->ocg;
    content = doc->ocg = fz_calloc(ctx, 1, sizeof *content);
    fz_try(ctx)
    {
        read_configuration(ctx, doc, content);
    }
    fz_catch(ctx)
    {
        content->n_known = 0;
        fz_rethrow(ctx);
    }
    return content;
}

static bool has_configured_intent(fz_context *ctx, pdf_ocg_descriptor *content, const char *intent)
{
    return content->intent ? has_name(ctx, content->intent, intent) : strcmp(intent, "View") == 0;
}

/* Whether the configuration considers groups of the intents `names`. */
static bool counts(fz_context *ctx, pdf_ocg_descriptor *content, pdf_obj *names)
{
    int n = pdf_array_len(ctx, names);

    if (has_configured_intent(ctx, content, "All"))
        return true;
    if (!names)
        return has_configured_intent(ctx, content, "View");
    if (!pdf_is_array(ctx, names))
        return has_configured_intent(ctx, content, pdf_to_name(ctx, names));
    for (int i = 0; i < n && i < NAMES; i++)
        if (has_configured_intent(ctx, content, pdf_to_name(ctx, pdf_array_get(ctx, names, i))))
            return true;
    return false;
}

static enum state state_of_group(fz_context *ctx, pdf_ocg_descriptor *content, pdf_obj *group)
{
    int number = pdf_to_num(ctx, group);
    unsigned char known = peek_known(content, number);

    if (known >= MEMBERSHIP_ON || known == GROUP_IGNORED || !pdf_is_dict(ctx, group) ||
        (!known && !pdf_name_eq(ctx, pdf_dict_get(ctx, group, PDF_NAME(Type)), PDF_NAME(OCG))))
        return STATE_NONE;
    if (!counts(ctx, content, pdf_dict_get(ctx, group, PDF_NAME(Intent)))) {
        set_known(content, number, GROUP_IGNORED);
        return STATE_NONE;
    }
    return known == GROUP_OFF ? STATE_OFF : STATE_ON;
}

static bool may_go_on(fz_context *ctx, struct evaluation *evaluation)
{
    if (evaluation->left < DICTIONARY_WORK - FREE_WORK)
        spend_lookup(ctx, evaluation->content);
    if (evaluation->left-- <= 0)
        evaluation->invalid = true;
    return !evaluation->invalid;
}

static enum state evaluate(fz_context *ctx, struct evaluation *evaluation, pdf_obj *expression,
                           int depth);

static enum state operand(fz_context *ctx, struct evaluation *evaluation, pdf_obj *expression,
                          int depth)
{
    return pdf_is_array(ctx, expression) ? evaluate(ctx, evaluation, expression, depth + 1)
                                         : state_of_group(ctx, evaluation->content, expression);
}

/* A visibility expression: an operator, and groups or further expressions. */
static enum state evaluate(fz_context *ctx, struct evaluation *evaluation, pdf_obj *expression,
                           int depth)
{
    const char *operator= pdf_to_name(ctx, pdf_array_get(ctx, expression, 0));
    bool is_and = strcmp(operator, "And") == 0, is_not = strcmp(operator, "Not") == 0;
    int n = pdf_array_len(ctx, expression);
    enum state result = STATE_NONE;

    if (depth >= EXPRESSION_DEPTH || (!is_and && !is_not && strcmp(operator, "Or") != 0) ||
        (is_not && n != 2)) {
        evaluation->invalid = true;
        return STATE_NONE;
    }
    for (int i = 1; i < n && may_go_on(ctx, evaluation); i++) {
        enum state state = operand(ctx, evaluation, pdf_array_get(ctx, expression, i), depth);

        if (is_not && state != STATE_NONE)
            return state == STATE_ON ? STATE_OFF : STATE_ON;
        if (result == STATE_NONE || state == (is_and ? STATE_OFF : STATE_ON))
            result = state == STATE_NONE ? result : state;
    }
    return result;
}

/* A policy over one group or an array of them. */
static enum state state_of_policy(fz_context *ctx, struct evaluation *evaluation, pdf_obj *groups,
                                  const char *policy)
{
    bool all = strcmp(policy, "AllOn") == 0 || strcmp(policy, "AllOff") == 0;
    enum state wanted =
        strcmp(policy, "AnyOff") == 0 || strcmp(policy, "AllOff") == 0 ? STATE_OFF : STATE_ON;
    int n = pdf_is_array(ctx, groups) ? pdf_array_len(ctx, groups) : 1;
    bool any_fits = false, any_differs = false;

    for (int i = 0; i < n; i++) {
        pdf_obj *group = pdf_is_array(ctx, groups) ? pdf_array_get(ctx, groups, i) : groups;
        enum state state = state_of_group(ctx, evaluation->content, group);

        if (i >= FREE_WORK)
            spend_lookup(ctx, evaluation->content);
        any_fits |= state == wanted;
        any_differs |= state != wanted && state != STATE_NONE;
    }
    if (!any_fits && !any_differs)
        return STATE_NONE;
    return (all ? !any_differs : any_fits) ? STATE_ON : STATE_OFF;
}

/* An expression that is wrong or too large is as if it were not there. */
static enum state state_of_membership(fz_context *ctx, pdf_ocg_descriptor *content,
                                      pdf_obj *membership)
{
    struct evaluation evaluation = { .content = content, .left = DICTIONARY_WORK };
    pdf_obj *expression = pdf_dict_gets(ctx, membership, "VE");
    enum state state;

    if (pdf_is_array(ctx, expression)) {
        state = evaluate(ctx, &evaluation, expression, 0);
        if (!evaluation.invalid)
            return state;
    }
    return state_of_policy(ctx, &evaluation, pdf_dict_get(ctx, membership, PDF_NAME(OCGs)),
                           pdf_to_name(ctx, pdf_dict_get(ctx, membership, PDF_NAME(P))));
}

static bool is_membership(fz_context *ctx, pdf_obj *object)
{
    pdf_obj *type = pdf_dict_get(ctx, object, PDF_NAME(Type));

    return pdf_name_eq(ctx, type, PDF_NAME(OCMD)) ||
           (!type &&
            (pdf_dict_get(ctx, object, PDF_NAME(OCGs)) || pdf_dict_gets(ctx, object, "VE")));
}

static bool is_hidden(fz_context *ctx, pdf_ocg_descriptor *content, pdf_obj *object)
{
    int number = pdf_to_num(ctx, object);
    unsigned char known = peek_known(content, number);
    enum state state;

    if (known == MEMBERSHIP_ON || known == MEMBERSHIP_OFF)
        return known == MEMBERSHIP_OFF;
    if (known || !is_membership(ctx, object))
        return state_of_group(ctx, content, object) == STATE_OFF;
    state = state_of_membership(ctx, content, object);
    set_known(content, number, state == STATE_OFF ? MEMBERSHIP_OFF : MEMBERSHIP_ON);
    return state == STATE_OFF;
}

/* `usage` is View for all that platen draws or reads; NULL or "": everything is visible. */
int __wrap_pdf_is_ocg_hidden(fz_context *ctx, pdf_document *doc, pdf_obj *resources,
                             const char *usage, pdf_obj *object)
{
    pdf_ocg_descriptor *content;

    if (!usage || !*usage || !object)
        return 0;
    if (pdf_is_name(ctx, object))
        object = pdf_dict_get(ctx, pdf_dict_get(ctx, resources, PDF_NAME(Properties)), object);
    if (!pdf_is_dict(ctx, object))
        return 0;
    content = open_content(ctx, doc);
    return content->n_known > 0 && is_hidden(ctx, content, object);
}

void __wrap_pdf_drop_ocg(fz_context *ctx, pdf_document *doc)
{
    if (!doc || !doc->ocg)
        return;
    pdf_drop_obj(ctx, doc->ocg->intent);
    fz_free(ctx, doc->ocg->known);
    fz_free(ctx, doc->ocg);
    doc->ocg = NULL;
}
