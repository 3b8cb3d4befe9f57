#include "engine/office/trials.h"

/* From the build. */
#define TRIAL(kind)                                                                                \
    extern const unsigned char trial_##kind[];                                                     \
    extern const size_t trial_##kind##_bytes;
TRIAL(docx)
TRIAL(xlsx)
TRIAL(pptx)
#undef TRIAL

void trials_fill(struct zygote_trial out[static TRIALS])
{
    out[0] = (struct zygote_trial){ "word-to-pdf", "trial.docx", trial_docx, trial_docx_bytes };
    out[1] = (struct zygote_trial){ "excel-to-pdf", "trial.xlsx", trial_xlsx, trial_xlsx_bytes };
    out[2] = (struct zygote_trial){ "ppt-to-pdf", "trial.pptx", trial_pptx, trial_pptx_bytes };
}
