"""The documentation in a browser: what users look for is among the first three found, no page is wider than a phone, nothing is asked of another host.

    python3 xtask/src/test/interface/pages.py http://127.0.0.1:8080 [FOLDER FOR PICTURES]
"""

import json
import re
import sys
import time
import urllib.request

from browser import Browser, Refused

# what a user types, and what must stand among the first three
PHRASES = [
    ("cancelar nota", r"^/docs/guia/correcao-e-cancelamento"),
    ("backup", r"^/docs/guia/operacao#cópia-de-segurança"),
    ("539", r"^/docs/guia/codigos#539$"),
    ("senha do certificado", r"^/docs/guia/certificado"),
    ("migrar", r"^/docs/guia/migrar"),
    ("docker", r"^/docs/guia/container"),
    ("contingência", r"^/docs/guia/contingencia"),
    ("webhook assinatura", r"^/docs/guia/webhooks"),
    ("CSOSN", r"^/docs/guia/(campos-nfe#produtos\.icms|regras#N12a)"),
    ("duplicidade", r"^/docs/guia/(codigos#(204|539)|idempotencia)"),
    ("csc", r"^/docs/guia/nfce|^/docs/rotas/configurarNfce$"),
    ("cancelamento fora do prazo", r"^/docs/guia/(correcao-e-cancelamento|codigos#(501|155))"),
    ("numeracao pulada", r"^/docs/guia/inutilizacao"),
    ("NOTA EM DUVIDA", r"^/docs/guia/contingencia#uma-nota-em-dúvida|em_duvida"),
    ("total difere do somatório", r"^/docs/guia/regras#W16-10|^/docs/guia/(regras|codigos)#"),
    ("sistema não emite sem internet", r"^/docs/guia/(nfce#4|contingencia)"),
    ("relógio do simulador", r"^/docs/guia/simulador"),
    ("impressora térmica cupom", r"^/docs/guia/impressao"),
    ("POST /v1/nfe/cancelar", r"^/docs/rotas/cancelarNfe$"),
    ("reenviar webhook", r"^/docs/rotas/reenviarWebhook$|^/docs/guia/webhooks"),
    ("mdfe", r"^/docs/guia/primeiro-cte#mdf-e$|mdfe"),
    ("postman", r"^/docs/guia/gerar-cliente"),
    ("usuários permissões", r"^/docs/guia/acesso#usuários-e-permissões$"),
    ("retry webhook", r"^/docs/guia/webhooks"),
    ("openapi-generator", r"^/docs/guia/gerar-cliente"),
    ("intervalo de consulta", r"^/docs/guia/acompanhar"),
    ("localizar", r"^/docs/(guia/acompanhar|rotas/localizarJob)"),
    ("consultar-lote", r"^/docs/rotas/consultarLote$"),
]

WIDTH = 360


def main():
    base, folder = sys.argv[1].rstrip("/"), (sys.argv[2:] or [None])[0]
    wrong = []
    began = time.monotonic()
    with Browser() as browser:
        searched = search(browser, base, folder, wrong)
        samples(browser, base, folder, wrong)
        pages = widths(browser, base, folder, wrong)
    for line in wrong:
        print(line)
    print(f"{searched} phrases, {pages} pages, {len(wrong)} wrong, {time.monotonic() - began:.1f} s")
    sys.exit(bool(wrong))


def search(browser, base, folder, wrong):
    page = browser.page(1280, 900)
    page.open(f"{base}/docs")
    page.press("/")
    page.until("document.activeElement.id === 'busca'", "the key / leads to the search")
    for phrase, right in PHRASES:
        found = ask(page, phrase)
        if not any(re.search(right, address) for address in found[:3]):
            wrong.append(f"search: {phrase!r} finds {found[:5]}, not {right}")
        if folder:
            page.picture(f"{folder}/busca-{phrase.replace(' ', '-')}.png")
    models = page_text(page, "vProd", "[...document.querySelectorAll('#achados small')].map((one) => one.textContent).join()")
    if not ("modelo 55" in models and "modelo 65" in models):
        wrong.append(f"search: a field does not say its model: {models}")
    marked = page_text(page, "cancelamento", "document.querySelector('#achados mark')?.textContent")
    if (marked or "").lower() != "cancelamento":
        wrong.append(f"search: what was found is not marked: {marked!r}")
    hints = page_text(page, "xyzzy plugh", "document.querySelector('#achados').textContent")
    if "Nada encontrado" not in hints or "539" not in hints:
        wrong.append(f"search: no hints where nothing is found: {hints!r}")
    keyboard(page, wrong)
    wrong.extend(f"search: {said}" for said in page.complaints() if not said.startswith(f"asks {base}"))
    return len(PHRASES)


