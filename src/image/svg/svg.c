#include "image/svg/svg.h"

#include <cairo-pdf.h>
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "base/scope.h"
#include "declare/value/file_kind.h"

static int refuse_svg(struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED_CONTENT,
                   "SVG drawings are read by librsvg, which this server does not have: install it "
                   "(the package librsvg2-2), or put the drawing into an HTML page with <img> and "
                   "use html-to-pdf");
}

#ifdef SVG_LIBRSVG

#include <librsvg/rsvg.h>

#define LONG_TEXT  10000000 /* limit of a text in XML without the flag */
#define CSS_DPI    96.0
#define POINTS_DPI 72.0
#define SIDE_MIN   1e-2    /* points; a shorter side is nothing that can be seen */
#define SIDE_MAX   1e9     /* points; PDF pages are at most 14,400 long, so it will be scaled */
#define UNITS_MAX  32000.0 /* a side of the surface: cairo's numbers end at 2^23 */

/* The functions that are used. Those of GLib come with the library. */
#define FUNCTIONS(F)                                                                               \
    F(rsvg_handle_new_from_stream_sync)                                                            \
    F(rsvg_handle_set_dpi)                                                                         \
    F(rsvg_handle_get_intrinsic_dimensions)                                                        \
    F(rsvg_handle_get_geometry_for_layer)                                                          \
    F(rsvg_handle_render_document)                                                                 \
    F(g_memory_input_stream_new_from_data)                                                         \
    F(g_object_unref)                                                                              \
    F(g_clear_error)

#define MEMBER(name) __typeof__(&name) name;
static struct {
    void *library;
    FUNCTIONS(MEMBER)
} rsvg;
#undef MEMBER

static bool find_functions(void)
{
    bool all = true;

#define FIND(name)                                                                                 \
    *(void **) (void *) &rsvg.name = dlsym(rsvg.library, #name);                                   \
    all = all && rsvg.name;
    FUNCTIONS(FIND)
#undef FIND
    return all;
}

static bool load_library(void)
{
    static bool tried, loaded;

    if (tried)
        return loaded;
    tried = true;
    rsvg.library = dlopen("librsvg-2.so.2", RTLD_LAZY | RTLD_LOCAL);
    loaded = rsvg.library && find_functions();
    return loaded;
}

/* A picture in a drawing of ours makes gdk-pixbuf read the list of its decoders, which a confined
 * process may not open. */
static void warm_library(void)
{
    static const char drawing[] =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"><image width=\"1\" "
        "height=\"1\" "
        "href=\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"
        "M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==\"/></svg>";
    struct svg_drawing warm;
    struct err err;

    if (svg_draw(drawing, strlen(drawing), &warm, &err) == 0)
        buf_free(&warm.pdf);
}

bool svg_prepare(const int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *kind = file_kind_of_file(fds[i]);

        if (kind && strcmp(kind, "svg") == 0) {
            if (load_library())
                warm_library();
            return true;
        }
    }
    return false;
}

static int no_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the drawing needs more memory than a job may use");
}

