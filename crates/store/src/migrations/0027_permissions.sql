-- What a key may do; a person decides on what a program prepared; a door of its own for people's sessions.

-- completa, leitura or assistida.
ALTER TABLE api_keys ADD COLUMN permissao TEXT NOT NULL DEFAULT 'completa';

-- The public name of what was prepared: it stands in addresses and is no secret. Rows of before have none and end within minutes.
ALTER TABLE confirmations ADD COLUMN id {uuid};
-- Who prepared it, and what that key might do then.
ALTER TABLE confirmations ADD COLUMN api_key_id {uuid};
ALTER TABLE confirmations ADD COLUMN permissao TEXT NOT NULL DEFAULT 'completa';
-- What a list shows without opening the payload; the value in hundredths.
ALTER TABLE confirmations ADD COLUMN emitente TEXT;
ALTER TABLE confirmations ADD COLUMN destinatario TEXT;
ALTER TABLE confirmations ADD COLUMN valor {int};
-- A person's word: aprovada or recusada, whose, when and why.
ALTER TABLE confirmations ADD COLUMN decisao TEXT;
ALTER TABLE confirmations ADD COLUMN decidido_por {uuid};
ALTER TABLE confirmations ADD COLUMN decidido_em {int};
ALTER TABLE confirmations ADD COLUMN motivo TEXT;
CREATE UNIQUE INDEX confirmations_by_id ON confirmations (tenant_id, id);

-- Whether an answer in a program's own form counts as a person's word for production.
ALTER TABLE tenants ADD COLUMN formulario_mcp {int} NOT NULL DEFAULT 0;

-- api or painel: a session opens one of them and never the other. When it was used last, for those that end by rest.
ALTER TABLE sessions ADD COLUMN porta TEXT NOT NULL DEFAULT 'api';
ALTER TABLE sessions ADD COLUMN visto_em {int};
