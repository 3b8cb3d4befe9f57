#include "base/system/process.h"

#include <sys/prctl.h>
#include <sys/resource.h>

void process_close_to_others(void)
{
    static const struct rlimit none = { 0, 0 };

    setrlimit(RLIMIT_CORE, &none);
#ifndef PLATEN_SANITIZERS
    prctl(PR_SET_DUMPABLE, 0);
#endif
}
