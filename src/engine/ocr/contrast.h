/* contrast: gives a gray picture the contrast of print: even light, ink that is dark, paper that is
 * white, no grain. */
#pragma once

struct Pix;

/* Replaces the picture, where its own light or contrast would keep letters from being told from
 * paper. What fails leaves it as it is. */
void contrast_normalise(struct Pix **picture);
