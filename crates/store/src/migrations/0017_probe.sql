-- What is written to know that writing works: a full disk still answers every question.
CREATE TABLE probe (
    id {int} NOT NULL PRIMARY KEY,
    escrito_em {int} NOT NULL,
    content {blob} NOT NULL
) {heap};
