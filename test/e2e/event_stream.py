"""A stream of server-sent events, as a client reads it."""

import json


class Stream:
    """One event stream, read as an EventSource reads it."""

    def __init__(self, server, job_id, key, last=None, headers=None):
        self.connection = server.connect()
        headers = {"X-API-Key": key, **(headers or {})} if key else dict(headers or {})
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        self.connection.request("GET", f"/api/v1/jobs/{job_id}/events", headers=headers)
        # The socket is the response's alone, so that closing it is felt.
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        self.comments, self.retry, self.last_id = 0, None, None

    def next(self):
        """(name, data) of the next event; None at the stream's end."""
        name, data = "message", None
        while True:
            line = self.response.readline().decode()
            if line == "":
                return None
            line = line.rstrip("\n")
            if line == "":
                if data is not None:
                    return name, json.loads(data)
            elif line.startswith(":"):
                self.comments += 1
            else:
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    data = value
                elif field == "id":
                    self.last_id = int(value)
                elif field == "retry":
                    self.retry = int(value)

    def comment(self):
        while self.response.readline() not in (b":\n", b""):
            pass
        return True

    def rest(self):
        events = []
        while (event := self.next()) is not None:
            events.append(event)
        return events

    def close(self):
        self.response.close()
        self.connection.close()
