#include "write/docx/proof.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "write/opc/package.h"

static void put_character(struct proof *proof, char c)
{
    if (proof->n_sums == 0 || c == ' ')
        return;
    proof->sums[proof->n_sums - 1] = fnv_mix(proof->sums[proof->n_sums - 1], (unsigned char) c);
    if (proof->keep)
        buf_putc(&proof->text, c);
}

void proof_add(struct proof *proof, uint64_t sum)
{
    if (proof->n_sums == proof->cap_sums) {
        size_t cap = proof->cap_sums * 2 + 64;
        uint64_t *more = reallocarray(proof->sums, cap, sizeof *more);

        if (!more) {
            proof->failed = true;
            return;
        }
        proof->sums = more;
        proof->cap_sums = cap;
    }
    proof->sums[proof->n_sums++] = sum;
}

/* Text that Word generates, which is not in the file. */
static void put_page_number(struct proof *proof)
{
    if (proof->keep)
        buf_printf(&proof->text, "%d", proof->number++);
}

static void end_tag(struct proof *proof)
{
    const char *tag = proof->part;

    proof->part[proof->n_part] = '\0';
    proof->state = PROOF_OUTSIDE;
    if (*tag == '?')
        return;
    proof->depth += *tag == '/' ? -1 : proof->before == '/' ? 0 : 1;
    /* All footnotes are as one page. */
    if (strncmp(tag, "w:footnotes ", 12) == 0 ||
        (strncmp(tag, "w:bookmarkStart ", 16) == 0 && strstr(tag, "w:name=\"_Page"))) {
        proof_add(proof, FNV_START);
        proof->text.len = 0;
        proof->number = proof->first;
    }
    if (strcmp(tag, "w:footnoteRef/") == 0 ||
        (strncmp(tag, "w:footnoteReference ", 20) == 0 && !strstr(tag, "customMark")))
        put_page_number(proof);
    /* Signs that are no text of an equation. */
    if (strncmp(tag, "m:chr m:val=\"", 13) == 0)
        for (tag += 13; *tag && *tag != '"'; tag++)
            put_character(proof, *tag);
    if (strcmp(tag, "m:rad") == 0)
        for (const char *sign = "\xe2\x88\x9a"; *sign; sign++)
            put_character(proof, *sign);
    if ((strcmp(tag, "w:t") == 0 || strncmp(tag, "w:t ", 4) == 0 || strcmp(tag, "m:t") == 0 ||
         strncmp(tag, "m:t ", 4) == 0) &&
        proof->before != '/')
        proof->state = PROOF_TEXT;
}

static void end_entity(struct proof *proof)
{
    static const char *const names[] = { "amp", "lt", "gt", "quot" };

    proof->part[proof->n_part] = '\0';
    proof->state = PROOF_TEXT;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(proof->part, names[i]) == 0)
            put_character(proof, "&<>\""[i]);
}

static void begin_state(struct proof *proof, enum proof_state state)
{
    proof->state = state;
    proof->n_part = 0;
    proof->before = '\0';
}

void proof_feed(struct proof *proof, const char *xml, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = xml[i];

        if (proof->state == PROOF_TAG || proof->state == PROOF_ENTITY) {
            if (c == (proof->state == PROOF_TAG ? '>' : ';')) {
                (proof->state == PROOF_TAG ? end_tag : end_entity)(proof);
                continue;
            }
            proof->before = c;
            if (proof->n_part + 1 < sizeof proof->part)
                proof->part[proof->n_part++] = c;
        } else if (c == '<') {
            begin_state(proof, PROOF_TAG);
        } else if (proof->state == PROOF_TEXT && c == '&') {
            begin_state(proof, PROOF_ENTITY);
        } else if (proof->state == PROOF_TEXT) {
            put_character(proof, c);
        }
    }
}

void proof_free(struct proof *proof)
{
    buf_free(&proof->text);
    free(proof->sums);
    *proof = (struct proof){ 0 };
}

static void feed(void *proof, const char *data, size_t n)
{
    proof_feed(proof, data, n);
}

int proof_file(const char *path, const char *part, const struct proof *written, struct err *err)
{
    struct proof proof = { 0 };
    int done = package_read(path, part, feed, &proof, err);

    if (done == 0 && (proof.depth != 0 || proof.failed || proof.n_sums != written->n_sums ||
                      (proof.n_sums &&
                       memcmp(proof.sums, written->sums, proof.n_sums * sizeof *proof.sums) != 0)))
        done = err_set(err, ERR_INTERNAL, "the document that was written reads otherwise");
    proof_free(&proof);
    return done;
}
