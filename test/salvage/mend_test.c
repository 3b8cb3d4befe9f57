/* tests of what salvage mends inside streams: drawings and pictures. */
#include <stdlib.h>
#include <string.h>

#include "image_repair/jpeg_made.h"

#include "base/scope.h"
#include "recovery/mend/cmap_mend.h"
#include "recovery/mend/content_mend.h"
#include "recovery/salvage/salvage.h"
#include "tap.h"

static void is_mended(const char *content, const char *want, const char *what)
{
    AUTO_BUF struct buf out = BUF_EMPTY;

    ok(content_mend(content, strlen(content), true, &out), "%s: there is memory", what);
    is_str(buf_text(&out), want, "%s", what);
}

static void check_paths(void)
{
    is_mended("5 5 l 1 1 m 5 5 l S 6 6 l S", "1 1 m\n5 5 l\nS\nS\n",
              "a line goes on from a point or is left out");
    is_mended("1 1 9 9 re 3 3 l f 2 2 l h f", "1 1 9 9 re\n3 3 l\nf\nf\n",
              "a rectangle gives a point, filling takes it");
    is_mended("4 w 90 w 1 1 m 2000 9 l S", "4 w\n90 w\n1 1 m\n2000 9 l\nS\n",
              "without damage widths and coordinates may be any");
    is_mended("4 w junk 90 w 3 w 1 1 m 2 2 l S", "4 w\n3 w\n1 1 m\n2 2 l\nS\n",
              "behind damage no line is broader than those before");
    is_mended("junk 1 1 m 99999 1 l 2 2 l S", "1 1 m\n2 2 l\nS\n",
              "nor does any go where nothing is");
    is_mended("2 0 0 2 0 0 cm junk 900 0 0 900 0 0 cm 1 0 0 99999 0 0 cm",
              "2 0 0 2 0 0 cm\n900 0 0 900 0 0 cm\n",
              "but anything may be made larger, within reason");
}

static void check_steps(void)
{
    AUTO_BUF struct buf content = BUF_EMPTY, want = BUF_EMPTY;

    buf_puts(&content, "300 300 m\n0 0 m\n");
    for (int i = 1; i <= 50; i++)
        buf_printf(&content, "%d 3 l\n", i);
    buf_puts(&content, "S\n");
    buf_put(&want, content.data, content.len);
    buf_puts(&content, "junk 9 9 m 9 12 l 299 9 l 9 9 l S");
    buf_puts(&want, "9 9 m\n9 12 l\n9 9 l\nS\n");
    is_mended(buf_text(&content), buf_text(&want), "nor does a path go farther at once");
}

static void check_fonts(void)
{
    is_mended("BT /F 9 Tf q (a) Tj Q ET", "BT\n/F 9 Tf\nq\n(a) Tj\nQ\nET\n",
              "a font holds inside of q");
    is_mended("q BT /F 9 Tf (a) Tj ET Q BT (b) Tj ET",
              "q\nBT\n/F 9 Tf\n(a) Tj\nET\nQ\nBT\n/F 9 Tf\n(b) Tj\nET\n",
              "behind a Q too many text has the font it had");
    is_mended("BT (a) Tj ET", "BT\n(a) Tj\nET\n", "where there never was one there is none");
    is_mended("/G gs BT (a) Tj ET", "/G gs\nBT\n(a) Tj\nET\n", "one may come from elsewhere");
}

static bool pictured(const char *filter, const char *data, size_t n, const char *want)
{
    AUTO_BUF struct buf text = BUF_EMPTY, out = BUF_EMPTY;
    struct salvage_report report;
    struct err err;

    buf_printf(&text,
               "1 0 obj<</Type/Page/MediaBox[0 0 9 9]/Resources<</XObject<</P 2 0 R>>>>>>endobj "
               "2 0 obj<</Subtype/Image/Width 7/Height 8/Filter %s/Length %zu>>stream\n",
               filter, n);
    buf_put(&text, data, n);
    buf_puts(&text, "\nendstream endobj");
    return salvage_file(text.data, text.len, NULL, &out, &report, &err) == 0 &&
           memmem(out.data, out.len, want, strlen(want));
}

