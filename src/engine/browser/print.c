#include "engine/browser/print.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"

#define PRINT_MS    300000 /* the server's own limit is usually less */
#define INCH        72.0
#define CHUNK       (1 << 20) /* bytes of the PDF that are asked for at once */
#define HEIGHT_MOST 5000000   /* CSS pixels: 5,000 sheets of paper */

static int check_height(struct page *page, struct err *err)
{
    json_t *height = page_evaluate(page, "document.documentElement.scrollHeight", err);
    json_int_t pixels = json_integer_value(height);

    if (!height)
        return -1;
    json_decref(height);
    return pixels > HEIGHT_MOST
               ? err_set(err, ERR_LIMIT_EXCEEDED, "the page is higher than %d pixels", HEIGHT_MOST)
               : 0;
}

static json_t *parameters(const struct print_options *o)
{
    json_t *params = json_pack(
        "{sf sf sf sf sf sf sf sb sb sb sb ss}", "paperWidth", o->width / INCH, "paperHeight",
        o->height / INCH, "marginTop", o->top / INCH, "marginRight", o->right / INCH,
        "marginBottom", o->bottom / INCH, "marginLeft", o->left / INCH, "scale", o->scale,
        "printBackground", o->background, "preferCSSPageSize", o->css_size, "generateTaggedPDF",
        o->tagged, "generateDocumentOutline", o->outline, "transferMode", "ReturnAsStream");

    if (params && (o->header || o->footer)) {
        json_object_set_new(params, "displayHeaderFooter", json_true());
        json_object_set_new(params, "headerTemplate",
                            json_string(o->header ? o->header : "<span></span>"));
        json_object_set_new(params, "footerTemplate",
                            json_string(o->footer ? o->footer : "<span></span>"));
    }
    return params;
}

static int write_chunk(const json_t *chunk, int out, struct err *err)
{
    const json_t *data = json_object_get(chunk, "data");

    if (json_is_true(json_object_get(chunk, "base64Encoded")))
        return devtools_write(data, out, err);
    return fdio_write(out, json_string_value(data), json_string_length(data), err);
}

static int read_printed(struct page *page, const char *handle, int out, struct err *err)
{
    for (bool end = false; !end;) {
        json_t *chunk = devtools_call(&page->devtools, page->session, "IO.read",
                                      json_pack("{ss si}", "handle", handle, "size", CHUNK), err);
        int written;

        if (!chunk)
            return -1;
        end = json_is_true(json_object_get(chunk, "eof"));
        written =
            json_string_length(json_object_get(chunk, "data")) ? write_chunk(chunk, out, err) : 0;
        json_decref(chunk);
        if (written < 0)
            return -1;
    }
    return 0;
}

int print_page(struct page *page, const struct print_options *options, int out, struct err *err)
{
    json_t *printed;
    int done;

    if (check_height(page, err) < 0)
        return -1;
    page->devtools.until_ms = clock_mono_ms() + PRINT_MS;
    printed =
        devtools_call(&page->devtools, page->session, "Page.printToPDF", parameters(options), err);
    if (!printed)
        return -1;
    done = read_printed(page, devtools_text(printed, "stream"), out, err);
    json_decref(printed);
    return done;
}
