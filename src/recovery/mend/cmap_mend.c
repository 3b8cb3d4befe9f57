#include "recovery/mend/cmap_mend.h"

#include <stdlib.h>
#include <string.h>

#include "syntax/pdf/syntax.h"

#define CODE_DIGITS 8   /* of a character code, at most */
#define TEXT_DIGITS 256 /* limit of the text of an entry */

static const char head[] =
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
    "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n"
    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n";
static const char tail[] = "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";

#define REGULAR 8 /* entries that say the same make a rule of it */

/* What the entries have in common: a text of one character that lies as far from the code. */
struct rule {
    size_t entries;
    long distance;
    unsigned long first, last; /* codes */
    bool broken;
};

struct entries {
    struct syntax s;
    struct buf *out;
    size_t digits; /* of the codes */
    struct rule rule;
};

static void learn_rule(struct rule *rule, const struct buf *first, const struct buf *last,
                       const struct buf *text)
{
    unsigned long code = strtoul(first->data + 1, NULL, 16);
    unsigned long end = last->len ? strtoul(last->data + 1, NULL, 16) : code;
    long distance = (long) strtoul(text->data + 1, NULL, 16) - (long) code;

    rule->broken = rule->broken || text->len != 6 || end < code ||
                   (rule->entries && distance != rule->distance);
    rule->distance = distance;
    rule->first = rule->entries && rule->first < code ? rule->first : code;
    rule->last = rule->entries && rule->last > end ? rule->last : end;
    rule->entries++;
}

/* The codes between those that were read, where all of these follow one rule; the last byte of a
 * code is all that a range may run over (9.10.3). */
static void fill_codes(const struct entries *e, struct buf *out)
{
    const struct rule *rule = &e->rule;
    int digits = (int) e->digits;

    if (rule->broken || rule->entries < REGULAR || digits > 4)
        return;
    for (unsigned long code = rule->first; code <= rule->last; code = (code | 0xff) + 1) {
        unsigned long end = (code | 0xff) < rule->last ? code | 0xff : rule->last;
        long text = (long) code + rule->distance;

        if (text > 0 && text <= 0xffff)
            buf_printf(out, "1 beginbfrange\n<%0*lx> <%0*lx> <%04lx>\nendbfrange\n", digits, code,
                       digits, end, (unsigned long) text);
    }
}

/* Reads "<0041>" and checks its digits. */
static bool read_hex(struct entries *e, size_t min, size_t max, struct buf *hex)
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
static void read_section(struct entries *e, bool range)
{
    AUTO_BUF struct buf first = BUF_EMPTY, last = BUF_EMPTY, text = BUF_EMPTY;

    for (;;) {
        syntax_skip_space(&e->s);
        if (e->s.at >= e->s.n || syntax_skip_word(&e->s, "end"))
            return;
        if (!read_hex(e, 2, CODE_DIGITS, &first) || (e->digits && first.len != e->digits + 2) ||
            (range && (!read_hex(e, 2, CODE_DIGITS, &last) || last.len != first.len))) {
            e->s.at += e->s.at < e->s.n; /* what was read may have been the last */
            continue;
        }
        if (!read_hex(e, 2, TEXT_DIGITS, &text))
            continue;
        e->digits = first.len - 2;
        learn_rule(&e->rule, &first, &last, &text);
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
            read_section(&e, false);
        else if (syntax_skip_word(&e.s, "range"))
            read_section(&e, true);
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
    fill_codes(&e, out); /* before the others: what was read counts more */
    buf_put(out, buf_text(&entries), entries.len);
    buf_puts(out, tail);
    return !out->failed && !entries.failed;
}
