#include "compress/icc/icc_convert.h"

#include <lcms2.h>
#include <lcms2_plugin.h>
#include <stdlib.h>

#include "base/octets.h"
#include "base/scope.h"

#define HEADER     128          /* bytes; the first four say how many there are */
#define MOST_BYTES (4UL << 20)  /* of a profile */
#define MOST_ALLOC (64UL << 20) /* bytes of one allocation by the library */
#define AT_ONCE    (1UL << 20)  /* pixels of one call */

struct icc_convert {
    cmsContext context;
    cmsHPROFILE from, srgb;
    unsigned channels;
    cmsHTRANSFORM colours[ICC_INTENTS], pixels[ICC_INTENTS]; /* NULL until needed */
};

static void *allocate(cmsContext context, cmsUInt32Number size)
{
    (void) context;
    return size <= MOST_ALLOC ? malloc(size) : NULL;
}

static void release(cmsContext context, void *bytes)
{
    (void) context;
    free(bytes);
}

static void *extend(cmsContext context, void *bytes, cmsUInt32Number size)
{
    (void) context;
    return size <= MOST_ALLOC ? realloc(bytes, size) : NULL;
}

static cmsContext new_context(void)
{
    cmsPluginMemHandler memory = { .base = { .Magic = cmsPluginMagicNumber,
                                             .ExpectedVersion = 2000,
                                             .Type = cmsPluginMemHandlerSig },
                                   .MallocPtr = allocate,
                                   .FreePtr = release,
                                   .ReallocPtr = extend };

    return cmsCreateContext(&memory, NULL);
}

/* Whether its class converts from a device, its space has these channels, and it converts by tables
 * and curves, whose number is limited, not by chains of elements. */
static bool is_usable(cmsHPROFILE profile, unsigned channels)
{
    static const cmsTagSignature chains[] = { cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag,
                                              cmsSigDToB3Tag };
    cmsProfileClassSignature class = cmsGetDeviceClass(profile);
    cmsColorSpaceSignature space = cmsGetColorSpace(profile);

    if (class != cmsSigInputClass && class != cmsSigDisplayClass && class != cmsSigOutputClass &&
        class != cmsSigColorSpaceClass)
        return false;
    for (size_t i = 0; i < COUNT(chains); i++)
        if (cmsIsTag(profile, chains[i]))
            return false;
    return (channels == 1 && space == cmsSigGrayData) ||
           (channels == 3 && space == cmsSigRgbData) || (channels == 4 && space == cmsSigCmykData);
}

struct icc_convert *icc_convert_open(const void *profile, size_t n, unsigned channels)
{
    struct icc_convert *convert;

    if (n < HEADER || n > MOST_BYTES || octets_be32(profile) > n ||
        !(convert = calloc(1, sizeof *convert)))
        return NULL;
    convert->channels = channels;
    convert->context = new_context();
    if (convert->context) {
        convert->from = cmsOpenProfileFromMemTHR(convert->context, profile, (cmsUInt32Number) n);
        convert->srgb = cmsCreate_sRGBProfileTHR(convert->context);
    }
    if (!convert->from || !convert->srgb || !is_usable(convert->from, channels))
        icc_convert_close(&convert);
    return convert;
}

void icc_convert_close(struct icc_convert **convert)
{
    struct icc_convert *c = *convert;

    if (!c)
        return;
    for (size_t i = 0; i < ICC_INTENTS; i++) {
        if (c->colours[i])
            cmsDeleteTransform(c->colours[i]);
        if (c->pixels[i])
            cmsDeleteTransform(c->pixels[i]);
    }
    if (c->from)
        cmsCloseProfile(c->from);
    if (c->srgb)
        cmsCloseProfile(c->srgb);
    if (c->context)
        cmsDeleteContext(c->context);
    free(c);
    *convert = NULL;
}

static cmsHTRANSFORM transform(struct icc_convert *c, cmsHTRANSFORM *made, cmsUInt32Number from,
                               cmsUInt32Number to, enum icc_intent intent)
{
    cmsUInt32Number flags =
        intent == ICC_ABSOLUTE ? 0 : (cmsUInt32Number) cmsFLAGS_BLACKPOINTCOMPENSATION;

    if (!made[intent])
        made[intent] = cmsCreateTransformTHR(c->context, c->from, from, c->srgb, to,
                                             (cmsUInt32Number) intent, flags | cmsFLAGS_NOCACHE);
    return made[intent];
}

bool icc_convert_colour(struct icc_convert *convert, enum icc_intent intent, const double *colour,
                        double rgb[static 3])
{
    cmsUInt32Number from = convert->channels == 1   ? TYPE_GRAY_DBL
                           : convert->channels == 3 ? TYPE_RGB_DBL
                                                    : TYPE_CMYK_DBL;
    cmsHTRANSFORM how = transform(convert, convert->colours, from, TYPE_RGB_DBL, intent);
    double in[ICC_CONVERT_CHANNELS];

    if (!how)
        return false;
    for (size_t i = 0; i < convert->channels; i++) {
        in[i] = !(colour[i] > 0) ? 0 : colour[i] > 1 ? 1 : colour[i];
        if (convert->channels == 4) /* the library has inks in per cent */
            in[i] *= 100;
    }
    cmsDoTransform(how, in, rgb, 1);
    for (size_t i = 0; i < 3; i++)
        rgb[i] = !(rgb[i] > 0) ? 0 : rgb[i] > 1 ? 1 : rgb[i];
    return true;
}

bool icc_convert_pixels(struct icc_convert *convert, enum icc_intent intent, const uint8_t *pixels,
                        size_t n, uint8_t *rgb)
{
    cmsUInt32Number from = convert->channels == 1   ? TYPE_GRAY_8
                           : convert->channels == 3 ? TYPE_RGB_8
                                                    : TYPE_CMYK_8;
    cmsHTRANSFORM how = transform(convert, convert->pixels, from, TYPE_RGB_8, intent);

    if (!how)
        return false;
    for (size_t at = 0; at < n; at += AT_ONCE) {
        size_t now = n - at < AT_ONCE ? n - at : AT_ONCE;

        cmsDoTransform(how, pixels + at * convert->channels, rgb + at * 3, (cmsUInt32Number) now);
    }
    return true;
}
