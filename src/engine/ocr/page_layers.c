#include "engine/ocr/page_layers.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "engine/page_image/page_drawing.h"

#define PIXELS_MOST (60LL * 1000 * 1000) /* of a page that is split */
#define BYTES_MOST  (64U << 20)          /* of its layers */
#define SIDE_MOST   32767

static bool draw_page(struct mupdf_document *doc, size_t page, double dpi, struct raster *out)
{
    const struct page_drawing_options options = {
        .dpi = dpi, .kind = PIXMAP_RGB, .max_pixels = PIXELS_MOST, .max_side = SIDE_MOST
    };
    struct page_drawing drawing;
    struct err ignored;
    bool drawn;

    if (page_drawing_open(&drawing, doc, page, &options, &ignored) < 0)
        return false;
    drawn =
        raster_new(out, (size_t) drawing.width, (size_t) drawing.height, (size_t) drawing.kind) &&
        page_drawing_draw(&drawing, doc->ctx, 0, drawing.height, out->data, NULL, &ignored) == 0;
    page_drawing_close(&drawing, doc);
    return drawn;
}

void page_layers_make(struct mupdf_document *doc, size_t page, const struct layers_options *options,
                      int fd, struct page_layers_head *head)
{
    AUTO_RASTER struct raster picture = { 0 };
    struct layers *made = &head->layers;
    struct err ignored;
    enum layers_end end;

    head->state = PAGE_LAYERS_FAILED;
    if (!draw_page(doc, page, options->dpi, &picture))
        return;
    end = layers_make(&picture, options, made);
    if (end == LAYERS_LOST)
        head->state = PAGE_LAYERS_LOST;
    if (end != LAYERS_MADE || made->mask.failed || made->back.failed || made->ink.failed)
        return;
    if (fdio_write(fd, buf_text(&made->mask), made->mask.len, &ignored) == 0 &&
        fdio_write(fd, buf_text(&made->back), made->back.len, &ignored) == 0 &&
        fdio_write(fd, buf_text(&made->ink), made->ink.len, &ignored) == 0)
        head->state = PAGE_LAYERS_MADE;
}

static bool read_layer(int fd, size_t n, int64_t *at, struct buf *out)
{
    void *room = buf_room(out, n);
    struct err ignored;

    if (n == 0)
        return true;
    if (!room || fdio_read_at(fd, room, n, *at, &ignored) != (ssize_t) n)
        return false;
    buf_added(out, n);
    *at += (int64_t) n;
    return true;
}

static bool is_side(size_t pixels)
{
    return pixels <= SIDE_MOST;
}

enum page_layers_state page_layers_read(int fd, const struct page_layers_head *head,
                                        struct layers *out)
{
    struct layers from = head->layers;
    enum page_layers_state state = head->state;
    int64_t at = 0;

    *out = from;
    out->mask = out->back = out->ink = BUF_EMPTY;
    if (state == PAGE_LAYERS_MADE &&
        (from.mask.len > BYTES_MOST || from.back.len > BYTES_MOST || from.ink.len > BYTES_MOST ||
         from.width == 0 || from.height == 0 || !is_side(from.width) || !is_side(from.height) ||
         !is_side(from.back_width) || !is_side(from.back_height) || !is_side(from.ink_width) ||
         !is_side(from.ink_height) || !read_layer(fd, from.mask.len, &at, &out->mask) ||
         !read_layer(fd, from.back.len, &at, &out->back) ||
         !read_layer(fd, from.ink.len, &at, &out->ink))) {
        layers_free(out);
        state = PAGE_LAYERS_FAILED;
    }
    if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
        state = PAGE_LAYERS_FAILED;
    return state == PAGE_LAYERS_NONE || state == PAGE_LAYERS_MADE || state == PAGE_LAYERS_LOST
               ? state
               : PAGE_LAYERS_FAILED;
}
