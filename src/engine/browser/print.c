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

/* Chromium fills in the time at which it prints. Where each run makes the same file, the elements
 * get the time that scripts see, in the same form, and are not filled in any more. */
static const char dates[] =
    "((html) => { const t = new DOMParser().parseFromString(html, 'text/html');"
    " for (const one of t.querySelectorAll('.date')) {"
    " one.classList.remove('date'); one.textContent = '1/1/20, 12:00 AM'; }"
    " return t.head.innerHTML + t.body.innerHTML; })(%s)";

/* The HTML of a header or footer as Chromium gets it. A new reference; NULL on failure. */
static json_t *edge_html(struct page *page, const char *html, struct err *err)
{
    json_t *text = json_string(html ? html : "<span></span>"), *fixed;
    AUTO_FREE char *quoted = NULL;
    AUTO_BUF struct buf expression = BUF_EMPTY;

    if (!text || !html || !page->options->deterministic)
        return text;
    quoted = json_dumps(text, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    json_decref(text);
    if (!quoted) {
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    buf_printf(&expression, dates, quoted);
    fixed = page_evaluate(page, buf_text(&expression), err);
    if (fixed && !json_is_string(fixed)) {
        json_decref(fixed);
        err_set(err, ERR_INTERNAL, "the header or the footer cannot be read");
        return NULL;
    }
    return fixed;
}

static json_t *parameters(const struct print_options *o, json_t *header, json_t *footer)
{
    json_t *params = json_pack(
        "{sf sf sf sf sf sf sf sb sb sb sb ss}", "paperWidth", o->width / INCH, "paperHeight",
        o->height / INCH, "marginTop", o->top / INCH, "marginRight", o->right / INCH,
        "marginBottom", o->bottom / INCH, "marginLeft", o->left / INCH, "scale", o->scale,
        "printBackground", o->background, "preferCSSPageSize", o->css_size, "generateTaggedPDF",
        o->tagged, "generateDocumentOutline", o->outline, "transferMode", "ReturnAsStream");

    if (params && (o->header || o->footer)) {
        json_object_set_new(params, "displayHeaderFooter", json_true());
        json_object_set(params, "headerTemplate", header);
        json_object_set(params, "footerTemplate", footer);
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
    json_t *printed = NULL, *header, *footer;
    int done;

    if (check_height(page, err) < 0)
        return -1;
    header = edge_html(page, options->header, err);
    footer = header ? edge_html(page, options->footer, err) : NULL;
    page->devtools.until_ms = clock_mono_ms() + PRINT_MS;
    if (footer)
        printed = devtools_call(&page->devtools, page->session, "Page.printToPDF",
                                parameters(options, header, footer), err);
    json_decref(header);
    json_decref(footer);
    if (!printed)
        return -1;
    done = read_printed(page, devtools_text(printed, "stream"), out, err);
    json_decref(printed);
    return done;
}
