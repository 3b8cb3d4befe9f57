-- Version 7: many calls of a server share a statement. Functions whose parameters or results are others now
-- (postgres_functions.sql) are dropped.
DROP FUNCTION IF EXISTS platen.put(text, bigint, bigint, text, int, int, int, bigint, bigint,
  bigint, bigint, bigint, bigint, text, text, text, text, text, text, text, bigint, bigint, bigint,
  text, text, bytea, text);
DROP FUNCTION IF EXISTS platen.finish(text, text, int, int, bigint, bigint, bigint, bigint, text,
  text, text, text, text, text, int, bytea, text, int, int);
DROP FUNCTION IF EXISTS platen.next_account(bigint, text[], boolean);
DROP FUNCTION IF EXISTS platen.next_of_tools(bigint, int, bigint, bigint, text[]);
DROP FUNCTION IF EXISTS platen.next_job(bigint, int, bigint, bigint, text[]);
DROP FUNCTION IF EXISTS platen.is_due(platen.accounts, bigint, text[]);
DROP FUNCTION IF EXISTS platen.callback_hold(bigint), platen.callback_turn_now(),
  platen.callback_low(), platen.callback_sending_low(), platen.raise_callback_low(),
  platen.forget_callbacks(int), platen.update_callbacks(bigint, text, int, int, bigint, int, boolean, bigint);

-- What belongs to webhooks is called so.
ALTER SEQUENCE platen.callback_turn RENAME TO webhook_turn;
ALTER SEQUENCE platen.callback_version RENAME TO webhook_version;
ALTER SEQUENCE platen.callback_low RENAME TO webhook_low;
ALTER SEQUENCE platen.callback_sending_low RENAME TO webhook_sending_low;
ALTER SEQUENCE platen.callback_next RENAME TO webhook_next;
ALTER SEQUENCE platen.callback_next_xid RENAME TO webhook_next_xid;

-- Each statement that changes a row pays for each index and each check of its table. Jobs in the queue are
-- looked up by their ids.
ALTER TABLE platen.queue DROP CONSTRAINT queue_pkey, DROP CONSTRAINT queue_id_key,
  ADD CONSTRAINT queue_pkey PRIMARY KEY (id);
CREATE OR REPLACE VIEW platen.job_row AS
  SELECT j.row, j.id, j.account, j.tool, coalesce(q.state, j.state) AS state, j.n_inputs,
    j.has_secret::int AS has_secret, j.input_bytes, j.created_at,
    coalesce(q.run_at, j.run_at) AS run_at, coalesce(q.started_at, j.started_at) AS started_at,
    j.finished_at, j.expires_at, coalesce(q.attempt, j.attempt) AS attempt,
    coalesce(q.lease_until, 0) AS lease_until, coalesce(q.progress, j.progress) AS progress,
    j.output_bytes, j.duration_ms, j.client_ref, j.callback_url, j.callback_base, j.stem,
    j.params, j.inputs, j.output_name, j.outputs, j.warnings, j.error, j.message, j.cost,
    j.reused_bytes, j.retention_ms, coalesce(q.spared, j.spared) AS spared, j.in_store,
    j.error_field
  FROM platen.jobs j LEFT JOIN platen.queue q ON q.id = j.id;
ALTER TABLE platen.accounts DROP CONSTRAINT accounts_pending_check1,
  DROP CONSTRAINT accounts_running_check1, DROP CONSTRAINT accounts_requests_check,
  DROP CONSTRAINT accounts_bytes_check,
  ADD CHECK(least(pending, running, requests, bytes) >= 0);
