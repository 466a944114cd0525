-- NCM, CEP and CNPJ data, and the cache of outside sources.
--
-- None of these tables has a tenant: they hold what public registers say, the same for everybody, put there by the operator.
-- Nothing of a tenant may be written into them. A cached answer was asked for by one tenant and serves all: it shows only that
-- somebody of this installation asked, and no answer of the API shows even that.

-- one row per import of a register
CREATE TABLE reference_loads (
    id {int} NOT NULL PRIMARY KEY,
    -- ncm, cep or cnpj
    kind TEXT NOT NULL,
    -- as the source calls its edition
    version TEXT NOT NULL,
    -- loading, active or replaced
    state TEXT NOT NULL,
    started_at {int} NOT NULL,
    finished_at {int},
    rows_loaded {int} NOT NULL
) {heap};
-- one import of a kind at a time
CREATE UNIQUE INDEX reference_loads_loading ON reference_loads (kind) WHERE state = 'loading';
CREATE UNIQUE INDEX reference_loads_active ON reference_loads (kind) WHERE state = 'active';

-- how far each file of an import is read: written in the transaction that writes its rows, so that a killed import goes on
CREATE TABLE reference_files (
    load_id {int} NOT NULL,
    name TEXT NOT NULL,
    size {int} NOT NULL,
    position {int} NOT NULL,
    rows_loaded {int} NOT NULL,
    done {int} NOT NULL,
    PRIMARY KEY (load_id, name)
) {clustered};

-- the imported nomenclature, whole: it is held in memory and searched there
CREATE TABLE ncm_tables (
    load_id {int} NOT NULL PRIMARY KEY,
    content TEXT NOT NULL
) {heap};

-- The tables below are written by bulk imports, into a table of the same shape without index (`<name>_loading`); when all is read the
-- indexes are made, and one transaction puts it in the place of the old one. So nobody sees half an import, and a bulk load
-- never works against an index. Keys are text: a CNPJ root may have letters. What is only read as a whole stays as a whole (`fields`: the
-- columns of the source, separated by U+001F).

CREATE TABLE ceps (
    cep TEXT NOT NULL,
    uf TEXT NOT NULL,
    -- 7 digits, when the city was found in the IBGE table
    municipio TEXT,
    cidade TEXT NOT NULL,
    bairro TEXT NOT NULL,
    logradouro TEXT NOT NULL,
    complemento TEXT NOT NULL,
    -- without case and accents
    cidade_folded TEXT NOT NULL,
    bairro_folded TEXT NOT NULL,
    logradouro_folded TEXT NOT NULL
) {heap};
CREATE INDEX ceps_0_cep ON ceps (cep);
CREATE INDEX ceps_0_city ON ceps (uf, cidade_folded);

-- Receita Federal, layout of the open data: one row per establishment, company, option and partner
CREATE TABLE cnpj_establishments (cnpj TEXT NOT NULL, fields TEXT NOT NULL) {heap};
CREATE INDEX cnpj_establishments_0 ON cnpj_establishments (cnpj);
CREATE TABLE cnpj_companies (root TEXT NOT NULL, fields TEXT NOT NULL) {heap};
CREATE INDEX cnpj_companies_0 ON cnpj_companies (root);
CREATE TABLE cnpj_simples (root TEXT NOT NULL, fields TEXT NOT NULL) {heap};
CREATE INDEX cnpj_simples_0 ON cnpj_simples (root);
CREATE TABLE cnpj_partners (root TEXT NOT NULL, fields TEXT NOT NULL) {heap};
CREATE INDEX cnpj_partners_0 ON cnpj_partners (root);
-- cnaes, motivos, municipios, naturezas, paises, qualificacoes: code and text
CREATE TABLE cnpj_domains (code TEXT NOT NULL, text TEXT NOT NULL) {heap};
CREATE INDEX cnpj_domains_0 ON cnpj_domains (code);

-- answers of outside sources
CREATE TABLE lookup_cache (
    -- cep or cnpj
    family TEXT NOT NULL,
    lookup_key TEXT NOT NULL,
    source TEXT NOT NULL,
    -- null: the source said that there is none
    body TEXT,
    fetched_at {int} NOT NULL,
    PRIMARY KEY (family, lookup_key)
) {clustered};
