-- The user or API key that ordered a job. NULL for a job of the service itself, and for jobs older than this column.
ALTER TABLE jobs ADD COLUMN ordered_by {uuid};
-- acts on a document, newest first
CREATE INDEX jobs_by_target ON jobs (tenant_id, alvo, id) WHERE alvo IS NOT NULL;
