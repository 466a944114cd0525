-- Events of documents: what a job that acts on a document does, and which sequence numbers are taken.

-- As JSON: key, kind, sequence number and protocol of the event. NULL for an emission, and for cancellations older than this column.
ALTER TABLE jobs ADD COLUMN act TEXT;

-- One row per event that a document has, or whose sequence number a job of ours holds. A number is given once: only a refusal, or a
-- job that ends before anything left us, gives it back, and then the row goes. job_id is NULL for an event that is not ours.
CREATE TABLE events (
    tenant_id {uuid} NOT NULL,
    chave TEXT NOT NULL,
    tpEvento TEXT NOT NULL,
    nSeqEvento {int} NOT NULL,
    job_id {uuid},
    state TEXT NOT NULL,
    nProt TEXT,
    dhRegEvento TEXT,
    PRIMARY KEY (tenant_id, chave, tpEvento, nSeqEvento)
) {clustered};
CREATE UNIQUE INDEX events_by_job ON events (tenant_id, job_id) WHERE job_id IS NOT NULL;
