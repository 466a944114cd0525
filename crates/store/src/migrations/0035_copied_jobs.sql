-- Whether the job came with a copy of the database that was put back while it was open. Its instants say nothing of
-- that: they may be of a clock that was ahead.
ALTER TABLE jobs ADD COLUMN is_copied {int} NOT NULL DEFAULT 0;
