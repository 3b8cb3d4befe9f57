/* platen-worker: the program of the structural tools. Its table of tools, nothing else. */
#include "draw/warm.h"
#include "pdf/warm.h"
#include "sign/identity.h"
#include "tool/tool.h"
#include "worker/zygote.h"

#define TOOL_platen_worker(id) extern const struct tool tool_##id;
#define TOOL(id, program)      TOOL_##program(id)
#include "tools/tools.def"
#undef TOOL_platen_worker

static const struct tool *const tools[] = {
#define TOOL_platen_worker(id) &tool_##id,
#include "tools/tools.def"
};

static void warm(void)
{
    pdf_warm();
    draw_warm();
    identity_warm();
}

int main(int argc, char **argv)
{
    return zygote_main("platen-worker", tools, COUNT(tools), warm, argc, argv);
}
