/*
 * soft_mask: transfer functions of soft masks (ISO 32000-1, 11.6.5.3, /TR), which MuPDF 1.21
 * ignores. patch_soft_mask.c finds the function of each mask and applies it; these hooks carry it
 * from the one to the other, through a display list: as the names of two layers that follow the
 * begin of the mask.
 */
#pragma once

#include <mupdf/fitz.h>

#include "engine/mupdf/hook_device.h"

#define SOFT_MASK_LEVELS 256
#define SOFT_MASK_DEPTH  32 /* masks within masks; deeper ones are drawn without their function */

/* The open masks of a device that draws. */
struct soft_mask_drawing {
    int depth;
    struct soft_mask_open {
        unsigned char halves; /* bits: which halves of levels are known */
        unsigned char levels[SOFT_MASK_LEVELS];
    } open[SOFT_MASK_DEPTH];
};

/* Sets a hook in a device in front of a list device: it records the functions. */
void soft_mask_record(struct hook_device *hook);
/* Puts a device in front of one that draws a list: it applies what was recorded. May throw. */
void soft_mask_push(fz_context *ctx, fz_device **device, struct soft_mask_drawing *drawing);
