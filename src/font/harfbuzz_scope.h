/* harfbuzz_scope: HarfBuzz's objects that end with the block they are declared in. */
#pragma once

#include <hb.h>

static inline void harfbuzz_scope_face(hb_face_t **face)
{
    hb_face_destroy(*face);
}

static inline void harfbuzz_scope_blob(hb_blob_t **blob)
{
    hb_blob_destroy(*blob);
}

#define AUTO_FACE __attribute__((cleanup(harfbuzz_scope_face)))
#define AUTO_BLOB __attribute__((cleanup(harfbuzz_scope_blob)))
