/* platen-render: the program of the tools that look at pages, by MuPDF. As a program it is under
 * the GNU AGPL, version 3 (NOTICE). */
#include "mupdf/engine.h"
#include "tools/table.h"
#include "worker/zygote.h"

int main(int argc, char **argv)
{
    return zygote_main("platen-render", tools, COUNT(tools), engine_warm, argc, argv);
}
