/*
 * guards: platen-office with one of its defences, or none. It is started under the name
 * .../profile/platen-office, .../sandbox/platen-office or .../none/platen-office: what its folder
 * names it keeps.
 */
#include <string.h>

#include "engine/office/convert.h"
#include "engine/office/profile.h"
#include "sandbox/zygote/zygote.h"
#include "tools/programs/table.h"

int main(int argc, char **argv)
{
    const struct zygote_setup setup = {
        .look = profile_look,
        .warm = kit_prepare,
        .needs = convert_needs,
        .folder_bytes = CONVERT_FOLDER_BYTES,
    };

    if (!strstr(argv[0], "/sandbox/"))
        sandbox_only(SANDBOX_USER);
    if (!strstr(argv[0], "/profile/"))
        profile_unguarded();
    return zygote_main_with("platen-office", tools, COUNT(tools), &setup, argc, argv);
}
