#include "declare/tool/param.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/nearest.h"
#include "base/num.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "declare/tool/input.h"
#include "declare/value/color.h"
#include "declare/value/language_list.h"
#include "declare/value/page_list.h"
#include "declare/value/paper.h"
#include "declare/value/saslprep.h"
#include "declare/value/template.h"
#include "declare/value/text.h"

/* A value without the blanks around it. */
struct span {
    const char *text;
    size_t n;
};

static struct span trim_value(const char *value)
{
    struct span s = { value, strlen(value) };

    while (s.n && isspace((unsigned char) s.text[0])) {
        s.text++;
        s.n--;
    }
    while (s.n && isspace((unsigned char) s.text[s.n - 1]))
        s.n--;
    return s;
}

static bool same_word(struct span s, const char *word)
{
    return s.n == strlen(word) && strncasecmp(s.text, word, s.n) == 0;
}

/* Fails with a message that says only what is wrong. */
static int fail_in(const struct param *p, struct err *err)
{
    snprintf(err->field, sizeof err->field, "%s", p->name);
    return err_wrap(err, "%s", p->name);
}

static int parse_bool(const struct param *p, const char *value, bool *out, struct err *err)
{
    static const char *const words[][4] = { { "false", "0", "no", "off" },
                                            { "true", "1", "yes", "on" } };
    struct span s = trim_value(value);

    for (int v = 0; v < 2; v++) {
        for (size_t i = 0; i < 4; i++) {
            if (same_word(s, words[v][i])) {
                *out = v == 1;
                return 0;
            }
        }
    }
    return err_field(err, ERR_INVALID_PARAMETER, p->name, "%s must be true or false", p->name);
}

static int parse_int(const struct param *p, const char *value, int64_t *out, struct err *err)
{
    struct span s = trim_value(value);
    int64_t v;

    if (num_parse_i64(s.text, s.n, (int64_t) p->min, (int64_t) p->max, &v) &&
        (p->step == 0 || v % p->step == 0)) {
        *out = v;
        return 0;
    }
    if (p->step)
        return err_field(err, ERR_INVALID_PARAMETER, p->name,
                         "%s must be a multiple of %" PRId64 " from %.16g to %.16g", p->name,
                         p->step, p->min, p->max);
    return err_field(err, ERR_INVALID_PARAMETER, p->name,
                     "%s must be a whole number from %.16g to %.16g", p->name, p->min, p->max);
}

/* "one, two, three" */
static void list_choices(const struct param *p, char *out, size_t cap)
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; p->choices[i] && n < cap; i++)
        n += (size_t) snprintf(out + n, cap - n, "%s%s", i ? ", " : "", p->choices[i]);
}

/* Finds the choice of a value, or NULL. */
static const char *find_choice(const struct param *p, struct span s)
{
    for (size_t i = 0; p->choices && p->choices[i]; i++)
        if (same_word(s, p->choices[i]))
            return p->choices[i];
    return NULL;
}

static int parse_number(const struct param *p, const char *value, double *out, struct err *err)
{
    struct span s = trim_value(value);
    char words[64] = "";

    if (num_parse_double(s.text, s.n, p->min, p->max, out))
        return 0;
    if (find_choice(p, s)) {
        *out = NAN;
        return 0;
    }
    if (p->choices)
        list_choices(p, words, sizeof words);
    return err_field(err, ERR_INVALID_PARAMETER, p->name,
                     "%s must be a number from %.15g to %.15g%s%s", p->name, p->min, p->max,
                     *words ? ", or " : "", words);
}

static int parse_color(const struct param *p, const char *value, uint32_t *out, struct err *err)
{
    struct span s = trim_value(value);

    if (color_parse(s.text, s.n, out))
        return 0;
    return err_field(err, ERR_INVALID_PARAMETER, p->name,
                     "%s must be a colour as #rgb or #rrggbb in hex digits", p->name);
}

static int parse_choice(const struct param *p, const char *value, const char **out, struct err *err)
{
    const char *choice = find_choice(p, trim_value(value));
    char list[160];

    if (choice) {
        *out = choice;
        return 0;
    }
    list_choices(p, list, sizeof list);
    return err_field(err, ERR_INVALID_PARAMETER, p->name, "%s must be one of: %s", p->name, list);
}

/* The words of a list, which may have blanks around them. */
static int parse_choices(const struct param *p, const char *value, uint64_t *out, struct err *err)
{
    char list[240];
    uint64_t bits = 0;

    for (const char *from = value, *end; from; from = *end ? end + 1 : NULL) {
        struct span s = { from, 0 };
        size_t i = 0;

        end = from + strcspn(from, ",");
        while (from < end && isspace((unsigned char) *from))
            from++;
        s = (struct span){ from, (size_t) (end - from) };
        while (s.n && isspace((unsigned char) s.text[s.n - 1]))
            s.n--;
        while (p->choices[i] && !same_word(s, p->choices[i]))
            i++;
        if (!p->choices[i] || i >= 64) {
            list_choices(p, list, sizeof list);
            return err_field(err, ERR_INVALID_PARAMETER, p->name,
                             "%s must be one or several of these, divided by commas: %s", p->name,
                             list);
        }
        bits |= (uint64_t) 1 << i;
    }
    *out = bits;
    return 0;
}

