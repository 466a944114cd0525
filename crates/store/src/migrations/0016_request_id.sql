-- Which request registered a job: it names the job's lines in the log and the head of its history.
ALTER TABLE jobs ADD COLUMN request_id TEXT;
