"""What soffice makes of office documents, kept in a folder by the digests of the documents. It takes longer to begin than to
convert a small document, so it is given several at once."""

import os
import shutil
import tempfile

from commands import run

SECONDS = 90
SECONDS_MORE = 10  # for each document but the first


def _convert(paths, work):
    """Converts documents whose names differ: a folder with the results."""
    folder = tempfile.mkdtemp(dir=work)
    run(["soffice", f"-env:UserInstallation=file://{work}/soffice-profile", "--headless", "--convert-to", "pdf",
         "--outdir", folder, *paths], SECONDS + SECONDS_MORE * (len(paths) - 1), limit_memory=False)
    return folder


def _stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def convert(documents, kept, work):
    """Converts the documents, pairs of a digest and a path, that the folder `kept` does not know yet. What soffice refuses is an
    empty file there. A document that ends soffice ends it for those after it too, so these are tried again on their own."""
    os.makedirs(kept, exist_ok=True)
    missing = {digest: path for digest, path in documents if not os.path.exists(os.path.join(kept, digest + ".pdf"))}
    together = {_stem(path): (digest, path) for digest, path in missing.items()}
    groups = [list(together.values()), *([(digest, path)] for digest, path in missing.items())]
    for group in groups:
        group = [(digest, path) for digest, path in group if digest in missing]
        if not group:
            continue
        folder = _convert([path for _, path in group], work)
        for digest, path in group:
            made = os.path.join(folder, _stem(path) + ".pdf")
            if not os.path.exists(made):
                if len(group) > 1:
                    continue
                open(made, "wb").close()
            shutil.move(made, os.path.join(kept, digest + ".pdf"))
            del missing[digest]
        shutil.rmtree(folder)


def result(digest, kept):
    """The path of what soffice made of a document, or None."""
    path = os.path.join(kept, digest + ".pdf")
    return path if os.path.exists(path) and os.path.getsize(path) else None
