// The search: an index of all places of all pages, ranked here. No page is needed to use it, so that it can be tried alone.

const VAZIAS = new Set("a o as os um uma de do da dos das e em no na nos nas com por para pra como que qual quando se ao meu minha eu".split(" "));
const TIPOS = { guia: 1.3, erro: 1.15, rota: 1, codigo: 1.05, regra: 0.85, campo: 0.8, objeto: 0.6 };
const TERMINACOES = /(amentos?|imentos?|acao|acoes|icao|icoes|ando|endo|indo|adas?|ados?|idas?|idos?|ar|er|ir)$/;

// Without accents and capitals, letter for letter: a place in the plain text is the same place in the text.
export const plano = (texto) => texto.normalize("NFC").toLowerCase().replace(/[\u00e0-\u00ff]/g, (letra) => letra.normalize("NFD")[0]);

export function preparar({ sinonimos, linhas }) {
  const textos = linhas.map((linha) => linha[5]);
  return {
    sinonimos,
    linhas: linhas.map(([titulo, pagina, endereco, tipo, modelos], numero) => {
      const texto = typeof textos[numero] === "number" ? textos[textos[numero]] : textos[numero];
      const nome = plano(titulo);
      // a field is known by the last part of its path
      const ultimo = tipo === "campo" ? nome.split(".").pop().replace("[]", "") : nome;
      return { titulo, pagina, endereco, tipo, modelos, texto, nome, ultimo, daPagina: plano(pagina), dentro: plano(texto) };
    }),
  };
}

