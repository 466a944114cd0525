// The console: reads /docs/json, shows one operation at a time and executes it with the caller's credential.
// The credential lives in sessionStorage of this tab and leaves it only in the header of a call to this very service.
const elemento = (id) => document.getElementById(id);
const operacoes = new Map();

function novo(nome, texto) {
  const feito = document.createElement(nome);
  if (texto !== undefined) feito.textContent = texto;
  return feito;
}

async function comecar() {
  const documento = await (await fetch("/docs/json")).json();
  const grupos = new Map();
  for (const [caminho, metodos] of Object.entries(documento.paths)) {
    for (const [metodo, operacao] of Object.entries(metodos)) {
      operacoes.set(operacao.operationId, { ...operacao, caminho, metodo: metodo.toUpperCase() });
      grupos.set(operacao.tags[0], [...(grupos.get(operacao.tags[0]) || []), operacao.operationId]);
    }
  }
  for (const { name, "x-displayName": titulo } of documento.tags) {
    const grupo = novo("optgroup");
    grupo.label = titulo || name;
    for (const id of grupos.get(name) || []) {
      const { metodo, caminho, summary } = operacoes.get(id);
      const opcao = novo("option", `${metodo} ${caminho}: ${summary}`);
      opcao.value = id;
      grupo.append(opcao);
    }
    if (grupo.children.length) elemento("operacao").append(grupo);
  }
  for (const campo of ["chave", "sessao"]) {
    elemento(campo).value = sessionStorage.getItem(campo) || "";
    elemento(campo).addEventListener("input", () => sessionStorage.setItem(campo, elemento(campo).value.trim()));
  }
  elemento("operacao").addEventListener("change", () => { location.hash = elemento("operacao").value; });
  addEventListener("hashchange", escolher);
  elemento("executar").addEventListener("click", executar);
  elemento("arquivo").addEventListener("change", anexar);
  elemento("console").hidden = false;
  escolher();
}

function atual() {
  return operacoes.get(decodeURIComponent(location.hash.slice(1))) || operacoes.get("emitirNfe") || [...operacoes.values()][0];
}

function escolher() {
  const operacao = atual();
  elemento("operacao").value = operacao.operationId;
  const mais = novo("a", "referência");
  mais.href = `/docs/rotas/${operacao.operationId}`;
  elemento("resumo").replaceChildren(novo("code", `${operacao.metodo} ${operacao.caminho}`), ` ${operacao.summary}. `, mais);
  const parametros = (operacao.parameters || []).filter(({ name }) => name);
  elemento("parametros").hidden = !parametros.length;
  elemento("parametros").replaceChildren(novo("legend", "Parâmetros"), ...parametros.map(campo));
  const corpo = operacao.requestBody?.content["application/json"];
  elemento("corpoDaChamada").hidden = !corpo;
  const exemplo = corpo ? Object.values(corpo.examples || {})[0]?.value : undefined;
  elemento("json").value = exemplo === undefined ? "" : JSON.stringify(exemplo, null, 2);
  renovar();
  elemento("rotuloArquivo").hidden = !(exemplo && "certificado" in exemplo);
  elemento("resposta").hidden = true;
  elemento("situacao").textContent = "";
}

function campo(parametro) {
  const rotulo = novo("label", `${parametro.name}${parametro.required ? " *" : ""}`);
  const palavras = parametro.schema.enum;
  const entrada = novo(palavras ? "select" : "input");
  if (palavras) {
    for (const palavra of parametro.required ? palavras : ["", ...palavras]) entrada.append(new Option(palavra, palavra));
  } else {
    entrada.placeholder = parametro.example ?? "";
    entrada.value = sessionStorage.getItem(`parametro.${parametro.name}`) || "";
  }
  entrada.dataset.nome = parametro.name;
  entrada.dataset.lugar = parametro.in;
  entrada.dataset.obrigatorio = parametro.required ? "sim" : "";
  rotulo.append(entrada, novo("small", (parametro.description || "").replaceAll("`", "")));
  return rotulo;
}

// The address of the call, or null when something that must be there is not.
function endereco(operacao) {
  let caminho = operacao.caminho;
  const consulta = new URLSearchParams();
  for (const entrada of elemento("parametros").querySelectorAll("[data-nome]")) {
    const valor = entrada.value.trim();
    if (!valor && entrada.dataset.obrigatorio) { entrada.focus(); return null; }
    if (valor && entrada.tagName === "INPUT") sessionStorage.setItem(`parametro.${entrada.dataset.nome}`, valor);
    if (entrada.dataset.lugar === "path") caminho = caminho.replace(`{${entrada.dataset.nome}}`, encodeURIComponent(valor));
    else if (valor) consulta.set(entrada.dataset.nome, valor);
  }
  const texto = consulta.toString();
  return texto ? `${caminho}?${texto}` : caminho;
}

