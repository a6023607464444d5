-- The epochs of the database in which the log of proofs may be signed. After a restore, the log may lack leaves that were
-- signed. So nothing is signed in a new epoch until an operator lets the log go on.
CREATE TABLE verification.log_epoch (
  epoch integer PRIMARY KEY REFERENCES ledger.epoch,
  -- A log that lost leaves is continued under another name: the configured one and this suffix. The suffix is unique, so
  -- that a second restore of the same backup does not use a name again. Null: no leaf is missing, and the name stays.
  suffix text UNIQUE,
  -- Leaves that the log had at that time.
  size bigint NOT NULL,
  accepted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
INSERT INTO verification.log_epoch (epoch, size) VALUES (0, 0);
GRANT SELECT ON verification.log_epoch TO tollhouse_verification;

-- The database of the latest of these epochs, the current one, and the end of the log's name. It has the rights of its
-- owner, because the service has none in the schema of the ledger.
CREATE FUNCTION verification.read_log_epoch(OUT recorded text, OUT current text, OUT suffix text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
  SELECT e.identity, ledger.identity(), (
    SELECT n.suffix FROM verification.log_epoch n WHERE n.suffix IS NOT NULL ORDER BY n.epoch DESC LIMIT 1)
  FROM ledger.epoch e WHERE e.number = (SELECT max(l.epoch) FROM verification.log_epoch l)
$$;
REVOKE ALL ON FUNCTION verification.read_log_epoch() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION verification.read_log_epoch() TO tollhouse_verification;
