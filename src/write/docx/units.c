#include "write/docx/units.h"

#include <math.h>

#define MOST 1584.0F /* points: Word's pages are no larger */

static float within(float points)
{
    return !(points > -MOST) ? -MOST : points > MOST ? MOST : points;
}

int units_twips(float points)
{
    return (int) lrintf(within(points) * 20);
}

int64_t units_emu(float points)
{
    return (int64_t) lrintf(within(points) * 12700);
}
