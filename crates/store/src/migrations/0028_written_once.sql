-- What an authority answers is kept around the signed document, not with another copy of it: where in `content`, in bytes, the file of kind 'signed' of
-- the same job belongs. NULL: the content is whole, as older rows are.
ALTER TABLE files ADD COLUMN around {int};

-- When a job that is being worked on last changed: its own row is written when it is registered, put back and ended.
ALTER TABLE queue ADD COLUMN changed_at {int};