// The lines that answer, best first: all words in one place; if there is none, as many as possible.
export function procurar(indice, pedido, quantas = 12) {
  const inteiro = plano(pedido).replace(/["'?!,;]/g, " ").replace(/\s+/g, " ").trim();
  const todas = inteiro.split(" ").filter(Boolean);
  const uteis = todas.filter((palavra) => !VAZIAS.has(palavra));
  const palavras = uteis.length ? uteis : todas;
  if (!palavras.length) return { achados: [], palavras, parcial: false };
  const formas = palavras.map((palavra) => variantes(indice, palavra));
  const pesadas = indice.linhas.map((linha) => ({ linha, notas: formas.map((forma) => nota(linha, forma)) }));
  const raridade = formas.map((_, qual) => {
    const onde = pesadas.filter(({ notas }) => notas[qual] > 0).length;
    return onde ? Math.log(2 + indice.linhas.length / onde) : 0;
  });
  const avaliar = ({ linha, notas }) => {
    const soma = notas.reduce((total, valor, qual) => total + valor * raridade[qual], 0);
    return { linha, quantas: notas.filter((valor) => valor > 0).length, valor: (soma + inteira(linha, inteiro, palavras)) * (TIPOS[linha.tipo] ?? 1) };
  };
  const avaliadas = pesadas.filter(({ notas }) => notas.some((valor) => valor > 0)).map(avaliar);
  const mais = Math.max(0, ...avaliadas.map((linha) => linha.quantas));
  const melhores = avaliadas.filter((linha) => linha.quantas === mais).sort((uma, outra) => outra.valor - uma.valor);
  return { achados: espalhar(melhores, quantas).map(({ linha }) => linha), palavras: formas.flat().map(({ texto }) => texto), parcial: mais < palavras.length };
}

// A word, its singular, its stem, and what others call it; each at its weight.
function variantes(indice, palavra) {
  const formas = [{ texto: palavra, peso: 1 }];
  const por = (texto, peso) => { if (texto.length > 2 && !formas.some((forma) => forma.texto === texto)) formas.push({ texto, peso }); };
  if (/^[a-z-]+$/.test(palavra)) {
    por(palavra.replace(/oes$/, "ao").replace(/ais$/, "al").replace(/ens$/, "em").replace(/ons$/, "om").replace(/s$/, ""), 0.95);
    por(palavra.replace(/ao$/, "oes").replace(/al$/, "ais").replace(/m$/, "ns"), 0.95);
    const raiz = palavra.replace(TERMINACOES, "");
    if (raiz.length >= 4) por(raiz, 0.6);
  }
  for (const grupo of indice.sinonimos) if (grupo.includes(palavra)) for (const outra of grupo) por(outra, 0.55);
  return formas;
}

function nota(linha, formas) {
  let melhor = 0;
  for (const { texto, peso } of formas) {
    const titulo = comeca(linha.nome, texto);
    const pagina = comeca(linha.daPagina, texto);
    const dentro = comeca(linha.dentro, texto);
    const vezes = dentro ? Math.min(2, 1 + contar(linha.dentro, texto) / 6) : 0;
    // a title of few words says more by each of them
    const curto = 0.6 + 0.8 / (1 + linha.nome.split(" ").length / 3);
    melhor = Math.max(melhor, peso * (titulo * 9 * curto + pagina * 4 + dentro * 1.6 * vezes));
  }
  return melhor;
}

// 1 a whole word, 0.9 its plural, 0.6 the beginning of one, 0 nothing.
function comeca(onde, palavra) {
  let melhor = 0;
  for (let em = onde.indexOf(palavra); em >= 0; em = onde.indexOf(palavra, em + 1)) {
    if (em > 0 && /[a-z0-9]/.test(onde[em - 1])) continue;
    const resto = onde.slice(em + palavra.length, em + palavra.length + 3);
    if (!/^[a-z0-9]/.test(resto)) return 1;
    melhor = Math.max(melhor, /^(e?s)(?![a-z0-9])/.test(resto) ? 0.9 : 0.6);
  }
  return melhor;
}

function contar(onde, palavra) {
  let vezes = 0;
  for (let em = onde.indexOf(palavra); em >= 0 && vezes < 6; em = onde.indexOf(palavra, em + 1)) vezes += 1;
  return vezes;
}

// What was asked for stands there word for word.
function inteira(linha, inteiro, palavras) {
  if (linha.nome === inteiro || linha.ultimo === inteiro) return 60;
  if (palavras.length < 2) return linha.nome.startsWith(`${inteiro} `) ? 40 : 0;
  if (linha.nome.includes(inteiro)) return 40;
  return linha.dentro.includes(inteiro) ? 15 : 0;
}

// Not one page alone: at most three places of each, unless there is nothing else.
function espalhar(linhas, quantas) {
  const usadas = new Map();
  const primeiras = linhas.filter(({ linha }) => {
    const pagina = linha.endereco.split("#")[0];
    usadas.set(pagina, (usadas.get(pagina) ?? 0) + 1);
    return usadas.get(pagina) <= 3;
  });
  const resto = linhas.filter((linha) => !primeiras.includes(linha));
  return [...primeiras, ...resto].slice(0, quantas);
}

// The text around the first word found, in pieces: [text, whether it was asked for].
export function trecho(linha, palavras) {
  const onde = palavras.map((palavra) => posicao(linha.dentro, palavra)).filter((em) => em >= 0);
  const primeiro = onde.length ? Math.min(...onde) : 0;
  const de = primeiro < 50 ? 0 : linha.texto.lastIndexOf(" ", primeiro - 30) + 1;
  const fim = linha.texto.length <= de + 150 ? linha.texto.length : Math.max(linha.texto.lastIndexOf(" ", de + 150), de + 100);
  return [[de > 0 ? "… " : "", false], ...marcar(linha.texto.slice(de, fim), palavras), [fim < linha.texto.length ? " …" : "", false]].filter(([texto]) => texto);
}

export function marcar(texto, palavras) {
  const liso = plano(texto);
  const pedacos = [];
  let feito = 0;
  while (feito < texto.length) {
    const achadas = palavras.map((palavra) => ({ em: posicao(liso, palavra, feito), palavra })).filter(({ em }) => em >= 0);
    achadas.sort((uma, outra) => uma.em - outra.em || outra.palavra.length - uma.palavra.length);
    if (!achadas.length) break;
    const { em, palavra } = achadas[0];
    if (em > feito) pedacos.push([texto.slice(feito, em), false]);
    pedacos.push([texto.slice(em, em + palavra.length), true]);
    feito = em + palavra.length;
  }
  if (feito < texto.length) pedacos.push([texto.slice(feito), false]);
  return pedacos;
}

function posicao(onde, palavra, desde = 0) {
  for (let em = onde.indexOf(palavra, desde); em >= 0; em = onde.indexOf(palavra, em + 1)) {
    if (em === 0 || !/[a-z0-9]/.test(onde[em - 1])) return em;
  }
  return -1;
}
