-- NFS-e: the note is written by its authority, with a number and a key of its own, refused for several reasons at once, and replaced by another
-- without an event of ours.
ALTER TABLE documents ADD COLUMN numero_nota {int};
ALTER TABLE documents ADD COLUMN valor_liquido TEXT;
ALTER TABLE documents ADD COLUMN rejeicoes TEXT;
ALTER TABLE documents ADD COLUMN substituida_por TEXT;
ALTER TABLE documents ADD COLUMN analise_fiscal TEXT;

-- A declaration has no random code: the one that takes the number of a rejected one has its identity too.
DROP INDEX documents_by_asked;
CREATE UNIQUE INDEX documents_by_asked ON documents (tenant_id, asked_by)
    WHERE asked_by IS NOT NULL AND state <> 'rejected' AND state <> 'failed';
