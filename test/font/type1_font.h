/* A Type 1 font for tests: charstrings are written as text, and encrypted as fonts have them. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"

static const char *const type1_ops[][2] = {
    { "hstem", "\1" },      { "vstem", "\3" },
    { "vmoveto", "\4" },    { "rlineto", "\5" },
    { "hlineto", "\6" },    { "vlineto", "\7" },
    { "rrcurveto", "\10" }, { "closepath", "\11" },
    { "callsubr", "\12" },  { "return", "\13" },
    { "hsbw", "\15" },      { "endchar", "\16" },
    { "rmoveto", "\25" },   { "hmoveto", "\26" },
    { "vhcurveto", "\36" }, { "hvcurveto", "\37" },
    { "vstem3", "\14\1" },  { "seac", "\14\6" },
    { "div", "\14\14" },    { "callothersubr", "\14\20" },
    { "pop", "\14\21" },    { "setcurrentpoint", "\14\41" },
};

static inline void type1_encrypt(struct buf *out, const char *data, size_t n, unsigned key)
{
    for (size_t i = 0; i < n; i++) {
        unsigned c = ((unsigned char) data[i] ^ key >> 8) & 0xff;

        buf_putc(out, (char) c);
        key = ((c + key) * 52845 + 22719) & 0xffff;
    }
}

/* Appends "LENGTH RD BYTES", with four random bytes in front. */
static inline void type1_code(struct buf *out, const char *text)
{
    struct buf code = BUF_EMPTY, secret = BUF_EMPTY;
    char *copy = strdup(text), *rest = NULL;

    buf_puts(&code, "rand");
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        size_t i = 0;

        while (i < COUNT(type1_ops) && strcmp(type1_ops[i][0], word) != 0)
            i++;
        if (i < COUNT(type1_ops)) {
            buf_puts(&code, type1_ops[i][1]);
        } else { /* all numbers the long way */
            long value = strtol(word, NULL, 10);

            buf_putc(&code, (char) 255);
            for (int shift = 24; shift >= 0; shift -= 8)
                buf_putc(&code, (char) (value >> shift));
        }
    }
    type1_encrypt(&secret, code.data, code.len, 4330);
    buf_printf(out, "%zu RD ", secret.len);
    buf_put(out, secret.data, secret.len);
    free(copy);
    buf_free(&code);
    buf_free(&secret);
}

/* Glyphs: names and charstrings, a NULL at the end; `encoding` is what follows "/Encoding ". */
static inline void type1_make(struct buf *out, const char *encoding, const char *const *subrs,
                              const char *const *glyphs)
{
    struct buf secret = BUF_EMPTY;
    size_t n = 0;

    buf_printf(out,
               "%%!PS-AdobeFont-1.0: Test\n/FontName /Test def\n/PaintType 0 def\n"
               "/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/Encoding %s\n"
               "/FontBBox {-10 -20 1000 800} readonly def\ncurrentfile eexec\n",
               encoding);
    buf_puts(&secret, "\xff\xff\xff\xff"
                      "dup /Private 8 dict dup begin\n/BlueValues [-15 0 700 715] def\n"
                      "/BlueScale .04 def /StdHW [31.5] def /password 5839 def\n");
    while (subrs[n])
        n++;
    buf_printf(&secret, "/Subrs %zu array\n", n);
    for (size_t i = 0; i < n; i++) {
        buf_printf(&secret, "dup %zu ", i);
        type1_code(&secret, subrs[i]);
        buf_puts(&secret, " NP\n");
    }
    for (n = 0; glyphs[2 * n];)
        n++;
    buf_printf(&secret, "ND\n2 index /CharStrings %zu dict dup begin\n", n);
    for (size_t i = 0; i < n; i++) {
        buf_printf(&secret, "/%s ", glyphs[2 * i]);
        type1_code(&secret, glyphs[2 * i + 1]);
        buf_puts(&secret, " ND\n");
    }
    buf_puts(&secret, "end end readonly put mark currentfile closefile\n");
    type1_encrypt(out, secret.data, secret.len, 55665);
    buf_free(&secret);
}
