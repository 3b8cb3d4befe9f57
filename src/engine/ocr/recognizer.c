#include "engine/ocr/recognizer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tesseract/capi.h>

#include "base/scope.h"
#include "engine/ocr/collect.h"
#include "engine/ocr/languages.h"
#include "engine/ocr/one_thread.h"
#include "engine/ocr/prepare.h"
#include "engine/ocr/shapes.h"
#include "engine/ocr/strokes.h"

#define KEPT 8 /* sets of languages that stay loaded */

static struct {
    char languages[64];
    TessBaseAPI *api;
} kept[KEPT];
static size_t n_kept;

static TessBaseAPI *load(const char *languages)
{
    TessBaseAPI *api;

    one_thread_use();
    api = TessBaseAPICreate();
    if (TessBaseAPIInit2(api, LANGUAGES_FOLDER, languages, OEM_LSTM_ONLY) == 0)
        return api;
    TessBaseAPIDelete(api);
    return NULL;
}

/* The languages, loaded once. */
static TessBaseAPI *find(const char *languages, struct err *err)
{
    TessBaseAPI *api;

    for (size_t i = 0; i < n_kept; i++)
        if (strcmp(kept[i].languages, languages) == 0)
            return kept[i].api;
    api = load(languages);
    if (!api) {
        err_set(err, ERR_INTERNAL, "the data of the language %s cannot be loaded", languages);
        return NULL;
    }
    if (n_kept == KEPT)
        TessBaseAPIDelete(kept[--n_kept].api);
    snprintf(kept[n_kept].languages, sizeof kept[n_kept].languages, "%s", languages);
    kept[n_kept].api = api;
    return kept[n_kept++].api;
}

void recognizer_load(const char *languages)
{
    struct err ignored;

    find(languages, &ignored);
}

static bool asked_to_stop(void *arg, int words)
{
    bool (*const *stop)(void) = arg;

    (void) words;
    return *stop && (*stop)();
}

static void find_shapes(const struct prepared *prepared, struct recognition *out)
{
    strokes_measure(prepared, &out->page);
    shapes_drop_strokes(&out->page, &out->shapes);
    shapes_find_pictures(prepared, &out->page, &out->shapes);
}

static int run_engine(TessBaseAPI *api, struct prepared *prepared, bool (*stop)(void), bool shapes,
                      struct recognition *out, struct err *err)
{
    ETEXT_DESC *monitor = TessMonitorCreate();
    TessResultIterator *words;
    int failed;

    TessMonitorSetCancelFunc(monitor, asked_to_stop);
    TessMonitorSetCancelThis(monitor, &stop);
    if (shapes)
        shapes_remove_rules(prepared, &out->shapes);
    TessBaseAPISetPageSegMode(api, PSM_AUTO);
    TessBaseAPISetImage2(api, prepared->picture);
    TessBaseAPISetSourceResolution(api, (int) prepared->dpi);
    if (!shapes) /* Tesseract has a copy */
        pixDestroy(&prepared->picture);
    failed = TessBaseAPIRecognize(api, monitor);
    TessMonitorDelete(monitor);
    words = failed ? NULL : TessBaseAPIGetIterator(api);
    if (words)
        collect_words(words, prepared, out);
    if (words)
        TessResultIteratorDelete(words);
    if (!failed && shapes)
        find_shapes(prepared, out);
    TessBaseAPIClear(api);
    return failed ? err_set(err, ERR_LIMIT_EXCEEDED, "the page was not recognised in time") : 0;
}

int recognizer_read(struct scan *scan, const struct recognizer_options *options,
                    struct recognition *out, struct err *err)
{
    TessBaseAPI *api = find(options->languages, err);
    struct prepared prepared;
    int done;

    if (!api || prepare_scan(scan, options->turn, &prepared, err) < 0)
        return -1;
    snprintf(out->language, sizeof out->language, "%s", options->languages);
    done = run_engine(api, &prepared, options->stop, scan->shapes, out, err);
    prepare_free(&prepared);
    return done;
}

bool recognizer_look(struct scan *scan, struct recognizer_view *view)
{
    TessBaseAPI *api = languages_has_osd() ? TessBaseAPICreate() : NULL;
    struct prepared prepared;
    struct err ignored;
    const char *script = NULL;
    float sure = 0, script_sure = 0;
    int turned = 0;
    bool found = false;

    if (!api)
        return false;
    if (TessBaseAPIInit2(api, LANGUAGES_FOLDER, LANGUAGES_OSD, OEM_TESSERACT_ONLY) == 0 &&
        prepare_scan(scan, 0, &prepared, &ignored) == 0) {
        TessBaseAPISetPageSegMode(api, PSM_OSD_ONLY);
        TessBaseAPISetImage2(api, prepared.picture);
        TessBaseAPISetSourceResolution(api, (int) prepared.dpi);
        found = TessBaseAPIDetectOrientationScript(api, &turned, &sure, &script, &script_sure) &&
                script;
        prepare_free(&prepared);
    }
    if (found)
        *view = (struct recognizer_view){ .turn = (360 - turned) % 360,
                                          .turn_sure = sure,
                                          .script_sure = script_sure };
    if (found)
        snprintf(view->script, sizeof view->script, "%s", script);
    TessBaseAPIDelete(api);
    return found;
}
