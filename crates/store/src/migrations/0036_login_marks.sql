-- Guesses over many e-mails and many addresses: which places showed the right password lately (kind 1 a pair, 2 an address), which
-- bounds were reached lately (kind 3). Only digests: what was typed is not kept.
CREATE TABLE login_marks (
    kind {int} NOT NULL,
    digest {blob} NOT NULL,
    em {int} NOT NULL,
    PRIMARY KEY (kind, digest)
) {clustered};
CREATE INDEX login_marks_by_time ON login_marks (em);

-- Whose user it was, where the e-mail is known: that account's trail gets the line.
ALTER TABLE login_failures ADD COLUMN tenant_id {uuid};