static int parse_text(const struct param *p, const char *value, struct err *err)
{
    size_t n;

    if (!text_count(value, strlen(value), &n))
        return err_field(err, ERR_INVALID_PARAMETER, p->name,
                         "%s must be UTF-8 text without control characters", p->name);
    if ((double) n < p->min || (double) n > p->max)
        return err_field(err, ERR_INVALID_PARAMETER, p->name,
                         "%s must have %.15g to %.15g characters", p->name, p->min, p->max);
    if (p->choices && template_check(value, p->choices, err) < 0)
        return fail_in(p, err);
    return 0;
}

static int parse_paper(const struct param *p, const char *value, struct err *err)
{
    struct paper paper;
    struct err why;

    if (paper_parse(value, &paper, &why) == 0)
        return 0;
    return err_field(err, why.code, p->name, "%s %s", p->name, why.msg);
}

static int parse_languages(const struct param *p, const char *value, struct err *err)
{
    struct span s = trim_value(value);
    AUTO_FREE char *text = strndup(s.text, s.n);

    if (!text)
        return err_sys(err, "languages");
    return language_list_check(text, p->choices, err) == 0 ? 0 : fail_in(p, err);
}

static int parse_secret(const struct param *p, const char *value, struct err *err)
{
    size_t n = strlen(value);

    if ((double) n < p->min)
        return err_field(err, ERR_INVALID_PARAMETER, p->name, "%s must not be empty", p->name);
    if ((double) n > p->max)
        return err_field(err, ERR_INVALID_PARAMETER, p->name,
                         "%s must have at most %.15g bytes of UTF-8", p->name, p->max);
    if (!utf8_is_valid(value, n))
        return err_field(err, ERR_INVALID_PARAMETER, p->name, "%s must be UTF-8", p->name);
    return 0;
}

int param_check_upload(const struct param *param, int64_t bytes, struct err *err)
{
    if (param->type != PARAM_UPLOAD)
        return err_field(err, ERR_INVALID_PARAMETER, param->name, "%s is a value and not a file",
                         param->name);
    if ((double) bytes > param->max)
        return err_field(err, ERR_FILE_TOO_LARGE, param->name, "%s must have at most %.15g bytes",
                         param->name, param->max);
    return 0;
}

static int prepare_password(const struct param *p, const char *value, char **out, struct err *err)
{
    size_t cap = SASLPREP_ROOM(strlen(value));
    AUTO_FREE char *prepared = calloc(1, cap);

    if (!prepared)
        return err_sys(err, "password");
    memcpy(prepared, value, strlen(value));
    if (saslprep(prepared, cap) < 0)
        return err_field(err, ERR_INVALID_PARAMETER, p->name,
                         "%s must be UTF-8 text without control characters", p->name);
    if (parse_secret(p, prepared, err) < 0)
        return -1;
    *out = scope_take_ptr(&prepared);
    return 0;
}

bool param_is_secret(const struct param *param)
{
    return param->type == PARAM_SECRET || param->type == PARAM_PASSWORD;
}

static bool is_called(const struct param *p, const char *name)
{
    return strcmp(p->name, name) == 0 || (p->alias && strcmp(p->alias, name) == 0);
}

const struct param *param_find(const struct param *table, size_t n_params, const char *name)
{
    for (size_t i = 0; i < n_params; i++)
        if (is_called(&table[i], name))
            return &table[i];
    return NULL;
}

/* Room for any parsed value. */
union parsed {
    bool truth;
    int64_t whole;
    double real;
    uint64_t bits;
    uint32_t color;
    const char *text;
    const struct tool_input *file;
};

static int refuse_value(const struct param *p, struct err *err)
{
    return err_field(err, ERR_INVALID_PARAMETER, p->name, "%s must be a file", p->name);
}

/* Sets *out to the field's value; texts point to `value` or into the table. */
static int parse(const struct param *p, const char *value, union parsed *out, struct err *err)
{
    out->text = value;
    switch (p->type) {
    case PARAM_BOOL:
        return parse_bool(p, value, &out->truth, err);
    case PARAM_INT:
        return parse_int(p, value, &out->whole, err);
    case PARAM_NUMBER:
        return parse_number(p, value, &out->real, err);
    case PARAM_COLOR:
        return parse_color(p, value, &out->color, err);
    case PARAM_CHOICE:
        return parse_choice(p, value, &out->text, err);
    case PARAM_CHOICES:
        return parse_choices(p, value, &out->bits, err);
    case PARAM_TEXT:
        return parse_text(p, value, err);
    case PARAM_PAGES:
        return page_list_check(value, err) == 0 ? 0 : fail_in(p, err);
    case PARAM_LANGUAGES:
        return parse_languages(p, value, err);
    case PARAM_PAPER:
        return parse_paper(p, value, err);
    case PARAM_SECRET:
    case PARAM_PASSWORD:
        return parse_secret(p, value, err);
    case PARAM_UPLOAD:
        return refuse_value(p, err);
    }
    return err_set(err, ERR_INTERNAL, "%s has an unknown type", p->name);
}

