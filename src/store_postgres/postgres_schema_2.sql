-- Version 2 of the store in PostgreSQL: a server holds all its jobs by one lease, which stands in its
-- own row, and may do jobs of some tools only.

ALTER TABLE platen.nodes
  ADD COLUMN lease_until bigint NOT NULL DEFAULT 0,
  ADD COLUMN works boolean NOT NULL DEFAULT true;

ALTER TABLE platen.queue ADD COLUMN tool text COLLATE "C";
UPDATE platen.queue q SET tool = j.tool FROM platen.jobs j WHERE j.row = q.row;
CREATE INDEX queue_of_tool ON platen.queue(account, tool, long, run_at, id) WHERE state = 0;
DROP INDEX platen.queue_running;
CREATE INDEX queue_of_node ON platen.queue(node) WHERE state = 1;

-- What one server a second does for all (platen.sweep): when it was last begun, and the numbers of
-- jobs that it counted. One row.
CREATE TABLE platen.house(
  swept_at bigint NOT NULL DEFAULT 0,
  pending bigint NOT NULL DEFAULT 0,
  running bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO platen.house DEFAULT VALUES;
