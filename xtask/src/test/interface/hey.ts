// A cupom through the client that @hey-api/openapi-ts generates from /docs/json with its defaults: numbers as text, codes as numbers, masks.
//
// usage: node hey.js BASE_URL API_KEY CPF_CNPJ
import { client } from "./hey/client.gen.js";
import { baixarArquivoNfce, consultarNfce, emitirNfce, type NfceNota } from "./hey/index.js";

const [baseUrl, chave, cpf_cnpj] = process.argv.slice(2) as [string, string, string];
client.setConfig({ baseUrl, auth: ({ type }) => (type === "apiKey" ? chave : undefined) });

const nota: NfceNota = {
  identificacao: { natOp: "Venda ao consumidor" },
  destinatario: { CPF: "529.982.247-25" },
  produtos: [
    {
      cProd: "CAD-96", xProd: "Caderno universitário 96 folhas", NCM: "4820.20.00", CFOP: "5102", uCom: "UN", qCom: "2", vUnCom: "5.00", vProd: "10.00",
      icms: { orig: 0, CSOSN: 102 }, pis: { CST: 49 }, cofins: { CST: "49" },
    },
  ],
  pagamentos: [{ tPag: "01", vPag: 20 }],
};

const aceita = await emitirNfce({ body: { cpf_cnpj, referencia_externa: `HEY${Date.now()}`, nota } });
if (aceita.data === undefined) throw new Error(JSON.stringify(aceita.error));
const id: string = aceita.data.job_id;
let status: string | null | undefined;
for (const until = Date.now() + 60_000; Date.now() < until; await new Promise((wake) => setTimeout(wake, 50))) {
  const job = (await consultarNfce({ path: { id }, throwOnError: true })).data;
  status = job.nota?.status;
  if (job.status !== "pending" && job.status !== "processing") break;
}
if (status !== "autorizada") throw new Error(String(status));
const cupom = await baixarArquivoNfce({ path: { id, tipo: "pdf" }, query: { largura: "58" }, parseAs: "blob", throwOnError: true });
if (!(cupom.data instanceof Blob) || cupom.data.size < 1000) throw new Error(String(cupom.data));
console.log("a client of another generator issued a cupom");