int param_check(const struct param *param, const char *value, char **canonical, struct err *err)
{
    AUTO_FREE char *text = NULL;
    union parsed parsed;

    if (param->type == PARAM_PASSWORD) {
        if (prepare_password(param, value, &text, err) < 0)
            return -1;
    } else {
        if (parse(param, value, &parsed, err) < 0)
            return -1;
        if (param->type == PARAM_BOOL) {
            text = strdup(parsed.truth ? "true" : "false");
        } else if (param->type == PARAM_CHOICE) {
            text = strdup(parsed.text);
        } else if (param->type == PARAM_TEXT || param->type == PARAM_SECRET) {
            text = strdup(value);
            if (text && param->type == PARAM_TEXT)
                text_join_breaks(text);
        } else {
            struct span s = trim_value(value);
            text = strndup(s.text, s.n);
        }
    }
    if (!text)
        return err_sys(err, "parameter");
    if (canonical)
        *canonical = scope_take_ptr(&text);
    return 0;
}

struct table {
    const struct param *list;
    size_t n;
};

static const char *name_at(const void *arg, size_t i)
{
    const struct table *table = arg;

    return i < table->n ? table->list[i].name : NULL;
}

static int refuse_unknown(const struct param *params, size_t n_params, const char *name,
                          struct err *err)
{
    const struct table table = { params, n_params };
    const char *nearest = nearest_name(name, name_at, &table);
    char shown[48];

    text_for_message(name, strlen(name), shown, sizeof shown);
    if (nearest)
        return err_field(err, ERR_UNKNOWN_FIELD, shown,
                         "there is no field \"%s\": did you mean %s?", shown, nearest);
    return err_field(err, ERR_UNKNOWN_FIELD, shown, "there is no field \"%s\": leave it out",
                     shown);
}

static const struct param_input *given(const struct param *p, const struct param_input *in,
                                       size_t n_in)
{
    for (size_t i = 0; i < n_in; i++)
        if (is_called(p, in[i].name))
            return &in[i];
    return NULL;
}

static int check_input(const struct param *p, const struct param_input *in, struct err *err)
{
    return in->file ? param_check_upload(p, in->file->bytes, err)
                    : param_check(p, in->value, NULL, err);
}

int param_check_all(const struct param *table, size_t n_params, const struct param_input *in,
                    size_t n_in, struct err *err)
{
    for (size_t i = 0; i < n_in; i++) {
        const struct param *p = param_find(table, n_params, in[i].name);

        if (!p)
            return refuse_unknown(table, n_params, in[i].name, err);
        if (given(p, in, i))
            return err_field(err, ERR_INVALID_PARAMETER, p->name, "%s is given twice", p->name);
        if (check_input(p, &in[i], err) < 0)
            return -1;
    }
    for (size_t i = 0; i < n_params; i++)
        if (table[i].required && !given(&table[i], in, n_in))
            return err_field(err, ERR_MISSING_FIELD, table[i].name, "the field %s is missing",
                             table[i].name);
    return 0;
}

static void store_field(const struct param *p, const union parsed *value, void *out)
{
    void *field = (char *) out + p->offset;

    switch (p->type) {
    case PARAM_BOOL:
        *(bool *) field = value->truth;
        return;
    case PARAM_INT:
        *(int64_t *) field = value->whole;
        return;
    case PARAM_NUMBER:
        *(double *) field = value->real;
        return;
    case PARAM_COLOR:
        *(uint32_t *) field = value->color;
        return;
    case PARAM_CHOICES:
        *(uint64_t *) field = value->bits;
        return;
    case PARAM_TEXT:
    case PARAM_CHOICE:
    case PARAM_PAGES:
    case PARAM_PAPER:
    case PARAM_LANGUAGES:
    case PARAM_SECRET:
    case PARAM_PASSWORD:
        *(const char **) field = value->text;
        return;
    case PARAM_UPLOAD:
        *(const struct tool_input **) field = value->file;
        return;
    }
}

int param_fill(const struct param *table, size_t n_params, const struct param_input *in,
               size_t n_in, void *out, struct err *err)
{
    if (param_check_all(table, n_params, in, n_in, err) < 0)
        return -1;
    for (size_t i = 0; i < n_params; i++) {
        const struct param_input *input = given(&table[i], in, n_in);
        const char *value = input ? input->value : table[i].preset;
        union parsed parsed;

        if (input && input->file)
            parsed.file = input->file;
        else if (!value)
            continue;
        else if (parse(&table[i], value, &parsed, err) < 0)
            return -1;
        store_field(&table[i], &parsed, out);
    }
    return 0;
}
