-- Numbers that no document will carry. While the request is under way they are `voiding`, then `voided`; void_job asked for it. A row
-- that was made for the request has no job_id, and goes again when the authority refuses.
ALTER TABLE numbers ADD COLUMN void_job {uuid};
CREATE INDEX numbers_by_void ON numbers (tenant_id, void_job) WHERE void_job IS NOT NULL;

-- The ranges that an authority voided, as lists ask for them; the job has the rest.
CREATE TABLE voids (
    tenant_id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    ambiente {int} NOT NULL,
    serie {int} NOT NULL,
    nNFIni {int} NOT NULL,
    nNFFin {int} NOT NULL,
    PRIMARY KEY (tenant_id, job_id)
) {clustered};
