// Search, the menu of small screens, and the button that copies an example. The pages work without it.
const busca = document.getElementById("busca");
const achados = document.getElementById("achados");
const abrir = document.getElementById("abrir");
const navegacao = document.getElementById("navegacao");
let indice = null;
let atual = -1;

const plano = (texto) => texto.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

async function carregar() {
  if (indice) return;
  const resposta = await fetch("/docs/recursos/busca.json");
  indice = (await resposta.json()).map(([titulo, endereco, tipo]) => ({ titulo, endereco, tipo, chave: plano(titulo) }));
}

// Every word must be there; what begins with the first word comes first, then the shorter.
function procurar(texto) {
  const palavras = plano(texto).split(/\s+/).filter(Boolean);
  if (!palavras.length) return [];
  const nota = (linha) => (linha.chave.startsWith(palavras[0]) ? 0 : 100) + linha.chave.length;
  return indice.filter((linha) => palavras.every((palavra) => linha.chave.includes(palavra)))
    .sort((um, outro) => nota(um) - nota(outro)).slice(0, 40);
}

function mostrar(linhas, texto) {
  achados.replaceChildren(...linhas.map((linha) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const tipo = document.createElement("small");
    link.href = linha.endereco;
    link.textContent = linha.titulo;
    tipo.textContent = linha.tipo;
    link.append(tipo);
    item.append(link);
    return item;
  }));
  if (texto && !linhas.length) {
    const nada = document.createElement("p");
    nada.textContent = "Nada encontrado.";
    achados.append(nada);
  }
  achados.hidden = !texto;
  atual = -1;
}

function mover(passo) {
  const links = [...achados.querySelectorAll("a")];
  if (!links.length) return;
  atual = (atual + passo + links.length) % links.length;
  links.forEach((link, posicao) => link.classList.toggle("atual", posicao === atual));
  links[atual].scrollIntoView({ block: "nearest" });
}

busca.addEventListener("input", async () => {
  const texto = busca.value.trim();
  if (texto) await carregar();
  if (texto === busca.value.trim()) mostrar(texto ? procurar(texto) : [], texto);
});
busca.addEventListener("keydown", (tecla) => {
  if (tecla.key === "ArrowDown") { mover(1); tecla.preventDefault(); }
  if (tecla.key === "ArrowUp") { mover(-1); tecla.preventDefault(); }
  if (tecla.key === "Enter") { (achados.querySelectorAll("a")[Math.max(atual, 0)] || { click() {} }).click(); }
  if (tecla.key === "Escape") { achados.hidden = true; }
});
achados.addEventListener("click", () => { achados.hidden = true; });
document.addEventListener("click", (onde) => { if (!onde.target.closest("header")) achados.hidden = true; });
document.addEventListener("keydown", (tecla) => {
  if (tecla.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { busca.focus(); tecla.preventDefault(); }
});
abrir.addEventListener("click", () => {
  abrir.setAttribute("aria-expanded", String(navegacao.classList.toggle("aberta")));
});
navegacao.addEventListener("click", (onde) => { if (onde.target.closest("a")) navegacao.classList.remove("aberta"); });

for (const exemplo of document.querySelectorAll("pre")) {
  if (!navigator.clipboard) break;
  const copiar = document.createElement("button");
  copiar.className = "copiar";
  copiar.textContent = "copiar";
  copiar.addEventListener("click", async () => {
    await navigator.clipboard.writeText(exemplo.querySelector("code").textContent);
    copiar.textContent = "copiado";
  });
  exemplo.append(copiar);
}
