#include "pdf/merge/merge_part.h"

int merge_no_memory(struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED, "the documents need more memory than a job may use");
}

int merge_number(struct obj indirect)
{
    return (int) (obj_id(indirect) >> 20);
}

struct obj merge_at(struct merge *m, int number)
{
    return obj_by_id(m->to.q, number, 0);
}

int merge_new_array(struct merge *m)
{
    return merge_number(obj_indirect(obj_new_array(m->to.q)));
}

int merge_new_dict(struct merge *m)
{
    return merge_number(obj_indirect(obj_new_dict(m->to.q)));
}

void merge_put(struct merge_source *s, const char *key, struct obj value)
{
    AUTO_OBJ struct obj bag = obj_by_id(s->doc.q, s->bag, 0);

    if (!obj_is_null(value))
        obj_set(bag, key, value);
}

struct obj merge_put_array(struct merge_source *s, const char *key)
{
    struct obj array = obj_indirect(obj_new_array(s->doc.q));

    merge_put(s, key, array);
    return array;
}

void merge_append_all(struct obj to, struct obj from)
{
    int n = obj_count(from);

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(from, i);
        obj_append(to, item);
    }
}

struct obj merge_text(qpdf_data q, const char *utf8)
{
    return (struct obj){ q, qpdf_oh_new_unicode_string(q, utf8) };
}
