#include "image/codec/jpeg_damage.h"

#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h> /* needs <stdio.h> before it */

__typeof__(jpeg_std_error) __wrap_jpeg_std_error;
/* weak, as this function is missing in programs whose linking wraps nothing */
__attribute__((weak)) __typeof__(jpeg_std_error) __real_jpeg_std_error;

static _Thread_local bool found;

void jpeg_damage_begin(void)
{
    found = false;
}

bool jpeg_damage_found(void)
{
    return found;
}

/* Bytes too many between two segments do no harm, but where a restart marker is late. Wrong headers
 * do not either. */
bool jpeg_damage_is_loss(const struct jpeg_error_mgr *manager)
{
    int marker = manager->msg_parm.i[1];

    switch (manager->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_BOGUS_ICC:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_JFIF_MAJOR:
    case JWRN_JPEG_EOF: /* its end marker is missing: missing data is another warning */
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_TOO_MUCH_DATA:
        return false;
    case JWRN_EXTRANEOUS_DATA:
        return marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7;
    default:
        return true;
    }
}

static void hear_warning(j_common_ptr jpeg, int level)
{
    if (level >= 0)
        return;
    jpeg->err->num_warnings++;
    found = found || jpeg_damage_is_loss(jpeg->err);
}

struct jpeg_error_mgr *__wrap_jpeg_std_error(struct jpeg_error_mgr *manager)
{
    struct jpeg_error_mgr *made = __real_jpeg_std_error(manager);

    made->emit_message = hear_warning;
    return made;
}
