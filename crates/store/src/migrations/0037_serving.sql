-- The processes that serve this database now; one that ended without a word is gone after a while (beat_at).
CREATE TABLE serving (
    process {uuid} NOT NULL PRIMARY KEY,
    beat_at {int} NOT NULL
) {heap};
