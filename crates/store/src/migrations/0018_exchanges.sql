-- A history with requests and replies is long and much like the next one: deflated here, with `lines` empty. Short ones stay as they are.
ALTER TABLE job_log ADD COLUMN packed {blob};
