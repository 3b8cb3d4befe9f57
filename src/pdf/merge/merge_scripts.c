/* JavaScript of the files: names of fields that were changed, functions of the same name. */
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/scope.h"
#include "declare/value/text.h"
#include "pdf/merge/merge_form.h"
#include "pdf/merge/script_names.h"

#define SCRIPT_MAX ((size_t) 4 << 20) /* bytes of a script that is read */
#define SEARCHES   1000               /* for the beginnings of names, of one file */
#define FUNCTIONS  100000             /* of all files */

struct reading {
    struct merge *m;
    struct merge_source *s;
    uint64_t hash; /* of the script */
    struct buf same;
};

/* A field whose name stays is found, too: it may be in a list with others. */
static const struct buf *find_name(void *arg, const char *name, size_t n)
{
    struct reading *reading = arg;
    const struct buf *new = renames_find(&reading->s->fields, name, n);

    if (new || !reading->s->form || !key_map_has(&reading->s->form->own, name, n))
        return new;
    reading->same.len = 0;
    buf_put(&reading->same, name, n);
    return &reading->same;
}

static bool begins(const struct buf *name, const char *beginning, size_t n)
{
    return name->len > n && memcmp(name->data, beginning, n) == 0;
}

static void warn_of_computed(void *arg, const char *beginning, size_t n)
{
    struct reading *reading = arg;
    const struct renames *fields = &reading->s->fields;

    if (reading->s->script_searches++ >= SEARCHES)
        return;
    for (size_t i = 0; i < fields->n; i++) {
        char name[200];

        if (!begins(&fields->names[i], beginning, n))
            continue;
        text_for_message(buf_text(&fields->names[i]), fields->names[i].len, name, sizeof name);
        tool_warn(reading->m->run, "script_names",
                  "scripts of file %zu make names of fields while they run, and fields were "
                  "renamed, one of them to \"%s\": check what the scripts calculate",
                  reading->s->number + 1, name);
        return;
    }
}

/* Programs that run scripts know one function of a name, the last. */
static void note_function(void *arg, const char *name, size_t n)
{
    struct reading *reading = arg;
    struct key_map *known = &reading->m->functions;
    int64_t before;
    char shown[100];

    if (known->n >= FUNCTIONS || !key_map_add(&reading->s->functions, name, n))
        return;
    if (!key_map_find(known, name, n, &before)) {
        key_map_put(known, name, n, (int64_t) reading->hash);
        return;
    }
    if (before == (int64_t) reading->hash)
        return;
    text_for_message(name, n, shown, sizeof shown);
    tool_warn(reading->m->run, "script_functions",
              "scripts of several files have a function of the same name, \"%s\": the last one "
              "replaces the others",
              shown);
}

/* The text of a script in UTF-8: of a string, or of a stream. False: it cannot be read. */
static bool read_script(struct obj script, struct buf *text)
{
    unsigned char *data = NULL;
    size_t n;
    struct obj string = obj_is_string(script) ? script : OBJ_NONE;

    if (obj_is_stream(script)) {
        if (!obj_stream_data(script, &data, &n))
            return false;
        string = n <= SCRIPT_MAX ? obj_new_string(script.q, (char *) data, n) : OBJ_NONE;
        free(data);
    }
    if (obj_is_null(string))
        return false;
    const char *utf8 = qpdf_oh_get_binary_utf8_value(string.q, string.oh, &n);
    buf_put(text, utf8, n);
    return !text->failed && n <= SCRIPT_MAX;
}

void merge_scripts_fix(struct merge *m, struct merge_source *s, struct obj action)
{
    struct obj script = obj_key(action, "/JS");
    struct reading reading = { .m = m, .s = s };
    const struct script_names names = { &reading, find_name, warn_of_computed };
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_BUF struct buf new = BUF_EMPTY;

    if (obj_is_null(script) || !read_script(script, &text))
        return;
    if (script_names_rewrite(&names, buf_text(&text), text.len, &new) && !new.failed)
        obj_set(action, "/JS", merge_text(action.q, buf_text(&new)));
    buf_free(&reading.same);
    reading.hash = fnv_bytes(FNV_START, buf_text(&new), new.len);
    script_names_functions(buf_text(&new), new.len, note_function, &reading);
}
