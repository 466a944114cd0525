// The note of the README, typed by openapi-typescript from /docs/json and issued through openapi-fetch. `tsc --strict` reads it first: a member
// the document does not know, or one of another type, is an error there.
//
// usage: node client.js BASE_URL API_KEY CPF_CNPJ
import createClient from "openapi-fetch";
import type { components, paths } from "./carimbo.js";

type Schemas = components["schemas"];
const [base, chave, cpf_cnpj] = process.argv.slice(2) as [string, string, string];
const carimbo = createClient<paths>({ baseUrl: base, headers: { "X-API-Key": chave } });

const nota: Schemas["NfeNota"] = {
  identificacao: { natOp: "Venda de mercadoria", tpNF: 1, indFinal: 1, indPres: 1 },
  destinatario: {
    CNPJCPF: "529.982.247-25", xNome: "Maria da Silva", indIEDest: 9,
    xLgr: "Rua Direita", nro: "250", xBairro: "Sé", cMun: 3550308, xMun: "São Paulo", UF: "SP", CEP: "01002-000",
  },
  produtos: [
    {
      cProd: "CAD-96", xProd: "Caderno universitário 96 folhas", NCM: "48202000", CFOP: 5102, uCom: "UN",
      qCom: 20, vUnCom: 5.00, vProd: 100.00,
      icms: { orig: 0, CSOSN: "102" }, pis: { CST: "49" }, cofins: { CST: "49" },
    },
  ],
  pagamentos: [{ indPag: 0, tPag: "17", vPag: 100.00 }],
};

function expect(holds: boolean, what: unknown): asserts holds {
  if (!holds) throw new Error(JSON.stringify(what));
}

const referencia = `TS${Date.now()}`;
const emitir = () => carimbo.POST("/v1/nfe/emitir", { body: { cpf_cnpj, referencia_externa: referencia, nota } });
const aceita = await emitir();
expect(aceita.data !== undefined && aceita.response.status === 202, aceita.error);
const id: string = aceita.data.job_id;

let job: Schemas["Job"] | undefined;
for (const until = Date.now() + 60_000; Date.now() < until; await new Promise((wake) => setTimeout(wake, 50))) {
  job = (await carimbo.GET("/v1/nfe/consultar/{id}", { params: { path: { id } } })).data;
  if (job !== undefined && job.status !== "pending" && job.status !== "processing") break;
}
expect(job?.nota?.status === "autorizada" && job.nota.valor_total === 100, job);

const pdf = await carimbo.GET("/v1/nfe/{id}/file/{tipo}", { params: { path: { id, tipo: "pdf" } }, parseAs: "blob" });
expect(pdf.data !== undefined && (pdf.data as Blob).size > 1000, pdf.error);

// by job or by key, and never by neither: the types say it
const cancelamento: Schemas["CancelamentoNfe"] = { cpf_cnpj, job_id: id, justificativa: "Pedido desfeito pelo cliente" };
// @ts-expect-error which note?
const nenhuma: Schemas["CancelamentoNfe"] = { cpf_cnpj, justificativa: "Pedido desfeito pelo cliente" };
void nenhuma;
// @ts-expect-error a price is a number or the text of one
const preco: Schemas["NfeProdutos"]["vProd"] = true;
void preco;
const cancelada = await carimbo.POST("/v1/nfe/cancelar", { body: cancelamento });
expect(cancelada.data !== undefined && "job_id_emissao" in cancelada.data, cancelada.error);

// a refusal is typed too
const recusa = await carimbo.GET("/v1/nfe/consultar/{id}", { params: { path: { id: "01998f3a-5b0c-7d3e-8a41-6f0d2f9c1b7e" } } });
expect(recusa.error?.codigo === "nao_encontrado" && recusa.error.erros.length === 0, recusa);
console.log(`a TypeScript client issued ${job.nota.chave}`);
