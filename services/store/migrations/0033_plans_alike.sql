-- What plans of format 2 with the same steps and tools have in common: the names of both, without versions. Null for others.
CREATE FUNCTION verification.digest_steps(document text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(string_agg(line, ',' ORDER BY line COLLATE "C"), 'UTF8')), 'hex')
  FROM (
    SELECT concat_ws(' ', step ->> 'step_id', split_part(step ->> 'tool', '@', 1)) AS line
    FROM json_array_elements(document::json -> 'steps') AS step
    WHERE document::json ->> 'plan_format' = '2') AS lines
$$;
ALTER TABLE verification.plan
  ADD COLUMN steps_digest text GENERATED ALWAYS AS (verification.digest_steps(document)) STORED;
CREATE INDEX plan_alike ON verification.plan (tenant_id, steps_digest, plan_id);
