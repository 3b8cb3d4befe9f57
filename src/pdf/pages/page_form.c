#include "pdf/pages/page_form.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "pdf/content/enclosure.h"
#include "pdf/document/doc.h"
#include "pdf/pages/page_numbers.h"

/* A page is a group of its own: so is its form, if the page says how (11.6.6). */
static void copy_group(struct obj page, struct obj form)
{
    AUTO_OBJ struct obj group = obj_key(page, "/Group");

    if (!obj_key_is(group, "/S", "/Transparency"))
        return;
    AUTO_OBJ struct obj own = obj_shallow_copy(group);
    AUTO_OBJ struct obj yes = obj_parse(page.q, "true");
    obj_set(own, "/I", yes);
    obj_set(form, "/Group", own);
}

int page_form_make(struct obj page, const struct page_view *view, bool tagged, struct obj *form,
                   struct err *err)
{
    struct enclosures own = { 0 };
    AUTO_OBJ struct obj resources = page_view_inherited(page, "/Resources", NULL);
    AUTO_OBJ struct obj parents = obj_key(page, "/StructParents");
    AUTO_OBJ struct obj box = page_numbers_new(page.q, view->box, 4);
    int done = enclosure_make(&own, page, resources, form, err);

    enclosure_free(&own);
    if (done < 0)
        return -1;
    obj_set(*form, "/BBox", box);
    copy_group(page, *form);
    if (tagged && !obj_is_null(parents))
        obj_set(*form, "/StructParents", parents);
    return 0;
}

void page_form_name(size_t number, char *out, size_t cap)
{
    snprintf(out, cap, "/P%zu", number);
}

void page_form_draw(struct buf *content, const double matrix[static 6], size_t number)
{
    char name[32];

    page_form_name(number, name, sizeof name);
    buf_puts(content, "q");
    for (int i = 0; i < 6; i++)
        buf_printf(content, " %.6f", matrix[i]);
    buf_printf(content, " cm %s Do Q\n", name);
}

struct obj page_form_page(qpdf_data q, double width, double height, const struct buf *content,
                          struct obj resources)
{
    const double box[4] = { 0, 0, width, height };
    AUTO_OBJ struct obj page = obj_new_dict(q);
    AUTO_OBJ struct obj media = page_numbers_new(q, box, 4);
    AUTO_OBJ struct obj stream = obj_new_stream(q, buf_text(content), content->len);

    obj_set_name(page, "/Type", "/Page");
    obj_set(page, "/MediaBox", media);
    obj_set(page, "/Resources", resources);
    if (content->len > 0)
        obj_set(page, "/Contents", stream);
    return obj_indirect(page);
}
