/* platen-render: the program of the tools that look at pages, by MuPDF. As a program it is under
 * the GNU AGPL, version 3 (NOTICE). */
#include "engine/mupdf/engine.h"
#include "sandbox/zygote/zygote.h"
#include "tools/programs/table.h"

int main(int argc, char **argv)
{
    return zygote_main("platen-render", tools, COUNT(tools), engine_warm, argc, argv);
}
