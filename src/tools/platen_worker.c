/* platen-worker: the program of the structural tools. Its table of tools, nothing else. */
#include "pdf/warm.h"
#include "tools/table.h"
#include "worker/zygote.h"

int main(int argc, char **argv)
{
    return zygote_main("platen-worker", tools, COUNT(tools), pdf_warm, argc, argv);
}
