"""H7: a WSGI server takes `hook_id` for `hook-id`. Whatever a sender makes of that, only what was signed is stored."""

import json
import socket
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook

from tests.faults.house import House
from tests.faults.inside import SECRET

pytestmark = [pytest.mark.faults, pytest.mark.once]

BODY = json.dumps({"questionnaire": {"id": "q1"}})


def post_raw(house: House, path: str, headers: list[tuple[str, str]]) -> int:
    """Send headers as they are: a client library might tidy them up."""
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", f"Content-Length: {len(BODY)}"]
    lines += ["Content-Type: application/json", *(f"{name}: {value}" for name, value in headers)]
    with socket.create_connection(("127.0.0.1", house.port), timeout=15) as connection:
        connection.sendall("\r\n".join([*lines, "", BODY]).encode())
        return int(connection.recv(65536).split(b" ", 2)[1])


def signed(hook_id: str) -> list[tuple[str, str]]:
    at = datetime.now(UTC)
    signature = Webhook(SECRET).sign(hook_id, at, BODY)
    return [("hook-id", hook_id), ("hook-timestamp", str(int(at.timestamp()))), ("hook-signature", signature)]


def test_h07_headers_with_underscores_never_give_a_delivery_another_id_time_or_signature(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Folded")
    house.web()
    assert post_raw(house, tenant["path"], signed("msg_plain")) == 204
    stale = [("hook_timestamp", "1")]
    forged = [("hook_id", "msg_forged"), ("HOOK_ID", "msg_forged"), *stale, ("hook_signature", f"v1,{'A' * 43}=")]
    for number, extra in enumerate(forged):
        good = signed(f"msg_{number}")
        for headers in ([extra, *good], [*good, extra], [extra, *good, extra]):
            assert post_raw(house, tenant["path"], headers) in (204, 400)
    kept = inside.do("deliveries", tenant_id=tenant["tenant_id"])
    assert "msg_forged" not in kept
    assert {"msg_plain"} <= set(kept) <= {"msg_plain", *(f"msg_{number}" for number in range(len(forged)))}


def test_h07_an_id_as_long_as_a_sender_may_make_it_is_stored(house: House):
    inside = house.inside()
    tenant = inside.do("new_tenant", name="Long")
    house.web()
    for length, status in ((204, 204), (512, 204), (513, 400)):
        assert post_raw(house, tenant["path"], signed("m" * length)) == status
    kept = inside.do("deliveries", tenant_id=tenant["tenant_id"])
    assert {len(hook_id) for hook_id in kept} == {204, 512}
