/* Linked to a program or preloaded: libmicrohttpd is as if of a version that nobody has read. */
#include <microhttpd.h>

const char *MHD_get_version(void)
{
    return "0.9.9999";
}
