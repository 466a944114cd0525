-- When the bytes of a document first and last may have left, and the refusal that was answered and proves nothing by itself.
ALTER TABLE documents ADD COLUMN first_sent_at {int};
ALTER TABLE documents ADD COLUMN last_sent_at {int};
ALTER TABLE documents ADD COLUMN refusal TEXT;

-- Former keys of a job: a document that was signed and may have left, and was made anew under other bytes once its authority had proven not to have it.
-- The signed bytes stay with the job as the file signed/<digest>, so that an authority that has them after all is believed.
CREATE TABLE transmissions (
    tenant_id {uuid} NOT NULL,
    asked_by TEXT NOT NULL,
    digest TEXT NOT NULL,
    job_id {uuid} NOT NULL,
    chave TEXT,
    numero {int} NOT NULL,
    codigo_aleatorio {int} NOT NULL,
    tipo_emissao {int} NOT NULL,
    dhEmi TEXT NOT NULL,
    contingencia TEXT,
    qrCode TEXT,
    first_sent_at {int},
    last_sent_at {int},
    set_aside_at {int} NOT NULL,
    PRIMARY KEY (tenant_id, asked_by, digest)
) {clustered};
CREATE INDEX transmissions_by_job ON transmissions (tenant_id, job_id);
