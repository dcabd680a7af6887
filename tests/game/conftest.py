"""What tests of the commands that read records share."""

import json

import pytest


@pytest.fixture
def file(tmp_path):
    """Writes bytes, or anything as JSON, into a file; returns its path."""

    def write(content, name="record.json"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return write
