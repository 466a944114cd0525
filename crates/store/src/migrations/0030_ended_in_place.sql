-- The end of a job changes its status. While an index asks for it, PostgreSQL writes the row anew into every index of the table; a failure is known by its code
-- as well.
DROP INDEX jobs_failed;
CREATE INDEX jobs_failed ON jobs (tenant_id, id, erro_codigo, cpf_cnpj, tipo, ambiente) WHERE erro_codigo IS NOT NULL;
{jobs_in_place}
