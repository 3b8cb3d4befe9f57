/* warm: does set-up that is the same for every drawing, so that processes forked afterwards have
 * it done: reads the list of installed fonts. Errors are ignored; it starts no thread. */
#pragma once

void draw_warm(void);
