/* leaks: what LeakSanitizer may keep to itself: Pango 1.50 does not release a pattern of
 * fontconfig's for each list of fonts it makes, nor cairo 1.16 an array for each subset of a
 * compact font. Included by programs that draw. */
#pragma once

#ifdef PLATEN_SANITIZERS
const char *__lsan_default_suppressions(void);
__attribute__((weak)) const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\nleak:libcairo\n";
}
#endif