def keyboard(page, wrong):
    ask(page, "idempotência")
    for key in ["ArrowDown", "ArrowDown", "ArrowUp"]:
        page.press(key)
    chosen = page.evaluate("document.getElementById(document.getElementById('busca').getAttribute('aria-activedescendant')).href")
    if chosen != page.evaluate("document.querySelector('#achados [role=option]').href"):
        wrong.append(f"keyboard: two down and one up chose {chosen}")
    page.press("Escape")
    if not page.evaluate("document.getElementById('achados').hidden"):
        wrong.append("keyboard: Escape leaves the list open")
    ask(page, "idempotência")
    page.press("Enter")
    page.until("location.pathname === '/docs/guia/idempotencia'", "Enter opens the first found")


def ask(page, phrase):
    """Types a phrase over what is there; the addresses found, decoded."""
    page_text(page, phrase, "1")
    links = page.evaluate("[...document.querySelectorAll('#achados [role=option]')].map((one) => one.getAttribute('href'))")
    return links


def page_text(page, phrase, program):
    page.evaluate("(() => { const busca = document.getElementById('busca'); busca.focus(); busca.select(); document.getElementById('achados').replaceChildren(); })()")
    page.write(phrase)
    page.until("document.getElementById('achados').childElementCount > 0 && !document.getElementById('achados').hidden", f"an answer to {phrase!r}")
    return page.evaluate(program)


BESIDE = "(() => { const [text, samples] = ['.texto', '.amostra'].map((one) => document.querySelector(one).getBoundingClientRect()); return samples.left >= text.right && samples.top < 300; })()"
SHOWN = "[...document.querySelectorAll('.linguagens details[open] > summary')].map((one) => one.textContent).join()"


def samples(browser, base, folder, wrong):
    """Call and answer stand beside the text where there is room, in the language that the reader chose last."""
    for width, beside in [(1440, True), (1280, False)]:
        page = browser.page(width, 900)
        for path in ["/docs/rotas/emitirNfe", "/docs/guia/webhooks", "/docs/guia/documento-nfe"]:
            page.open(base + path)
            if page.evaluate(BESIDE) != beside:
                wrong.append(f"samples: {path} at {width} are {'not ' if beside else ''}beside the text")
            if folder:
                page.picture(f"{folder}/mesa-{width}{path.replace('/', '-')}.png")
    page.open(f"{base}/docs/rotas/emitirNfe")
    page.until(f"({SHOWN}) === 'curl'", "curl is the first language")
    page.evaluate("[...document.querySelectorAll('.escolha button')].find((one) => one.textContent === 'Python').click()")
    for path in ["/docs/rotas/emitirNfe", "/docs/guia/nfce"]:
        page.open(base + path)
        page.until(f"({SHOWN}) === 'Python'", f"{path} shows the language that was chosen")
    address = page.evaluate("document.querySelector('[data-amostra=endereco]').textContent")
    if address != base:
        wrong.append(f"samples: the calls go to {address}")


def widths(browser, base, folder, wrong):
    with urllib.request.urlopen(f"{base}/docs/recursos/busca.json") as answer:
        lines = json.load(answer)["linhas"]
    pages = ["/docs", "/docs/erros", "/swagger", *sorted({line[2].split("#")[0] for line in lines})]
    phone = browser.page(WIDTH, 740, dark=True)
    for path in pages:
        phone.open(base + path)
        wide = phone.evaluate("document.documentElement.scrollWidth")
        if wide > phone.evaluate("document.documentElement.clientWidth"):
            widest = "[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map((one) => one.outerHTML.slice(0, 90))"
            wrong.append(f"{path} is {wide} wide on a phone of {WIDTH}: {phone.evaluate(widest)}")
        cut = phone.evaluate("[...document.querySelectorAll('main :is(table, pre)')].filter((one) => one.scrollWidth > one.parentElement.clientWidth + 1"
                             " && !/auto|scroll/.test(getComputedStyle(one).overflowX + getComputedStyle(one.parentElement).overflowX)).length")
        if cut:
            wrong.append(f"{path}: {cut} tables or examples are cut off")
        wrong.extend(f"{path}: {said}" for said in phone.complaints() if not re.match(rf"asks ({re.escape(base)}|data:|blob:)", said))
        if folder:
            phone.picture(f"{folder}/celular{path.replace('/', '-')}.png")
    return len(pages)


if __name__ == "__main__":
    try:
        main()
    except Refused as why:
        sys.exit(f"browser: {why}")
