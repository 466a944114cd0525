-- The job that acts on a document, one per kind of act: the row is the lock under which another job of the kind is registered or told
-- to wait. It stays when the job ends, and then holds nobody up.
CREATE TABLE acting (
    tenant_id {uuid} NOT NULL,
    chave TEXT NOT NULL,
    kind TEXT NOT NULL,
    job_id {uuid} NOT NULL,
    PRIMARY KEY (tenant_id, chave, kind)
) {clustered};
