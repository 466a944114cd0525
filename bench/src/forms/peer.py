"""The peer of `bench forms`: BrazilFiscalReport prints one file again and again and says its median, its size and its memory.

peer.py FILE LAYOUT ROUNDS; prints one line of JSON, `{}` for a document that it does not print.
"""

import gc
import io
import json
import resource
import statistics
import sys
import time
import warnings


def printer(layout):
    """A function from XML to the bytes of a PDF, or None."""
    if layout == "cupom":
        try:
            from brazilfiscalreport.danfce import Danfce
        except ImportError:
            return None
        return lambda xml: written(Danfce(xml=xml))
    if layout in ("danfse", "municipal"):
        return None
    if layout == "dacte":
        from brazilfiscalreport.dacte import Dacte

        return lambda xml: written(Dacte(xml=xml))
    from brazilfiscalreport.danfe import Danfe, DanfeConfig
    from brazilfiscalreport.danfe.config import DanfeLayout

    wanted = DanfeLayout.NT_2026_010 if layout == "nt2026010" else DanfeLayout.MOC_7_0
    warnings.simplefilter("ignore")
    return lambda xml: written(Danfe(xml=xml, config=DanfeConfig(layout=wanted)))


def written(form):
    out = io.BytesIO()
    form.output(out)
    return out.getvalue()


def main():
    path, layout, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(path, encoding="utf-8") as file:
        xml = file.read()
    make = printer(layout)
    if make is None:
        print("{}")
        return
    if rounds > 1:
        make(xml)
    times = []
    for _ in range(rounds):
        gc.collect()
        began = time.thread_time_ns()
        pdf = make(xml)
        times.append(time.thread_time_ns() - began)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"median_ns": int(statistics.median(times)), "bytes": len(pdf), "memory_kb": memory}))


main()
