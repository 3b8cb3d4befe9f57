/*
 * Input: a Type 1 font that is not encrypted yet: what follows "eexec" and a line's end is here.
 * With "/lenIV -1" its charstrings are plain too. All its glyphs are taken.
 */
#include "font/type1.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "font/cff.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static uint64_t keep[TYPE1_GLYPHS / 64];
    AUTO_TYPE1 struct type1 font = { 0 };
    AUTO_BUF struct buf out = BUF_EMPTY, font_file = BUF_EMPTY;
    AUTO_CFF struct cff cff = { 0 };
    const uint8_t *mark = memmem(data, n, "eexec\n", 6);
    size_t clear = mark ? (size_t) (mark - data) + 6 : n;
    unsigned key = 55665;

    memset(keep, 0xff, sizeof keep);
    buf_put(&font_file, data, clear);
    for (size_t i = clear; i < n; i++) {
        unsigned c = (data[i] ^ key >> 8) & 0xff;

        buf_putc(&font_file, (char) c);
        key = ((c + key) * 52845 + 22719) & 0xffff;
    }
    if (font_file.len > 0 && type1_open(&font, font_file.data, font_file.len) &&
        type1_to_cff(&font, keep, &out))
        cff_open(&cff, out.data, out.len);
    return 0;
}
