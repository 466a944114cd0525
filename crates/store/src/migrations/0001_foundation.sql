-- Both databases run this text; {int}, {uuid}, {blob}, {clustered}, {heap} are spelled by dialect.rs.
-- Every table is keyed by tenant first, so that it can be distributed by tenant. Instants are seconds since 1970.

-- Proves that the master key given at start is the one that sealed this database.
CREATE TABLE master_key (
    id {int} NOT NULL PRIMARY KEY,
    proof {blob} NOT NULL
) {heap};

CREATE TABLE tenants (
    id {uuid} NOT NULL PRIMARY KEY,
    nome TEXT NOT NULL,
    criado_em {int} NOT NULL
) {heap};

CREATE TABLE users (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    email TEXT NOT NULL,
    senha_hash TEXT NOT NULL,
    criado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, id)
) {heap};
-- a login knows only the e-mail
CREATE UNIQUE INDEX users_by_email ON users (email);

CREATE TABLE api_keys (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    nome TEXT NOT NULL,
    ambiente {int} NOT NULL,
    prefixo TEXT NOT NULL,
    hash {blob} NOT NULL,
    criado_em {int} NOT NULL,
    ultimo_uso_em {int},
    revogado_em {int},
    PRIMARY KEY (tenant_id, id)
) {heap};
-- a request knows only the key
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);

-- One data key per tenant, wrapped by the master key.
CREATE TABLE data_keys (
    tenant_id {uuid} NOT NULL PRIMARY KEY,
    wrapped {blob} NOT NULL
) {heap};

CREATE TABLE companies (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    dados TEXT NOT NULL,
    criado_em {int} NOT NULL,
    atualizado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj)
) {heap};

CREATE TABLE company_settings (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    tipo TEXT NOT NULL,
    configuracao TEXT NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, tipo)
) {heap};

-- The one active certificate of a company; pfx and senha are sealed by the tenant's data key.
CREATE TABLE certificates (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    id {uuid} NOT NULL,
    pfx {blob} NOT NULL,
    senha {blob} NOT NULL,
    titular TEXT NOT NULL,
    emissor TEXT NOT NULL,
    numero_serie TEXT NOT NULL,
    valido_de {int} NOT NULL,
    valido_ate {int} NOT NULL,
    criado_em {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj)
) {heap};

-- One row per job for ever, small. While the job is unfinished, who works on it and when stands in `queue`.
-- Ids are UUID v7, so the primary key is also "newest first".
CREATE TABLE jobs (
    tenant_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    tipo TEXT NOT NULL,
    operacao TEXT NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    referencia TEXT,
    status TEXT NOT NULL,
    tentativas {int} NOT NULL,
    payload_hash {blob} NOT NULL,
    webhook_url TEXT,
    notices TEXT NOT NULL,
    alvo {uuid},
    authority TEXT NOT NULL,
    erro TEXT,
    event_cStat {int},
    event_xMotivo TEXT,
    criado_em {int} NOT NULL,
    atualizado_em {int} NOT NULL,
    concluido_em {int},
    PRIMARY KEY (tenant_id, id)
) {heap};
-- the idempotency rule itself
CREATE UNIQUE INDEX jobs_by_referencia ON jobs (tenant_id, referencia) WHERE referencia IS NOT NULL;
-- lists of one document type, newest first
CREATE INDEX jobs_by_tipo ON jobs (tenant_id, tipo, id);
-- the report of failures; a job that succeeds never enters it
CREATE INDEX jobs_failed ON jobs (tenant_id, id) WHERE status = 'failed';

-- Written once and apart, so that a change of the job's row does not move it.
CREATE TABLE payloads (
    tenant_id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (tenant_id, job_id)
) {heap};

-- Unfinished jobs only. ready_at: from when it may be taken, that is run_at, or the end of the lease.
CREATE TABLE queue (
    tenant_id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    authority TEXT NOT NULL,
    ready_at {int} NOT NULL,
    token {uuid},
    tentativas {int} NOT NULL,
    PRIMARY KEY (tenant_id, job_id)
) {clustered};
CREATE INDEX queue_by_line ON queue (tenant_id, cpf_cnpj, authority, ready_at, job_id);

-- One row per company and authority with unfinished jobs: whose turn it is (see jobs/company_queue.rs).
CREATE TABLE lines (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    authority TEXT NOT NULL,
    turn {int} NOT NULL,
    next_at {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, authority)
) {clustered};
CREATE INDEX lines_by_turn ON lines (turn, next_at);

CREATE TABLE documents (
    tenant_id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    ambiente {int} NOT NULL,
    state TEXT NOT NULL,
    modelo {int} NOT NULL,
    serie {int} NOT NULL,
    nNF {int} NOT NULL,
    cNF {int} NOT NULL,
    chave TEXT,
    tpEmis {int} NOT NULL,
    dhEmi TEXT NOT NULL,
    vNF TEXT NOT NULL,
    destinatario TEXT,
    digest TEXT,
    nProt TEXT,
    dhRecbto TEXT,
    cStat {int},
    xMotivo TEXT,
    campo TEXT,
    PRIMARY KEY (tenant_id, job_id)
) {heap};
CREATE UNIQUE INDEX documents_by_chave ON documents (tenant_id, chave) WHERE chave IS NOT NULL;
-- lists by status, newest first
CREATE INDEX documents_by_state ON documents (tenant_id, state, job_id);

CREATE TABLE files (
    tenant_id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (tenant_id, job_id, kind)
) {heap};

-- One row per append; ids are UUID v7, so they sort as they were written.
CREATE TABLE job_log (
    tenant_id {uuid} NOT NULL,
    job_id {uuid} NOT NULL,
    id {uuid} NOT NULL,
    lines TEXT NOT NULL,
    PRIMARY KEY (tenant_id, job_id, id)
) {heap};

-- The next automatic number of each sequence; its row is also the lock under which numbers are given.
CREATE TABLE sequences (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    modelo {int} NOT NULL,
    serie {int} NOT NULL,
    ambiente {int} NOT NULL,
    next {int} NOT NULL,
    PRIMARY KEY (tenant_id, cpf_cnpj, modelo, serie, ambiente)
) {clustered};

-- The ledger: every number ever given, and what became of it.
CREATE TABLE numbers (
    tenant_id {uuid} NOT NULL,
    cpf_cnpj TEXT NOT NULL,
    modelo {int} NOT NULL,
    serie {int} NOT NULL,
    ambiente {int} NOT NULL,
    nNF {int} NOT NULL,
    state TEXT NOT NULL,
    job_id {uuid},
    PRIMARY KEY (tenant_id, cpf_cnpj, modelo, serie, ambiente, nNF)
) {clustered};
CREATE INDEX numbers_released ON numbers (tenant_id, cpf_cnpj, modelo, serie, ambiente, nNF) WHERE state = 'released';
