#include "server/config/value.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "base/system/net.h"

struct unit {
    const char *name;
    int64_t factor;
};

static const struct unit byte_units[] = {
    { "", 1 }, { "k", 1000 }, { "M", 1000000 }, { "G", 1000000000 }, { "T", 1000000000000 }
};
static const struct unit time_units[] = { { "ms", 1 },      { "s", 1000 },     { "m", 60000 },
                                          { "h", 3600000 }, { "d", 86400000 }, { "", 1000 } };

/* Reads a whole number and a unit. */
static bool parse_amount(const char *value, const struct unit *units, size_t n_units, int64_t *out)
{
    size_t digits = strspn(value, "0123456789");
    int64_t v;

    if (!num_parse_i64(value, digits, 0, INT64_MAX, &v))
        return false;
    for (size_t i = 0; i < n_units; i++)
        if (strcmp(value + digits, units[i].name) == 0)
            return !__builtin_mul_overflow(v, units[i].factor, out);
    return false;
}

static bool parse_bool(const char *value, bool *out)
{
    *out = strcmp(value, "true") == 0;
    return *out || strcmp(value, "false") == 0;
}

static int parse_nets(const char *name, const char *value, struct net_list *out, struct err *err)
{
    struct net_list list;
    struct err why;

    if (net_list_read(value, &list, &why) < 0)
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s: %s", name, why.msg);
    *out = list;
    return 0;
}

/* *out is untouched when the value is refused. */
int value_parse(enum value_type type, const char *name, const char *value, void *out,
                struct err *err)
{
    switch (type) {
    case VALUE_TEXT:
    case VALUE_SECRET:
        if (strlen(value) >= VALUE_TEXT_BYTES)
            return err_field(err, ERR_INVALID_PARAMETER, name, "%s is longer than %d bytes", name,
                             VALUE_TEXT_BYTES - 1);
        memcpy(out, value, strlen(value) + 1);
        return 0;
    case VALUE_LABEL:
        if (strlen(value) >= VALUE_LABEL_BYTES)
            return err_field(err, ERR_INVALID_PARAMETER, name, "%s is at most %d characters", name,
                             VALUE_LABEL_BYTES - 1);
        memcpy(out, value, strlen(value) + 1);
        return 0;
    case VALUE_INT:
        if (num_parse_i64(value, strlen(value), 0, 1000000000, out))
            return 0;
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s must be a whole number", name);
    case VALUE_BYTES:
        if (parse_amount(value, byte_units, COUNT(byte_units), out))
            return 0;
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a number of bytes such as 500k, 20M or 2G", name);
    case VALUE_TIME:
        if (parse_amount(value, time_units, COUNT(time_units), out))
            return 0;
        return err_field(err, ERR_INVALID_PARAMETER, name,
                         "%s must be a time such as 250ms, 30s, 5m, 24h or 7d", name);
    case VALUE_BOOL:
        if (parse_bool(value, out))
            return 0;
        return err_field(err, ERR_INVALID_PARAMETER, name, "%s must be true or false", name);
    case VALUE_NETS:
        return parse_nets(name, value, out, err);
    }
    return err_set(err, ERR_INTERNAL, "%s has an unknown type", name);
}

/* Writes the number with the largest unit that divides it. */
static void show_amount(int64_t value, const struct unit *units, size_t n, char *out, size_t cap)
{
    const struct unit *best = &units[0];

    for (size_t i = 0; i < n; i++)
        if (*units[i].name && value && value % units[i].factor == 0 &&
            units[i].factor >= best->factor)
            best = &units[i];
    snprintf(out, cap, "%lld%s", (long long) (value / best->factor), best->name);
}

void value_show(enum value_type type, const void *value, char *out, size_t cap)
{
    const char *text = value;

    switch (type) {
    case VALUE_TEXT:
    case VALUE_LABEL:
        snprintf(out, cap, "%s", text);
        break;
    case VALUE_SECRET:
        snprintf(out, cap, "%s", *text ? "(hidden)" : "");
        break;
    case VALUE_INT:
        snprintf(out, cap, "%lld", (long long) *(const int64_t *) value);
        break;
    case VALUE_BYTES:
        show_amount(*(const int64_t *) value, byte_units, COUNT(byte_units), out, cap);
        break;
    case VALUE_TIME:
        show_amount(*(const int64_t *) value, time_units, COUNT(time_units), out, cap);
        break;
    case VALUE_BOOL:
        snprintf(out, cap, "%s", *(const bool *) value ? "true" : "false");
        break;
    case VALUE_NETS:
        snprintf(out, cap, "%s", ((const struct net_list *) value)->text);
        break;
    }
}

size_t value_size(enum value_type type)
{
    switch (type) {
    case VALUE_TEXT:
    case VALUE_SECRET:
        return VALUE_TEXT_BYTES;
    case VALUE_LABEL:
        return VALUE_LABEL_BYTES;
    case VALUE_INT:
    case VALUE_BYTES:
    case VALUE_TIME:
        return sizeof(int64_t);
    case VALUE_BOOL:
        return sizeof(bool);
    case VALUE_NETS:
        return sizeof(struct net_list);
    }
    return 0;
}

bool value_same(enum value_type type, const void *a, const void *b)
{
    /* A list of networks begins with its text. Bytes after the end of a text are ignored. */
    if (type == VALUE_TEXT || type == VALUE_LABEL || type == VALUE_SECRET || type == VALUE_NETS)
        return strcmp(a, b) == 0;
    return memcmp(a, b, value_size(type)) == 0;
}
