/*
 * jpeg_damage: whether libjpeg has found that a JPEG image is damaged, or ends early, while another
 * library decoded it. libjpeg continues after such a fault, with gray or repeated pixels, and only
 * counts it. The linker puts __wrap_jpeg_std_error in the place of libjpeg's function
 * (engine/meson.build); without it, nothing is found.
 */
#pragma once

#include <stdbool.h>

struct jpeg_error_mgr;

/* Whether the last warning of libjpeg tells of a loss, and not only of a broken rule. */
bool jpeg_damage_is_loss(const struct jpeg_error_mgr *manager);

/* Forgets what the thread has decoded so far. */
void jpeg_damage_begin(void);
/* Whether an image that the thread has decoded since then is damaged. */
bool jpeg_damage_found(void);
