-- E-mails: each company's choice, the mails with their attempts, addresses that get none, and the alerts that people
-- ask for. Law: docs/contract.md, "E-mails". Why a mail is not sent again after its end is unknown:
-- docs/decisions/store.md.

-- A company's choice by environment and document type; no row is a choice of none.
CREATE TABLE mail_choices (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    tipo TEXT NOT NULL,
    enviar {int} NOT NULL,
    responder_para TEXT,
    copia_para TEXT,
    -- Address in place of the addressee's; in homologation none is sent without it.
    sempre_para TEXT,
    PRIMARY KEY (tenant_id, cpf_cnpj, ambiente, tipo)
) {clustered};

-- A mail waits until proxima_em, or belongs to the attempt with its token until then. transmitido_em is written
-- before its content is given to the server: a mail that has it without an outcome may have arrived.
CREATE TABLE mails (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    kind TEXT NOT NULL,
    job_id {uuid},
    export_id {uuid},
    cpf_cnpj TEXT,
    tipo TEXT,
    para TEXT,
    copia_para TEXT,
    responder_para TEXT,
    assunto TEXT,
    -- Event of an alert, and its JSON object.
    alerta TEXT,
    corpo TEXT,
    status TEXT NOT NULL,
    tentativas {int} NOT NULL,
    criado_em {int} NOT NULL,
    serie_em {int} NOT NULL,
    proxima_em {int},
    concluido_em {int},
    token {uuid},
    transmitido_em {int},
    PRIMARY KEY (tenant_id, id)
) {clustered};
CREATE INDEX mails_by_environment ON mails (tenant_id, ambiente, id);
CREATE INDEX mails_by_status ON mails (tenant_id, ambiente, status, id);
CREATE INDEX mails_by_job ON mails (tenant_id, job_id, id) WHERE job_id IS NOT NULL;
CREATE INDEX mails_of_alerts ON mails (tenant_id, alerta, para, criado_em) WHERE alerta IS NOT NULL;
CREATE INDEX mails_by_age ON mails (serie_em);
CREATE INDEX mails_waiting ON mails (tenant_id, proxima_em) WHERE proxima_em IS NOT NULL;

CREATE TABLE mail_attempts (
    tenant_id {uuid} NOT NULL,
    mail_id {uuid} NOT NULL,
    tentativa {int} NOT NULL,
    em {int} NOT NULL,
    etapa TEXT NOT NULL,
    codigo {int},
    resposta TEXT NOT NULL,
    PRIMARY KEY (tenant_id, mail_id, tentativa)
) {clustered};

-- Addresses of an account that get no mail.
CREATE TABLE mail_blocks (
    tenant_id {uuid} NOT NULL,
    endereco TEXT NOT NULL,
    motivo TEXT NOT NULL,
    criado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, endereco)
) {clustered};

-- Alerts that a user asks for.
CREATE TABLE mail_alerts (
    tenant_id {uuid} NOT NULL,
    user_id {uuid} NOT NULL,
    ambiente {int} NOT NULL,
    alerta TEXT NOT NULL,
    PRIMARY KEY (tenant_id, ambiente, alerta, user_id)
) {clustered};

-- Address that learns of the end of an export.
ALTER TABLE exports ADD COLUMN avisar TEXT;
