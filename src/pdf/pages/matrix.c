#include "pdf/pages/matrix.h"

#include <math.h>
#include <string.h>

bool matrix_invert(const double m[static 6], double out[static 6])
{
    double det = m[0] * m[3] - m[1] * m[2];

    if (!(fabs(det) > 1e-12))
        return false;
    const double inverse[6] = { m[3] / det,
                                -m[1] / det,
                                -m[2] / det,
                                m[0] / det,
                                (m[2] * m[5] - m[3] * m[4]) / det,
                                (m[1] * m[4] - m[0] * m[5]) / det };

    memcpy(out, inverse, sizeof inverse);
    return true;
}

void matrix_point(const double m[static 6], double *x, double *y)
{
    double old = *x;

    *x = m[0] * old + m[2] * *y + m[4];
    *y = m[1] * old + m[3] * *y + m[5];
}

void matrix_box(const double m[static 6], const double box[static 4], double out[static 4])
{
    double left = INFINITY, bottom = INFINITY, right = -INFINITY, top = -INFINITY;

    for (int i = 0; i < 4; i++) {
        double x = box[i & 1 ? 2 : 0], y = box[i & 2 ? 3 : 1];

        matrix_point(m, &x, &y);
        left = fmin(left, x);
        bottom = fmin(bottom, y);
        right = fmax(right, x);
        top = fmax(top, y);
    }
    out[0] = left;
    out[1] = bottom;
    out[2] = right;
    out[3] = top;
}

double matrix_scale(const double m[static 6])
{
    return sqrt(fabs(m[0] * m[3] - m[1] * m[2]));
}

int matrix_turn(const double m[static 6])
{
    if (fabs(m[0]) >= fabs(m[1]))
        return m[0] >= 0 ? 0 : 180;
    return m[1] >= 0 ? 90 : 270;
}
