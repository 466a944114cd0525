-- An authority that no longer knows the number a distribution stands at (589): that number, and when it said so, until a question is answered again.
ALTER TABLE distribution ADD COLUMN reset_from {int};
ALTER TABLE distribution ADD COLUMN reset_at {int};
