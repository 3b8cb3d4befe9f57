/* platen-ocr: the program of the tools that read pictures of text, by Tesseract. It draws pages
 * with MuPDF, and is as a program under the GNU AGPL, version 3 (NOTICE). */
#include <sys/syscall.h>

#include "engine/mupdf/engine.h"
#include "engine/ocr/languages.h"
#include "engine/ocr/recognizer.h"
#include "sandbox/zygote/zygote.h"
#include "tools/programs/table.h"

static int look(struct err *err)
{
    if (languages_installed[1])
        return 0;
    return err_set(err, ERR_INTERNAL,
                   "Tesseract has no language: apt-get install tesseract-ocr-eng installs one");
}

static int warm(const char *folder, struct err *err)
{
    (void) folder, (void) err;
    engine_warm();
    recognizer_load(languages_has("eng") ? "eng" : languages_installed[1]);
    return 0;
}

int main(int argc, char **argv)
{
    /* A process for a page is waited for, and ends itself after a time. A PDF that is made of
     * pictures is a file in memory. */
    static const int calls[] = { SYS_wait4, SYS_setitimer, SYS_memfd_create };
    static const char *const folders[] = { LANGUAGES_FOLDER, NULL };
    const struct zygote_setup setup = {
        .look = look,
        .warm = warm,
        .warm_late = true,
        .needs = { .calls = calls, .n_calls = COUNT(calls), .folders = folders },
    };

    return zygote_main_with("platen-ocr", tools, COUNT(tools), &setup, argc, argv);
}
