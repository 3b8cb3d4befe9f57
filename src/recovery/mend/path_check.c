#include "recovery/mend/path_check.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

#define OPERANDS_MAX 6
#define BEYOND       1e9
#define KNOWN        40    /* coordinates that tell where the drawing is, steps that tell how far */
#define MARGIN       0.25  /* tolerance on each side, as a part of the extent */
#define RARE         100   /* one of RARE may be outside */
#define FAR          20000 /* where they are not known */
#define BROAD        50    /* a line, where no other is known */

static int read_operands(const char *text, size_t n, double *values)
{
    const char *end = text + n;
    int count = 0;

    while (text < end && count < OPERANDS_MAX) {
        size_t length = 0;

        while (text + length < end && text[length] != ' ')
            length++;
        if (length && !num_parse_double(text, length, -BEYOND, BEYOND, &values[count]))
            return -1;
        count += length > 0;
        text += length + (text + length < end);
    }
    return count;
}

static bool begins_path(const char *name)
{
    return strcmp(name, "m") == 0 || strcmp(name, "re") == 0;
}

static bool continues(const char *name)
{
    return name[0] && !name[1] && strchr("lcvyh", name[0]);
}

static bool is_near(const struct path_check *check, double value)
{
    double margin = MARGIN * (check->most - check->least);

    return check->n < KNOWN ? fabs(value) < FAR
                            : value >= check->least - margin && value <= check->most + margin;
}

static bool check_coordinates(struct path_check *check, const double *values, int n)
{
    for (int i = 0; i < n; i++) {
        if (check->damaged && !is_near(check, values[i]))
            return false;
        if (check->damaged)
            continue;
        check->least = check->n && check->least < values[i] ? check->least : values[i];
        check->most = check->n && check->most > values[i] ? check->most : values[i];
        check->n++;
    }
    return true;
}

/* By powers of two, from 1/16 on. */
static int length_class(double step)
{
    int power = step > 0 ? ilogb(step) + 4 : 0;

    return power < 0 ? 0 : power < PATH_LENGTHS ? power : PATH_LENGTHS - 1;
}

/* As long as nearly all before: a few of those may be damaged too, it shows late. */
static bool is_usual(struct path_lengths *lengths, double length, bool damaged)
{
    int power = length_class(length), usual = PATH_LENGTHS - 1;
    size_t longer = 0;

    if (!damaged) {
        lengths->of[power]++;
        lengths->n++;
        return true;
    }
    while (usual > 0 && (longer += lengths->of[usual]) <= lengths->n / RARE)
        usual--;
    return lengths->n < KNOWN || power <= usual;
}

/* How far a path goes on at once. */
static bool check_step(struct path_check *check, const char *name, const double *values, int n)
{
    double x, y;

    if (n < 2)
        return true;
    x = name[0] == 'r' ? values[0] : values[n - 2];
    y = name[0] == 'r' ? values[1] : values[n - 1];
    if (continues(name) &&
        !is_usual(&check->steps, hypot(x - check->x, y - check->y), check->damaged))
        return false;
    check->x = x;
    check->y = y;
    return true;
}

static bool check_width(struct path_check *check, double width)
{
    if (!is_usual(&check->widths, width, check->damaged))
        return false;
    if (check->damaged)
        return width <= (check->width > 0 ? check->width : BROAD);
    if (width > check->width)
        check->width = width;
    return true;
}

/* One of an image has the size of the image: what came before says nothing of it. */
static bool check_matrix(const struct path_check *check, const double *values)
{
    for (int i = 0; check->damaged && i < OPERANDS_MAX; i++)
        if (fabs(values[i]) > FAR)
            return false;
    return true;
}

static bool ends(const char *name)
{
    return strchr("fFbBSsn", name[0]) && (!name[1] || (name[1] == '*' && !name[2]));
}

bool path_check(struct path_check *check, const char *name, const char *operands, size_t n)
{
    double values[OPERANDS_MAX] = { 0 };
    int count = -1;

    if (ends(name)) {
        check->has_point = false;
        return true;
    }
    if (strcmp(name, "w") == 0 || strcmp(name, "cm") == 0 || begins_path(name) || continues(name))
        count = read_operands(operands, n, values);
    else
        return true;
    if (strcmp(name, "w") == 0)
        return count != 1 || check_width(check, values[0]);
    if (strcmp(name, "cm") == 0)
        return count != OPERANDS_MAX || check_matrix(check, values);
    if (count < 0 || (continues(name) && !check->has_point) ||
        !check_coordinates(check, values, count) || !check_step(check, name, values, count)) {
        check->has_point = check->has_point && continues(name);
        return false;
    }
    check->has_point = true;
    return true;
}
