/* platen-worker: the program of the structural tools. Its table of tools, nothing else. */
#include "pdf/document/warm.h"
#include "sandbox/zygote/zygote.h"
#include "stamp/draw/warm.h"
#include "stamp/sign/identity.h"
#include "tools/programs/table.h"

static void warm(void)
{
    pdf_warm();
    draw_warm();
    identity_warm();
}

int main(int argc, char **argv)
{
    identity_load();
    return zygote_main("platen-worker", tools, COUNT(tools), warm, argc, argv);
}
