"""The whole API, asked by Schemathesis whatever its description allows, and what it does not allow."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from starlette.testclient import TestClient

from commands import ilap
from ilap.checks.digits import Exposures
from ilap.keep.learner import LearnerInFile
from keyboard import HEADERS
from pictures_in_file import exposure_of
from served import TOKEN, Running, is_problem

if TYPE_CHECKING:
    from schemathesis import Case

CASES = 5000
EVENTS = "/api/v1/events"  # an answer that never ends


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, exposures: Exposures) -> Path:
    """A learner with the features of the shipped network, which takes pictures of any size."""
    folder = tmp_path_factory.mktemp("described")
    with LearnerInFile(folder / "digits.ilap", risk=0.5, caution=0) as learner:
        for part in range(3):
            for label in range(4):
                burst = folder / "pictures" / f"burst {label}{part}"
                learner.observe(exposure_of(exposures[label][part].pictures[:6], burst, None))
    return folder / "digits.ilap"


@pytest.mark.slow
def test_it_keeps_to_its_description_and_never_fails(file: Path, start: Callable[..., Running]) -> None:
    pytest.importorskip("schemathesis")
    running = start(file, "lite0")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{running.root}/api/v1/openapi.json"),
            *("--header", f"Authorization: Bearer {TOKEN}", "--checks", "all", "--exclude-path", EVENTS),
            *("--max-examples", "210", "--continue-on-failure", "--request-timeout", "60", "--seed", "1"),
        ],
        capture_output=True,
        text=True,
        cwd=file.parent,
    )
    assert done.returncode == 0, done.stdout
    generated = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
    assert generated
    assert int(generated[1]) == int(generated[2]) >= CASES
    print(f"{generated[1]} cases")
    assert httpx.get(f"{running.root}/health").json() == {"status": "ok"}
    running.process.terminate()
    assert running.process.wait() == 0
    assert ilap("check", str(file)).returncode == 0


@pytest.mark.slow
def test_events_keep_to_their_description_too(file: Path, start: Callable[..., Running]) -> None:
    """Of an answer that never ends only the beginning is read."""
    schemathesis = pytest.importorskip("schemathesis")
    import requests
    from hypothesis import HealthCheck, given, settings

    running = start(file, "lite0")
    description = httpx.get(f"{running.root}/api/v1/openapi.json", headers=HEADERS).json()
    del description["paths"][EVENTS]["get"]["security"]  # the token is sent with every request
    operation = schemathesis.openapi.from_dict(description)[EVENTS]["GET"]
    seen = set[int]()

    def asked(case: Case) -> None:
        fields: dict[str, Any] = case.as_transport_kwargs(base_url=running.root)
        fields["headers"] = {**fields.get("headers", {}), **HEADERS}
        with requests.request(**fields, stream=True, timeout=30) as answer:
            answer._content = next(answer.iter_content(200)) if answer.status_code == 200 else answer.content
            seen.add(answer.status_code)
            case.validate_response(schemathesis.Response.from_requests(answer, verify=True))

    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        strategy = operation.as_strategy(generation_mode=mode)
        settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck), database=None)(
            given(strategy)(asked)
        )()
    assert seen == {200, 422}


def test_no_route_is_answered_without_a_token_and_none_takes_a_page_of_another_server(
    client: TestClient,
) -> None:
    described = client.get("/api/v1/openapi.json").json()["paths"]
    routes = [(method, re.sub(r"\{\w+\}", "0", path)) for path, own in described.items() for method in own]
    assert len(routes) > 20
    for method, path in routes:
        away = client.request(method, path, headers={"Origin": "http://evil.example"})
        assert path == "/health" or is_problem(away, 403), path
    del client.headers["Authorization"]
    for method, path in routes:
        assert path == "/health" or is_problem(client.request(method, path), 401), path
