"""schemathesis, told what the formats of the document mean, and with a check of our own: what the schema calls valid is accepted.

usage: fuzz.py ARGUMENTS_OF_SCHEMATHESIS, with CARIMBO_EMPRESAS the numbers of companies that exist
"""

import json
import os
import re
from datetime import date
from decimal import Decimal

from hypothesis import strategies as st
from hypothesis.internal import lambda_sources

from formats import cnpj, cpf, key

# Hypothesis describes lambdas for its reports by parsing their source; under deep recursion CPython 3.11's parser fails with "AST constructor
# recursion depth mismatch" (fixed in 3.12). The description is only words: no check and no generated case changes.
lambda_sources.lambda_description = lambda _: "lambda"

import schemathesis  # noqa: E402
from schemathesis.cli import schemathesis as command  # noqa: E402

# 0 alone is no number, and neither is one digit repeated
CPF = st.from_regex("[0-9]{9}", fullmatch=True).filter(lambda base: len(set(base)) > 1).map(cpf)
CNPJ = st.from_regex("[0-9A-Z]{12}", fullmatch=True).filter(lambda base: base != "0" * 12).map(cnpj)
MASKED = CNPJ.map(lambda text: f"{text[:2]}.{text[2:5]}.{text[5:8]}/{text[8:12]}-{text[12:]}")
KNOWN = st.sampled_from(os.environ["CARIMBO_EMPRESAS"].split())
KEY = st.builds(
    lambda uf, month, issuer, modelo, rest: key(f"{uf}26{month:02}{issuer}{modelo}{rest}"),
    st.sampled_from(["35", "41", "33"]), st.integers(1, 12), CNPJ, st.sampled_from(["55", "65"]), st.from_regex("[0-9]{21}", fullmatch=True),
)
FORMATS = {"cpf": CPF, "cnpj": CNPJ, "cpf-cnpj": KNOWN | CNPJ | CPF | MASKED, "chave-acesso": KEY}
for name, strategy in FORMATS.items():
    schemathesis.openapi.format(name, strategy)

# What no schema says: where in the body, in words of the answer's `erros`, and why. Anything else that a valid case is refused for is a lie of
# the document. 401, 403, 404, 409, 429 and 503 are of the state, not of the case.
MEANING = [
    (r"nota(\..*)?|identificacao.*", "a `nota` is judged whole: groups that need or exclude each other, sums, tables of codes"),
    (r"(endereco\.)?codigo_municipio", "7 digits that are no município of the state"),
    (r"inscricao_estadual|ie", "check digits by state"),
    (r"webhook_url|url_(homologacao|producao)", "an address of an inner network, or without https"),
    (r"justificativa|correcao", "doubled blanks do not count; one `tipo` wants what another refuses"),
    (r"certificado|senha|logo|arquivo", "base64 of a file that is none"),
    (r"numero_(inicial|final)|ano", "a range upside down, too long, or of a year to come"),
    (r"ate", "the last day of an export before its first, or more than a year after"),
    (r"nsu", "one or the other"),
    (r"chave(_substituta)?|job_id_substituto", "the key of another model or of another company"),
    (r"contingencia", "the offline CT-e where the operator has not opened it (`contingencia.offline`)"),
    (r"regime\.regApTribSN", "how ME/EPP reckon, beside another regime"),
    (r"regimes\[\d+\]\..*", "two rows of one day; the regular regime of who is not of the Simples"),
    (r"provedor", "the name of a provider that no table has"),
    (r"serie", "letters, which the series of an RPS has, where the company's declarations are national"),
    (r"percentual_simples", "a number of more than two decimals, or below zero"),
    (r"email", "an address whose parts no mail server takes"),
    (r"eventos(\[\d+\])?", "the name of no event"),
    (r"cpf_cnpj|ator", "the number of a company where a person's is no use, or another than the path's"),
]
# refusals by state that are 422 by the interface
STATE = {"empresa_sem_configuracao", "certificado_invalido", "certificado_de_outra_empresa", "teto_excedido"}


@schemathesis.check
def valid_cases_are_accepted(ctx, response, case):
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code not in (400, 422):
        return
    body = json.loads(response.content)
    if body["codigo"] in STATE:
        return
    # with `estrito` a remark is a refusal, and that is what it is for
    remarks = {"campo_desconhecido", "parametro_desconhecido"} if case.query.get("estrito") in ("true", "1") else set()
    erros = [erro for erro in body["erros"] if erro["codigo"] not in remarks]
    if body["erros"] and not erros:
        return
    wrong = [erro for erro in erros if not any(re.fullmatch(campo, erro["campo"]) for campo, _ in MEANING)]
    if response.status_code == 422 and body["erros"] and not wrong:
        return
    if not body["erros"] and "multipart" in str(case.media_type):
        return  # a part whose name is of control characters makes a form unreadable
    refused = VALUES.get(case.operation.path)
    if response.status_code == 422 and refused and [erro["campo"] for erro in erros] == [refused(case.query)]:
        return
    allowed = QUERIES.get(case.operation.path)
    if response.status_code == 400 and allowed and all(re.fullmatch(allowed, erro["campo"]) for erro in erros):
        return
    raise AssertionError(f"{response.status_code} {body['codigo']}: {[(erro['campo'], erro['mensagem']) for erro in body['erros']] or body['detail']}")


# queries whose parameters must agree (400 by the interface): from before until, at least one of several, a period not too long; and a street
# of three letters or digits of whatever script, which no pattern that every generator reads can say
QUERIES = {
    "/v1/cep": "logradouro",
    "/v1/jobs/localizar": "ref|emitente|destinatario|valor|de|ate",
    "/v1/jobs/erros": "de|ate",
    "/v1/exportacoes": "de|ate",
    "/v1/jobs/rejeitadas": "de|ate",
    "/v1/notas": "de|ate",
    "/v1/auth/notas": "de|ate",
    "/v1/auth/auditoria": "de|ate",
    "/v1/nfe/recebidas": "de|ate",
    "/v1/cte/recebidos": "de|ate",
    "/v1/nfse/recebidas": "de|ate",
    "/v1/nfe/cadastro": "cnpj|cpf|ie",
    # a series of letters is one of an RPS; the company's provider decides
    "/v1/nfse/{cpf_cnpj}/consultar-rps": "serie",
}


def without_band(query):
    """The member for which no table of the Simples has a band, `None` where one has."""
    if (query.get("data") or date.today().isoformat())[:4] not in ("2027", "2028"):
        return "data"
    return None if 0 < Decimal(query["rbt12"]) <= 4_800_000 else "rbt12"


# queries that are refused by their values (422): the one member that has to be named
VALUES = {"/v1/tributos/simples": without_band}

command()
