/* platen-browser: the program of the tools that show pages of the web, by Chromium, which runs next
 * to the process of each job. */
#include "engine/browser/launch.h"
#include "pdf/document/warm.h"
#include "sandbox/zygote/zygote.h"
#include "tools/programs/table.h"

static int warm(const char *folder, struct err *err)
{
    (void) folder, (void) err;
    pdf_warm();
    return 0;
}

int main(int argc, char **argv)
{
    const struct zygote_setup setup = {
        .look = launch_look,
        .warm = warm,
        .warm_late = true,
        .folder_bytes = LAUNCH_FOLDER_BYTES,
        .companion = &launch_browser,
    };

    return zygote_main_with("platen-browser", tools, COUNT(tools), &setup, argc, argv);
}
