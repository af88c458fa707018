"""The running service against its own OpenAPI document: whatever is sent, the answer is one that is declared.

PALIMPSEST_EXAMPLES says how many calls are made up for each address (10 if it says nothing; 500 for a night).
"""

import json
import os
from typing import Any

import schemathesis
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

EXAMPLES = int(os.environ.get("PALIMPSEST_EXAMPLES", "10"))
DOCUMENT: dict[str, Any] = json.loads(json.dumps(SchemaGenerator().get_schema(request=None, public=True), default=str))
schema = schemathesis.openapi.from_dict(DOCUMENT)


@schemathesis.serializer("application/x-ndjson")
def as_lines(_context, value):
    """Send what was made up for a file as it is: bytes, or the text's."""
    return value if isinstance(value, bytes) else str(value).encode()


def test_the_service_publishes_the_document_that_is_tried_here(service):
    published = service.ask("GET", "/v1/openapi.json")
    assert (published.status, published.json(), published.json()["openapi"]) == (200, DOCUMENT, "3.1.1")


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_a_declared_one(case, service, committed_cast):
    answered = case.call(base_url=service.url, headers=committed_cast.ada.headers)
    if answered.status_code in (414, 431):  # the server in front of the application refuses what is too long
        assert answered.headers["content-type"] == ["application/problem+json"]
        return
    # What fits the schema may still be refused: of some parameters one must be there, a cursor must be ours.
    case.validate_response(answered, excluded_checks=[positive_data_acceptance])
    if answered.status_code in (400, 422):
        told = answered.json()
        assert told.get("field") or told["code"] != "invalid", told
