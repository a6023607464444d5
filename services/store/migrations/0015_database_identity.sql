-- Up Migration

-- Which database this is. A database that was restored from a backup, moved, upgraded to another major version, or
-- promoted from a standby is another one. It may lack commits that clients have seen.
CREATE TABLE database_identity (
  identity text NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row)
);

-- Three parts, because a restore changes at least one of them: initdb chooses the identifier of the server, a recovery
-- from an archive begins a timeline, and pg_restore creates this table again.
CREATE FUNCTION current_database_identity() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (pg_control_system()).system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' ||
    'database_identity'::regclass::oid
$$;

INSERT INTO database_identity (identity) VALUES (current_database_identity());

GRANT SELECT ON database_identity TO tollhouse_verification;

-- A log that lost leaves is continued under another name: the configured one and this suffix. The suffix is unique, so
-- that a second restore of the same backup does not use a name again. The first name has no row.
CREATE TABLE verification.log_name (
  number integer PRIMARY KEY CHECK (number > 1),
  suffix text NOT NULL UNIQUE,
  -- Leaves that the log had at that time.
  size bigint NOT NULL,
  began_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON verification.log_name TO tollhouse_verification;

-- Down Migration

DROP TABLE verification.log_name;
DROP FUNCTION current_database_identity();
DROP TABLE database_identity;
