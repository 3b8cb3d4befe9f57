/*
 * page_processes: recognises pages of a document in processes that are forked for one page each, as
 * many at a time as the job has cores. A page on which Tesseract crashes, runs out of memory or
 * does not end costs that page alone.
 */
#pragma once

#include "declare/tool_run/run.h"
#include "engine/layer_fit/layer_fit.h"
#include "engine/mupdf/mupdf_document.h"
#include "engine/ocr/page_layers.h"
#include "engine/ocr/recognizer.h"
#include "engine/ocr/word_crops.h"

enum page_outcome {
    PAGE_NOT_NAMED, /* the client does not want it */
    PAGE_HAS_TEXT,  /* it needs no recognition */
    PAGE_BLANK,     /* there is nothing on it */
    PAGE_WANTED,    /* it is to be recognised */
    PAGE_READ,      /* it was; it may have no words */
    PAGE_TOO_SLOW,
    PAGE_TOO_LARGE, /* it needs more memory than there is */
    PAGE_FAILED,    /* Tesseract crashed */
    PAGE_KEPT,      /* for the caller: it keeps its earlier layer */
};

struct page_result {
    enum page_outcome outcome;
    double dpi;             /* set by the caller: the resolution to recognise it at */
    bool without_text;      /* set by the caller: texts whose characters are known are left out */
    bool not_level;         /* set by the caller: places stay askew also where others are level */
    bool is_scan;           /* for the caller: nothing but pictures is seen on it */
    bool splits;            /* set by the caller: its picture is split in layers */
    bool has_layer;         /* for the caller: it has a layer of text to be replaced */
    enum layer_fault fault; /* for the caller: what is wrong with the layer that it has */
    struct layer_page text; /* owned: one allocation, which begins with the lines */
    char language[64], wanted[32], script[32]; /* as of struct recognition */
    int confidence, turned;
    float skew;
    bool full;                                    /* there was not room for all words */
    struct redraw_box missed[RECOGNITION_MISSED]; /* as of struct recognition */
    uint32_t n_missed;
    enum page_layers_state layered;
    struct layers layers;       /* owned; of PAGE_LAYERS_MADE */
    struct page_shapes *shapes; /* owned; NULL unless pages are levelled */
    struct word_crops *crops;   /* owned; or NULL; of its pixels only those that are used */
};

struct page_processes {
    struct tool_run *run;
    const struct mupdf_document *doc; /* open; only its file is used */
    const char *path, *password;
    const char *languages;       /* NULL: found page by page */
    int page_seconds;            /* limit of a page's processor time */
    bool upright, level, shapes; /* as of struct scan */
    bool clean;                  /* as of struct layers_options */
    bool crops; /* pictures of doubtful words are wanted; only with upright, level and shapes */
};

/* Recognises the wanted pages of n. ERR_INTERNAL if no process can be made. */
int page_processes_run(const struct page_processes *job, struct page_result *pages, size_t n,
                       struct err *err);
void page_result_free(struct page_result *page);
