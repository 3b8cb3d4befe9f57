#include "print_profile.h"

#include <lcms2.h>
#include <math.h>
#include <stdlib.h>

#define POINTS 17 /* along each ink */

/* Inks that each take a part of the light; the black leaves a bit of it. */
static cmsInt32Number mix(const cmsUInt16Number in[], cmsUInt16Number out[], void *arg)
{
    static const double inks[3][3] = { { .95, .4, .15 }, { .15, .9, .5 }, { .02, .1, .9 } };
    static const double to_xyz[3][3] = { { .4361, .3851, .1431 },
                                         { .2225, .7169, .0606 },
                                         { .0139, .0971, .7141 } };
    double light[3] = { 0 }, xyz[3] = { 0 };
    cmsCIEXYZ colour;
    cmsCIELab lab;

    (void) arg;
    for (int i = 0; i < 3; i++) {
        light[i] = 1 - in[3] / 65535.0 * .96;
        for (int k = 0; k < 3; k++)
            light[i] *= 1 - in[k] / 65535.0 * inks[k][i];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            xyz[i] += to_xyz[i][k] * pow(light[k], 1.6);
    colour = (cmsCIEXYZ){ xyz[0], xyz[1], xyz[2] };
    cmsXYZ2Lab(cmsD50_XYZ(), &lab, &colour);
    cmsFloat2LabEncodedV2(out, &lab);
    return TRUE;
}

static void *saved(cmsHPROFILE profile, size_t *n)
{
    cmsUInt32Number bytes = 0;
    void *data;

    if (!cmsSaveProfileToMem(profile, NULL, &bytes) || !(data = malloc(bytes)))
        return NULL;
    if (!cmsSaveProfileToMem(profile, data, &bytes)) {
        free(data);
        return NULL;
    }
    *n = bytes;
    return data;
}

void *print_profile(size_t *n)
{
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(NULL);
    cmsPipeline *pipeline = cmsPipelineAlloc(NULL, 4, 3);
    cmsStage *table = cmsStageAllocCLut16bit(NULL, POINTS, 4, 3, NULL);
    void *data = NULL;

    if (profile && pipeline && table && cmsStageSampleCLut16bit(table, mix, NULL, 0) &&
        cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, table)) {
        table = NULL; /* it is the pipeline's */
        cmsSetProfileVersion(profile, 2.1);
        cmsSetDeviceClass(profile, cmsSigOutputClass);
        cmsSetColorSpace(profile, cmsSigCmykData);
        cmsSetPCS(profile, cmsSigLabData);
        if (cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ()) &&
            cmsWriteTag(profile, cmsSigAToB0Tag, pipeline) &&
            cmsLinkTag(profile, cmsSigAToB1Tag, cmsSigAToB0Tag))
            data = saved(profile, n);
    }
    if (table)
        cmsStageFree(table);
    if (pipeline)
        cmsPipelineFree(pipeline);
    if (profile)
        cmsCloseProfile(profile);
    return data;
}
