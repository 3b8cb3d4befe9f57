/* warm: does once what is the same for every drawing, so that a process forked afterwards finds it
 * done: the list of installed fonts. Best effort; starts no thread. */
#pragma once

void draw_warm(void);
