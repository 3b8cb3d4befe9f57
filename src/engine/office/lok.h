/*
 * lok: the part of LibreOfficeKit's binary interface that is used here
 * (LibreOfficeKit/LibreOfficeKit.h of LibreOffice 7.4). The tables of functions only ever grow at
 * their end, so that it also fits later versions; the header itself is not valid C in 7.4.
 * Functions that are not used are gaps.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct lok;
struct lok_doc;

typedef void (*lok_gap)(void);
typedef void (*lok_callback)(int type, const char *payload, void *arg);

struct lok_class {
    size_t size;
    lok_gap gap0[2]; /* destroy, documentLoad */
    char *(*error)(struct lok *lok);
    struct lok_doc *(*load)(struct lok *lok, const char *url, const char *options);
    lok_gap gap1; /* freeError */
    void (*register_callback)(struct lok *lok, lok_callback callback, void *arg);
    lok_gap gap2; /* getFilterTypes */
    void (*set_features)(struct lok *lok, unsigned long long features);
    void (*set_password)(struct lok *lok, const char *url, const char *password);
};

struct lok {
    const struct lok_class *class;
};

struct lok_doc_class {
    size_t size;
    void (*destroy)(struct lok_doc *doc);
    int (*save_as)(struct lok_doc *doc, const char *url, const char *format, const char *options);
    int (*type)(struct lok_doc *doc);
    int (*parts)(struct lok_doc *doc);
    lok_gap gap0[2]; /* getPartPageRectangles, getPart */
    void (*set_part)(struct lok_doc *doc, int part);
    char *(*part_name)(struct lok_doc *doc, int part);
    lok_gap gap1[3]; /* setPartMode, paintTile, getTileMode */
    void (*size_of)(struct lok_doc *doc, long *width, long *height);
    lok_gap gap2; /* initializeForRendering */
    void (*register_callback)(struct lok_doc *doc, lok_callback callback, void *arg);
    lok_gap gap3[2]; /* postKeyEvent, postMouseEvent */
    void (*command)(struct lok_doc *doc, const char *command, const char *arguments, bool notify);
    lok_gap gap4[5]; /* setTextSelection to resetSelection */
    char *(*values)(struct lok_doc *doc, const char *command);
    lok_gap gap5[18]; /* setClientZoom to postWindowExtTextInputEvent */
    char *(*part_info)(struct lok_doc *doc, int part);
};

struct lok_doc {
    const struct lok_doc_class *class;
};

/* LibreOfficeKitEnums.h */
#define LOK_PASSWORD_TO_OPEN        20 /* LOK_CALLBACK_DOCUMENT_PASSWORD */
#define LOK_PASSWORD_TO_MODIFY      21
#define LOK_COMMAND_RESULT          16 /* LOK_CALLBACK_UNO_COMMAND_RESULT */
#define LOK_FEATURE_PASSWORD        1ULL
#define LOK_FEATURE_PASSWORD_MODIFY 2ULL

/* The functions that the library exports, found by name. */
typedef int (*lok_preinit_fn)(const char *program_folder, const char *profile_url);
typedef struct lok *(*lok_hook_fn)(const char *program_folder, const char *profile_url);
