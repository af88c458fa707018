"""The run itself: writes, the archivist's drain, searches; then the same by psycopg alone."""

import os
import time
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from tests.benchmarks.bare import Bare
from tests.benchmarks.facts import Fact, facts
from tests.benchmarks.machine import memory
from tests.benchmarks.measuring import HEAD, Figures, measure
from tests.benchmarks.product import Product, running

ALONE, TOGETHER = 400, 1_200  # calls by one client, by eight
PATIENCE = 1_800  # seconds for the vectors


def report(data: Path, *, model: str, records: int) -> str:
    """Measure everything with one embedding model and return it as Markdown."""
    known = facts(records)
    with running(data, model=model) as product:
        address = _database(product)
        writes, drained = _writes(product, known, address)
        searches = _searches(product, known)
        agents = _agents(product, known)
        held = {part: memory(pids) for part, pids in product.parts().items()}
        with product.archivist_asleep():
            bare = _bare(product, known, address)
    return _told(model, records, [*writes, *searches, *agents, *bare], drained=drained, held=held)


def _writes(product: Product, known: list[Fact], address: str) -> tuple[list[Figures], float]:
    def write(fact: Fact) -> str:
        return str(product.call("remember", {"content": fact.text, "source": "agent"})["id"])

    alone, together, rest = known[:ALONE], known[ALONE : ALONE + TOGETHER], known[ALONE + TOGETHER :]
    with product.archivist_asleep():
        figures = [
            measure("write, the archivist asleep", write, alone, clients=1, parts=product.parts),
            measure("write, the archivist asleep", write, together, clients=8, parts=product.parts),
        ]
    figures.append(measure("write, the archivist at work", write, rest, clients=8, parts=product.parts))
    stored = _count(address, "memory_record")
    if stored < len(known):
        raise RuntimeError(f"{len(known)} were acknowledged and {stored} are stored")
    started = time.perf_counter()
    while _count(address, "memory_errand", "WHERE kind = 'embed'") and time.perf_counter() - started < PATIENCE:
        time.sleep(1)
    return figures, time.perf_counter() - started


def _searches(product: Product, known: list[Fact]) -> list[Figures]:
    def search(fact: Fact) -> bool:
        results = product.call("search", {"query": fact.question, "limit": 10})["results"]
        return fact.text in [record["content"] for record in results]

    alone, together = known[:: max(1, len(known) // ALONE)], known[1 :: max(1, len(known) // TOGETHER)]
    for fact in known[2::500]:
        search(fact)  # connections open, plans made
    with product.archivist_asleep():
        return [
            measure("search", search, alone, clients=1, parts=product.parts),
            measure("search", search, together, clients=8, parts=product.parts),
        ]


def _agents(product: Product, known: list[Fact]) -> list[Figures]:
    """Call verbs by turns over REST and over MCP, so that what else runs here weighs on both alike."""
    some = known[:: max(1, len(known) // (ALONE // 2))]
    figures: list[Figures] = []

    def by_turns(verb: str, bodies: list[dict[str, Any]]) -> None:
        for half in (bodies[::2], bodies[1::2]):
            for door, call in (("REST", product.call), ("MCP", product.tool)):
                act = partial(call, verb)
                figures.append(measure(f"{verb} over {door}", act, half, clients=1, parts=product.parts))

    with product.archivist_asleep():
        by_turns("search", [{"query": fact.question, "limit": 10} for fact in some])
        found = [record["id"] for answer in figures[0].answers for record in answer["results"]]
        by_turns("read", [{"node_id": id} for id in found[:ALONE]])
        by_turns("remember", [{"content": f"{fact.text} again", "source": "agent"} for fact in some])
    return figures


def _bare(product: Product, known: list[Fact], address: str) -> list[Figures]:
    bare = Bare(address, dimensions=512)

    def found(fact: Fact) -> bool:
        return fact.text in bare.search(fact)

    def postgres() -> dict[str, list[int]]:
        return {"postgres": product.parts()["postgres"]}

    some, more, rest = known[:ALONE], known[ALONE : ALONE + TOGETHER], known[ALONE + TOGETHER :]
    figures = [
        measure("bare insert", bare.write, some, clients=1, parts=postgres),
        measure("bare insert", bare.write, more, clients=8, parts=postgres),
    ]
    for fact in rest:
        bare.write(fact)
    with psycopg.connect(address, autocommit=True) as opened:
        opened.execute("VACUUM ANALYZE bare")
    alone, together = known[:: max(1, len(known) // ALONE)], known[1 :: max(1, len(known) // TOGETHER)]
    return [
        *figures,
        measure("bare hybrid search", found, alone, clients=1, parts=postgres),
        measure("bare hybrid search", found, together, clients=8, parts=postgres),
    ]


def _told(model: str, records: int, figures: list[Figures], *, drained: float, held: dict[str, float]) -> str:
    by_name = {(one.name, one.clients): one for one in figures}

    def ratio(own: str, bare: str, clients: int) -> str:
        return f"{by_name[bare, clients].per_second / by_name[own, clients].per_second:.1f}"

    def beside(verb: str) -> str:
        rest, mcp = (sum(one.p50 for one in figures if one.name == f"{verb} over {door}") for door in ("REST", "MCP"))
        return f"{verb} {mcp / rest:.2f}"

    write, insert, limit = "write, the archivist asleep", "bare insert", "bare hybrid search"
    lines = [
        f"### {model}, {records:,} records",
        f"{time.strftime('%Y-%m-%d %H:%M')}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        "",
        HEAD,
        *(one.row for one in figures),
        "",
        f"Every record had its vector {drained:,.0f} s after the last write.",
        "Found among the ten: " + ", ".join(f"{n} {_hits(one)}" for n, one in _searched(figures)) + ".",
        f"Bare writes {ratio(write, insert, 1)} × as fast (one client) and {ratio(write, insert, 8)} × (eight).",
        f"Bare searches {ratio('search', limit, 1)} × as fast (one client) and {ratio('search', limit, 8)} × (eight).",
        "A tool call takes so many times the same call over REST (p50, by turns): "
        + ", ".join(map(beside, ("read", "search", "remember")))
        + ".",
        "Memory: " + ", ".join(f"{part} {size:,.0f} MB" for part, size in held.items()) + ".",
        "",
    ]
    return "\n".join(lines)


def _searched(figures: list[Figures]) -> list[tuple[str, Figures]]:
    return [(one.name, one) for one in figures if one.name in {"search", "bare hybrid search"} and one.clients == 1]


def _hits(one: Figures) -> str:
    return f"{sum(one.answers) / len(one.answers):.3f}"


def _database(product: Product) -> str:
    """Take the address from the web's own surroundings, and come as the superuser: the socket lets its owner in."""
    web = product.parts()["web"][0]
    pairs = Path(f"/proc/{web}/environ").read_bytes().split(b"\0")
    named = dict(pair.decode(errors="replace").partition("=")[::2] for pair in pairs if pair)
    return named["DATABASE_URL"].replace("palimpsest_app", "postgres")


def _count(address: str, table: str, where: str = "") -> int:
    with psycopg.connect(address) as opened:
        row = opened.execute(f"SELECT count(*) FROM {table} {where}").fetchone()  # type: ignore[arg-type]
        return int(row[0]) if row else 0
