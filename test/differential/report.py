"""The records of a run, grouped by classes."""

import collections
import json
import os


def load(path):
    if not os.path.exists(path):
        return []
    records = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                records.append(json.loads(line))
            except ValueError:
                pass  # the run was ended within this line
    return records


def classes(records):
    """For each class: its tool, what differs, whether the job warned, the files from the smallest on."""
    groups = collections.defaultdict(list)
    for record in records:
        for what, detail in record["differences"]:
            warned = ", ".join(record["warnings"])
            groups[record["tool"], what, warned].append({"path": record["path"], "bytes": record["bytes"], "detail": detail})
    return [{"tool": tool, "what": what, "warned": warned, "count": len(files), "files": sorted(files, key=lambda f: f["bytes"])}
            for (tool, what, warned), files in sorted(groups.items(), key=lambda group: (bool(group[0][2]), -len(group[1])))]


def write(folder):
    records = load(os.path.join(folder, "records.jsonl"))
    found = classes(records)
    jobs = collections.Counter(record["tool"] for record in records if record["end"])
    with open(os.path.join(folder, "report.json"), "w", encoding="utf-8") as file:
        json.dump({"files": len({record["digest"] for record in records}), "jobs": jobs, "classes": found}, file, indent=1)
    lines = [f"{len({record['digest'] for record in records})} files, {sum(jobs.values())} jobs, "
             f"{sum(bool(record['differences']) for record in records)} of them with differences", ""]
    for title, part in (("Without a warning", [group for group in found if not group["warned"]]),
                        ("With a warning", [group for group in found if group["warned"]])):
        lines += [title, ""]
        for group in part:
            least = group["files"][0]
            lines += [f"{group['count']:5} {group['tool']:16} {group['what']}" + (f" [{group['warned']}]" if group["warned"] else ""),
                      f"        {least['path']} ({least['bytes']} bytes): {least['detail']}"]
        lines.append("")
    with open(os.path.join(folder, "summary.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    return found
