"""The README's note and the guides' CT-e and NFS-e, issued through the client that openapi-python-client generates from /docs/json with its defaults; typed and as JSON.

usage: client.py OPENAPI_JSON BASE_URL API_KEY CPF_CNPJ NOTE
"""

import importlib
import json
import pathlib
import pkgutil
import subprocess
import sys
import time
import uuid

document = pathlib.Path(sys.argv[1])
folder = document.with_name("python-client")
generator = ["generate", "--path", document, "--meta", "none", "--overwrite", "--output-path", folder / "carimbo_client"]
made = subprocess.run(["openapi-python-client", *map(str, generator)], capture_output=True, text=True)
assert made.returncode == 0, made.stdout + made.stderr
sys.path.insert(0, str(folder))
base_url, api_key, cpf_cnpj = sys.argv[2:5]
readme = json.loads(pathlib.Path(sys.argv[5]).read_text())

import carimbo_client  # noqa: E402
from carimbo_client.api.cte import consultar_cte, emitir_cte  # noqa: E402
from carimbo_client.api.nfe import baixar_arquivo_nfe, cancelar_nfe, consultar_nfe, emitir_nfe  # noqa: E402
from carimbo_client.api.nfse import consultar_nfse, emitir_nfse  # noqa: E402
from carimbo_client.client import AuthenticatedClient  # noqa: E402
from carimbo_client.models import (  # noqa: E402
    BaixarArquivoNfeTipo,
    CancelamentoNfePorJob,
    CteNota,
    EmissaoCte,
    EmissaoNfe,
    EmissaoNfse,
    Job,
    NfeDestinatario,
    NfeIdentificacao,
    NfeNota,
    NfePagamentos,
    NfeProdutos,
    NfeProdutosCofins,
    NfeProdutosIcms,
    NfeProdutosPis,
    NfseInteira,
    NfseNota,
    OperacaoAceita,
)

# every module of the client can be imported, not only those of the note
modules = [module.name for module in pkgutil.walk_packages(carimbo_client.__path__, "carimbo_client.")]
for module in modules:
    importlib.import_module(module)

client = AuthenticatedClient(base_url, token=api_key, prefix="", auth_header_name="X-API-Key")


def issue(body, emitir=emitir_nfe, consultar=consultar_nfe, name="id"):
    """A document from its 202 to its authorisation; gives the job."""
    accepted = emitir.sync(client=client, body=body)
    assert isinstance(accepted, OperacaoAceita), accepted
    assert accepted.referencia_externa == body.referencia_externa, accepted
    deadline = time.monotonic() + 60
    while True:
        job = consultar.sync(**{name: accepted.job_id}, client=client)
        assert isinstance(job, Job), job
        if job.status not in ("pending", "processing"):
            break
        assert time.monotonic() < deadline, job
        time.sleep(0.05)
    assert job.nota is not None and job.nota.status == "autorizada", job
    assert len(job.nota.chave) in (44, 50), job
    return job


note = NfeNota(
    identificacao=NfeIdentificacao(nat_op="Venda de mercadoria", tp_nf=1, ind_final=1, ind_pres=1),
    destinatario=NfeDestinatario(
        cnpjcpf="529.982.247-25", x_nome="Maria da Silva", ind_ie_dest=9, x_lgr="Rua Direita", nro="250", x_bairro="Sé",
        c_mun=3550308, x_mun="São Paulo", uf="SP", cep="01002-000",
    ),
    produtos=[
        NfeProdutos(
            c_prod="CAD-96", x_prod="Caderno universitário", ncm="48202000", cfop=5102, u_com="UN", q_com=20, v_un_com=5,
            v_prod="100.00", icms=NfeProdutosIcms(orig=0, csosn="102"), pis=NfeProdutosPis(cst="49"),
            cofins=NfeProdutosCofins(cst="49"),
        )
    ],
    pagamentos=[NfePagamentos(ind_pag=0, t_pag="17", v_pag="100.00")],
)
typed = EmissaoNfe(cpf_cnpj=cpf_cnpj, nota=note, referencia_externa=f"CLIENTE{uuid.uuid4().hex}")
job = issue(typed)
assert job.nota.valor_total == 100, job
xml = baixar_arquivo_nfe.sync_detailed(id=job.job_id, tipo=BaixarArquivoNfeTipo.XML, client=client)
assert xml.status_code == 200 and b"<nProt>" in xml.content, xml
again = emitir_nfe.sync(client=client, body=typed)
assert isinstance(again, Job) and again.idempotente and again.job_id == job.job_id, again

readme |= {"cpf_cnpj": cpf_cnpj, "referencia_externa": f"README{uuid.uuid4().hex}"}
parsed = EmissaoNfe.from_dict(readme)
assert parsed.to_dict() == readme, parsed.to_dict()
other = issue(parsed)
body = CancelamentoNfePorJob(cpf_cnpj=cpf_cnpj, job_id=other.job_id, justificativa="Pedido desfeito pelo cliente")
cancelled = cancelar_nfe.sync(client=client, body=body)
assert isinstance(cancelled, OperacaoAceita) and cancelled.job_id_emissao == other.job_id, cancelled
guide = json.loads(pathlib.Path("docs/guides/cte.json").read_text())
guide |= {"cpf_cnpj": cpf_cnpj, "referencia_externa": f"GUIA{uuid.uuid4().hex}"}
freight = EmissaoCte.from_dict(guide)
assert isinstance(freight.nota, CteNota) and freight.to_dict() == guide, freight.to_dict()
carried = issue(freight, emitir_cte, consultar_cte)
assert carried.nota.chave[20:22] == "57", carried
guide = json.loads(pathlib.Path("docs/guides/nfse.json").read_text())
guide |= {"cpf_cnpj": cpf_cnpj, "referencia_externa": f"GUIA{uuid.uuid4().hex}"}
service = EmissaoNfse.from_dict(guide)
assert isinstance(service.nota, NfseNota) and service.to_dict() == guide, service.to_dict()
assert len(issue(service, emitir_nfse, consultar_nfse, "job_id").nota.chave) == 50
whole = EmissaoNfse.from_dict({**guide, "nota": {"infDPS": guide["nota"]}, "referencia_externa": f"XML{uuid.uuid4().hex}"})
assert isinstance(whole.nota, NfseInteira) and isinstance(whole.nota.inf_dps, NfseNota), whole
assert len(issue(whole, emitir_nfse, consultar_nfse, "job_id").nota.chave) == 50
print(f"a typed client of {len(modules)} modules issued {job.nota.chave}, the README's note and the guides' CT-e and NFS-e as they stand")
