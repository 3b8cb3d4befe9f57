/* platen-pages: the program of the tools that rearrange pages and need no drawing library. It is
 * apart from platen-worker because each library that a program links makes each of its jobs slower
 * to fork. */
#include "pdf/document/warm.h"
#include "sandbox/zygote/zygote.h"
#include "tools/programs/table.h"

int main(int argc, char **argv)
{
    return zygote_main("platen-pages", tools, COUNT(tools), pdf_warm, argc, argv);
}
