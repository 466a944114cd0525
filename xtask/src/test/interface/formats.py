"""The formats of the document that JSON Schema does not know: what `format` says of a text, as a check and as a maker of right ones.

Check digits: MOC 7.0, visão geral (CNPJ since NT 2025.001 with letters), modulo 11.
"""

import re

MASK = re.compile(r"[./\- ]")


def digit(text, weights):
    rest = sum((ord(letter) - 48) * weight for letter, weight in zip(text, weights)) % 11
    return "0" if rest < 2 else str(11 - rest)


def cpf(base):
    for weights in (range(10, 1, -1), range(11, 1, -1)):
        base += digit(base, weights)
    return base


def cnpj(base):
    for weights in ([5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]):
        base += digit(base, weights)
    return base


def key(base):
    weights = [2 + at % 8 for at in range(43)][::-1]
    return base + digit(base, weights)


def is_cpf(text):
    bare = MASK.sub("", text)
    return bool(re.fullmatch("[0-9]{11}", bare)) and len(set(bare)) > 1 and cpf(bare[:9]) == bare


def is_cnpj(text):
    bare = MASK.sub("", text).upper()
    return bool(re.fullmatch("[0-9A-Z]{12}[0-9]{2}", bare)) and bare != "0" * 14 and cnpj(bare[:12]) == bare


def is_key(text):
    return bool(re.fullmatch("[0-9]{6}[0-9A-Z]{12}[0-9]{26}", text)) and key(text[:43]) == text


CHECKS = {
    "cpf": is_cpf,
    "cnpj": is_cnpj,
    "cpf-cnpj": lambda text: is_cpf(text) or is_cnpj(text),
    "chave-acesso": is_key,
}
