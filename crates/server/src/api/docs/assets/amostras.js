// The samples of a page: one language at a time, the reader's, kept by the browser; and the values of the account that is signed in at the panel.
// Without this script every language stands below the other, curl open, with the values of the examples.
const GUARDADA = "carimbo.linguagem";

function guardada() {
  try { return localStorage.getItem(GUARDADA); } catch { return null; }
}

function guardar(linguagem) {
  try { localStorage.setItem(GUARDADA, linguagem); } catch { /* a browser without storage forgets the choice */ }
}

const grupos = [...document.querySelectorAll(".linguagens")].map((grupo) => {
  const partes = [...grupo.querySelectorAll("details")].map((parte) => [parte.querySelector("summary").textContent, parte]);
  const escolha = document.createElement("div");
  escolha.className = "escolha";
  escolha.setAttribute("role", "group");
  escolha.setAttribute("aria-label", "Linguagem");
  for (const [nome] of partes) {
    const botao = document.createElement("button");
    botao.type = "button";
    botao.textContent = nome;
    botao.addEventListener("click", () => { guardar(nome); mostrar(nome); });
    escolha.append(botao);
  }
  grupo.prepend(escolha);
  grupo.classList.add("escolhida");
  return { partes, botoes: [...escolha.children] };
});

function mostrar(linguagem) {
  for (const { partes, botoes } of grupos) {
    const nome = partes.some(([uma]) => uma === linguagem) ? linguagem : partes[0]?.[0];
    for (const [uma, parte] of partes) parte.open = uma === nome;
    for (const botao of botoes) botao.setAttribute("aria-pressed", String(botao.textContent === nome));
  }
}

mostrar(guardada());

const marcados = [...document.querySelectorAll("[data-amostra]")];
const preencher = (nome, valor) => {
  if (!valor) return;
  for (const lugar of marcados) if (lugar.dataset.amostra === nome) lugar.textContent = valor;
};
preencher("endereco", location.origin);

async function daConta() {
  const resposta = await fetch("/painel/amostra.json", { headers: { accept: "application/json" } });
  if (resposta.status !== 200) return;
  const { cnpj, empresa, chave } = await resposta.json();
  preencher("cnpj", cnpj);
  preencher("chave", chave);
  preencher("empresa", empresa);
  if (cnpj && empresa) for (const aviso of document.querySelectorAll(".da-conta")) aviso.hidden = false;
}

if (marcados.length) daConta().catch(() => {});
