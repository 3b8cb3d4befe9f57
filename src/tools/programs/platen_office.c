/* platen-office: the program of the tools that LibreOffice does. */
#include "engine/office/convert.h"
#include "engine/office/profile.h"
#include "engine/office/trials.h"
#include "sandbox/zygote/zygote.h"
#include "tools/programs/table.h"

int main(int argc, char **argv)
{
    struct zygote_trial trials[TRIALS];
    const struct zygote_setup setup = {
        .look = profile_look,
        .warm = kit_prepare,
        .stale = kit_stale,
        .trials = trials,
        .n_trials = COUNT(trials),
        .needs = convert_needs,
        .folder_bytes = CONVERT_FOLDER_BYTES,
    };

    trials_fill(trials);
    return zygote_main_with("platen-office", tools, COUNT(tools), &setup, argc, argv);
}
