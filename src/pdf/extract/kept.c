#include "pdf/extract/kept.h"

static void copy_keys(struct obj to, struct obj from, const char *const *keys)
{
    for (; *keys; keys++) {
        AUTO_OBJ struct obj value = obj_key(from, *keys);

        if (!obj_is_null(value))
            obj_set(to, *keys, value);
    }
}

static void collect_keys(struct obj kept, struct obj from, const char *name,
                         const char *const *keys)
{
    AUTO_OBJ struct obj some = obj_new_dict(kept.q);

    copy_keys(some, from, keys);
    obj_set(kept, name, some);
}

struct obj kept_collect(qpdf_data q)
{
    static const char *const catalog_keys[] = { "/Lang",       "/MarkInfo", "/PageLayout",
                                                "/PageMode",   "/Metadata", "/OutputIntents",
                                                "/Extensions", "/URI",      NULL };
    static const char *const viewer_keys[] = {
        "/HideToolbar",
        "/HideMenubar",
        "/HideWindowUI",
        "/FitWindow",
        "/CenterWindow",
        "/DisplayDocTitle",
        "/NonFullScreenPageMode",
        "/Direction",
        "/ViewArea",
        "/ViewClip",
        "/PrintArea",
        "/PrintClip",
        "/PrintScaling",
        "/Duplex",
        "/PickTrayByPDFSize",
        "/NumCopies",
        NULL,
    };
    static const char *const form_keys[] = { "/DA", "/Q", "/NeedAppearances", NULL };
    static const char *const font_keys[] = { "/Font", "/Encoding", NULL };
    static const char *const tag_keys[] = { "/RoleMap", "/ClassMap", "/Namespaces", NULL };
    AUTO_OBJ struct obj root = obj_root(q);
    AUTO_OBJ struct obj trailer = obj_trailer(q);
    AUTO_OBJ struct obj info = obj_key(trailer, "/Info");
    AUTO_OBJ struct obj viewer = obj_key(root, "/ViewerPreferences");
    AUTO_OBJ struct obj form = obj_key(root, "/AcroForm");
    AUTO_OBJ struct obj resources = obj_key(form, "/DR");
    AUTO_OBJ struct obj tags = obj_key(root, "/StructTreeRoot");
    AUTO_OBJ struct obj kept = obj_new_dict(q);

    collect_keys(kept, root, "/Catalog", catalog_keys);
    collect_keys(kept, viewer, "/Viewer", viewer_keys);
    collect_keys(kept, form, "/Form", form_keys);
    collect_keys(kept, resources, "/Resources", font_keys);
    collect_keys(kept, tags, "/Tags", tag_keys);
    if (obj_is_dict(info))
        obj_set(kept, "/Info", info);
    return obj_indirect(kept);
}
