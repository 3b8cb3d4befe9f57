#include "pdf/text_layer/layered_page.h"

#include "base/scope.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

bool layered_page_can(struct obj page)
{
    AUTO_OBJ struct obj from = OBJ_NONE;
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", &from);
    AUTO_OBJ struct obj properties = obj_key(resources, "/Properties");

    return !obj_is_dict(properties);
}

size_t layered_page_old_bytes(struct obj page)
{
    AUTO_OBJ struct obj from = OBJ_NONE;
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", &from);
    AUTO_OBJ struct obj objects = obj_key(resources, "/XObject");
    AUTO_KEYS char **keys = obj_keys(objects);
    size_t sum = 0;

    for (char **key = keys; key && *key; key++) {
        AUTO_OBJ struct obj object = obj_key(objects, *key);
        AUTO_FREE unsigned char *data = NULL;
        size_t n = 0;

        if (obj_is_stream(object) && obj_stream_raw(object, &data, &n))
            sum += n;
    }
    return sum;
}

size_t layered_page_new_bytes(const struct layers *layers)
{
    return layers->mask.len + layers->back.len + layers->ink.len;
}

static void set_parsed(struct obj dict, const char *key, const char *text)
{
    AUTO_OBJ struct obj value = obj_parse(dict.q, text);

    obj_set(dict, key, value);
}

static struct obj new_image(qpdf_data q, const struct buf *data, const char *filter, size_t width,
                            size_t height)
{
    struct obj image = obj_new_stream(q, buf_text(data), data->len);

    obj_set_name(image, "/Type", "/XObject");
    obj_set_name(image, "/Subtype", "/Image");
    obj_set_name(image, "/Filter", filter);
    obj_set_int(image, "/Width", (long long) width);
    obj_set_int(image, "/Height", (long long) height);
    return image;
}

static struct obj new_mask(qpdf_data q, const struct layers *layers)
{
    struct obj mask = new_image(q, &layers->mask, "/JBIG2Decode", layers->width, layers->height);

    set_parsed(mask, "/ImageMask", "true");
    obj_set_int(mask, "/BitsPerComponent", 1);
    return mask;
}

static struct obj new_picture(qpdf_data q, const struct layers *layers, const struct buf *data,
                              size_t width, size_t height)
{
    struct obj picture = new_image(q, data, "/DCTDecode", width, height);

    obj_set_name(picture, "/ColorSpace", layers->gray ? "/DeviceGray" : "/DeviceRGB");
    obj_set_int(picture, "/BitsPerComponent", 8);
    set_parsed(picture, "/Interpolate", "true");
    return picture;
}

static void put_shown(struct buf *out, const struct page_view *view, const char *name)
{
    buf_printf(out, "q %.4f 0 0 %.4f 0 0 cm %s Do Q\n", view->width, view->height, name);
}

static void put_colour(struct buf *out, const struct layers *layers)
{
    const uint8_t *c = layers->colour;

    if (layers->gray)
        buf_printf(out, "%.3f g\n", c[0] / 255.0);
    else
        buf_printf(out, "%.3f %.3f %.3f rg\n", c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
}

int layered_page_write(struct obj page, const struct layers *layers, struct err *err)
{
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_OBJ struct obj objects = obj_new_dict(page.q);
    AUTO_OBJ struct obj resources = obj_new_dict(page.q);
    AUTO_OBJ struct obj mask = new_mask(page.q, layers);
    struct page_view view;

    page_view_read(page, &view);
    buf_puts(&content, "q ");
    for (int i = 0; i < 6; i++)
        buf_printf(&content, "%.6f ", view.matrix[i]);
    buf_puts(&content, "cm\n");
    if (layers->back_width) {
        AUTO_OBJ struct obj back =
            new_picture(page.q, layers, &layers->back, layers->back_width, layers->back_height);

        obj_set(objects, "/Back", back);
        put_shown(&content, &view, "/Back");
    }
    if (layers->ink_width) {
        AUTO_OBJ struct obj ink =
            new_picture(page.q, layers, &layers->ink, layers->ink_width, layers->ink_height);

        obj_set(ink, "/Mask", mask);
        obj_set(objects, "/Ink", ink);
        put_shown(&content, &view, "/Ink");
    } else {
        obj_set(objects, "/Ink", mask);
        put_colour(&content, layers);
        put_shown(&content, &view, "/Ink");
    }
    buf_puts(&content, "Q\n");
    if (content.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj stream = obj_new_stream(page.q, buf_text(&content), content.len);
    obj_set(resources, "/XObject", objects);
    obj_set(page, "/Resources", resources);
    obj_set(page, "/Contents", stream);
    return 0;
}
