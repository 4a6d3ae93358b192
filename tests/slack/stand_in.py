"""Slack's Web API as far as the portal calls it: an HTTP server on this machine that keeps messages and dialogs."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

type Json = dict[str, Any]

WORKSPACE, TOKEN, CONVERSATION = "T0ACME", "xoxb-canary-token-1", "C0TRUSTDESK"


@dataclass
class StandIn:
    """One workspace with its people; what was called, and what stands in its channel now."""

    url: str = ""
    users: dict[str, Json] = field(default_factory=dict)
    messages: dict[str, Json] = field(default_factory=dict)
    """By `ts`, as they were last changed."""
    dialogs: list[Json] = field(default_factory=list)
    whispers: list[Json] = field(default_factory=list)
    """What one person alone sees."""
    calls: list[str] = field(default_factory=list)
    refuses: dict[str, str] = field(default_factory=dict)
    """Methods that are answered with an error of Slack's."""
    refuses_text: str = ""
    """A message whose text it cannot show."""
    status: int = 200

    def knows(self, user_id: str, email: str, **changes: Any) -> None:
        user = {"id": user_id, "team_id": WORKSPACE, "deleted": False, "is_bot": False, "is_email_confirmed": True}
        self.users[user_id] = user | {"profile": {"email": email}} | changes

    def answer(self, method: str, token: str, sent: dict[str, str]) -> Json:
        self.calls.append(method)
        if token != TOKEN:
            return {"ok": False, "error": "invalid_auth"}
        if method in self.refuses:
            return {"ok": False, "error": self.refuses[method]}
        if self.refuses_text and sent.get("text") == self.refuses_text:
            return {"ok": False, "error": "invalid_blocks"}
        return {"ok": True} | getattr(self, f"_{method.replace('.', '_')}")(sent)

    def _auth_test(self, sent: dict[str, str]) -> Json:
        return {"team_id": WORKSPACE}

    def _users_info(self, sent: dict[str, str]) -> Json:
        return {"user": self.users.get(sent["user"])}

    def _chat_postMessage(self, sent: dict[str, str]) -> Json:  # noqa: N802 - Slack's name
        ts = f"17000000{len(self.messages):02}.000100"
        self.messages[ts] = _message(sent)
        return {"ts": ts, "channel": sent["channel"]}

    def _chat_update(self, sent: dict[str, str]) -> Json:
        assert sent["ts"] in self.messages
        self.messages[sent["ts"]] = _message(sent)
        return {}

    def _chat_postEphemeral(self, sent: dict[str, str]) -> Json:  # noqa: N802 - Slack's name
        self.whispers.append({"user": sent["user"]} | _message(sent))
        return {}

    def _views_open(self, sent: dict[str, str]) -> Json:
        self.dialogs.append(json.loads(sent["view"]))
        return {}


def _message(sent: dict[str, str]) -> Json:
    return {"channel": sent["channel"], "text": sent["text"], "blocks": json.loads(sent["blocks"])}


class _Handler(BaseHTTPRequestHandler):
    stand_in: StandIn

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        sent = {name: values[0] for name, values in parse_qs(body, keep_blank_values=True).items()}
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        answer = json.dumps(self.stand_in.answer(self.path.rpartition("/")[2], token, sent)).encode()
        self.send_response(self.stand_in.status)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def slack_running() -> Iterator[StandIn]:
    stand_in = StandIn()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"stand_in": stand_in}))
    stand_in.url = f"http://127.0.0.1:{server.server_port}/api/"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
