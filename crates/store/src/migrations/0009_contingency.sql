-- What is known of authorities, by every process of the installation: which circuits are open, whom a 656 silences, and what was
-- asked within the hour. No tenant is in these keys: an authority counts and stops for a company, whoever's account it is in.

-- One row per authority, model and environment that was ever in trouble or asked for its status.
CREATE TABLE circuits (
    authority TEXT NOT NULL,
    modelo {int} NOT NULL,
    ambiente {int} NOT NULL,
    state TEXT NOT NULL,
    since {int} NOT NULL,
    opened_at {int},
    reason TEXT,
    polled_at {int} NOT NULL,
    cStat {int},
    xMotivo TEXT,
    told_at {int},
    version {int} NOT NULL,
    PRIMARY KEY (authority, modelo, ambiente)
) {clustered};

-- 656: until when a company stays silent towards an authority.
CREATE TABLE blocks (
    transmissor TEXT NOT NULL,
    authority TEXT NOT NULL,
    until_at {int} NOT NULL,
    PRIMARY KEY (transmissor, authority)
) {clustered};

-- The calls of the last hour about one thing, as a JSON list of milliseconds since 1970.
CREATE TABLE budgets (
    transmissor TEXT NOT NULL,
    servico TEXT NOT NULL,
    sobre TEXT NOT NULL,
    calls TEXT NOT NULL,
    last_at {int} NOT NULL,
    PRIMARY KEY (transmissor, servico, sobre)
) {clustered};
CREATE INDEX budgets_by_last ON budgets (last_at);

-- How a document was issued in contingency (JSON), and the receipt of one that the authority took and has not judged.
ALTER TABLE documents ADD COLUMN contingencia TEXT;
ALTER TABLE documents ADD COLUMN nRec TEXT;
