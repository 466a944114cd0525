"""A note issued through the client that openapi-python-client generated from /docs/json, with its types and nothing else.

usage: client.py FOLDER_OF_THE_CLIENT BASE_URL API_KEY CPF_CNPJ
"""

import sys
import time
import uuid

sys.path.insert(0, sys.argv[1])
base_url, api_key, cpf_cnpj = sys.argv[2:5]

from carimbo.api.nf_e import baixar_arquivo_nfe, consultar_nfe, emitir_nfe  # noqa: E402
from carimbo.client import AuthenticatedClient  # noqa: E402
from carimbo.models import (  # noqa: E402
    EmissaoNfe,
    Job,
    NfeDestinatario,
    NfeIdentificacao,
    NfeNota,
    NfePagamentos,
    NfeProdutos,
    NfeProdutosCofins,
    NfeProdutosIcms,
    NfeProdutosPis,
    OperacaoAceita,
)

client = AuthenticatedClient(base_url, token=api_key, prefix="", auth_header_name="X-API-Key")
note = NfeNota(
    identificacao=NfeIdentificacao(nat_op="Venda de mercadoria", tp_nf=1, ind_final=1, ind_pres=1),
    destinatario=NfeDestinatario(
        cnpjcpf="529.982.247-25", x_nome="Maria da Silva", ind_ie_dest=9, x_lgr="Rua Direita", nro="250", x_bairro="Sé",
        c_mun=3550308, x_mun="São Paulo", uf="SP", cep="01002-000",
    ),
    produtos=[
        NfeProdutos(
            c_prod="CAD-96", x_prod="Caderno universitário", ncm="48202000", cfop=5102, u_com="UN", q_com=20, v_un_com=5,
            v_prod="100.00", icms=NfeProdutosIcms(orig=0, cst="102"), pis=NfeProdutosPis(cst="49"),
            cofins=NfeProdutosCofins(cst="49"),
        )
    ],
    pagamentos=[NfePagamentos(ind_pag=0, t_pag="17", v_pag="100.00")],
)
reference = f"CLIENTE{uuid.uuid4().hex}"
accepted = emitir_nfe.sync(client=client, body=EmissaoNfe(cpf_cnpj=cpf_cnpj, nota=note, referencia_externa=reference))
assert isinstance(accepted, OperacaoAceita), accepted
assert accepted.referencia_externa == reference, accepted
deadline = time.monotonic() + 60
while True:
    job = consultar_nfe.sync(id=accepted.job_id, client=client)
    assert isinstance(job, Job), job
    if job.status not in ("pending", "processing"):
        break
    assert time.monotonic() < deadline, job
    time.sleep(0.05)
assert job.nota is not None and job.nota.status == "autorizada", job
assert len(job.nota.chave) == 44 and job.nota.valor_total == 100, job
xml = baixar_arquivo_nfe.sync_detailed(id=accepted.job_id, tipo="xml", client=client)
assert xml.status_code == 200 and b"<nProt>" in xml.content, xml
again = emitir_nfe.sync(client=client, body=EmissaoNfe(cpf_cnpj=cpf_cnpj, nota=note, referencia_externa=reference))
assert isinstance(again, Job) and again.idempotente and again.job_id == accepted.job_id, again
print(f"a typed client issued {job.nota.chave}")
