-- A municipal NFS-e has no key: the city hall shows it by its number and a code. Its lot may be answered later, under a protocol.
ALTER TABLE documents ADD COLUMN codigo_verificacao TEXT;

-- The identity of a declaration and of an RPS says nothing of its environment: both count from 1 in each.
DROP INDEX documents_by_asked;
CREATE UNIQUE INDEX documents_by_asked ON documents (tenant_id, ambiente, asked_by)
    WHERE asked_by IS NOT NULL AND state <> 'rejected' AND state <> 'failed';

-- People name a municipal note by its number.
CREATE INDEX documents_by_note_number ON documents (tenant_id, cpf_cnpj, numero_nota) WHERE counted = 'rps';
