-- Version 7: many calls of a server share a statement. Functions whose parameters or results are others now
-- (postgres_functions.sql) are dropped.
DROP FUNCTION IF EXISTS platen.put(text, bigint, bigint, text, int, int, int, bigint, bigint,
  bigint, bigint, bigint, bigint, text, text, text, text, text, text, text, bigint, bigint, bigint,
  text, text, bytea, text);
DROP FUNCTION IF EXISTS platen.finish(text, text, int, int, bigint, bigint, bigint, bigint, text,
  text, text, text, text, text, int, bytea, text, int, int);
DROP FUNCTION IF EXISTS platen.next_account(bigint, text[], boolean);
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