static void check_pictures(void)
{
    static const char jpeg[] = "\xff\xd8\xff\xe0\0\4ab\xff\xc0\0\x11\10\0\3\0\5";
    static const char hex[] = "FFD8 FFc0 0011 08 0003 0005>";

    ok(pictured("/DCTDecode", jpeg, sizeof jpeg - 1, "/Width 5 /Height 3"),
       "a JPEG image gets the size that its data has");
    ok(pictured("[/ASCIIHexDecode/DCTDecode]", hex, sizeof hex - 1, "/Width 5 /Height 3"),
       "a JPEG image in hexadecimal digits gets the size of its data too");
    ok(pictured("/DCTDecode", jpeg, 14, "/Width 7"),
       "a JPEG header that is cut off changes no size");
    ok(pictured("/JPXDecode", jpeg, sizeof jpeg - 1, "/Width 7"),
       "data that is not a JPEG changes no size");
}

/* The image in a document, without `lost` bytes of its middle. */
static void put_image(const struct buf *image, size_t lost, struct buf *text)
{
    size_t half = image->len / 2;

    buf_printf(text,
               "1 0 obj<</Type/Page/MediaBox[0 0 9 9]/Resources<</XObject<</P 2 0 R>>>>>>endobj "
               "2 0 obj<</Subtype/Image/Width 160/Height 120/Filter/DCTDecode/Length %zu>>stream\n",
               image->len);
    buf_put(text, image->data, half);
    buf_put(text, image->data + half + lost, image->len - half - lost);
    buf_puts(text, "\nendstream endobj");
}

static void check_jpeg(void)
{
    static const struct jpeg_made made = { 160, 120, 3, 2, 75, 0, false, false, 3 };
    AUTO_BUF struct buf image = BUF_EMPTY, sound = BUF_EMPTY, damaged = BUF_EMPTY, out = BUF_EMPTY;
    struct salvage_report report;
    struct err err;
    const char *at;

    jpeg_made_write(&made, &image);
    put_image(&image, 0, &sound);
    ok(salvage_file(sound.data, sound.len, NULL, &out, &report, &err) == 0 &&
           report.mended_streams == 0 && memmem(out.data, out.len, image.data, image.len),
       "a sound JPEG image keeps its bytes");
    buf_free(&out);
    put_image(&image, 60, &damaged);
    ok(salvage_file(damaged.data, damaged.len, NULL, &out, &report, &err) == 0 &&
           report.mended_streams == 1 && report.sure[0] != SALVAGE_COMPLETE,
       "a damaged JPEG image is repaired, and its page is not reported as complete");
    at = memmem(out.data, out.len, image.data, image.len / 2 - 100);
    ok(at && memmem(at, (size_t) (out.data + out.len - at), "\xff\xd9", 2),
       "the repaired image has the bytes before the damage, and an end marker");
    ok(!memmem(out.data, out.len, image.data, image.len / 2 + 100),
       "the repaired image does not have the damaged bytes");
}

/* n entries from code 0x21 on, but for the third, each standing for what is `distance` further; the
 * last for something else if `odd`. */
static const char *mapped(int n, int distance, bool odd)
{
    static struct buf out;
    AUTO_BUF struct buf map = BUF_EMPTY;

    buf_puts(&map, "9 beginbfchar\n");
    for (int i = 0; i < n; i++)
        if (i != 2)
            buf_printf(&map, "<%04x> <%04x>\n", 0x21 + i,
                       0x21 + i + (odd && i == n - 1 ? 1 : distance));
    buf_free(&out);
    return cmap_mend(map.data, map.len, &out) ? buf_text(&out) : "";
}

static void check_cmaps(void)
{
    static const char cut[] = "1 beginbfrange <41>";
    AUTO_BUF struct buf out = BUF_EMPTY;
    char *exact = malloc(sizeof cut - 1); /* for the sanitizer: nothing is read behind it */

    if (exact && memcpy(exact, cut, sizeof cut - 1))
        ok(cmap_mend(exact, sizeof cut - 1, &out) && !strstr(buf_text(&out), "<41>"),
           "half an entry at the end of a CMap is dropped");
    free(exact);

    ok(strstr(mapped(12, 29, false), "<0021> <002c> <003e>"),
       "where all entries of a CMap follow one rule, codes between them get one by that rule");
    ok(strstr(mapped(12, 29, false), "<0022>  <003f>"),
       "the rebuilt CMap also has the entries that were read");
    ok(!strstr(mapped(12, 29, true), "beginbfrange"),
       "a CMap with one entry against the rule gets no rule");
    ok(!strstr(mapped(6, 29, false), "beginbfrange"),
       "a CMap with only a few entries gets no rule");
}

int main(void)
{
    check_cmaps();
    check_paths();
    check_steps();
    check_fonts();
    check_pictures();
    check_jpeg();
    return done_testing();
}
