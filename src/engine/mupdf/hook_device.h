/*
 * hook_device: a MuPDF device in front of another one. It forwards each call, except for those that
 * the caller replaces by a hook, so that what a device gets can be counted, changed or left out
 * without touching that device.
 */
#pragma once

#include <mupdf/fitz.h>

struct hook_device {
    fz_device super; /* the caller replaces functions of it by hooks */
    fz_device *next; /* owned; hooks forward to it by fz_fill_path and the like */
    void *arg;       /* borrowed, for the hooks */
};

/* Puts a new device in front of *device, which it owns from then on: closing and dropping it closes
 * and drops both. May throw; then *device is as before. */
struct hook_device *hook_device_push(fz_context *ctx, fz_device **device, void *arg);

/* For hooks, which get the device that they were set in. */
static inline fz_device *hook_device_next(fz_device *device)
{
    return ((struct hook_device *) device)->next;
}

static inline void *hook_device_arg(fz_device *device)
{
    return ((struct hook_device *) device)->arg;
}
