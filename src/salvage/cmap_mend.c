#include "salvage/cmap_mend.h"

#include <string.h>

#include "salvage/syntax.h"

#define CODE_DIGITS 8   /* of a character code, at most */
#define TEXT_DIGITS 256 /* of the text it stands for */

static const char head[] =
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
    "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n"
    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n";
static const char tail[] = "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";

struct entries {
    struct syntax s;
    struct buf *out;
    size_t digits; /* of the codes */
};

/* "<0041>": reads one, judges its digits. */
static bool take_hex(struct entries *e, size_t min, size_t max, struct buf *hex)
{
    struct syntax before;

    syntax_skip_space(&e->s);
    before = e->s;
    hex->len = 0;
    e->s.mended = false;
    if (e->s.at >= e->s.n || e->s.data[e->s.at] != '<' || !syntax_read(&e->s, hex) || e->s.mended ||
        hex->len < min + 2 || hex->len > max + 2 || hex->len % 2) {
        e->s = before;
        return false;
    }
    return true;
}

/* The entries up to "endbfchar" or "endbfrange", one line each in a section of their own. */
static void take_section(struct entries *e, bool range)
{
    AUTO_BUF struct buf first = BUF_EMPTY, last = BUF_EMPTY, text = BUF_EMPTY;

    for (;;) {
        syntax_skip_space(&e->s);
        if (e->s.at >= e->s.n || syntax_skip_word(&e->s, "end"))
            return;
        if (!take_hex(e, 2, CODE_DIGITS, &first) || (e->digits && first.len != e->digits + 2) ||
            (range && (!take_hex(e, 2, CODE_DIGITS, &last) || last.len != first.len))) {
            e->s.at++;
            continue;
        }
        if (!take_hex(e, 2, TEXT_DIGITS, &text))
            continue;
        e->digits = first.len - 2;
        buf_printf(e->out, "1 beginbf%s\n%s %s %s\nendbf%s\n", range ? "range" : "char",
                   buf_text(&first), range ? buf_text(&last) : "", buf_text(&text),
                   range ? "range" : "char");
    }
}

bool cmap_mend(const char *data, size_t n, struct buf *out)
{
    AUTO_BUF struct buf entries = BUF_EMPTY;
    struct entries e = { .s = { (const unsigned char *) data, n, 0, false }, .out = &entries };
    const char *at = data, *end = n ? data + n : data; /* NULL of nothing */

    while (at && (at = memmem(at, (size_t) (end - at), "beginbf", 7))) {
        e.s.at = (size_t) (at - data) + 7;
        if (syntax_skip_word(&e.s, "char"))
            take_section(&e, false);
        else if (syntax_skip_word(&e.s, "range"))
            take_section(&e, true);
        at = data + e.s.at;
    }
    buf_puts(out, head);
    buf_puts(out, "1 begincodespacerange\n<");
    for (size_t i = 0; i < e.digits; i++)
        buf_putc(out, '0');
    buf_puts(out, "> <");
    for (size_t i = 0; i < e.digits; i++)
        buf_putc(out, 'F');
    buf_puts(out, ">\nendcodespacerange\n");
    buf_put(out, buf_text(&entries), entries.len);
    buf_puts(out, tail);
    return !out->failed && !entries.failed;
}
