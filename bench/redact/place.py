"""The table of hiding places. A place is found by its name, has a group, and says how a redaction is asked for it: by the secret as text
("text"), or by the area where it is drawn ("box")."""

PLACES = {}


def place(group, by="text"):
    def add(make):
        name = make.__name__.strip("_").replace("_", " ")
        PLACES[name] = (group, by, make)
        return make
    return add
