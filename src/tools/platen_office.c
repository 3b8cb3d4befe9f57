/* platen-office: the program of the tools that LibreOffice does. */
#include "office/convert.h"
#include "office/profile.h"
#include "tools/table.h"
#include "worker/zygote.h"

int main(int argc, char **argv)
{
    static const struct zygote_setup setup = {
        .look = profile_look,
        .warm = kit_prepare,
        .stale = kit_stale,
        .folder_bytes = CONVERT_FOLDER_BYTES,
    };
    struct zygote_setup own = setup;

    own.needs = convert_needs;
    return zygote_main_with("platen-office", tools, COUNT(tools), &own, argc, argv);
}
