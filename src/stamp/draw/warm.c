#include "stamp/draw/warm.h"

#include <fontconfig/fontconfig.h>

void draw_warm(void)
{
    FcInit();
}