static cairo_status_t keep_bytes(void *arg, const unsigned char *data, unsigned n)
{
    struct buf *pdf = arg;

    buf_put(pdf, data, n);
    return pdf->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static RsvgHandle *open_drawing(const void *data, size_t n, struct err *err)
{
    /* With the flag a text or a picture in the file may have more than 10 MB, but entities may
     * multiply without limit. */
    bool large = n > LONG_TEXT && !memmem(data, n, "<!ENTITY", strlen("<!ENTITY"));
    RsvgHandleFlags flags = large ? RSVG_HANDLE_FLAG_UNLIMITED : RSVG_HANDLE_FLAGS_NONE;
    GInputStream *stream = rsvg.g_memory_input_stream_new_from_data(data, (gssize) n, NULL);
    RsvgHandle *handle;

    if (!stream) {
        no_memory(err);
        return NULL;
    }
    /* Without a base address the library reads nothing besides the stream. */
    handle = rsvg.rsvg_handle_new_from_stream_sync(stream, NULL, flags, NULL, NULL);
    rsvg.g_object_unref(stream);
    if (handle)
        rsvg.rsvg_handle_set_dpi(handle, CSS_DPI);
    else
        err_set(
            err, ERR_CORRUPT_FILE,
            "the SVG file is damaged: it is not well-formed XML, needs entities of another file, "
            "or has more than a million elements");
    return handle;
}

/* A length in points; -1 if it depends on what the drawing is shown in. */
static double points(bool given, const RsvgLength *length)
{
    static const double inches[] = {
        [RSVG_UNIT_PX] = 1 / CSS_DPI,  [RSVG_UNIT_IN] = 1,           [RSVG_UNIT_CM] = 1 / 2.54,
        [RSVG_UNIT_MM] = 1 / 25.4,     [RSVG_UNIT_PT] = 1 / 72.0,    [RSVG_UNIT_PC] = 1 / 6.0,
        [RSVG_UNIT_EM] = 12 / CSS_DPI, [RSVG_UNIT_EX] = 6 / CSS_DPI,
    };

    if (!given || length->unit == RSVG_UNIT_PERCENT || (size_t) length->unit >= COUNT(inches))
        return -1;
    return length->length * inches[length->unit] * POINTS_DPI;
}

/* Where a drawing ends that has neither a size nor coordinates of its own: at the last thing in
 * it. */
static void measure_ink(RsvgHandle *handle, double *width, double *height)
{
    static const RsvgRectangle window = { 0, 0, 300, 150 }; /* as CSS has it without a size */
    RsvgRectangle ink = { 0, 0, 0, 0 };

    rsvg.rsvg_handle_get_geometry_for_layer(handle, NULL, &window, &ink, NULL, NULL);
    if (*width < 0)
        *width = (ink.x + ink.width) * POINTS_DPI / CSS_DPI;
    if (*height < 0)
        *height = (ink.y + ink.height) * POINTS_DPI / CSS_DPI;
}

static int find_size(RsvgHandle *handle, struct svg_drawing *drawing, struct err *err)
{
    gboolean has_width, has_height, has_box;
    RsvgLength wide, high;
    RsvgRectangle box;
    double w, h;

    rsvg.rsvg_handle_get_intrinsic_dimensions(handle, &has_width, &wide, &has_height, &high,
                                              &has_box, &box);
    w = points(has_width, &wide);
    h = points(has_height, &high);
    if ((w < 0 || h < 0) && has_box && box.width > 0 && box.height > 0) {
        double scale = w >= 0 ? w / box.width : h >= 0 ? h / box.height : POINTS_DPI / CSS_DPI;

        w = box.width * scale;
        h = box.height * scale;
    } else if (w < 0 || h < 0) {
        measure_ink(handle, &w, &h);
    }
    if (!(w >= SIDE_MIN && h >= SIDE_MIN))
        return err_set(err, ERR_CORRUPT_FILE,
                       "the SVG file has nothing to show: its width or height is 0");
    drawing->width = fmin(w, SIDE_MAX);
    drawing->height = fmin(h, SIDE_MAX);
    return 0;
}

/* The units of the surface are the pixels that masks and filters are drawn with. */
static double units_a_point(const struct svg_drawing *drawing)
{
    double scale =
        fmin(SVG_DPI / POINTS_DPI, sqrt(SVG_PIXELS / (drawing->width * drawing->height)));

    return fmin(scale, UNITS_MAX / fmax(drawing->width, drawing->height));
}

static int render(RsvgHandle *handle, struct svg_drawing *drawing, struct err *err)
{
    double scale = units_a_point(drawing);
    const RsvgRectangle all = { 0, 0, drawing->width * CSS_DPI / POINTS_DPI,
                                drawing->height * CSS_DPI / POINTS_DPI };
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        keep_bytes, &drawing->pdf, drawing->width * scale, drawing->height * scale);
    cairo_t *cairo = cairo_create(surface);
    GError *error = NULL;
    bool drawn, failed;

    cairo_scale(cairo, scale * POINTS_DPI / CSS_DPI, scale * POINTS_DPI / CSS_DPI);
    drawn = rsvg.rsvg_handle_render_document(handle, cairo, &all, &error);
    failed = cairo_status(cairo) != CAIRO_STATUS_SUCCESS;
    rsvg.g_clear_error(&error);
    cairo_destroy(cairo);
    cairo_surface_finish(surface);
    failed |= cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS || drawing->pdf.failed;
    cairo_surface_destroy(surface);
    if (drawn && !failed)
        return 0;
    buf_free(&drawing->pdf);
    return err_set(err, ERR_LIMIT_EXCEEDED,
                   "the SVG drawing cannot be drawn: its parts refer to each other too often, or "
                   "its sizes or its need of memory are too large");
}

int svg_draw(const void *data, size_t n, struct svg_drawing *drawing, struct err *err)
{
    RsvgHandle *handle;
    int done;

    *drawing = (struct svg_drawing){ .pdf = BUF_EMPTY };
    if (!load_library())
        return refuse_svg(err);
    handle = open_drawing(data, n, err);
    if (!handle)
        return -1;
    done = find_size(handle, drawing, err) < 0 ? -1 : render(handle, drawing, err);
    rsvg.g_object_unref(handle);
    return done;
}

#else /* built without the headers of librsvg */

bool svg_prepare(const int *fds, size_t n)
{
    (void) fds;
    (void) n;
    return false;
}

int svg_draw(const void *data, size_t n, struct svg_drawing *drawing, struct err *err)
{
    (void) data;
    (void) n;
    *drawing = (struct svg_drawing){ .pdf = BUF_EMPTY };
    return refuse_svg(err);
}

#endif