async function executar() {
  const operacao = atual();
  const caminho = endereco(operacao);
  if (!caminho) return dizer("Preencha os parâmetros obrigatórios (*).", false);
  const headers = {};
  const [chave, sessao] = [elemento("chave").value.trim(), elemento("sessao").value.trim()];
  if ((operacao.security || []).length) {
    if (sessao) headers.Authorization = `Bearer ${sessao}`;
    else if (chave) headers["X-API-Key"] = chave;
  }
  if (feita === enviada && referencia() === feita) renovar();
  const corpo = operacao.requestBody && elemento("json").value.trim() ? elemento("json").value : undefined;
  if (corpo !== undefined) headers["Content-Type"] = "application/json";
  elemento("executar").disabled = true;
  dizer("Aguardando…", true);
  enviada = referencia();
  const inicio = performance.now();
  try {
    const resposta = await fetch(caminho, { method: operacao.metodo, headers, body: corpo, credentials: "omit", cache: "no-store" });
    await mostrar(operacao, caminho, headers, corpo, resposta, Math.round(performance.now() - inicio));
  } catch (falha) {
    dizer(`A chamada não chegou ao serviço: ${falha.message}`, false);
  } finally {
    elemento("executar").disabled = false;
  }
}

// A reference belongs to one issue: the example comes with a fresh one, and ours gives way to another once it was sent. One that a person wrote stays:
// sending it again is how a replay is tried.
const REFERENCIA = /("referencia_externa"\s*:\s*")([^"]*)"/;
let feita, enviada;

function renovar() {
  feita = `CONSOLE${Date.now()}${Math.floor(Math.random() * 1000)}`;
  elemento("json").value = elemento("json").value.replace(REFERENCIA, `$1${feita}"`);
}

function referencia() {
  return REFERENCIA.exec(elemento("json").value)?.[2];
}

async function mostrar(operacao, caminho, headers, corpo, resposta, tempo) {
  const bytes = await resposta.blob();
  const tipo = resposta.headers.get("content-type") || "";
  const texto = /json|text|xml/.test(tipo) ? await bytes.text() : `(${bytes.size} bytes de ${tipo})`;
  elemento("texto").textContent = tipo.includes("json") ? arrumar(texto) : texto;
  elemento("cabecalhos").textContent = [...resposta.headers].map(([nome, valor]) => `${nome}: ${valor}`).join("\n");
  elemento("curl").textContent = curl(operacao, caminho, headers, corpo);
  const baixar = elemento("baixar");
  if (baixar.href) URL.revokeObjectURL(baixar.href);
  const nome = /filename="([^"]+)"/.exec(resposta.headers.get("content-disposition") || "");
  baixar.hidden = !nome;
  if (nome) { baixar.href = URL.createObjectURL(bytes); baixar.download = nome[1]; baixar.textContent = `Baixar ${nome[1]}`; }
  elemento("resposta").hidden = false;
  dizer(`${resposta.status} em ${tempo} ms`, resposta.ok);
  lembrar(texto, tipo);
}

// The job of the last answer is what one asks for next.
function lembrar(texto, tipo) {
  if (!tipo.includes("json")) return;
  const { job_id: job } = JSON.parse(texto) ?? {};
  if (job) for (const nome of ["id", "job_id"]) sessionStorage.setItem(`parametro.${nome}`, job);
}

// Indents without reading: a parser would turn 100.00 into 100.
function arrumar(texto) {
  let saida = "", nivel = 0, dentro = false;
  const linha = () => `\n${"  ".repeat(nivel)}`;
  for (let i = 0; i < texto.length; i += 1) {
    const letra = texto[i];
    if (dentro) {
      saida += letra;
      if (letra === "\\") { i += 1; saida += texto[i]; } else if (letra === '"') dentro = false;
    } else if (letra === '"') { dentro = true; saida += letra;
    } else if (letra === "{" || letra === "[") {
      const vazio = texto[i + 1] === "}" || texto[i + 1] === "]";
      if (vazio) { saida += letra + texto[i + 1]; i += 1; } else { nivel += 1; saida += letra + linha(); }
    } else if (letra === "}" || letra === "]") { nivel -= 1; saida += linha() + letra;
    } else if (letra === ",") { saida += `,${linha()}`;
    } else if (letra === ":") { saida += ": ";
    } else if (!/\s/.test(letra)) saida += letra;
  }
  return saida;
}

// Without the credential: what one pastes elsewhere must not carry it.
function curl(operacao, caminho, headers, corpo) {
  const aspas = (texto) => `'${texto.replaceAll("'", "'\\''")}'`;
  const partes = [`curl -X ${operacao.metodo} ${aspas(location.origin + caminho)}`];
  for (const nome of Object.keys(headers)) {
    const valor = { "X-API-Key": "$CHAVE", Authorization: "Bearer $TOKEN" }[nome];
    partes.push(valor ? `-H "${nome}: ${valor}"` : `-H ${aspas(`${nome}: ${headers[nome]}`)}`);
  }
  if (corpo !== undefined) partes.push(`-d ${aspas(corpo)}`);
  return partes.join(" \\\n  ");
}

function dizer(texto, boa) {
  elemento("situacao").textContent = texto;
  elemento("situacao").className = `situacao ${boa ? "boa" : "ma"}`;
}

function anexar() {
  const arquivo = elemento("arquivo").files[0];
  if (!arquivo) return;
  const leitor = new FileReader();
  leitor.addEventListener("load", () => {
    let corpo = {};
    try { corpo = JSON.parse(elemento("json").value); } catch { /* the text is replaced */ }
    elemento("json").value = JSON.stringify({ ...corpo, certificado: leitor.result.split("base64,")[1] }, null, 2);
  });
  leitor.readAsDataURL(arquivo);
}

comecar();
