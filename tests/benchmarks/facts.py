"""Facts of an invented company and questions about them, the same at every run."""

import random
from dataclasses import dataclass

SEED = 20_261_201
PEOPLE = (
    "Agnes Bartek Cosima Dragan Esme Fyodor Greta Halim Ines Jarek Katya Luca Mirela Nils Olga Pavel Rana Siri".split()
)
SERVICES = """
parcel-router stock-ledger till-sync claims-desk route-planner label-printer fleet-map invoice-mill tariff-table
returns-gate pallet-scanner shift-roster customs-filer weigh-bridge dock-calendar driver-app
""".split()
TOOLS = (
    "PostgreSQL Valkey Kafka nginx Terraform Ansible Sentry Grafana Vault Podman Flyway Jenkins RabbitMQ MinIO".split()
)
PLACES = "staging production rehearsal Hamburg Gdansk Trieste canary".split()
CAUSES = (
    "its queue filled up overnight",
    "certificates ran out on a Sunday",
    "the supplier raised prices",
    "a rollback took forty minutes",
    "nobody could read its logs",
    "load tests failed twice",
    "the old host lost a disk",
)
SHAPES = (
    "{service} runs on {tool} in {place} since change {number}; {person} signed it off.",
    "Since change {number} {person} keeps the runbook of {service}, and {place} restarts come first.",
    "{person} took {service} off {tool} in {place} because {cause}, see change {number}.",
    "In {place} {service} waits {number} ms for {tool} before it gives up; {person} measured that.",
    "Backups of {service} go from {tool} to {place} every {number} minutes, says {person}.",
    "Alarm {number} of {service} in {place} was silenced by {person}: {cause}.",
    "{person} wants {service} to leave {tool} by quarter {number}, for {cause}.",
    "Ask {person} before you touch {tool} under {service} in {place}; change {number} broke it.",
)


@dataclass(frozen=True)
class Fact:
    """One sentence, and a question that only its words answer."""

    text: str
    question: str


def facts(number: int) -> list[Fact]:
    """Return so many different facts."""
    chance, made = random.Random(SEED), {}
    while len(made) < number:
        parts = {
            "person": chance.choice(PEOPLE),
            "service": chance.choice(SERVICES),
            "tool": chance.choice(TOOLS),
            "place": chance.choice(PLACES),
            "cause": chance.choice(CAUSES),
            "number": chance.randrange(10, 100_000),
        }
        text = chance.choice(SHAPES).format(**parts)
        asked = " ".join(str(parts[name]) for name in ("service", "number", "person"))
        made.setdefault(text, Fact(text, f"what about {asked}?"))
    return list(made.values())
