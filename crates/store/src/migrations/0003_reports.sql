-- What the listings and reports of jobs and notes need to be fast. Why: docs/decisions/store.md.

-- A job can be found by what was sold before its document exists; a report of failures groups by the code alone.
ALTER TABLE jobs ADD COLUMN destinatario TEXT;
ALTER TABLE jobs ADD COLUMN vNF TEXT;
ALTER TABLE jobs ADD COLUMN erro_codigo TEXT;
UPDATE jobs SET destinatario = (SELECT d.destinatario FROM documents d WHERE d.tenant_id = jobs.tenant_id AND d.job_id = jobs.id),
    vNF = (SELECT d.vNF FROM documents d WHERE d.tenant_id = jobs.tenant_id AND d.job_id = jobs.id AND d.vNF <> ''),
    erro_codigo = {erro_codigo};
CREATE INDEX jobs_by_company ON jobs (tenant_id, cpf_cnpj, id);
CREATE INDEX jobs_by_addressee ON jobs (tenant_id, destinatario, id) WHERE destinatario IS NOT NULL;
CREATE INDEX jobs_by_value ON jobs (tenant_id, vNF, id) WHERE vNF IS NOT NULL;
-- lists of notes go by `documents` now
DROP INDEX jobs_by_tipo;
DROP INDEX jobs_failed;
-- the report of failures and its summary are read from this index alone; a job that succeeds never enters it
CREATE INDEX jobs_failed ON jobs (tenant_id, id, erro_codigo, cpf_cnpj, tipo, ambiente) WHERE status = 'failed';

ALTER TABLE documents ADD COLUMN tipo TEXT NOT NULL DEFAULT 'nfe';
UPDATE documents SET tipo = (SELECT j.tipo FROM jobs j WHERE j.tenant_id = documents.tenant_id AND j.id = documents.job_id);
-- Notes are documents that an authority decided. These indexes hold only them, so that the steps before cost nothing here.
-- Columns after `job_id` are there so that notes of a period are counted without looking at the rows.
DROP INDEX documents_by_state;
CREATE INDEX notes_by_age ON documents (tenant_id, job_id)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_state ON documents (tenant_id, state, job_id, cpf_cnpj, tipo, ambiente, serie)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_company ON documents (tenant_id, cpf_cnpj, job_id, state, tipo, ambiente, serie)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_tipo ON documents (tenant_id, tipo, job_id)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_addressee ON documents (tenant_id, destinatario, job_id)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
CREATE INDEX notes_by_number ON documents (tenant_id, nNF, job_id)
    WHERE state = 'authorized' OR state = 'cancelled' OR state = 'denied' OR state = 'rejected';
-- the report of rejections
CREATE INDEX notes_rejected ON documents (tenant_id, job_id, cStat, cpf_cnpj, tipo, ambiente) WHERE state = 'rejected';

-- How many notes there are of each kind, kept by whatever changes a note. Counting a million index entries takes longer than
-- a list may. Several rows per kind (`shard`), so that two notes that settle at once seldom wait for each other.
CREATE TABLE note_counts (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    serie {int} NOT NULL,
    ambiente {int} NOT NULL,
    state TEXT NOT NULL,
    shard {int} NOT NULL,
    n {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, tipo, serie, ambiente, state, shard)
) {clustered};
INSERT INTO note_counts (tenant_id, cpf_cnpj, tipo, serie, ambiente, state, shard, n)
SELECT tenant_id, cpf_cnpj, tipo, serie, ambiente, state, 0, COUNT(*) FROM documents
WHERE state IN ('authorized', 'cancelled', 'denied', 'rejected')
GROUP BY tenant_id, cpf_cnpj, tipo, serie, ambiente, state;
