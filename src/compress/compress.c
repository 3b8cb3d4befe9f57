#include "compress/compress.h"

#include "compress/recode.h"

int compress_write(struct pdf_doc *doc, const struct profile *profile, const char *path,
                   struct err *err)
{
    AUTO_OBJECTS struct objects objects = { 0 };
    struct recode recode = { .doc = doc, .objects = &objects, .profile = profile };

    if (objects_read(&objects, doc, err) < 0 || objects_merge(&objects, doc, err) < 0)
        return -1;
    return pack_write(doc, &objects, recode_stream, &recode, path, err);
}
