"""page_sizes.py FILE: width and height of each page as it is shown, turned, by poppler."""
import re
import subprocess
import sys

text = subprocess.run(["pdfinfo", "-f", "1", "-l", "100000", sys.argv[1]], stdout=subprocess.PIPE, text=True,
                      check=True).stdout
sizes = re.findall(r"Page +\d+ size: +([\d.]+) x ([\d.]+) pts", text)
turns = re.findall(r"Page +\d+ rot: +(\d+)", text)
for (width, height), turn in zip(sizes, turns):
    print(*((height, width) if int(turn) % 180 else (width, height)))
