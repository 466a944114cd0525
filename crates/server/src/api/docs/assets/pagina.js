// Search, the menu of small screens, and the button that copies an example. The pages work without it.
const busca = document.getElementById("busca");
const achados = document.getElementById("achados");
const abrir = document.getElementById("abrir");
const navegacao = document.getElementById("navegacao");
const quantos = document.getElementById("quantos");
let atual = -1;

// Fetched when somebody begins to search, once.
let trazido = null;
const trazer = () => {
  trazido ??= Promise.all([import("/docs/recursos/busca.js"), fetch("/docs/recursos/busca.json").then((resposta) => resposta.json())])
    .then(([programa, linhas]) => ({ ...programa, indice: programa.preparar(linhas) }))
    .catch((falha) => { trazido = null; throw falha; });
  return trazido;
};

function elemento(nome, conteudo, classe) {
  const novo = document.createElement(nome);
  novo.append(...[conteudo].flat());
  if (classe) novo.className = classe;
  return novo;
}

const pedacos = (lista) => lista.map(([texto, marcado]) => (marcado ? elemento("mark", texto) : texto));
const TIPOS = { guia: "guia", rota: "rota", objeto: "objeto", campo: "campo", regra: "regra", codigo: "código da SEFAZ", erro: "erro" };

function achado(linha, palavras, { marcar, trecho }, numero) {
  const link = elemento("a", elemento("span", pedacos(marcar(linha.titulo, palavras)), "titulo"));
  const modelos = linha.modelos ? `${linha.modelos.includes(",") ? "modelos" : "modelo"} ${linha.modelos}` : "";
  const onde = linha.pagina === linha.titulo ? [] : [linha.pagina];
  link.append(elemento("small", [...onde, TIPOS[linha.tipo] ?? linha.tipo, modelos].filter(Boolean).join(" · ")));
  if (linha.texto) link.append(elemento("span", pedacos(trecho(linha, palavras)), "trecho"));
  link.href = linha.endereco;
  link.id = `achado-${numero}`;
  link.setAttribute("role", "option");
  link.tabIndex = -1;
  return link;
}

function nada(texto) {
  const aviso = elemento("div", elemento("p", `Nada encontrado para “${texto}”.`), "nada");
  const dicas = elemento("ul", []);
  for (const dica of ["Tente uma palavra só, ou outra: cancelar, certificado, contingência.", "Para uma rejeição, o código: 539.", "Para um campo, o nome dele: vProd."]) dicas.append(elemento("li", dica));
  const caminhos = elemento("p", []);
  for (const [nome, para] of [["Todos os guias", "/docs#guias"], ["Rotas", "/docs#rotas"], ["Códigos da SEFAZ", "/docs/guia/codigos"], ["Erros", "/docs/erros"]]) {
    const link = elemento("a", nome);
    link.href = para;
    caminhos.append(link, " ");
  }
  aviso.append(dicas, caminhos);
  return aviso;
}

function fechar() {
  achados.hidden = true;
  busca.setAttribute("aria-expanded", "false");
  busca.removeAttribute("aria-activedescendant");
  atual = -1;
}

function mostrar(programa, texto) {
  const { achados: linhas, palavras, parcial } = programa.procurar(programa.indice, texto);
  achados.replaceChildren(...linhas.map((linha, numero) => achado(linha, palavras, programa, numero)));
  if (!linhas.length) achados.append(nada(texto));
  else if (parcial) achados.prepend(elemento("p", "Nenhum lugar traz todas as palavras; estes trazem algumas:", "nada"));
  quantos.textContent = linhas.length ? `${linhas.length} achados` : "Nada encontrado";
  achados.hidden = false;
  achados.scrollTop = 0;
  busca.setAttribute("aria-expanded", "true");
  busca.removeAttribute("aria-activedescendant");
  atual = -1;
}

function mover(passo) {
  const links = [...achados.querySelectorAll("[role=option]")];
  if (!links.length) return;
  atual = (atual < 0 && passo < 0 ? links.length - 1 : atual + passo + links.length) % links.length;
  links.forEach((link, posicao) => {
    link.classList.toggle("atual", posicao === atual);
    link.setAttribute("aria-selected", String(posicao === atual));
  });
  busca.setAttribute("aria-activedescendant", links[atual].id);
  links[atual].scrollIntoView({ block: "nearest" });
}

async function pedir() {
  const texto = busca.value.trim();
  if (!texto) return fechar();
  try {
    const programa = await trazer();
    // another letter may have come meanwhile
    if (texto === busca.value.trim()) mostrar(programa, texto);
  } catch {
    achados.replaceChildren(elemento("p", "A busca não pôde ser carregada. Recarregue a página.", "nada"));
    achados.hidden = false;
  }
}

busca.addEventListener("focus", () => { trazer().catch(() => {}); });
busca.addEventListener("input", pedir);
busca.addEventListener("keydown", async (tecla) => {
  if (tecla.key === "ArrowDown" || tecla.key === "ArrowUp") { mover(tecla.key === "ArrowDown" ? 1 : -1); tecla.preventDefault(); }
  if (tecla.key === "Enter") {
    tecla.preventDefault();
    if (achados.hidden) await pedir();
    achados.querySelectorAll("[role=option]")[Math.max(atual, 0)]?.click();
  }
  if (tecla.key === "Escape" && !achados.hidden) { fechar(); tecla.preventDefault(); }
});
achados.addEventListener("click", (onde) => { if (onde.target.closest("a")) fechar(); });
document.addEventListener("click", (onde) => { if (!onde.target.closest("header")) fechar(); });
document.addEventListener("keydown", (tecla) => {
  if (tecla.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { busca.focus(); tecla.preventDefault(); }
});
// without a script the link leads to the list itself
abrir?.addEventListener("click", (clique) => {
  clique.preventDefault();
  abrir.setAttribute("aria-expanded", String(navegacao.classList.toggle("aberta")));
});
navegacao?.addEventListener("click", (onde) => {
  if (!onde.target.closest("a")) return;
  navegacao.classList.remove("aberta");
  abrir.setAttribute("aria-expanded", "false");
});
const aqui = navegacao?.querySelector("[aria-current]");
if (aqui) navegacao.scrollTop = Math.max(0, aqui.offsetTop - navegacao.clientHeight / 2);

for (const exemplo of document.querySelectorAll("pre")) {
  if (!navigator.clipboard) break;
  const copiar = document.createElement("button");
  copiar.className = "copiar";
  copiar.type = "button";
  copiar.textContent = "copiar";
  copiar.addEventListener("click", async () => {
    await navigator.clipboard.writeText(exemplo.querySelector("code").textContent);
    copiar.textContent = "copiado";
    setTimeout(() => { copiar.textContent = "copiar"; }, 2000);
  });
  exemplo.append(copiar);
}
