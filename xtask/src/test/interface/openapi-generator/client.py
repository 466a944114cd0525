"""The six documents by the client that openapi-generator makes for Python.

usage: client.py BASE_URL API_KEY FOLDER_OF_BODIES
"""

import pathlib
import sys
import time

import openapi_client as carimbo

base_url, api_key, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
client = carimbo.ApiClient(carimbo.Configuration(host=base_url, api_key={"ApiKey": api_key}))
nfe, nfce, cte, nfse = carimbo.NfeApi(client), carimbo.NfceApi(client), carimbo.CteApi(client), carimbo.NfseApi(client)
DOCUMENTS = [
    ("nota", carimbo.EmissaoNfe, nfe.emitir_nfe, nfe.consultar_nfe),
    ("nfce", carimbo.EmissaoNfce, nfce.emitir_nfce, nfce.consultar_nfce),
    ("cte", carimbo.EmissaoCte, cte.emitir_cte, cte.consultar_cte),
    ("cte-os", carimbo.EmissaoCte, cte.emitir_cte, cte.consultar_cte),
    ("nfse", carimbo.EmissaoNfse, nfse.emitir_nfse, nfse.consultar_nfse),
    ("nfse-municipal", carimbo.EmissaoNfseMunicipal, carimbo.NfseMunicipalApi(client).emitir_nfse_municipal, nfse.consultar_nfse),
]
for name, kind, issue, ask in DOCUMENTS:
    accepted = issue(kind.from_json((folder / f"{name}.json").read_text()))
    assert isinstance(accepted, carimbo.OperacaoAceita), accepted
    deadline = time.monotonic() + 60
    while (job := ask(accepted.job_id)).status in ("pending", "processing"):
        assert time.monotonic() < deadline, job
        time.sleep(0.1)
    assert job.nota.status == "autorizada", job
    print(name, job.nota.numero, job.nota.chave)
