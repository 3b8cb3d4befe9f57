#include "recovery/undo/undo.h"

#include <string.h>

#include "base/scope.h"
#include "recovery/undo/code_pages.h"
#include "recovery/undo/escapes.h"
#include "recovery/undo/evidence.h"
#include "recovery/undo/records.h"
#include "recovery/undo/text_mode.h"
#include "recovery/undo/wrapping.h"

#define STEPS     8                   /* one after the other */
#define WORK_RATE 40                  /* bytes looked at for each of the file's, */
#define WORK_MIN  ((size_t) 64 << 20) /* and at least this many */

/* How much an inverse must say for itself. */
enum trust {
    TRUST_FORM,   /* the file has a form that nothing else has: taken if no check becomes false */
    TRUST_CHECKS, /* taken only if more checks are true */
};

typedef bool undo_fn(const unsigned char *data, size_t n, size_t max, unsigned variant,
                     struct buf *out);

static bool base64(const unsigned char *data, size_t n, size_t max, unsigned variant,
                   struct buf *out)
{
    (void) variant;
    return wrapping_base64(data, n, max, out);
}

static bool hex(const unsigned char *data, size_t n, size_t max, unsigned variant, struct buf *out)
{
    (void) variant;
    return wrapping_hex(data, n, max, out);
}

static bool uuencode(const unsigned char *data, size_t n, size_t max, unsigned variant,
                     struct buf *out)
{
    (void) variant;
    return wrapping_uuencode(data, n, max, out);
}

static bool utf16(const unsigned char *data, size_t n, size_t max, unsigned variant,
                  struct buf *out)
{
    (void) variant;
    return wrapping_utf16(data, n, max, out);
}

static bool packed(const unsigned char *data, size_t n, size_t max, unsigned variant,
                   struct buf *out)
{
    return variant == 0 ? wrapping_packed(data, n, max, out) : wrapping_zip(data, n, max, out);
}

static bool around(const unsigned char *data, size_t n, size_t max, unsigned variant,
                   struct buf *out)
{
    return variant == 0 ? wrapping_front(data, n, max, out) : wrapping_back(data, n, max, out);
}

static bool escapes(const unsigned char *data, size_t n, size_t max, unsigned variant,
                    struct buf *out)
{
    static bool (*const of[])(const unsigned char *, size_t,
                              struct buf *) = { escapes_percent, escapes_string, escapes_quoted };

    (void) max;
    return of[variant](data, n, out);
}

static bool characters(const unsigned char *data, size_t n, size_t max, unsigned variant,
                       struct buf *out)
{
    (void) max;
    return code_pages_decode(data, n, variant, out);
}

static bool shorten(const unsigned char *data, size_t n, size_t max, unsigned variant,
                    struct buf *out)
{
    (void) max;
    (void) variant;
    return code_pages_shorten(data, n, out);
}

static bool lines(const unsigned char *data, size_t n, size_t max, unsigned variant,
                  struct buf *out)
{
    (void) max;
    return text_mode_lines(data, n, variant, out);
}

/* Every line feed was made a carriage return. Which of these were none shows later (line_search.h).
 */
static bool returns(const unsigned char *data, size_t n, size_t max, unsigned variant,
                    struct buf *out)
{
    return lines(data, n, max, TEXT_MODE_LINES - 1 + variant, out);
}

static bool marks(const unsigned char *data, size_t n, size_t max, unsigned variant,
                  struct buf *out)
{
    static bool (*const of[])(const unsigned char *, size_t,
                              struct buf *) = { records_chunks, records_long_lines, records_doubled,
                                                records_dots };

    (void) max;
    return of[variant](data, n, out);
}

static bool tabs(const unsigned char *data, size_t n, size_t max, unsigned variant, struct buf *out)
{
    (void) max;
    return records_tabs(data, n, variant == 0 ? 8 : 4, out);
}

static const struct inverse {
    undo_fn *undo;
    unsigned variants;
    enum trust trust;
    bool unwraps;
} inverses[] = {
    { packed, 2, TRUST_FORM, true },
    { base64, 1, TRUST_FORM, true },
    { hex, 1, TRUST_FORM, true },
    { uuencode, 1, TRUST_FORM, true },
    { utf16, 1, TRUST_FORM, true },
    { escapes, 3, TRUST_FORM, true },
    { marks, 4, TRUST_CHECKS, true },
    { characters, CODE_PAGES, TRUST_FORM, false },
    { lines, TEXT_MODE_LINES - 1, TRUST_CHECKS, false },
    { returns, 1, TRUST_FORM, false },
    { tabs, 2, TRUST_CHECKS, false },
    { shorten, 1, TRUST_CHECKS, false },
    { around, 2, TRUST_FORM, false },
};

struct search {
    struct buf best; /* of this step */
    struct evidence evidence;
    size_t weight;
    const struct inverse *by;
    size_t work; /* left */
};

static bool spend_work(struct search *s, size_t n)
{
    bool enough = s->work >= n;

    s->work -= enough ? n : s->work;
    return enough;
}

static void try(struct search *s, const unsigned char *data, size_t n, size_t max, size_t before,
                const struct inverse *inverse, unsigned variant)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct evidence evidence;
    size_t weight;
    bool better;

    if (!spend_work(s, n) || !inverse->undo(data, n, max, variant, &out) || out.len > max ||
        out.failed || (out.len == n && memcmp(out.data, data, n) == 0) || !spend_work(s, out.len))
        return;
    evidence_find((const unsigned char *) buf_text(&out), out.len, &evidence);
    weight = evidence_weight(&evidence);
    better = s->by ? weight > s->weight
                   : weight > before || (inverse->trust == TRUST_FORM && weight == before);
    if (!better)
        return;
    buf_free(&s->best);
    s->best = out;
    out = BUF_EMPTY;
    s->evidence = evidence;
    s->weight = weight;
    s->by = inverse;
}

bool undo_file(const unsigned char *data, size_t n, size_t max, struct buf *out,
               struct undo_report *report)
{
    AUTO_BUF struct buf now = BUF_EMPTY;
    struct search s = { .work = n < WORK_MIN / WORK_RATE ? WORK_MIN : n * WORK_RATE };
    struct evidence evidence;

    *report = (struct undo_report){ 0 };
    evidence_find(data, n, &evidence);
    while (report->steps < STEPS && n > 0 && !evidence_is_whole(&evidence)) {
        size_t before = evidence_weight(&evidence);

        s.by = NULL;
        for (size_t i = 0; i < COUNT(inverses); i++)
            for (unsigned variant = 0; variant < inverses[i].variants; variant++)
                try(&s, data, n, max, before, &inverses[i], variant);
        if (!s.by)
            break;
        buf_free(&now);
        now = s.best;
        s.best = BUF_EMPTY;
        data = (const unsigned char *) now.data;
        n = now.len;
        evidence = s.evidence;
        report->steps++;
        if (s.by->unwraps)
            report->unwrapped = true;
        else if (s.by->undo != around)
            report->text_mode = true;
    }
    if (report->steps > 0)
        buf_put(out, now.data, now.len);
    return report->steps > 0 && !out->failed;
}
