#include "store_contract.h"
#include "store_memory/store_memory_open.h"
#include "tap.h"

int main(void)
{
    store_contract(store_memory_open);
    return done_testing();
}
