#include "tools/redaction/picture_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "engine/redact/redact_shape.h"

/* A hit is on a word if it covers this part of it, or if this part of the hit is in the word. */
#define PART 0.25
#define MOST 0.6

void picture_reader_close(struct picture_reader_copy *copy)
{
    if (copy->fd >= 0)
        close(copy->fd);
    copy->fd = -1;
    free(copy->words.items);
    copy->words = (struct layered_words){ 0 };
}

static double area_of(const double box[static 4])
{
    return fmax(box[2] - box[0], 0) * fmax(box[3] - box[1], 0);
}

/* Whether one of the first n places of a hit lies on a word, or mostly within it. */
static bool is_on(const struct redact_hit *hit, size_t n, const double word[static 4])
{
    for (size_t i = 0; i < n; i++) {
        double box[4], both[4];

        redact_shape_box(&hit->quads[i], box);
        for (int k = 0; k < 4; k++)
            both[k] = k < 2 ? fmax(box[k], word[k]) : fmin(box[k], word[k]);
        if (area_of(both) > 0 &&
            (area_of(both) >= PART * area_of(word) || area_of(both) >= MOST * area_of(box)))
            return true;
    }
    return false;
}

int picture_reader_widen(const struct picture_reader_copy *copy, struct redact_hits *hits,
                         size_t from, struct err *err)
{
    const struct layered_words *words = &copy->words;

    for (size_t i = from; i < hits->n; i++) {
        struct redact_hit *hit = &hits->items[i];
        size_t n = hit->n_quads, cap = n;

        for (size_t k = 0; k < words->n && n; k++) {
            const double *b = words->items[k].box;

            if (words->items[k].page + 1 != hit->page || hit->n_quads >= REDACT_HITS_QUADS ||
                !is_on(hit, n, b))
                continue;
            if (!LIST_ROOM(hit->quads, hit->n_quads, cap))
                return err_set(err, ERR_LIMIT_EXCEEDED, "there are more hits than can be handled");
            hit->quads[hit->n_quads++] = redact_hits_box(b[0], b[1], b[2], b[3]);
        }
    }
    return 0;
}

int picture_reader_open(struct picture_reader_copy *copy, const struct picture_reader *reader,
                        const struct picture_reader_wish *wish, struct tool_run *run,
                        struct page_search_options *options, struct err *err)
{
    const struct search_wish *searched = &options->wish;
    const struct layered_copy what = { .path = run->inputs[0].path,
                                       .password = options->password,
                                       .pages = options->pages,
                                       .language = wish->language,
                                       .forced = strcmp(wish->ocr, "force") == 0 };

    copy->fd = -1;
    if (strcmp(wish->ocr, "off") == 0 ||
        (!searched->text && !searched->pattern && !searched->presets))
        return 0;
    options->blind = !reader;
    if (!reader)
        return 0;
    if (reader->read(&what, run, &copy->words, &copy->fd, err) < 0)
        return -1;
    options->layered = true;
    if (copy->fd < 0)
        return 0;
    snprintf(copy->path, sizeof copy->path, "/proc/self/fd/%d", copy->fd);
    options->path = copy->path;
    return 0;
}
