/*
 * layer_fit_dump: how well the text layers of a document fit, for those who tune its limits.
 *
 *     layer_fit_dump FILE...
 *
 * prints a line for each page: its number, what is wrong with its layer, and the measures.
 */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "declare/tool_run/result.h"
#include "engine/layer_fit/layer_fit.h"

static const char *const faults[] = { "fits", "odd", "short", "misplaced" };

static void dump_progress(void *arg, double fraction)
{
    (void) arg, (void) fraction;
}

static void dump_warning(void *arg, const char *code, const char *message)
{
    (void) arg;
    fprintf(stderr, "layer_fit_dump: %s: %s\n", code, message);
}

static int dump_pages(struct mupdf_document *doc, struct err *err)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        struct layer_fit fit;

        if (layer_fit_measure(doc, i, &fit, err) < 0)
            return -1;
        printf("%zu %s words %zu odd %.3f symbols %.3f unknown %.3f letters %zu uncovered %.3f "
               "bare %.3f spaces %zu crossed %.3f\n",
               i + 1, faults[layer_fit_fault(&fit)], fit.words, fit.odd, fit.symbols, fit.unknown,
               fit.letters, fit.uncovered, fit.bare, fit.spaces, fit.crossed);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const struct tool tool = { .name = "layer_fit_dump" };
    const struct tool_sink sink = { .progress = dump_progress, .warning = dump_warning };
    struct err err;
    int output = memfd_create("layer_fit_dump", MFD_CLOEXEC);
    struct tool_result *result = tool_result_new(&tool, output, output, &sink, &err);
    struct tool_run run = { .result = result };

    for (int i = 1; i < argc; i++) {
        AUTO_MUPDF_DOCUMENT struct mupdf_document doc = { 0 };

        if (mupdf_document_open(&doc, argv[i], "", &run, &err) < 0 || dump_pages(&doc, &err) < 0) {
            fprintf(stderr, "layer_fit_dump: %s: %s\n", argv[i], err.msg);
            return 1;
        }
    }
    tool_result_free(result);
    close(output);
    return 0;
}
