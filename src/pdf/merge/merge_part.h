/*
 * merge_part: declarations that the parts of a merge share. Each part handles one feature of
 * documents. For every file its `add` reads the source, puts what is needed into the file's bag,
 * and may change the source in memory; then the bag is grafted into the result as a whole, so that
 * references within it stay valid; then `join` integrates the copy into the result. `finish` writes
 * what was collected into the result's catalog, once.
 *
 * Within a step handles may be made freely: all are released after it.
 */
#pragma once

#include "pdf/document/doc.h"
#include "pdf/merge/merge.h"
#include "pdf/merge/renames.h"
#include "pdf/object/obj.h"

/* A name in one of the result's name trees. Its value is an item of an array of the result. */
struct merge_name {
    struct buf key;
    int holder; /* the array's number; 0 while the file is being read */
    int at;
};

struct merge_names {
    struct key_map taken;
    struct merge_name *entries;
    size_t n, cap;
    size_t first; /* index of the current file's first name */
};

enum merge_tree {
    MERGE_DESTS,
    MERGE_FILES,
    MERGE_SCRIPTS,
    MERGE_APPEARANCES,
    MERGE_TEMPLATES,
    MERGE_ALTERNATES,
    MERGE_RENDITIONS,
    MERGE_IDS, /* ids of structure elements: not below /Names */
    MERGE_TREES,
};

/* Objects of the result that are needed for several files are kept by their object numbers: handles
 * are released after each step. */
struct merge {
    struct tool_run *run;
    const struct merge_options *options;
    struct pdf_doc to;
    size_t n_files;
    char **lent;     /* for each file that was rebuilt: the memory it is read from */
    int64_t n_pages; /* number of pages of the files before the current one */
    size_t *starts;  /* n_files + 1 items: where the pages of each file begin */

    struct merge_names trees[MERGE_TREES];
    int items;                  /* array: the outline's top level */
    int labels;                 /* array: pages and label dictionaries, alternating */
    bool labelled;              /* some file has page labels */
    int layers;                 /* dictionary: becomes /OCProperties */
    struct key_map layer_texts; /* texts of the layers so far */
    int fields, order;          /* arrays: roots of fields, order of calculation */
    int resources;              /* dictionary: /DR */
    struct key_map functions;   /* of all scripts so far: from names to hashes of the scripts */
    struct key_map field_names; /* to the number of a field that only has kids, or 0 */
    bool has_form, need_appearances;
    long long signature_flags;
    int elements, languages; /* arrays: roots of the structure, and the language of each */
    int parents;             /* array: values of the parent tree */
    int64_t n_parents;
    int structure; /* dictionary: becomes /StructTreeRoot */
    bool marked, suspects;
    int threads, associated; /* arrays: become /Threads and /AF */
    /* all files so far have the same /Lang, the same /OutputIntents */
    bool same_language, same_intents;
};

/* One file. Names are changed in it before it is copied. */
struct merge_source {
    size_t number; /* index, from 0 */
    size_t first;  /* index of its first page in the result */
    char title[256];
    struct pdf_doc doc;
    char **lent;   /* receives doc's memory: its streams are read when the result is written */
    int bag;       /* object number of the bag in the source */
    struct obj in; /* the bag's copy, for `join` */

    struct renames dests; /* destinations: 's' or 'n', then the bytes of the name */
    struct renames files; /* keys of attachments */
    struct renames ids;   /* ids of structure elements */
    struct renames roles, classes;
    struct renames fields;    /* fully qualified names, in UTF-8 */
    struct key_map functions; /* of its scripts */
    size_t script_searches;   /* for names that scripts make while they run */
    struct key_map parents;   /* from keys of the parent tree to those of the result */
    struct merge_form *form;  /* merge_form.h */
};

struct merge_part {
    int (*add)(struct merge *m, struct merge_source *s, struct err *err);
    int (*join)(struct merge *m, struct merge_source *s, struct err *err);
    int (*finish)(struct merge *m, struct err *err);
};

extern const struct merge_part merge_outline, merge_names, merge_fields, merge_layers, merge_tags,
    merge_labels, merge_catalog;

int merge_no_memory(struct err *err);
/* Puts a value into the source's bag; null is ignored. */
void merge_put(struct merge_source *s, const char *key, struct obj value);
/* Adds an array to the bag. */
struct obj merge_put_array(struct merge_source *s, const char *key);
/* An object of the result by its number. */
struct obj merge_at(struct merge *m, int number);
/* Make an empty object of the result, and return its number. */
int merge_new_array(struct merge *m);
int merge_new_dict(struct merge *m);
/* The object number of an indirect object. */
int merge_number(struct obj indirect);
/* Appends the items of the array `from` to the array `to`. */
void merge_append_all(struct obj to, struct obj from);
/* A new text string (ISO 32000-2, 7.9.2.2). */
struct obj merge_text(qpdf_data q, const char *utf8);

/* merge_tree.c: reserves a unique name in a tree of the result for a name of this file, and
 * appends it to `name`. Nothing is added to the tree yet. */
void merge_claim(struct merge_names *tree, const void *old, size_t n, size_t number,
                 struct buf *name);
/* Adds an entry whose value is item `at` of an array that merge_names_held sets later. */
int merge_names_add(struct merge_names *tree, const struct buf *name, int at, struct err *err);
void merge_names_held(struct merge_names *tree, struct obj array);
/* Builds the tree; null if it has no entries. */
struct obj merge_names_build(struct merge *m, struct merge_names *tree);

/* merge_links.c: replaces names and numbers in an object of the source by the new ones. */
void merge_links_visit(void *arg, struct obj object, unsigned marks);
#define MERGE_LINKS_MARKS                                                                          \
    (GRAFT_STRUCT_PARENT | GRAFT_DEST | GRAFT_FIELD_ACTION | GRAFT_STRUCT_ELEM | GRAFT_TABLE |     \
     GRAFT_EMBEDDED | GRAFT_SCRIPT)
struct merge_visit {
    struct merge *m;
    struct merge_source *s;
};
/* Converts an explicit destination: page numbers become pages. */
void merge_links_dest(struct merge_source *s, struct obj dest);

/* merge_scripts.c: replaces names of fields in the script of an action. Warns of names that it
 * makes while it runs (`script_names`), and of functions that another file's scripts have, too
 * (`script_functions`). */
void merge_scripts_fix(struct merge *m, struct merge_source *s, struct obj action);
