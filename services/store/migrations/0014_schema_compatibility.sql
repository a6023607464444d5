-- The oldest migration that a version of Tollhouse must know to work on this schema. A migration that older versions
-- cannot work with sets it to its own name. So old and new processes can run side by side during an upgrade, and a
-- version that is too old refuses to start.
CREATE TABLE schema_compatibility (
  oldest text NOT NULL,
  is_only_row boolean PRIMARY KEY DEFAULT true CHECK (is_only_row)
);
INSERT INTO schema_compatibility (oldest) VALUES ('0010_operator_acts');
