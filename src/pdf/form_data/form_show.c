#include <stdlib.h>

#include "base/list.h"
#include "base/scope.h"
#include "pdf/form_data/form_set.h"
#include "pdf/forms/field_inherited.h"
#include "pdf/forms/field_look.h"

static int add_picture(struct form_pictures *pictures, struct obj widget, size_t number,
                       struct err *err)
{
    if (!LIST_ROOM(pictures->items, pictures->n, pictures->cap))
        return pdf_doc_no_memory(err);
    pictures->items[pictures->n++] = (struct form_picture){ obj_same(widget), number };
    return 0;
}

static int show_widget(struct form_fields *fields, struct obj widget,
                       struct form_pictures *pictures, struct err *err)
{
    size_t picture;

    obj_remove(widget, "/AP");
    switch (field_look_make(widget, fields->form, true, pictures->painter, &picture)) {
    case FIELD_LOOK_PAINTED:
        return add_picture(pictures, widget, picture, err);
    case FIELD_LOOK_FAILED:
        pictures->failed++;
        return 0;
    case FIELD_LOOK_KEPT:
    case FIELD_LOOK_MADE:
        break;
    }
    return 0;
}

int form_show(struct form_fields *fields, const struct form_field *field, const char *shown,
              struct form_pictures *pictures, struct err *err)
{
    AUTO_OBJ struct obj value = field_inherited(field->dict, OBJ_NONE, "/V");
    int done = 0;

    /* Appearances are made of the value: for them it is what scripts would display. */
    if (shown) {
        AUTO_OBJ struct obj text = { value.q, qpdf_oh_new_unicode_string(value.q, shown) };

        obj_set(field->dict, "/V", text);
    }
    for (size_t i = 0; i < field->n_widgets && done == 0; i++)
        done = show_widget(fields, fields->widgets[field->widget + i].dict, pictures, err);
    if (shown)
        obj_set(field->dict, "/V", value);
    return done;
}

int form_pictures_end(struct form_pictures *pictures, qpdf_data q, struct err *err)
{
    int done = 0;

    if (pictures->n > 0)
        done = pictures->painter->import(pictures->painter, q, err);
    for (size_t i = 0; i < pictures->n && done == 0; i++) {
        struct form_picture *one = &pictures->items[i];
        AUTO_OBJ struct obj picture = pictures->painter->picture(pictures->painter, one->number);

        field_look_give(one->widget, picture);
    }
    form_pictures_free(pictures);
    return done;
}

void form_pictures_free(struct form_pictures *pictures)
{
    for (size_t i = 0; i < pictures->n; i++)
        obj_drop(&pictures->items[i].widget);
    free(pictures->items);
    pictures->items = NULL;
    pictures->n = pictures->cap = 0;
}
