-- Files for the accountant: what is asked for, who makes it, and the file in parts. Why it is kept here: docs/decisions/store.md.

-- An export that waits or is being made belongs to the attempt whose token it has until lease_until; 0 is a free one.
CREATE TABLE exports (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    de TEXT NOT NULL,
    ate TEXT NOT NULL,
    tipos TEXT NOT NULL,
    forms {int} NOT NULL,
    state TEXT NOT NULL,
    criado_em {int} NOT NULL,
    concluido_em {int},
    expira_em {int},
    feitas {int} NOT NULL,
    total {int} NOT NULL,
    bytes {int} NOT NULL,
    partes {int} NOT NULL,
    tentativas {int} NOT NULL,
    token {uuid},
    lease_until {int} NOT NULL,
    erro TEXT,
    PRIMARY KEY (tenant_id, id)
) {clustered};
-- One unfinished export of an account at a time.
CREATE UNIQUE INDEX exports_unfinished ON exports (tenant_id) WHERE state = 'unfinished';
CREATE INDEX exports_due ON exports (lease_until) WHERE state = 'unfinished';
CREATE INDEX exports_by_end ON exports (expira_em) WHERE expira_em IS NOT NULL;

-- Parts of the file that an attempt has made. Those of an attempt that lost its export are removed by the next one.
CREATE TABLE export_parts (
    export_id {uuid} NOT NULL,
    token {uuid} NOT NULL,
    part {int} NOT NULL,
    content {blob} NOT NULL,
    PRIMARY KEY (export_id, token, part)
) {heap};

-- Documents with their authority's consent in the order of their emission.
CREATE INDEX documents_by_emission ON documents (tenant_id, cpf_cnpj, ambiente, dhEmi, job_id)
    WHERE state = 'authorized' OR state = 'cancelled';
